//! `events_statements_histogram_by_digest`: how many statements of each digest took how long.

use crate::schema::Schema;

use super::digest::{HistogramColumns, histogram};
use super::events_statements_summary_by_digest::wanted;
use super::{Column, Ops, Row, Scan, Table, TableError};

/// The table `events_statements_histogram_by_digest`.
#[derive(Debug)]
pub enum EventsStatementsHistogramByDigest {}

/// A bucket of the histogram of a digest.
#[derive(Clone, Debug, PartialEq, Row)]
pub struct EventsStatementsHistogramByDigestRow {
    /// The schema that its statements run in; NULL for none.
    #[row(key, varchar = 64)]
    pub schema_name: Option<String>,
    /// The digest's hash; NULL of the statements that found no row.
    #[row(key, varchar = 64)]
    pub digest: Option<String>,
    /// What is counted there.
    #[row(flatten, deref)]
    pub bucket: HistogramColumns,
}

const BUCKET: usize = Column::index(EventsStatementsHistogramByDigestRow::COLUMNS, "BUCKET_NUMBER");

impl Table for EventsStatementsHistogramByDigest {
    const NAME: &'static str = "events_statements_histogram_by_digest";
    const DOC: &'static str = "How many of the timed statements of each digest took how long, in 450 buckets; those that \
        found no row are in the buckets without a digest. The buckets of a digest are of one moment, but for statements \
        that end just then. TRUNCATE starts the counts again, and no other table.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsStatementsHistogramByDigestRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let bucket = scan.u64(BUCKET);
        let digests = schema.digests.all().filter(wanted::<Self::Row>(scan));
        digests.flat_map(move |by| {
            let (schema_name, digest) = (by.schema, by.shown.map(|(digest, _)| digest));
            let row = move |bucket| EventsStatementsHistogramByDigestRow {
                schema_name: schema_name.clone(),
                digest: digest.clone(),
                bucket,
            };
            let buckets = histogram(schema.digests.bounds(), &by.times);
            buckets.filter(move |at| bucket.is_none_or(|bucket| bucket == u64::from(at.bucket_number))).map(row)
        })
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.truncate_histograms();
        Ok(())
    }
}
