//! The columns that the summaries of events share, and how raw statistics become their picoseconds.
//!
//! An average is computed from picoseconds, so that it lies between minimum and maximum wherever the raw
//! statistics do; counted events that were not timed lower it. What was never timed shows 0 everywhere.

use crate::class::{EventKind, Instrument};
use crate::clock::Clock;
use crate::schema::Total;
use crate::stat::{StageStat, StatementStat, WaitStat};

use super::Row;

/// Count and times of the events of one row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Row)]
pub struct TimerSummary {
    /// Events counted, timed or not.
    pub count_star: u64,
    /// Total time of the timed events, in picoseconds.
    #[row(unit = picoseconds)]
    pub sum_timer_wait: u64,
    /// Shortest timed event, in picoseconds.
    #[row(unit = picoseconds)]
    pub min_timer_wait: u64,
    /// Total time divided by the count, in picoseconds. Events that are counted and not timed are in the count: where
    /// locks are timed only when they have to be waited for, see `avg_timer_waited`.
    #[row(unit = picoseconds)]
    pub avg_timer_wait: u64,
    /// Longest timed event, in picoseconds.
    #[row(unit = picoseconds)]
    pub max_timer_wait: u64,
}

impl TimerSummary {
    /// From ticks of `clock`.
    pub(super) fn new(clock: &Clock, stat: &StageStat) -> Self {
        let min = clock.to_picos(stat.min);
        let max = clock.to_picos(stat.max);
        let mut avg = average(clock, stat.sum, stat.count);
        // Rounding of the conversion and saturation of the sum are kept from leaving the bounds; an average
        // that is outside by itself, because some events were only counted, is left alone.
        let (count, sum) = (u128::from(stat.count), u128::from(stat.sum));
        if u128::from(stat.min) * count <= sum && sum <= u128::from(stat.max) * count {
            avg = avg.clamp(min, max);
        }
        TimerSummary {
            count_star: stat.count,
            sum_timer_wait: clock.to_picos(stat.sum),
            min_timer_wait: min,
            avg_timer_wait: avg,
            max_timer_wait: max,
        }
    }
}

impl TimerSummary {
    /// Replaces the sum of the times by one that was added up in picoseconds, and the average with it.
    pub(super) fn with_sum(mut self, picos: u64) -> Self {
        self.sum_timer_wait = picos;
        if picos != u64::MAX
            && let Some(average) = picos.checked_div(self.count_star)
        {
            let bounds = self.min_timer_wait..=self.max_timer_wait;
            let inside = bounds.contains(&self.avg_timer_wait);
            self.avg_timer_wait =
                if inside { average.clamp(*bounds.start(), *bounds.end()) } else { average };
        }
        self
    }
}

impl WaitSummary {
    /// [`TimerSummary::with_sum`].
    pub(super) fn with_sum(self, picos: u64) -> Self {
        Self { timer: self.timer.with_sum(picos), ..self }
    }
}

impl StatementSummary {
    /// [`TimerSummary::with_sum`].
    pub(super) fn with_sum(self, picos: u64) -> Self {
        Self { sums: StatementSums { timer: self.sums.timer.with_sum(picos), ..self.sums }, ..self }
    }
}

/// The average in picoseconds; 0 of no events.
fn average(clock: &Clock, sum: u64, count: u64) -> u64 {
    match clock.to_picos(sum) {
        _ if count == 0 => 0,
        // Saturated: what is lost to dividing first is nothing against 213 days.
        u64::MAX => clock.to_picos(sum / count),
        sum => sum / count,
    }
}

/// Count and times of the waits of one row, and of those among them that really waited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Row)]
pub struct WaitSummary {
    /// The columns of every summary.
    #[row(flatten, deref)]
    pub timer: TimerSummary,
    /// Acquisitions that did not succeed at once.
    pub count_waited: u64,
    /// Average time of the acquisitions that did not succeed at once, in picoseconds.
    #[row(unit = picoseconds)]
    pub avg_timer_waited: u64,
}

impl WaitSummary {
    /// From ticks of `clock`.
    pub(super) fn new(clock: &Clock, stat: &WaitStat) -> Self {
        let WaitStat { count, sum, min, max, waited, sum_waited } = *stat;
        WaitSummary {
            timer: TimerSummary::new(clock, &StageStat { count, sum, min, max }),
            count_waited: waited,
            avg_timer_waited: average(clock, sum_waited, waited),
        }
    }
}

/// Count and times of the transactions of one row, and of those that write and those that only read among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Row)]
pub struct TransactionSummary {
    /// The columns of every summary.
    #[row(flatten, deref)]
    pub timer: TimerSummary,
    /// Transactions that may write.
    pub count_read_write: u64,
    /// Total time of those, in picoseconds.
    #[row(unit = picoseconds)]
    pub sum_timer_read_write: u64,
    /// Shortest of those, in picoseconds.
    #[row(unit = picoseconds)]
    pub min_timer_read_write: u64,
    /// Average time of those, in picoseconds.
    #[row(unit = picoseconds)]
    pub avg_timer_read_write: u64,
    /// Longest of those, in picoseconds.
    #[row(unit = picoseconds)]
    pub max_timer_read_write: u64,
    /// Transactions that only read.
    pub count_read_only: u64,
    /// Total time of those, in picoseconds.
    #[row(unit = picoseconds)]
    pub sum_timer_read_only: u64,
    /// Shortest of those, in picoseconds.
    #[row(unit = picoseconds)]
    pub min_timer_read_only: u64,
    /// Average time of those, in picoseconds.
    #[row(unit = picoseconds)]
    pub avg_timer_read_only: u64,
    /// Longest of those, in picoseconds.
    #[row(unit = picoseconds)]
    pub max_timer_read_only: u64,
}

impl TransactionSummary {
    /// From ticks of `clock`. `read` reads one row of the statistics of transactions: an instrument has one for those
    /// that write and behind it one for those that only read.
    pub(super) fn new(
        clock: &Clock,
        instrument: &Instrument,
        read: impl Fn(usize) -> Option<Total<StageStat>>,
    ) -> Option<Self> {
        let at = instrument.index() * EventKind::Transaction.rows_a_class();
        let (writes, reads) = (read(at)?, read(at + 1)?);
        let part = |total: &Total<StageStat>| TimerSummary::new(clock, &total.stat).with_sum(total.sum_picos);
        let (read_write, read_only) = (part(&writes), part(&reads));
        let both = together(&writes.stat, &reads.stat);
        let sum = writes.sum_picos.saturating_add(reads.sum_picos);
        Some(TransactionSummary {
            timer: TimerSummary::new(clock, &both).with_sum(sum),
            count_read_write: read_write.count_star,
            sum_timer_read_write: read_write.sum_timer_wait,
            min_timer_read_write: read_write.min_timer_wait,
            avg_timer_read_write: read_write.avg_timer_wait,
            max_timer_read_write: read_write.max_timer_wait,
            count_read_only: read_only.count_star,
            sum_timer_read_only: read_only.sum_timer_wait,
            min_timer_read_only: read_only.min_timer_wait,
            avg_timer_read_only: read_only.avg_timer_wait,
            max_timer_read_only: read_only.max_timer_wait,
        })
    }
}

/// Two rows put together. A row that timed nothing has no minimum.
fn together(a: &StageStat, b: &StageStat) -> StageStat {
    let min = match (a.max, b.max) {
        (0, _) => b.min,
        (_, 0) => a.min,
        _ => a.min.min(b.min),
    };
    StageStat {
        count: a.count.wrapping_add(b.count),
        sum: a.sum.wrapping_add(b.sum),
        min,
        max: a.max.max(b.max),
    }
}

/// Count and times of the statements of one row, and the sums of what they report of themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Row)]
pub struct StatementSums {
    /// The columns of every summary.
    #[row(flatten, deref)]
    pub timer: TimerSummary,
    /// Time spent waiting for table locks.
    #[row(unit = picoseconds)]
    pub sum_lock_time: u64,
    /// Statements that ended in an error.
    pub sum_errors: u64,
    /// Warnings raised.
    pub sum_warnings: u64,
    /// Rows changed.
    pub sum_rows_affected: u64,
    /// Rows given to the client.
    pub sum_rows_sent: u64,
    /// Rows looked at.
    pub sum_rows_examined: u64,
    /// Temporary tables made on disk.
    pub sum_created_tmp_disk_tables: u64,
    /// Temporary tables made.
    pub sum_created_tmp_tables: u64,
    /// Joins that used no index.
    pub sum_select_full_join: u64,
    /// Joins by a range search on a reference table.
    pub sum_select_full_range_join: u64,
    /// Joins by a range of the first table.
    pub sum_select_range: u64,
    /// Joins without keys that looked for keys after each row.
    pub sum_select_range_check: u64,
    /// Joins by a full scan of the first table.
    pub sum_select_scan: u64,
    /// Merge passes of sorts.
    pub sum_sort_merge_passes: u64,
    /// Sorts of a range.
    pub sum_sort_range: u64,
    /// Rows sorted.
    pub sum_sort_rows: u64,
    /// Sorts by a full scan.
    pub sum_sort_scan: u64,
    /// Statements that scanned a table without an index.
    pub sum_no_index_used: u64,
    /// Statements for which no good index was found.
    pub sum_no_good_index_used: u64,
}

/// Count, times and counters of the statements of one row, with those of later versions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Row)]
pub struct StatementSummary {
    /// Those of MySQL 5.6.
    #[row(flatten, deref)]
    pub sums: StatementSums,
    /// Those of later versions.
    #[row(flatten)]
    pub later: LaterStatementSums,
}

/// The sums of statements that later versions than 5.6 have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Row)]
pub struct LaterStatementSums {
    /// Processor time.
    #[row(unit = picoseconds)]
    pub sum_cpu_time: u64,
    /// Largest controlled memory of a statement.
    #[row(unit = bytes)]
    pub max_controlled_memory: u64,
    /// Largest memory of a statement.
    #[row(unit = bytes)]
    pub max_total_memory: u64,
    /// Statements executed on a secondary engine.
    pub count_secondary: u64,
}

impl StatementSummary {
    /// From ticks of `clock`, and the counters in the order of the columns.
    pub(super) fn new(clock: &Clock, stat: &StatementStat) -> Self {
        let StatementStat { count, sum, min, max, counters } = *stat;
        let [
            sum_lock_time,
            sum_errors,
            sum_warnings,
            sum_rows_affected,
            sum_rows_sent,
            sum_rows_examined,
            sum_created_tmp_disk_tables,
            sum_created_tmp_tables,
            sum_select_full_join,
            sum_select_full_range_join,
            sum_select_range,
            sum_select_range_check,
            sum_select_scan,
            sum_sort_merge_passes,
            sum_sort_range,
            sum_sort_rows,
            sum_sort_scan,
            sum_no_index_used,
            sum_no_good_index_used,
            sum_cpu_time,
            max_controlled_memory,
            max_total_memory,
            count_secondary,
        ] = counters;
        let sums = StatementSums {
            timer: TimerSummary::new(clock, &StageStat { count, sum, min, max }),
            sum_lock_time,
            sum_errors,
            sum_warnings,
            sum_rows_affected,
            sum_rows_sent,
            sum_rows_examined,
            sum_created_tmp_disk_tables,
            sum_created_tmp_tables,
            sum_select_full_join,
            sum_select_full_range_join,
            sum_select_range,
            sum_select_range_check,
            sum_select_scan,
            sum_sort_merge_passes,
            sum_sort_range,
            sum_sort_rows,
            sum_sort_scan,
            sum_no_index_used,
            sum_no_good_index_used,
        };
        let later =
            LaterStatementSums { sum_cpu_time, max_controlled_memory, max_total_memory, count_secondary };
        StatementSummary { sums, later }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{Column, Value};

    fn summary(count: u64, sum: u64, min: u64, max: u64) -> TimerSummary {
        TimerSummary::new(&Clock::constant_step(1), &StageStat { count, sum, min, max })
    }

    #[test]
    fn a_sum_added_up_elsewhere_brings_its_average() {
        let shown = |summary: TimerSummary| (summary.sum_timer_wait, summary.avg_timer_wait);
        assert_eq!(shown(summary(3, 10, 1, 6).with_sum(8)), (8, 2));
        assert_eq!(shown(summary(2, 14, 7, 7).with_sum(13)), (13, 7));
        assert_eq!(shown(summary(0, 0, 0, 0).with_sum(0)), (0, 0));
        assert_eq!(shown(summary(2, 14, 7, 7).with_sum(u64::MAX)), (u64::MAX, 7));
    }

    #[test]
    fn an_average_lies_between_minimum_and_maximum() {
        assert_eq!(summary(3, 10, 3, 4).avg_timer_wait, 3);
        assert_eq!(summary(2, 14, 7, 7).avg_timer_wait, 7);
        // The sum is past what picoseconds can hold, the average is not.
        let saturated = summary(2, u64::MAX, u64::MAX / 2, u64::MAX / 2 + 1);
        assert_eq!(saturated.avg_timer_wait, u64::MAX / 2);
    }

    #[test]
    fn rounding_to_picoseconds_keeps_the_order() {
        let clock = Clock::calibrate();
        for ticks in [1, 2, 3, 7, 1_000, 1_000_001, 1 << 40] {
            for count in [1, 2, 3, 1_000] {
                let stat = StageStat { count, sum: ticks * count, min: ticks, max: ticks };
                let row = TimerSummary::new(&clock, &stat);
                assert_eq!(row.min_timer_wait, row.avg_timer_wait, "{count} × {ticks}");
                assert_eq!(row.max_timer_wait, row.avg_timer_wait, "{count} × {ticks}");
            }
        }
    }

    #[test]
    fn events_that_were_only_counted_lower_the_average() {
        assert_eq!(summary(10, 20, 5, 15).avg_timer_wait, 2);
    }

    #[test]
    fn nothing_and_untimed_show_zero() {
        assert_eq!(summary(0, 0, 0, 0), TimerSummary::default());
        assert_eq!(summary(7, 0, 0, 0), TimerSummary { count_star: 7, ..TimerSummary::default() });
    }

    #[test]
    fn rows_put_together_keep_the_shortest_of_what_was_timed() {
        let stat = |count, sum, min, max| StageStat { count, sum, min, max };
        let (counted, timed, shorter) = (stat(5, 0, 0, 0), stat(2, 30, 10, 20), stat(1, 4, 4, 4));
        assert_eq!(together(&counted, &timed), stat(7, 30, 10, 20));
        assert_eq!(together(&timed, &counted), stat(7, 30, 10, 20));
        assert_eq!(together(&timed, &shorter), stat(3, 34, 4, 20));
        assert_eq!(together(&stat(0, 0, 0, 0), &stat(0, 0, 0, 0)), stat(0, 0, 0, 0));
    }

    #[test]
    fn waits_that_waited_have_their_own_average() {
        let stat = WaitStat { count: 10, sum: 60, min: 0, max: 40, waited: 2, sum_waited: 60 };
        let row = WaitSummary::new(&Clock::constant_step(1), &stat);
        assert_eq!((row.count_star, row.avg_timer_wait), (10, 6));
        assert_eq!((row.count_waited, row.avg_timer_waited), (2, 30));
    }

    #[test]
    fn statement_counters_stand_under_their_columns() {
        let mut stat = StatementStat::default();
        for (at, counter) in (0..).zip(&mut stat.counters) {
            *counter = 100 + at;
        }
        let row = StatementSummary::new(&Clock::constant_step(1), &stat);
        let first = const { Column::index(StatementSummary::COLUMNS, "SUM_LOCK_TIME") };
        let cells: Vec<Value<'_>> =
            (first..StatementSummary::COLUMNS.len()).map(|column| Row::get(&row, column)).collect();
        assert_eq!(cells, (100..123).map(Value::U64).collect::<Vec<_>>());
    }
}
