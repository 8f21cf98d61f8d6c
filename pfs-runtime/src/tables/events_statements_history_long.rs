//! `events_statements_history_long`: the last statements that ended, of all threads.

use crate::class::EventKind;
use crate::schema::{EventTable, Schema};

use super::events_statements_current::EventsStatementsRow;
use super::keys::events;
use super::{Ops, Scan, Table, TableError};

/// The table `events_statements_history_long`.
#[derive(Debug)]
pub enum EventsStatementsHistoryLong {}

impl Table for EventsStatementsHistoryLong {
    const NAME: &'static str = "events_statements_history_long";
    const DOC: &'static str = "The last statements that ended, of all threads, as many as \
        performance_schema_events_statements_history_long_size says. They stay when their thread ends. \
        TRUNCATE removes the rows.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsStatementsRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let records = events::<Self::Row, _>(schema, scan, EventKind::Statement, EventTable::HistoryLong);
        records.map(|record| EventsStatementsRow::new(schema, record))
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.truncate_events(EventKind::Statement, EventTable::HistoryLong);
        Ok(())
    }
}
