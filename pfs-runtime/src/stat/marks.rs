//! What is asked of a row that no context owns: that of a lock, which whoever holds the lock writes.

use super::{Leaf, Values};
use crate::atomic::{AtomicU32, Ordering};

/// How a lock's row is written, and whether it is to be restarted.
///
/// No one writes a row while another thread may hold the lock. Who truncates the table sets a mark here; readers obey
/// the mark at once, and the next holder carries it out before it counts.
#[repr(transparent)]
#[derive(Debug, Default)]
pub struct Marks(AtomicU32);

/// Several threads count at once: the row is a [`super::Shared`].
const MANY: u32 = 1;
/// The row is to be restarted before the next event is counted.
const RESTART: u32 = 2;

impl Marks {
    /// Starts anew for another lock's row; no thread counts in it yet.
    pub fn reset(&self, many: bool) {
        self.0.store(if many { MANY } else { 0 }, Ordering::Relaxed);
    }

    /// Whether there are any, so that a holder may not just count. Cost: one load.
    #[inline(always)]
    pub fn any(&self) -> bool {
        // Relaxed: a mark says nothing but itself, and one that was set before the event is seen.
        self.0.load(Ordering::Relaxed) != 0
    }

    /// Whether several threads count in the row at once.
    pub fn is_many(&self) -> bool {
        self.0.load(Ordering::Relaxed) & MANY != 0
    }

    /// Asks the next holder to restart the row.
    pub fn ask_restart(&self) {
        self.0.fetch_or(RESTART, Ordering::Relaxed);
    }

    /// Restarts the row if that was asked. Only a holder may call this, and counts afterwards.
    ///
    /// The mark is cleared after the row: a reader that sees it gone sees the row restarted. If it is set again in
    /// between, nothing was counted since.
    pub fn carry_out<const N: usize>(&self, row: &Leaf<N>) {
        if self.0.load(Ordering::Relaxed) & RESTART != 0 {
            row.clear();
            self.0.fetch_and(!RESTART, Ordering::Release);
        }
    }

    /// What is shown of the row of an exclusive lock; `None` if it could not be read whole.
    pub fn read<const N: usize>(&self, row: &Leaf<N>) -> Option<Values<N>> {
        if self.0.load(Ordering::Acquire) & RESTART != 0 {
            return Some([0; N]);
        }
        row.read()
    }
}
