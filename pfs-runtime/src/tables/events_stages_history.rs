//! `events_stages_history`: the last stages that each thread ended.

use crate::class::EventKind;
use crate::schema::{EventTable, Schema};

use super::engine::truncate_events;
use super::events_stages_current::EventsStagesRow;
use super::keys::{contexts, events};
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
        let admits = events::<Self::Row>(scan);
        contexts::<Self::Row>(schema, scan).flat_map(move |context| {
            let records = context.events(EventKind::Stage, EventTable::History).into_iter().filter(admits);
            records.map(|record| EventsStagesRow::new(schema.clock(), &record))
        })
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        truncate_events(schema, EventKind::Stage, EventTable::History);
        Ok(())
    }
}
