//! The total of a class over living contexts, ended ones and what was counted without one.

use super::{Values, merge};
use crate::atomic::{AtomicU64, Ordering, fence, spin};

/// How often a total is tried while contexts fold into it before the reader gives up.
const READS: usize = 1 << 10;

/// A number that is odd while counts of one class move from one place to another, so that a reader who sums the
/// places neither misses them nor counts them twice.
///
/// Moves are made under one lock; readers take none.
#[repr(transparent)]
#[cfg_attr(not(loom), derive(Debug))]
pub struct Moves(AtomicU64);

impl Moves {
    /// No move made yet.
    pub fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Moves counts. The caller holds the lock under which folds are serialised.
    pub fn make(&self, change: impl FnOnce()) {
        let before = self.0.load(Ordering::Relaxed);
        self.0.store(before.wrapping_add(1), Ordering::Relaxed);
        fence(Ordering::Release);
        change();
        self.0.store(before.wrapping_add(2), Ordering::Release);
    }
}

impl Default for Moves {
    fn default() -> Self {
        Self::new()
    }
}

/// Sums `places` while no count moves between them.
///
/// `places` is called with a function that adds one place's values; it returns `None` if a place could not be
/// read whole. The whole is `None` if that happened, or if counts kept moving.
pub fn total<const N: usize>(
    moves: &Moves,
    mut places: impl FnMut(&mut dyn FnMut(&Values<N>)) -> Option<()>,
) -> Option<Values<N>> {
    for _ in 0..READS {
        let before = moves.0.load(Ordering::Acquire);
        if before & 1 == 0 {
            let mut sum = [0; N];
            let read = places(&mut |values| merge(&mut sum, values));
            fence(Ordering::Acquire);
            if moves.0.load(Ordering::Relaxed) == before {
                return read.map(|()| sum);
            }
        }
        spin();
    }
    None
}
