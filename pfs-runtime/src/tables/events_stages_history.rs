//! `events_stages_history`: the last stages that each thread ended.

use crate::class::EventKind;
use crate::schema::{EventTable, Schema};

use super::events_stages_current::EventsStagesRow;
use super::keys::events;
use super::{Ops, Scan, Table, TableError};

/// The table `events_stages_history`.
#[derive(Debug)]
pub enum EventsStagesHistory {}

impl Table for EventsStagesHistory {
    const NAME: &'static str = "events_stages_history";
    const DOC: &'static str = "The last stages that each thread ended, as many a thread as \
        performance_schema_events_stages_history_size says. They go when the thread ends. TRUNCATE removes \
        the rows.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsStagesRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let records = events::<Self::Row, _>(schema, scan, EventKind::Stage, EventTable::History);
        records.map(|record| EventsStagesRow::new(schema.clock(), &record))
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.truncate_events(EventKind::Stage, EventTable::History);
        Ok(())
    }
}
