//! The locks of the engine, which no event and no reader takes: held by a thread, or through a fork.

use core::cell::Cell;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A lock of which a thread knows whether it holds it itself.
#[derive(Debug)]
pub(crate) struct Lock {
    mutex: Mutex<()>,
    /// Its bit among those that a thread may hold.
    bit: u8,
}

laid_out!(Lock { mutex, bit });

thread_local! {
    /// The locks that the thread holds, or is about to.
    static HERE: Cell<u8> = const { Cell::new(0) };
}

/// A lock that is held.
#[derive(Debug)]
pub(crate) struct Held<'a> {
    /// Before the mark goes, so that what interrupts this finds the mark while the lock is held.
    _guard: MutexGuard<'a, ()>,
    _mark: Mark,
}

#[derive(Debug)]
struct Mark(u8);

impl Drop for Mark {
    fn drop(&mut self) {
        HERE.set(HERE.get() & !self.0);
    }
}

impl Lock {
    pub(super) const STARTING: u8 = 1;
    pub(super) const SETTINGS: u8 = 1 << 1;
    pub(super) const FOLDS: u8 = 1 << 2;

    pub(super) const fn new(bit: u8) -> Self {
        Self { mutex: Mutex::new(()), bit }
    }

    /// Takes the lock. Not to be called by a thread that holds it.
    pub(crate) fn hold(&self) -> Held<'_> {
        // Before it is held: what interrupts this in between does not wait for this thread.
        HERE.set(HERE.get() | self.bit);
        let mark = Mark(self.bit);
        Held { _guard: self.mutex.lock().unwrap_or_else(PoisonError::into_inner), _mark: mark }
    }

    /// Whether the calling thread holds it, or is about to: asked by what interrupts that thread.
    pub(crate) fn is_held_here(&self) -> bool {
        HERE.get() & self.bit != 0
    }
}
