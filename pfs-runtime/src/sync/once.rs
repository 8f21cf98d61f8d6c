//! [`Once`]: std's, with each wait for another thread's call an event of class `wait/synch/cond/…`.

use core::fmt;
use core::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::sync::{self as raw, OnceState};

use crate::class::{Class, fresh};
use crate::config::COMPILED_IN;
use crate::instance::Instance;
use crate::model::Operation;
use crate::probe::wait::{self, MaybeWait};

/// Runs something once, however many threads ask for it: [`std::sync::Once`], instrumented.
///
/// The interface, poisoning included, is std's. A call that neither finds the work done nor does it itself is one
/// wait, also where it ends in the panic that tells of poison. A call that does the work is none: what takes its time
/// is what the closure does. Two words larger than std's.
///
/// # Cost
///
/// A call that finds the work done costs what std's does: nothing is looked at but that. No call allocates.
///
/// # Examples
///
/// ```
/// # use pfs_runtime as pfs;
/// use pfs::sync::Once;
/// use pfs::sync::atomic::{AtomicU32, Ordering::Relaxed};
/// use pfs::thread;
///
/// static READY: Once = Once::new();
/// static RUNS: AtomicU32 = AtomicU32::new(0);
///
/// thread::scope(|scope| {
///     for _ in 0..3 {
///         scope.spawn(|| READY.call_once(|| _ = RUNS.fetch_add(1, Relaxed)));
///     }
/// });
/// assert_eq!(RUNS.load(Relaxed), 1);
/// ```
pub struct Once {
    instance: Instance,
    inner: raw::Once,
}

/// What a static of type [`Once`] was made with before there was [`Once::new`].
#[deprecated(since = "0.1.0", note = "replaced by `Once::new()`, as in std")]
#[expect(clippy::declare_interior_mutable_const, reason = "part of std's interface")]
pub const ONCE_INIT: Once = Once::new();

/// Makes a once of class `class`, for the macros.
#[doc(hidden)]
#[must_use]
#[inline]
#[track_caller]
pub const fn with_class(class: &'static Class) -> Once {
    Once { instance: Instance::new(class, Location::caller()), inner: raw::Once::new() }
}

/// The handle of a once, for what names it.
#[doc(hidden)]
#[must_use]
#[inline]
pub const fn instance(once: &Once) -> &Instance {
    &once.instance
}

#[expect(clippy::new_without_default, reason = "std's has no Default")]
impl Once {
    /// Makes a once of class `wait/synch/cond/std/once`, which remembers its caller.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// static OPENED: pfs::sync::Once = pfs::sync::Once::new();
    /// assert!(!OPENED.is_completed());
    /// ```
    #[must_use]
    #[inline]
    #[track_caller]
    pub const fn new() -> Self {
        with_class(&fresh::ONCE)
    }

    /// Runs `f` if no call has yet, or waits for the call that does.
    ///
    /// One event, operation `wait`, if another thread runs its closure; else none.
    ///
    /// # Panics
    ///
    /// If an earlier closure panicked; and if `f` does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// let (once, mut runs) = (pfs::sync::Once::new(), 0);
    /// once.call_once(|| runs += 1);
    /// once.call_once(|| runs += 1);
    /// assert_eq!(runs, 1);
    /// ```
    #[inline]
    #[track_caller]
    pub fn call_once<F>(&self, f: F)
    where
        F: FnOnce(),
    {
        if COMPILED_IN && self.inner.is_completed() {
            return;
        }
        let wait = MaybeWait::begin(&self.instance, Operation::Wait, Location::caller());
        self.inner.call_once(|| {
            wait.cancel();
            f();
        });
    }

    /// As [`call_once`](Self::call_once), but runs `f` also where an earlier closure panicked.
    ///
    /// # Panics
    ///
    /// If `f` does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::Once;
    ///
    /// static LOADED: Once = Once::new();
    /// let failed = pfs::thread::spawn(|| LOADED.call_once(|| std::panic::panic_any("no such file"))).join();
    /// assert!(failed.is_err());
    ///
    /// LOADED.call_once_force(|state| assert!(state.is_poisoned()));
    /// assert!(LOADED.is_completed());
    /// ```
    #[inline]
    #[track_caller]
    pub fn call_once_force<F>(&self, f: F)
    where
        F: FnOnce(&OnceState),
    {
        if COMPILED_IN && self.inner.is_completed() {
            return;
        }
        let wait = MaybeWait::begin(&self.instance, Operation::Wait, Location::caller());
        self.inner.call_once_force(|state| {
            wait.cancel();
            f(state);
        });
    }

    /// Whether a closure has run to its end. No event.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// let once = pfs::sync::Once::new();
    /// once.call_once(|| ());
    /// assert!(once.is_completed());
    /// ```
    #[inline]
    pub fn is_completed(&self) -> bool {
        self.inner.is_completed()
    }

    /// Waits until a closure has run to its end.
    ///
    /// One event, operation `wait`; none if it has already.
    ///
    /// # Panics
    ///
    /// If a closure panicked, before or meanwhile.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::Once;
    /// use pfs::thread;
    ///
    /// static READY: Once = Once::new();
    /// thread::scope(|scope| {
    ///     scope.spawn(|| READY.call_once(|| ()));
    ///     READY.wait();
    /// });
    /// ```
    #[track_caller]
    pub fn wait(&self) {
        if !self.inner.is_completed() {
            self.wait_on(|| self.inner.wait());
        }
    }

    /// As [`wait`](Self::wait), but a closure that panics is waited out, until one does not.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::Once;
    /// use pfs::thread;
    ///
    /// static READY: Once = Once::new();
    /// thread::scope(|scope| {
    ///     scope.spawn(|| READY.call_once_force(|_| ()));
    ///     READY.wait_force();
    /// });
    /// ```
    #[track_caller]
    pub fn wait_force(&self) {
        if !self.inner.is_completed() {
            self.wait_on(|| self.inner.wait_force());
        }
    }

    #[cold]
    #[track_caller]
    fn wait_on(&self, f: impl FnOnce()) {
        wait::wait_on(&self.instance, Operation::Wait, Location::caller(), f, |()| true);
    }
}

impl fmt::Debug for Once {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}

// It holds no value that a panic could leave unsound.
impl UnwindSafe for Once {}
impl RefUnwindSafe for Once {}
