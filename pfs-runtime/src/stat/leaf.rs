//! The row of statistics that exactly one context writes and any thread reads whole.

use super::{COUNT, COUNTERS, IMMEDIATE, MAX, MIN, SUM, SUM_WAITED, WAITED, merged};
use crate::atomic::{AtomicU64, Ordering};
use crate::sequence::Sequence;

/// The values of a row, copied out.
pub type Values<const N: usize> = [u64; N];

/// A row of `N` fields behind a sequence number.
///
/// All-zero memory is a row that has counted nothing. The sequence number is odd while fields that belong
/// together change; a change of a single field needs no sequence number, because the row is whole before and
/// after it.
#[repr(C)]
#[cfg_attr(not(loom), derive(Debug))]
pub struct Leaf<const N: usize> {
    sequence: Sequence,
    fields: [AtomicU64; N],
}

impl<const N: usize> Leaf<N> {
    /// A row that has counted nothing.
    pub fn new() -> Self {
        Self { sequence: Sequence::new(), fields: core::array::from_fn(|_| AtomicU64::new(0)) }
    }

    #[inline(always)]
    fn get(&self, field: usize) -> u64 {
        self.fields[field].load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn set(&self, field: usize, value: u64) {
        self.fields[field].store(value, Ordering::Relaxed);
    }

    /// Runs `change` so that no reader sees a part of it. Only the row's one writer may call this.
    #[inline(always)]
    fn write(&self, change: impl FnOnce(&Self)) {
        self.sequence.write(|| change(self));
    }

    /// Counts one event that was not timed; true if it is the first this row counts.
    #[inline(always)]
    pub fn add_counted(&self) -> bool {
        let count = self.get(COUNT);
        self.set(COUNT, count.wrapping_add(1));
        count == 0
    }

    /// Counts one event of `ticks`; true if it is the first this row counts.
    #[inline(always)]
    pub fn add_timed(&self, ticks: u64) -> bool {
        let count = self.get(COUNT);
        self.write(|row| row.add_time(count, ticks));
        count == 0
    }

    #[inline(always)]
    fn add_time(&self, count: u64, ticks: u64) {
        self.set(COUNT, count.wrapping_add(1));
        self.set(SUM, self.get(SUM).wrapping_add(ticks));
        if self.get(MIN) < !ticks {
            self.set(MIN, !ticks);
        }
        if self.get(MAX) < ticks {
            self.set(MAX, ticks);
        }
    }

    /// What a reader sees of the row, whole; `None` if its writer never left it alone long enough.
    pub fn read(&self) -> Option<Values<N>> {
        self.sequence.read(|| self.plain())
    }

    /// The row and its carry put together, whole: the carry changes only while the row does.
    pub(super) fn read_carried(&self, carry: &Self) -> Option<Values<N>> {
        self.sequence.read(|| {
            let mut values = self.plain();
            super::merge(&mut values, &carry.plain());
            values
        })
    }

    /// The fields one by one, for a caller that knows, or finds out afterwards, that the row is at rest.
    fn plain(&self) -> Values<N> {
        core::array::from_fn(|field| self.get(field))
    }

    /// Adds `values` to the row. Only the row's one writer may call this.
    pub fn merge(&self, values: &Values<N>) {
        self.write(|row| row.merge_plain(values));
    }

    fn merge_plain(&self, values: &Values<N>) {
        for (field, value) in values.iter().enumerate() {
            self.set(field, merged(field, self.get(field), *value));
        }
    }

    /// Sets the row back to having counted nothing. Only the row's one writer may call this.
    pub fn clear(&self) {
        self.write(Self::clear_plain);
    }

    fn clear_plain(&self) {
        for field in 0..N {
            self.set(field, 0);
        }
    }

    /// Moves the row's counts into `carry`, which changes only here and in [`Leaf::take`].
    pub(super) fn carry_into(&self, carry: &Self) {
        self.write(|row| {
            carry.merge_plain(&row.plain());
            row.clear_plain();
        });
    }

    /// Empties the row and its carry and returns what both held.
    pub(super) fn take(&self, carry: &Self) -> Values<N> {
        let mut values = self.plain();
        super::merge(&mut values, &carry.plain());
        self.write(|row| {
            row.clear_plain();
            carry.clear_plain();
        });
        values
    }
}

impl<const N: usize> Default for Leaf<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl Leaf<{ super::WAIT_FIELDS }> {
    /// Counts an acquisition that succeeded at once and was not timed; true if it is the first of its kind here.
    #[inline(always)]
    pub fn add_immediate(&self) -> bool {
        let count = self.get(IMMEDIATE);
        self.set(IMMEDIATE, count.wrapping_add(1));
        count == 0
    }

    /// Counts an acquisition that did not succeed at once and took `ticks`.
    #[inline(always)]
    pub fn add_waited(&self, ticks: u64) -> bool {
        let count = self.get(COUNT);
        self.write(|row| {
            row.add_time(count, ticks);
            row.set(WAITED, row.get(WAITED).wrapping_add(1));
            row.set(SUM_WAITED, row.get(SUM_WAITED).wrapping_add(ticks));
        });
        count == 0
    }
}

impl Leaf<{ super::STATEMENT_FIELDS }> {
    /// Counts a statement of `ticks` (none if it was not timed) with its counters.
    pub fn add_statement(&self, ticks: Option<u64>, counters: &[u64; super::STATEMENT_COUNTERS]) -> bool {
        let count = self.get(COUNT);
        self.write(|row| {
            match ticks {
                Some(ticks) => row.add_time(count, ticks),
                None => row.set(COUNT, count.wrapping_add(1)),
            }
            for (at, counter) in counters.iter().enumerate() {
                row.set(COUNTERS + at, row.get(COUNTERS + at).wrapping_add(*counter));
            }
        });
        count == 0
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::{STAGE_FIELDS, WAIT_FIELDS};
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn a_wait_row_fills_one_cache_line() {
        assert_eq!(size_of::<Leaf<WAIT_FIELDS>>(), 64);
        assert_eq!(size_of::<Leaf<STAGE_FIELDS>>(), 40);
    }

    #[test]
    fn first_events_are_told() {
        let row = Leaf::<WAIT_FIELDS>::new();
        assert!(row.add_timed(5));
        assert!(!row.add_timed(3));
        assert!(!row.add_counted());
        assert!(row.add_immediate());
        assert!(!row.add_immediate());
        assert!(!row.add_waited(9));
        assert_eq!(row.read(), Some([4, 17, !3, 9, 1, 9, 2]));
    }

    #[test]
    fn carrying_and_taking_keep_every_count() {
        let (row, carry) = (Leaf::<STAGE_FIELDS>::new(), Leaf::new());
        row.add_timed(5);
        row.carry_into(&carry);
        assert_eq!(row.read(), Some([0; 4]));
        row.add_timed(7);
        assert_eq!(row.read_carried(&carry), Some([2, 12, !5, 7]));
        assert_eq!(row.take(&carry), [2, 12, !5, 7]);
        assert_eq!(row.read_carried(&carry), Some([0; 4]));
    }

    #[test]
    fn every_row_read_under_load_is_whole() {
        let (row, stop) = (Leaf::<STAGE_FIELDS>::new(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    row.add_timed(11);
                }
            });
            let mut seen = 0;
            while seen < 20_000 {
                if let Some([count, sum, min, max]) = row.read()
                    && count > 0
                {
                    assert_eq!((sum, min, max), (11 * count, !11, 11));
                    seen += 1;
                }
            }
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
    }
}
