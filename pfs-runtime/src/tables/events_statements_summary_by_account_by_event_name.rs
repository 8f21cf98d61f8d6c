//! `events_statements_summary_by_account_by_event_name`: statements by account and class.

use crate::class::EventKind;
use crate::schema::Schema;
use crate::stat::Level;

use super::keys::by_actor;
use super::summary::StatementSummary;
use super::{Ops, Row, Scan, Table, TableError};

/// The table `events_statements_summary_by_account_by_event_name`.
#[derive(Debug)]
pub enum EventsStatementsSummaryByAccountByEventName {}

/// The statements of one class of one account.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct EventsStatementsSummaryByAccountByEventNameRow {
    /// The user; NULL for what is in the background, or has not said yet.
    #[row(key, char = 32)]
    pub user: Option<String>,
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

impl Table for EventsStatementsSummaryByAccountByEventName {
    const NAME: &'static str = "events_statements_summary_by_account_by_event_name";
    const DOC: &'static str = "The statements of each class of each account, which is a user and a host, of sessions and threads that \
        live or ended. TRUNCATE starts them again, and the summaries by thread; the levels above do not change, and \
        the rows stay.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsStatementsSummaryByAccountByEventNameRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        by_actor(schema, scan, Level::Account, EventKind::Statement, |actor, instrument| {
            let total = schema.statements.of_actor(schema, Level::Account, actor.actor, instrument.index())?;
            let summary = StatementSummary::new(schema.clock(), &total.stat).with_sum(total.sum_picos);
            Some(EventsStatementsSummaryByAccountByEventNameRow {
                user: actor.user.clone(),
                host: actor.host.clone(),
                event_name: instrument.name(),
                summary: actor.same_life(Some(summary))?,
            })
        })
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.statements.truncate(schema, Level::Account);
        Ok(())
    }
}
