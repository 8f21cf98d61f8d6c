//! `events_stages_history_long`: the last stages that ended, of all threads.

use crate::class::EventKind;
use crate::schema::{EventTable, Schema};

use super::events_stages_current::EventsStagesRow;
use super::keys::events;
use super::{Ops, Scan, Table, TableError};

/// The table `events_stages_history_long`.
#[derive(Debug)]
pub enum EventsStagesHistoryLong {}

impl Table for EventsStagesHistoryLong {
    const NAME: &'static str = "events_stages_history_long";
    const DOC: &'static str = "The last stages that ended, of all threads, as many as \
        performance_schema_events_stages_history_long_size says. They stay when their thread ends. TRUNCATE \
        removes the rows.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsStagesRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let records = events::<Self::Row, _>(schema, scan, EventKind::Stage, EventTable::HistoryLong);
        records.map(|record| EventsStagesRow::new(schema.clock(), &record))
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.truncate_events(EventKind::Stage, EventTable::HistoryLong);
        Ok(())
    }
}
