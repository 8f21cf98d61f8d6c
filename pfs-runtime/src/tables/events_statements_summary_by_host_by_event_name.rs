//! `events_statements_summary_by_host_by_event_name`: statements by host and class.

use crate::class::EventKind;
use crate::schema::Schema;
use crate::stat::Level;

use super::keys::by_actor;
use super::summary::StatementSummary;
use super::{Ops, Row, Scan, Table, TableError};

/// The table `events_statements_summary_by_host_by_event_name`.
#[derive(Debug)]
pub enum EventsStatementsSummaryByHostByEventName {}

/// The statements of one class of one host.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct EventsStatementsSummaryByHostByEventNameRow {
    /// The host; NULL for what is in the background, or has not said yet.
    #[row(key, char = 255)]
    pub host: Option<String>,
    /// The class.
    #[row(key, varchar = 128)]
    pub event_name: &'static str,
    /// What was counted.
    #[row(flatten, deref)]
    pub summary: StatementSummary,
}

impl Table for EventsStatementsSummaryByHostByEventName {
    const NAME: &'static str = "events_statements_summary_by_host_by_event_name";
    const DOC: &'static str = "The statements of each class of each host of sessions and threads that \
        live or ended. TRUNCATE starts them again, and the summaries by thread and by account; the levels above do not change, and \
        the rows stay.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsStatementsSummaryByHostByEventNameRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        by_actor(schema, scan, Level::Host, EventKind::Statement, |actor, instrument| {
            let total = schema.statements.of_actor(schema, Level::Host, actor.actor, instrument.index())?;
            let summary = StatementSummary::new(schema.clock(), &total.stat).with_sum(total.sum_picos);
            Some(EventsStatementsSummaryByHostByEventNameRow {
                host: actor.host.clone(),
                event_name: instrument.name(),
                summary: actor.same_life(Some(summary))?,
            })
        })
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.statements.truncate(schema, Level::Host);
        Ok(())
    }
}
