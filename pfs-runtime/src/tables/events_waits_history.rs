//! `events_waits_history`: the last waits that each thread ended.

use crate::class::EventKind;
use crate::schema::{EventTable, Schema};

use super::events_waits_current::EventsWaitsRow;
use super::keys::events;
use super::{Ops, Scan, Table, TableError};

/// The table `events_waits_history`.
#[derive(Debug)]
pub enum EventsWaitsHistory {}

impl Table for EventsWaitsHistory {
    const NAME: &'static str = "events_waits_history";
    const DOC: &'static str = "The last waits that each thread ended, as many a thread as \
        performance_schema_events_waits_history_size says. They go when the thread ends. TRUNCATE removes \
        the rows.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsWaitsRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let records = events::<Self::Row, _>(schema, scan, EventKind::Wait, EventTable::History);
        records.map(|record| EventsWaitsRow::new(schema.clock(), &record))
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.truncate_events(EventKind::Wait, EventTable::History);
        Ok(())
    }
}
