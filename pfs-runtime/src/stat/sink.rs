//! The row that contexts leave their counts in: of an account, a user, a host, or of all.

use super::{Leaf, Values};
use crate::atomic::{AtomicU64, Ordering};

/// A row with the sum of its times in picoseconds beside the raw one.
///
/// What a context counted is converted once, when it is left here. So the same number is added at every level, and the
/// levels' sums agree to the last picosecond, which sums that are converted when they are read would not.
///
/// All-zero memory is a row that holds nothing. It is written under the lock by which folds are serialised.
#[repr(C)]
#[derive(Debug)]
pub struct Sink<const N: usize> {
    row: Leaf<N>,
    picos: AtomicU64,
}

laid_out!(impl[const N: usize] Sink<N> as Sink { row, picos });

impl<const N: usize> Sink<N> {
    /// A row that holds nothing.
    pub fn new() -> Self {
        Self { row: Leaf::new(), picos: AtomicU64::new(0) }
    }

    /// Adds `values`, whose sum is so many picoseconds. Only the holder of the lock may call this.
    pub fn merge(&self, values: &Values<N>, picos: u64) {
        let sum = self.picos.load(Ordering::Relaxed).saturating_add(picos);
        self.row.merge_beside(values, || self.picos.store(sum, Ordering::Relaxed));
    }

    /// Empties the row. Only the holder of the lock may call this.
    pub fn clear(&self) {
        self.row.empty(|_| self.picos.store(0, Ordering::Relaxed));
    }

    /// What the row holds, whole, with its sum in picoseconds; `None` if it never was left alone long enough.
    pub fn read(&self) -> Option<(Values<N>, u64)> {
        self.row.read_beside(|| self.picos.load(Ordering::Relaxed))
    }
}

impl<const N: usize> Default for Sink<N> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::STAGE_FIELDS;
    use super::*;

    #[test]
    fn values_and_picoseconds_are_added_and_cleared_together() {
        let sink = Sink::<STAGE_FIELDS>::new();
        assert_eq!(sink.read(), Some(([0; 4], 0)));
        sink.merge(&[2, 10, !3, 7], 3300);
        sink.merge(&[1, 2, !2, 2], 700);
        assert_eq!(sink.read(), Some(([3, 12, !2, 7], 4000)));
        sink.merge(&[1, 2, !2, 2], u64::MAX);
        assert_eq!(sink.read(), Some(([4, 14, !2, 7], u64::MAX)));
        sink.clear();
        assert_eq!(sink.read(), Some(([0; 4], 0)));
    }
}
