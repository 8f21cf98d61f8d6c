//! Keeps what interrupts a change of a context's open events out of it: a signal handler may come at any instruction, and
//! begin and end events of its own on the same context.

use crate::model::Context;
use core::sync::atomic::{AtomicU32, Ordering, compiler_fence};

/// While this lives, the context's owner changes its frames, ids and records.
#[must_use = "the change is over when this is dropped"]
pub(crate) struct Changing<'a>(&'a AtomicU32);

impl Context {
    /// Begins a change; `None` if the caller interrupted one, or if the context is nobody's alone.
    ///
    /// All else that runs in the middle runs to its end before this goes on, so the mark needs no ordering but the
    /// compiler's. Cost with its end: four instructions.
    #[inline(always)]
    pub(crate) fn change_events(&self) -> Option<Changing<'_>> {
        if self.changing.load(Ordering::Relaxed) != 0 {
            return None;
        }
        self.changing.store(1, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        Some(Changing(&self.changing))
    }

    /// Whether the caller interrupted a change.
    pub(crate) fn events_change(&self) -> bool {
        self.changing.load(Ordering::Relaxed) != 0
    }
}

impl Drop for Changing<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        compiler_fence(Ordering::Release);
        self.0.store(0, Ordering::Relaxed);
    }
}
