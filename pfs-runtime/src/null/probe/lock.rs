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
