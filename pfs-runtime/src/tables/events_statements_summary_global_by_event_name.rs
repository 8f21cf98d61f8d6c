//! `events_statements_summary_global_by_event_name`: statements by class, of the whole program.

use crate::class::EventKind;
use crate::schema::Schema;
use crate::stat::Level;

use super::keys::instruments;
use super::summary::StatementSummary;
use super::{Ops, Row, Scan, Table, TableError};

/// The table `events_statements_summary_global_by_event_name`.
#[derive(Debug)]
pub enum EventsStatementsSummaryGlobalByEventName {}

/// The statements of one class.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct EventsStatementsSummaryGlobalByEventNameRow {
    /// The class.
    #[row(key, varchar = 128)]
    pub event_name: &'static str,
    /// What was counted.
    #[row(flatten, deref)]
    pub summary: StatementSummary,
}

impl Table for EventsStatementsSummaryGlobalByEventName {
    const NAME: &'static str = "events_statements_summary_global_by_event_name";
    const DOC: &'static str = "The statements of each class, of all threads that live or ended, since start \
        or the last TRUNCATE. TRUNCATE starts every summary of statements again; the rows stay. A row is whole, but for what was counted without a context, because \
        there was none free or thread_instrumentation is off: of that, each column is exact by itself.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsStatementsSummaryGlobalByEventNameRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        instruments::<Self::Row>(schema, scan, EventKind::Statement).filter_map(|instrument| {
            let total = schema.statements.global(schema, instrument.index())?;
            Some(EventsStatementsSummaryGlobalByEventNameRow {
                event_name: instrument.name(),
                summary: StatementSummary::new(schema.clock(), &total.stat).with_sum(total.sum_picos),
            })
        })
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.statements.truncate(schema, Level::Global);
        Ok(())
    }
}
