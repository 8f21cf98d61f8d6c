//! `events_waits_summary_by_host_by_event_name`: waits by host and class.

use crate::class::EventKind;
use crate::schema::Schema;
use crate::stat::Level;

use super::keys::by_actor;
use super::summary::WaitSummary;
use super::{Ops, Row, Scan, Table, TableError};

/// The table `events_waits_summary_by_host_by_event_name`.
#[derive(Debug)]
pub enum EventsWaitsSummaryByHostByEventName {}

/// The waits of one class of one host.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct EventsWaitsSummaryByHostByEventNameRow {
    /// The host; NULL for what is in the background, or has not said yet.
    #[row(key, char = 255)]
    pub host: Option<String>,
    /// The class.
    #[row(key, varchar = 128)]
    pub event_name: &'static str,
    /// What was counted.
    #[row(flatten, deref)]
    pub summary: WaitSummary,
}

impl Table for EventsWaitsSummaryByHostByEventName {
    const NAME: &'static str = "events_waits_summary_by_host_by_event_name";
    const DOC: &'static str = "The waits of each class of each host of sessions and threads that \
        live or ended. TRUNCATE starts them again, and the summaries by thread and by account; the levels above do not change, and \
        the rows stay.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsWaitsSummaryByHostByEventNameRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        by_actor(schema, scan, Level::Host, EventKind::Wait, |actor, instrument| {
            let total = schema.waits.of_actor(schema, Level::Host, actor.actor, instrument.index())?;
            let summary = WaitSummary::new(schema.clock(), &total.stat).with_sum(total.sum_picos);
            Some(EventsWaitsSummaryByHostByEventNameRow {
                host: actor.host.clone(),
                event_name: instrument.name(),
                summary: actor.same_life(Some(summary))?,
            })
        })
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.waits.truncate(schema, Level::Host);
        Ok(())
    }
}
