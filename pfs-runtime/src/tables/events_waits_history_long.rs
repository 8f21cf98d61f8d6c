//! `events_waits_history_long`: the last waits that ended, of all threads.

use crate::class::EventKind;
use crate::schema::{EventTable, Schema};

use super::events_waits_current::EventsWaitsRow;
use super::keys::events;
use super::{Ops, Scan, Table, TableError};

/// The table `events_waits_history_long`.
#[derive(Debug)]
pub enum EventsWaitsHistoryLong {}

impl Table for EventsWaitsHistoryLong {
    const NAME: &'static str = "events_waits_history_long";
    const DOC: &'static str = "The last waits that ended, of all threads, as many as \
        performance_schema_events_waits_history_long_size says. They stay when their thread ends. TRUNCATE \
        removes the rows.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsWaitsRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let records = events::<Self::Row, _>(schema, scan, EventKind::Wait, EventTable::HistoryLong);
        records.map(|record| EventsWaitsRow::new(schema.clock(), &record))
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.truncate_events(EventKind::Wait, EventTable::HistoryLong);
        Ok(())
    }
}
