//! `events_transactions_summary_global_by_event_name`: transactions of the whole program.

use crate::class::EventKind;
use crate::schema::Schema;
use crate::stat::Level;

use super::keys::instruments;
use super::summary::TransactionSummary;
use super::{Ops, Row, Scan, Table, TableError};

/// The table `events_transactions_summary_global_by_event_name`.
#[derive(Debug)]
pub enum EventsTransactionsSummaryGlobalByEventName {}

/// The transactions of one class.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct EventsTransactionsSummaryGlobalByEventNameRow {
    /// The class.
    #[row(key, varchar = 128)]
    pub event_name: &'static str,
    /// What was counted.
    #[row(flatten, deref)]
    pub summary: TransactionSummary,
}

impl Table for EventsTransactionsSummaryGlobalByEventName {
    const NAME: &'static str = "events_transactions_summary_global_by_event_name";
    const DOC: &'static str = "Transactions, of all threads that live or ended, since start or \
        the last TRUNCATE. TRUNCATE starts every summary of transactions again; the row stays. Those that write and those that \
        only read are each whole, but for what was counted without a context, because \
        there was none free or thread_instrumentation is off: of that, each column is exact by itself.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsTransactionsSummaryGlobalByEventNameRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        instruments::<Self::Row>(schema, scan, EventKind::Transaction).filter_map(|instrument| {
            Some(EventsTransactionsSummaryGlobalByEventNameRow {
                event_name: instrument.name(),
                summary: TransactionSummary::new(schema.clock(), instrument, |row| {
                    schema.transactions.global(schema, row)
                })?,
            })
        })
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.transactions.truncate(schema, Level::Global);
        Ok(())
    }
}
