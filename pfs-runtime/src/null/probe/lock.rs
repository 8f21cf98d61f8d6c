//! Acquiring locks: the raw acquisition.

use crate::instance::Instance;
use crate::model::{Operation, Site};

/// The part of a guard that says that a lock is held exclusively.
#[derive(Debug)]
pub struct Exclusive(());

/// The part of a guard that says that a lock is held with others.
#[derive(Debug)]
pub struct Shared(());

impl Exclusive {
    /// Turns a writer into a reader.
    #[inline(always)]
    pub fn downgrade(self) -> Shared {
        Shared(())
    }

    /// Leaves the holder shown, which it is not.
    #[inline(always)]
    pub fn leave(self) {}
}

impl Shared {
    /// Leaves the reader shown, which it is not.
    #[inline(always)]
    pub fn leave(self) {}
}

/// Acquires a lock that one thread holds at a time, by `block` alone.
#[inline(always)]
pub fn exclusive<G>(
    _: &Instance,
    _: Operation,
    _: Site,
    _: impl FnOnce() -> Option<G>,
    block: impl FnOnce() -> G,
) -> (G, Exclusive) {
    (block(), Exclusive(()))
}

/// Acquires a lock that others may hold too, by `block` alone.
#[inline(always)]
pub fn shared<G>(
    _: &Instance,
    _: Operation,
    _: Site,
    _: impl FnOnce() -> Option<G>,
    block: impl FnOnce() -> G,
) -> (G, Shared) {
    (block(), Shared(()))
}

/// Tries to acquire a lock that one thread holds at a time.
#[inline(always)]
pub fn try_exclusive<G>(
    _: &Instance,
    _: Operation,
    _: Site,
    now: impl FnOnce() -> Option<G>,
) -> Option<(G, Exclusive)> {
    now().map(|guard| (guard, Exclusive(())))
}

/// Tries to acquire a lock that others may hold too.
#[inline(always)]
pub fn try_shared<G>(
    _: &Instance,
    _: Operation,
    _: Site,
    now: impl FnOnce() -> Option<G>,
) -> Option<(G, Shared)> {
    now().map(|guard| (guard, Shared(())))
}

/// Acquires a lock that one thread holds at a time, or gives it up in the end, by `wait` alone.
#[inline(always)]
pub fn exclusive_in_time<G>(
    _: &Instance,
    _: Operation,
    _: Site,
    _: impl FnOnce() -> Option<G>,
    wait: impl FnOnce() -> Option<G>,
) -> Option<(G, Exclusive)> {
    wait().map(|guard| (guard, Exclusive(())))
}

/// Acquires a lock that others may hold too, or gives it up in the end, by `wait` alone.
#[inline(always)]
pub fn shared_in_time<G>(
    _: &Instance,
    _: Operation,
    _: Site,
    _: impl FnOnce() -> Option<G>,
    wait: impl FnOnce() -> Option<G>,
) -> Option<(G, Shared)> {
    wait().map(|guard| (guard, Shared(())))
}
