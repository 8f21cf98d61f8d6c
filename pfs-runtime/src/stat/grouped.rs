//! The row of an object that several contexts use at once, by groups of operations: reads, writes and the rest of a file
//! or socket, the operations on the rows of a table, the kinds of its locks.

use super::merged;
use super::{COUNT, MAX, MIN, SUM};
use crate::atomic::{AtomicU64, Ordering};

/// Fields of a group: count, sum, minimum and maximum as in every row, then an amount: bytes, or rows of a table.
const FIELDS: usize = 5;
const AMOUNT: usize = 4;

/// What was counted of one group. Times are in raw ticks of the schema's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupStat {
    /// Operations, timed or not.
    pub count: u64,
    /// Sum of the times.
    pub sum: u64,
    /// Smallest time, 0 if nothing was timed.
    pub min: u64,
    /// Largest time.
    pub max: u64,
    /// Bytes or rows together.
    pub amount: u64,
}

impl GroupStat {
    /// Two of them put together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        let min = match (self.max, other.max) {
            // What timed nothing has no minimum.
            (0, _) => other.min,
            (_, 0) => self.min,
            _ => self.min.min(other.min),
        };
        Self {
            count: self.count.wrapping_add(other.count),
            sum: self.sum.wrapping_add(other.sum),
            min,
            max: self.max.max(other.max),
            amount: self.amount.wrapping_add(other.amount),
        }
    }
}

/// A row of `G` groups. Each field is exact and never decreases but by [`Grouped::clear`]; the row as a whole may be read
/// between two fields of one operation.
///
/// Cost: an atomic addition for each field that changes, three or four an operation. All-zero memory is a row that has
/// counted nothing.
#[repr(C)]
#[derive(Debug)]
pub struct Grouped<const G: usize> {
    groups: [[AtomicU64; FIELDS]; G],
}

/// A row's raw fields, so that rows can be put together before they are looked at.
pub type GroupValues<const G: usize> = [[u64; FIELDS]; G];

impl<const G: usize> Grouped<G> {
    /// A row that has counted nothing.
    pub fn new() -> Self {
        Self { groups: core::array::from_fn(|_| core::array::from_fn(|_| AtomicU64::new(0))) }
    }

    /// Counts an operation of a group, with its ticks if it was timed.
    pub fn add(&self, group: usize, ticks: Option<u64>, amount: u64) {
        self.add_many(group, 1, ticks, amount);
    }

    /// Counts a batch of so many operations that took `ticks` together. Each counts as an equal part: the smallest and the
    /// largest are the rounded ones, so that the average lies between them.
    pub fn add_many(&self, group: usize, operations: u64, ticks: Option<u64>, amount: u64) {
        let fields = &self.groups[group];
        fields[COUNT].fetch_add(operations, Ordering::Relaxed);
        if amount != 0 {
            fields[AMOUNT].fetch_add(amount, Ordering::Relaxed);
        }
        if let (Some(ticks), true) = (ticks, operations > 0) {
            fields[SUM].fetch_add(ticks, Ordering::Relaxed);
            raise(&fields[MIN], !(ticks / operations));
            raise(&fields[MAX], ticks.div_ceil(operations));
        }
    }

    /// What the row holds, field by field.
    pub fn values(&self) -> GroupValues<G> {
        core::array::from_fn(|group| {
            core::array::from_fn(|field| self.groups[group][field].load(Ordering::Relaxed))
        })
    }

    /// Restarts the row; what is added meanwhile is in it or gone with the rest.
    pub fn clear(&self) {
        for field in self.groups.iter().flatten() {
            if field.load(Ordering::Relaxed) != 0 {
                field.swap(0, Ordering::Relaxed);
            }
        }
    }
}

impl<const G: usize> Default for Grouped<G> {
    fn default() -> Self {
        Self::new()
    }
}

fn raise(field: &AtomicU64, value: u64) {
    if field.load(Ordering::Relaxed) < value {
        field.fetch_max(value, Ordering::Relaxed);
    }
}

/// Adds one row's fields to another's.
pub fn merge_groups<const G: usize>(into: &mut GroupValues<G>, from: &GroupValues<G>) {
    for (into, from) in into.iter_mut().zip(from) {
        for (field, (into, from)) in into.iter_mut().zip(from).enumerate() {
            *into = merged(field, *into, *from);
        }
    }
}

/// What the fields of a row say.
pub fn groups<const G: usize>(values: &GroupValues<G>) -> [GroupStat; G] {
    values.map(|fields| GroupStat {
        count: fields[COUNT],
        sum: fields[SUM],
        min: if fields[MIN] == 0 { 0 } else { !fields[MIN] },
        max: fields[MAX],
        amount: fields[AMOUNT],
    })
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn stat(count: u64, sum: u64, min: u64, max: u64, amount: u64) -> GroupStat {
        GroupStat { count, sum, min, max, amount }
    }

    #[test]
    fn groups_count_by_themselves() {
        let row = Grouped::<3>::new();
        row.add(0, Some(10), 512);
        row.add(0, Some(4), 0);
        row.add(0, None, 1);
        row.add(2, Some(7), 0);
        assert_eq!(
            groups(&row.values()),
            [stat(3, 14, 4, 10, 513), GroupStat::default(), stat(1, 7, 7, 7, 0)]
        );
        row.clear();
        assert_eq!(groups(&row.values()), [GroupStat::default(); 3]);
    }

    #[test]
    fn a_batch_keeps_its_average_between_its_bounds() {
        let row = Grouped::<1>::new();
        row.add_many(0, 3, Some(10), 30);
        assert_eq!(groups(&row.values()), [stat(3, 10, 3, 4, 30)]);
        row.add_many(0, 0, Some(10), 0);
        row.add_many(0, 2, None, 0);
        assert_eq!(groups(&row.values()), [stat(5, 10, 3, 4, 30)]);
    }

    #[test]
    fn rows_put_together_keep_the_bounds_of_what_was_timed() {
        let (first, second) = (Grouped::<1>::new(), Grouped::new());
        first.add(0, None, 5);
        second.add(0, Some(9), 1);
        second.add(0, Some(3), 1);
        let mut both = first.values();
        merge_groups(&mut both, &second.values());
        assert_eq!(groups(&both), [stat(3, 12, 3, 9, 7)]);
        let [first] = groups(&first.values());
        let [second] = groups(&second.values());
        assert_eq!(first.with(second), stat(3, 12, 3, 9, 7));
    }

    #[test]
    fn additions_of_many_threads_are_exact() {
        let row = Grouped::<2>::new();
        std::thread::scope(|scope| {
            for group in [0, 0, 1, 1] {
                let row = &row;
                scope.spawn(move || (1..=10_000).for_each(|ticks| row.add(group, Some(ticks), 2)));
            }
        });
        let all = stat(20_000, 10_000 * 10_001, 1, 10_000, 40_000);
        assert_eq!(groups(&row.values()), [all, all]);
    }
}
