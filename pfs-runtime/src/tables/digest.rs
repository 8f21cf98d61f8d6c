//! What the tables of digests share: the rows of a histogram.

use crate::stat::{BUCKETS, Bounds, Counts};

use super::Row;

/// A bucket of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Row)]
pub struct HistogramColumns {
    /// The bucket, 0 to 449.
    #[row(key)]
    pub bucket_number: u32,
    /// From where on times belong to it: 0, 10 µs, and then 50 steps to each power of ten.
    #[row(unit = picoseconds)]
    pub bucket_timer_low: u64,
    /// Below which times belong to it; the last has the largest number.
    #[row(unit = picoseconds)]
    pub bucket_timer_high: u64,
    /// Statements in it.
    pub count_bucket: u64,
    /// Statements in it and those before it.
    pub count_bucket_and_lower: u64,
    /// Their share in all statements of the histogram.
    pub bucket_quantile: f64,
}

/// The rows of a histogram: every bucket, also those without a statement.
pub(super) fn histogram<'b>(
    bounds: &'b Bounds,
    counts: &Counts,
) -> impl Iterator<Item = HistogramColumns> + use<'b> {
    let counts = *counts;
    let total = counts.total();
    let mut lower = 0;
    (0..BUCKETS).map(move |bucket| {
        let (bucket_timer_low, bucket_timer_high) = bounds.picos(bucket);
        let count_bucket = counts.0[bucket];
        lower += count_bucket;
        #[expect(clippy::cast_precision_loss, reason = "a share is shown with six digits")]
        let bucket_quantile = if total == 0 { 0.0 } else { lower as f64 / total as f64 };
        HistogramColumns {
            bucket_number: u32::try_from(bucket).unwrap_or(u32::MAX),
            bucket_timer_low,
            bucket_timer_high,
            count_bucket,
            count_bucket_and_lower: lower,
            bucket_quantile,
        }
    })
}

/// The time that so many of a thousand statements did not exceed, as the end of its bucket; 0 of no statements.
pub(super) fn quantile(bounds: &Bounds, counts: &Counts, of_a_thousand: u64) -> u64 {
    counts.quantile(of_a_thousand).map_or(0, |bucket| bounds.picos(bucket).1)
}
