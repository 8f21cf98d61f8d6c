//! `events_statements_summary_by_digest`: statements that are alike but for their values.

use crate::schema::{ByDigest, Schema};

use super::digest::quantile;
use super::summary::{LaterStatementSums, StatementSummary, StatementSums};
use super::{Ops, Row, Scan, Table, TableError};

/// The table `events_statements_summary_by_digest`.
#[derive(Debug)]
pub enum EventsStatementsSummaryByDigest {}

/// The statements of one digest.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct EventsStatementsSummaryByDigestRow {
    /// The schema that they run in; NULL for none.
    #[row(key, varchar = 64)]
    pub schema_name: Option<String>,
    /// The digest's hash: the SHA-256 of `DIGEST_TEXT`; NULL of all statements that found no row.
    #[row(key, varchar = 64)]
    pub digest: Option<String>,
    /// The statement without its values.
    pub digest_text: Option<String>,
    /// What was counted.
    #[row(flatten, deref)]
    pub sums: StatementSums,
    /// When the first of them came, UTC.
    #[row(timestamp = 6)]
    pub first_seen: String,
    /// When the last of them ended, UTC; zeros while none has.
    #[row(timestamp = 6)]
    pub last_seen: String,
    /// More of what was counted.
    #[row(flatten)]
    pub later: LaterStatementSums,
    /// 95 % of them took less: the end of a bucket of the histogram.
    #[row(unit = picoseconds)]
    pub quantile_95: u64,
    /// 99 % of them took less.
    #[row(unit = picoseconds)]
    pub quantile_99: u64,
    /// 99.9 % of them took less.
    #[row(unit = picoseconds)]
    pub quantile_999: u64,
    /// The text of one of them: of the longest, or of one since `max_digest_sample_age`. NULL where no text is kept.
    pub query_sample_text: Option<String>,
    /// When that one ended, UTC; zeros for none.
    #[row(timestamp = 6)]
    pub query_sample_seen: String,
    /// How long it took.
    #[row(unit = picoseconds)]
    pub query_sample_timer_wait: u64,
}

/// Whether a digest can match the keys of a scan of rows `R`.
pub(super) fn wanted<R: Row>(scan: &Scan<'_>) -> impl Fn(&ByDigest) -> bool + use<R> {
    let text = |name| {
        let column = R::COLUMNS.iter().position(|column| column.name == name);
        column.and_then(|column| scan.text(column)).map(str::to_owned)
    };
    let (schema_name, digest) = (text("SCHEMA_NAME"), text("DIGEST"));
    move |by| {
        let its_digest = by.shown.as_ref().map(|(digest, _)| digest);
        schema_name.as_ref().is_none_or(|name| by.schema.as_ref() == Some(name))
            && digest.as_ref().is_none_or(|digest| its_digest == Some(digest))
    }
}

/// A time of day as the reference writes it; zeros for none.
fn seen(schema: &Schema, ticks: u64) -> String {
    match ticks {
        0 => "0000-00-00 00:00:00.000000".to_owned(),
        ticks => schema.time_of_day(ticks).to_string(),
    }
}

impl Table for EventsStatementsSummaryByDigest {
    const NAME: &'static str = "events_statements_summary_by_digest";
    const DOC: &'static str = "The statements of each schema and digest: of those whose text was said while the consumer \
        statements_digest was on. A statement that found no thread instance, or nests deeper than max_statement_stack, has \
        no digest; thread_instances_lost and nested_statement_lost count those. What found no row is counted in the one without a digest, and in digest_lost; make \
        digests_size larger then. Each figure is exact and only ever grows; those of a row may be of slightly different \
        moments while its statements end. It is a second view: what it counts is also counted by class. TRUNCATE removes \
        the rows; a statement that runs meanwhile is counted when it ends if its text is kept whole, up to 1024 bytes.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsStatementsSummaryByDigestRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let (clock, digests) = (schema.clock(), &schema.digests);
        digests.all().filter(wanted::<Self::Row>(scan)).map(move |by| {
            let StatementSummary { sums, later } = StatementSummary::new(clock, &by.statements);
            let (digest, digest_text) = by.shown.unzip();
            let [quantile_95, quantile_99, quantile_999] =
                [950, 990, 999].map(|share| quantile(digests.bounds(), &by.times, share));
            EventsStatementsSummaryByDigestRow {
                schema_name: by.schema,
                digest,
                digest_text,
                sums,
                first_seen: seen(schema, by.first_seen),
                last_seen: seen(schema, by.last_seen),
                later,
                quantile_95,
                quantile_99,
                quantile_999,
                query_sample_seen: seen(schema, by.sample.as_ref().map_or(0, |sample| sample.seen)),
                query_sample_timer_wait: by.sample.as_ref().map_or(0, |sample| clock.to_picos(sample.ticks)),
                query_sample_text: by.sample.map(|sample| sample.text),
            }
        })
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.truncate_digests();
        Ok(())
    }
}
