//! Statistics as plain numbers, for readers.

use super::{
    COUNT, COUNTERS, IMMEDIATE, MAX, MIN, STAGE_FIELDS, STATEMENT_COUNTERS, STATEMENT_FIELDS, SUM,
    SUM_WAITED, Values, WAIT_FIELDS, WAITED,
};

/// What the rows of one kind of event say, as plain numbers.
pub trait Stat<const N: usize>: Copy + Default {
    /// Reads the fields of a row.
    fn from_values(values: &Values<N>) -> Self;
}

/// What was counted of a wait. Times are in raw ticks of the schema's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WaitStat {
    /// Events, timed or not.
    pub count: u64,
    /// Sum of the times.
    pub sum: u64,
    /// Smallest time, 0 if nothing was timed.
    pub min: u64,
    /// Largest time.
    pub max: u64,
    /// Acquisitions that did not succeed at once.
    pub waited: u64,
    /// Sum of the times of those.
    pub sum_waited: u64,
}

impl Stat<WAIT_FIELDS> for WaitStat {
    fn from_values(values: &Values<WAIT_FIELDS>) -> Self {
        let immediate = values[IMMEDIATE];
        Self {
            count: values[COUNT].wrapping_add(immediate),
            sum: values[SUM],
            // An acquisition that succeeded at once in the mode CONTENDED waited 0.
            min: if immediate > 0 { 0 } else { minimum(values) },
            max: values[MAX],
            waited: values[WAITED],
            sum_waited: values[SUM_WAITED],
        }
    }
}

/// What was counted of a stage. Times are in raw ticks of the schema's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageStat {
    /// Events, timed or not.
    pub count: u64,
    /// Sum of the times.
    pub sum: u64,
    /// Smallest time, 0 if nothing was timed.
    pub min: u64,
    /// Largest time.
    pub max: u64,
}

impl Stat<STAGE_FIELDS> for StageStat {
    fn from_values(values: &Values<STAGE_FIELDS>) -> Self {
        Self { count: values[COUNT], sum: values[SUM], min: minimum(values), max: values[MAX] }
    }
}

/// What was counted of a statement. Times are in raw ticks of the schema's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatementStat {
    /// Events, timed or not.
    pub count: u64,
    /// Sum of the times.
    pub sum: u64,
    /// Smallest time, 0 if nothing was timed.
    pub min: u64,
    /// Largest time.
    pub max: u64,
    /// Sums of the counters `LOCK_TIME` … `COUNT_SECONDARY`.
    pub counters: [u64; STATEMENT_COUNTERS],
}

impl Default for StatementStat {
    fn default() -> Self {
        Self { count: 0, sum: 0, min: 0, max: 0, counters: [0; STATEMENT_COUNTERS] }
    }
}

impl Stat<STATEMENT_FIELDS> for StatementStat {
    fn from_values(values: &Values<STATEMENT_FIELDS>) -> Self {
        Self {
            count: values[COUNT],
            sum: values[SUM],
            min: minimum(values),
            max: values[MAX],
            counters: core::array::from_fn(|at| values[COUNTERS + at]),
        }
    }
}

fn minimum<const N: usize>(values: &Values<N>) -> u64 {
    if values[MIN] == 0 { 0 } else { !values[MIN] }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::{Leaf, Shared};
    use super::*;

    #[test]
    fn an_untouched_row_is_all_zero() {
        assert_eq!(WaitStat::from_values(&Leaf::new().read().unwrap()), WaitStat::default());
    }

    #[test]
    fn an_immediate_acquisition_has_waited_zero() {
        let row = Leaf::<WAIT_FIELDS>::new();
        row.add_waited(40);
        row.add_immediate();
        let stat = WaitStat::from_values(&row.read().unwrap());
        assert_eq!(stat, WaitStat { count: 2, sum: 40, min: 0, max: 40, waited: 1, sum_waited: 40 });
    }

    #[test]
    fn counting_alone_leaves_the_times_at_zero() {
        let row = Shared::<STAGE_FIELDS>::new();
        row.add_counted();
        row.add_counted();
        assert_eq!(StageStat::from_values(&row.read()), StageStat { count: 2, sum: 0, min: 0, max: 0 });
    }
}
