//! `events_waits_summary_by_thread_by_event_name`: waits by thread and class.

use crate::class::EventKind;
use crate::schema::Schema;
use crate::stat::Level;

use super::keys::by_thread;
use super::summary::WaitSummary;
use super::{Ops, Row, Scan, Table, TableError};

/// The table `events_waits_summary_by_thread_by_event_name`.
#[derive(Debug)]
pub enum EventsWaitsSummaryByThreadByEventName {}

/// The waits of one class in one thread.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct EventsWaitsSummaryByThreadByEventNameRow {
    /// The thread.
    #[row(key)]
    pub thread_id: u64,
    /// The class.
    #[row(key, varchar = 128)]
    pub event_name: &'static str,
    /// What was counted.
    #[row(flatten, deref)]
    pub summary: WaitSummary,
}

impl Table for EventsWaitsSummaryByThreadByEventName {
    const NAME: &'static str = "events_waits_summary_by_thread_by_event_name";
    const DOC: &'static str = "The waits of each class in each thread that lives, since the thread began or \
        the last TRUNCATE. TRUNCATE moves the counts up: the levels above do not change, and the rows stay.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsWaitsSummaryByThreadByEventNameRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        by_thread(schema, scan, EventKind::Wait, |context, instrument| {
            let stat = schema.waits.by_thread(schema, context.context, instrument.index());
            let stat = context.same_life(stat)?;
            Some(EventsWaitsSummaryByThreadByEventNameRow {
                thread_id: context.thread_id,
                event_name: instrument.name(),
                summary: WaitSummary::new(schema.clock(), &stat),
            })
        })
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.waits.truncate(schema, Level::Thread);
        Ok(())
    }
}
