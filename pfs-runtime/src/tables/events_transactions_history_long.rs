//! `events_transactions_history_long`: the last transactions that ended.

use crate::class::EventKind;
use crate::schema::{EventTable, Schema};

use super::events_transactions_current::EventsTransactionsRow;
use super::keys::events;
use super::{Ops, Scan, Table, TableError};

/// The table `events_transactions_history_long`.
#[derive(Debug)]
pub enum EventsTransactionsHistoryLong {}

impl Table for EventsTransactionsHistoryLong {
    const NAME: &'static str = "events_transactions_history_long";
    const DOC: &'static str = "The last transactions that ended, of all threads, as many as \
        performance_schema_events_transactions_history_long_size says. They stay when their thread ends. TRUNCATE \
        removes the rows.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsTransactionsRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let records = events::<Self::Row, _>(schema, scan, EventKind::Transaction, EventTable::HistoryLong);
        records.map(|record| EventsTransactionsRow::new(schema.clock(), &record))
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.truncate_events(EventKind::Transaction, EventTable::HistoryLong);
        Ok(())
    }
}
