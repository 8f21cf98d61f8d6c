//! `events_transactions_summary_by_user_by_event_name`: transactions by user and class.

use crate::class::EventKind;
use crate::schema::Schema;
use crate::stat::Level;

use super::keys::by_actor;
use super::summary::TransactionSummary;
use super::{Ops, Row, Scan, Table, TableError};

/// The table `events_transactions_summary_by_user_by_event_name`.
#[derive(Debug)]
pub enum EventsTransactionsSummaryByUserByEventName {}

/// The transactions of one class of one user.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct EventsTransactionsSummaryByUserByEventNameRow {
    /// The user; NULL for what is in the background, or has not said yet.
    #[row(key, char = 32)]
    pub user: Option<String>,
    /// The class.
    #[row(key, varchar = 128)]
    pub event_name: &'static str,
    /// What was counted.
    #[row(flatten, deref)]
    pub summary: TransactionSummary,
}

impl Table for EventsTransactionsSummaryByUserByEventName {
    const NAME: &'static str = "events_transactions_summary_by_user_by_event_name";
    const DOC: &'static str = "The transactions of each class of each user of sessions and threads that \
        live or ended. TRUNCATE starts them again, and the summaries by thread and by account; the levels above do not change, and \
        the rows stay.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsTransactionsSummaryByUserByEventNameRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        by_actor(schema, scan, Level::User, EventKind::Transaction, |actor, instrument| {
            let summary = TransactionSummary::new(schema.clock(), instrument, |row| {
                schema.transactions.of_actor(schema, Level::User, actor.actor, row)
            });
            Some(EventsTransactionsSummaryByUserByEventNameRow {
                user: actor.user.clone(),
                event_name: instrument.name(),
                summary: actor.same_life(summary)?,
            })
        })
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.transactions.truncate(schema, Level::User);
        Ok(())
    }
}
