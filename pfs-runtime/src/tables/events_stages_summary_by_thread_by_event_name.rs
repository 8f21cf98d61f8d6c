//! `events_stages_summary_by_thread_by_event_name`: stages by thread and class.

use crate::class::EventKind;
use crate::schema::Schema;
use crate::stat::Level;

use super::keys::by_thread;
use super::summary::TimerSummary;
use super::{Ops, Row, Scan, Table, TableError};

/// The table `events_stages_summary_by_thread_by_event_name`.
#[derive(Debug)]
pub enum EventsStagesSummaryByThreadByEventName {}

/// The stages of one class in one thread.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct EventsStagesSummaryByThreadByEventNameRow {
    /// The thread.
    #[row(key)]
    pub thread_id: u64,
    /// The class.
    #[row(key, varchar = 128)]
    pub event_name: &'static str,
    /// What was counted.
    #[row(flatten, deref)]
    pub summary: TimerSummary,
}

impl Table for EventsStagesSummaryByThreadByEventName {
    const NAME: &'static str = "events_stages_summary_by_thread_by_event_name";
    const DOC: &'static str = "The stages of each class in each thread that lives, since the thread began or \
        the last TRUNCATE. TRUNCATE moves the counts up: the levels above do not change, and the rows stay.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsStagesSummaryByThreadByEventNameRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        by_thread(schema, scan, EventKind::Stage, |context, instrument| {
            let stat = schema.stages.by_thread(schema, context.context, instrument.index());
            let stat = context.same_life(stat)?;
            Some(EventsStagesSummaryByThreadByEventNameRow {
                thread_id: context.thread_id,
                event_name: instrument.name(),
                summary: TimerSummary::new(schema.clock(), &stat),
            })
        })
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.stages.truncate(schema, Level::Thread);
        Ok(())
    }
}
