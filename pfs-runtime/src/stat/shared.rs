//! The row of statistics that several contexts write at once.

use super::{COUNT, COUNTERS, IMMEDIATE, MAX, MIN, SUM, SUM_WAITED, Values, WAITED};
use crate::atomic::{AtomicU64, Ordering};
use crate::sequence::Sequence;

/// A row of `N` fields, each exact and never decreasing but by [`Shared::take`]; the row as a whole may be read
/// between two fields of one event.
///
/// Cost: an atomic addition a field that changes.
#[repr(C)]
#[cfg_attr(not(loom), derive(Debug))]
pub struct Shared<const N: usize> {
    fields: [AtomicU64; N],
    /// Of changes that are made to the row and to what lies beside it at once, by one thread at a time; not of events. It
    /// makes the row as large as a [`super::Leaf`], so that both are laid out alike.
    pub(super) sequence: Sequence,
}

laid_out!(impl[const N: usize] Shared<N> as Shared { fields, sequence });

impl<const N: usize> Shared<N> {
    /// A row that has counted nothing.
    pub fn new() -> Self {
        Self { fields: core::array::from_fn(|_| AtomicU64::new(0)), sequence: Sequence::new() }
    }

    fn add(&self, field: usize, value: u64) {
        if value != 0 {
            self.fields[field].fetch_add(value, Ordering::Relaxed);
        }
    }

    fn raise(&self, field: usize, value: u64) {
        if self.fields[field].load(Ordering::Relaxed) < value {
            self.fields[field].fetch_max(value, Ordering::Relaxed);
        }
    }

    /// Adds the values of another row.
    pub fn merge(&self, values: &Values<N>) {
        for (field, value) in values.iter().enumerate() {
            match field {
                MIN | MAX => self.raise(field, *value),
                _ => self.add(field, *value),
            }
        }
    }

    /// Counts one event that was not timed.
    pub fn add_counted(&self) {
        self.add(COUNT, 1);
    }

    /// Counts one event of `ticks`.
    pub fn add_timed(&self, ticks: u64) {
        self.add(COUNT, 1);
        self.add(SUM, ticks);
        self.raise(MIN, !ticks);
        self.raise(MAX, ticks);
    }

    /// Counts one event, of so many ticks if it was timed.
    pub fn add_event(&self, ticks: Option<u64>) {
        match ticks {
            Some(ticks) => self.add_timed(ticks),
            None => self.add_counted(),
        }
    }

    /// What the row holds, field by field.
    pub fn read(&self) -> Values<N> {
        core::array::from_fn(|field| self.fields[field].load(Ordering::Relaxed))
    }

    /// Restarts the row and returns what it held; what is added meanwhile is in one or the other.
    pub fn take(&self) -> Values<N> {
        core::array::from_fn(|field| {
            let held = self.fields[field].load(Ordering::Relaxed);
            if held == 0 { 0 } else { self.fields[field].swap(0, Ordering::Relaxed) }
        })
    }
}

impl<const N: usize> Default for Shared<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl Shared<{ super::WAIT_FIELDS }> {
    /// Counts an acquisition that succeeded at once and was not timed.
    pub fn add_immediate(&self) {
        self.add(IMMEDIATE, 1);
    }

    /// Counts an acquisition that did not succeed at once and took `ticks`.
    pub fn add_waited(&self, ticks: u64) {
        self.add_timed(ticks);
        self.add(WAITED, 1);
        self.add(SUM_WAITED, ticks);
    }
}

impl Shared<{ super::STATEMENT_FIELDS }> {
    /// Adds to one of the counters, by its place among them.
    pub fn add_counter(&self, counter: usize, by: u64) {
        self.add(COUNTERS + counter, by);
    }

    /// Counts a statement of `ticks` (none if it was not timed) with its counters.
    pub fn add_statement(&self, ticks: Option<u64>, counters: &[u64; super::STATEMENT_COUNTERS]) {
        self.add_event(ticks);
        for (at, counter) in counters.iter().enumerate() {
            self.add(COUNTERS + at, *counter);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::WAIT_FIELDS;
    use super::*;

    #[test]
    fn additions_of_many_threads_are_exact_and_swapped_out_once() {
        let row = Shared::<WAIT_FIELDS>::new();
        let mut taken = [0; WAIT_FIELDS];
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for ticks in 1..=10_000 {
                        row.add_waited(ticks);
                        row.add_immediate();
                    }
                });
            }
            for _ in 0..1000 {
                super::super::merge(&mut taken, &row.take());
            }
        });
        super::super::merge(&mut taken, &row.take());
        let sum = 4 * 10_000 * 10_001 / 2;
        assert_eq!(taken, [40_000, sum, !1, 10_000, 40_000, sum, 40_000]);
    }
}
