//! What is asked of a row that no context owns: that of a lock, which whoever holds the lock writes, or several threads
//! at once.

use super::View;
use crate::atomic::{AtomicU32, Ordering};

/// How a lock's row is written, and which of its views are to be restarted.
///
/// No one writes an exclusive lock's row while another thread may hold the lock. Who truncates a view sets a mark here;
/// readers obey the mark at once, and the next holder carries it out before it counts.
///
/// A row that several threads write is restarted by who truncates; it claims the row for that, so that the row's instance
/// does not end meanwhile. The instance does not wait either: if it ends while its row is claimed, the one who has claimed
/// it does the rest.
#[repr(transparent)]
#[derive(Debug, Default)]
pub struct Marks(AtomicU32);

laid_out!(Marks { 0 });

/// Several threads count at once: the row is a [`super::Shared`].
const MANY: u32 = 1;
/// A view is to be restarted before the next event is counted.
const RESTART: [u32; 2] = [1 << 1, 1 << 2];
/// Who truncates is at the row.
const CLAIMED: u32 = 1 << 3;
/// The instance has ended.
const ENDED: u32 = 1 << 4;

impl Marks {
    /// Starts anew for another lock's row; no thread counts in it yet.
    ///
    /// Release: who claims the row finds what was stored for its instance.
    pub fn reset(&self, many: bool) {
        self.0.store(if many { MANY } else { 0 }, Ordering::Release);
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

    /// Asks the next holder to restart a view.
    pub(super) fn ask_restart(&self, view: View) {
        self.0.fetch_or(RESTART[view as usize], Ordering::Relaxed);
    }

    /// Whether a restart was asked and is not carried out yet.
    pub(super) fn is_asked(&self, view: View) -> bool {
        self.0.load(Ordering::Acquire) & RESTART[view as usize] != 0
    }

    /// Runs `restart` with the views whose restart was asked, if any was. Only a holder may call this, and counts
    /// afterwards.
    ///
    /// The marks are cleared after the row: a reader that sees one gone sees the view restarted. If it is set again in
    /// between, nothing was counted since.
    pub(super) fn carry_out(&self, restart: impl FnOnce([bool; 2])) {
        let asked = self.0.load(Ordering::Relaxed) & (RESTART[0] | RESTART[1]);
        if asked != 0 {
            restart(RESTART.map(|mark| asked & mark != 0));
            self.0.fetch_and(!asked, Ordering::Release);
        }
    }

    /// Claims a row that several threads write. False if its instance has ended. Callers are serialised.
    pub fn claim(&self) -> bool {
        let claim = |marks| (marks & ENDED == 0).then_some(marks | CLAIMED);
        self.0.fetch_update(Ordering::AcqRel, Ordering::Relaxed, claim).is_ok()
    }

    /// Gives a claimed row up. True if its instance has ended meanwhile: then the caller has to do what is left to do.
    pub fn give_up(&self) -> bool {
        self.0.fetch_and(!CLAIMED, Ordering::AcqRel) & ENDED != 0
    }

    /// Says that the instance has ended. False if its row is claimed: then who has claimed it does what is left to do.
    pub fn end(&self) -> bool {
        self.0.fetch_or(ENDED, Ordering::AcqRel) & CLAIMED == 0
    }
}
