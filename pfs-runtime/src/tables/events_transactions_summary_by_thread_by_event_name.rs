//! `events_transactions_summary_by_thread_by_event_name`: transactions by thread.

use crate::class::EventKind;
use crate::schema::{Schema, Total};
use crate::stat::Level;

use super::keys::by_thread;
use super::summary::TransactionSummary;
use super::{Ops, Row, Scan, Table, TableError};

/// The table `events_transactions_summary_by_thread_by_event_name`.
#[derive(Debug)]
pub enum EventsTransactionsSummaryByThreadByEventName {}

/// The transactions of one class in one thread.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct EventsTransactionsSummaryByThreadByEventNameRow {
    /// The thread.
    #[row(key)]
    pub thread_id: u64,
    /// The class.
    #[row(key, varchar = 128)]
    pub event_name: &'static str,
    /// What was counted.
    #[row(flatten, deref)]
    pub summary: TransactionSummary,
}

impl Table for EventsTransactionsSummaryByThreadByEventName {
    const NAME: &'static str = "events_transactions_summary_by_thread_by_event_name";
    const DOC: &'static str = "The transactions of each thread that lives, since the thread began or \
        the last TRUNCATE. TRUNCATE moves the counts up: the levels above do not change, and the rows stay.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsTransactionsSummaryByThreadByEventNameRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        by_thread(schema, scan, EventKind::Transaction, |context, instrument| {
            let summary = TransactionSummary::new(schema.clock(), instrument, |row| {
                let stat = schema.transactions.by_thread(schema, context.context, row)?;
                Some(Total::of_one_place(stat, schema.clock()))
            });
            Some(EventsTransactionsSummaryByThreadByEventNameRow {
                thread_id: context.thread_id,
                event_name: instrument.name(),
                summary: context.same_life(summary)?,
            })
        })
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.transactions.truncate(schema, Level::Thread);
        Ok(())
    }
}
