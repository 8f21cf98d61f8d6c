//! Waits that are no locks: the raw wait.

use super::lock::Exclusive;
use crate::class::Class;
use crate::instance::Instance;
use crate::model::{Operation, Site};

/// Runs `f`.
#[inline(always)]
pub fn wait<R>(_: &'static Class, _: Operation, _: Site, f: impl FnOnce() -> R) -> R {
    f()
}

/// Waits on a condition, by `wait` alone.
#[inline(always)]
pub fn cond_wait<R>(
    _: &Instance,
    _: Operation,
    _: Site,
    mutex: Exclusive,
    wait: impl FnOnce() -> R,
) -> (R, Exclusive) {
    (wait(), mutex)
}
