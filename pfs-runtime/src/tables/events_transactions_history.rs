//! `events_transactions_history`: the last transactions that each thread ended.

use crate::class::EventKind;
use crate::schema::{EventTable, Schema};

use super::events_transactions_current::EventsTransactionsRow;
use super::keys::events;
use super::{Ops, Scan, Table, TableError};

/// The table `events_transactions_history`.
#[derive(Debug)]
pub enum EventsTransactionsHistory {}

impl Table for EventsTransactionsHistory {
    const NAME: &'static str = "events_transactions_history";
    const DOC: &'static str = "The last transactions that each thread ended, as many a thread as \
        performance_schema_events_transactions_history_size says. They go when the thread ends. TRUNCATE \
        removes the rows.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsTransactionsRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let records = events::<Self::Row, _>(schema, scan, EventKind::Transaction, EventTable::History);
        records.map(|record| EventsTransactionsRow::new(schema.clock(), &record))
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.truncate_events(EventKind::Transaction, EventTable::History);
        Ok(())
    }
}
