//! Waits that are no locks: the raw wait.

use super::lock::Exclusive;
use crate::class::Class;
use crate::instance::Instance;
use crate::model::{Operation, Site};
use core::marker::PhantomData;

/// Runs `f`.
#[inline(always)]
pub fn wait<R>(_: &'static Class, _: Operation, _: Site, f: impl FnOnce() -> R) -> R {
    f()
}

/// Runs `f`.
#[inline(always)]
pub fn wait_on<R>(
    _: &Instance,
    _: Operation,
    _: Site,
    f: impl FnOnce() -> R,
    _: impl FnOnce(&R) -> bool,
) -> R {
    f()
}

/// Waits, by `block` alone.
#[inline(always)]
pub fn try_first<R>(
    _: &Instance,
    _: Operation,
    _: Site,
    _: impl FnOnce() -> Option<R>,
    block: impl FnOnce() -> R,
) -> R {
    block()
}

/// Waits, by `block` alone.
#[inline(always)]
pub fn unless_at_once<V, R>(
    _: &Instance,
    _: Operation,
    _: Site,
    value: V,
    _: impl FnOnce(V) -> Result<R, V>,
    block: impl FnOnce(V) -> R,
) -> R {
    block(value)
}

/// Stands for a wait that goes on.
#[must_use = "it ends when it is dropped"]
#[derive(Debug)]
pub struct OpenWait(());

impl OpenWait {
    /// Begins nothing.
    #[inline(always)]
    pub fn begin(_: &Instance, _: Operation, _: Site) -> Self {
        Self(())
    }

    /// Ends nothing.
    #[inline(always)]
    pub fn end(self, _: bool) {}
}

/// Stands for a wait for what another thread does: it borrows the instance as one does.
#[must_use = "it ends when it is dropped"]
#[derive(Debug)]
pub struct MaybeWait<'a>(PhantomData<&'a Instance>);

impl<'a> MaybeWait<'a> {
    /// Begins nothing.
    #[inline(always)]
    pub fn begin(_: &'a Instance, _: Operation, _: Site) -> Self {
        Self(PhantomData)
    }

    /// Cancels nothing.
    #[inline(always)]
    pub fn cancel(&self) {}
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
