//! `events_statements_histogram_global`: how many statements took how long.

use crate::schema::Schema;

use super::digest::{HistogramColumns, histogram};
use super::{Column, Ops, Row, Scan, Table, TableError};

/// The table `events_statements_histogram_global`.
#[derive(Debug)]
pub enum EventsStatementsHistogramGlobal {}

/// A bucket of the histogram of all statements.
#[derive(Clone, Copy, Debug, PartialEq, Row)]
pub struct EventsStatementsHistogramGlobalRow {
    /// What is counted there.
    #[row(flatten, deref)]
    pub bucket: HistogramColumns,
}

const BUCKET: usize = Column::index(EventsStatementsHistogramGlobalRow::COLUMNS, "BUCKET_NUMBER");

impl Table for EventsStatementsHistogramGlobal {
    const NAME: &'static str = "events_statements_histogram_global";
    const DOC: &'static str = "How many of all timed statements took how long, in 450 buckets: of those that ended while \
        the consumer statements_digest was on, with and without a digest. TRUNCATE starts the counts again.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsStatementsHistogramGlobalRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let wanted = scan.u64(BUCKET);
        let kept = schema.digests.are_kept();
        let buckets = kept.then(|| histogram(schema.digests.bounds(), &schema.digests.times()));
        let rows = buckets.into_iter().flatten().map(|bucket| EventsStatementsHistogramGlobalRow { bucket });
        rows.filter(move |row| wanted.is_none_or(|wanted| wanted == u64::from(row.bucket_number)))
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.digests.truncate_times();
        Ok(())
    }
}
