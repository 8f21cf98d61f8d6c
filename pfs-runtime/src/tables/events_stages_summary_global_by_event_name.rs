//! `events_stages_summary_global_by_event_name`: stages by class, of the whole program.

use crate::class::EventKind;
use crate::schema::Schema;
use crate::stat::Level;

use super::keys::instruments;
use super::summary::TimerSummary;
use super::{Ops, Row, Scan, Table, TableError};

/// The table `events_stages_summary_global_by_event_name`.
#[derive(Debug)]
pub enum EventsStagesSummaryGlobalByEventName {}

/// The stages of one class.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct EventsStagesSummaryGlobalByEventNameRow {
    /// The class.
    #[row(key, varchar = 128)]
    pub event_name: &'static str,
    /// What was counted.
    #[row(flatten, deref)]
    pub summary: TimerSummary,
}

impl Table for EventsStagesSummaryGlobalByEventName {
    const NAME: &'static str = "events_stages_summary_global_by_event_name";
    const DOC: &'static str = "The stages of each class, of all threads that live or ended, since start or \
        the last TRUNCATE. TRUNCATE starts every summary of stages again; the rows stay. A row is whole, but for what was counted without a context, because \
        there was none free or thread_instrumentation is off: of that, each column is exact by itself.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsStagesSummaryGlobalByEventNameRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        instruments::<Self::Row>(schema, scan, EventKind::Stage).filter_map(|instrument| {
            let total = schema.stages.global(schema, instrument.index())?;
            Some(EventsStagesSummaryGlobalByEventNameRow {
                event_name: instrument.name(),
                summary: TimerSummary::new(schema.clock(), &total.stat).with_sum(total.sum_picos),
            })
        })
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.stages.truncate(schema, Level::Global);
        Ok(())
    }
}
