//! `events_statements_history`: the last statements that each thread ended.

use crate::class::EventKind;
use crate::schema::{EventTable, Schema};

use super::events_statements_current::EventsStatementsRow;
use super::keys::events;
use super::{Ops, Scan, Table, TableError};

/// The table `events_statements_history`.
#[derive(Debug)]
pub enum EventsStatementsHistory {}

impl Table for EventsStatementsHistory {
    const NAME: &'static str = "events_statements_history";
    const DOC: &'static str = "The last statements that each thread ended, as many a thread as \
        performance_schema_events_statements_history_size says. They go when the thread ends. TRUNCATE \
        removes the rows.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsStatementsRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let records = events::<Self::Row, _>(schema, scan, EventKind::Statement, EventTable::History);
        records.map(|record| EventsStatementsRow::new(schema, record))
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.truncate_events(EventKind::Statement, EventTable::History);
        Ok(())
    }
}
