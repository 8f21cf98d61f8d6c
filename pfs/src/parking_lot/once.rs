//! [`Once`]: parking_lot's, with each wait for another thread's call an event of class `wait/synch/cond/…`.

use core::fmt;
use core::panic::Location;

use ::parking_lot as raw;
use pfs_runtime::class::{Class, fresh};
use pfs_runtime::config::COMPILED_IN;
use pfs_runtime::instance::Instance;
use pfs_runtime::model::Operation;
use pfs_runtime::probe::wait::MaybeWait;
use raw::OnceState;

/// Runs something once, however many threads ask for it: [`parking_lot::Once`](raw::Once), instrumented.
///
/// The interface, poisoning included, is parking_lot's. A call that neither finds the work done nor does it itself is one
/// wait, also where it ends in the panic that tells of poison. A call that does the work is none: what takes its time is
/// what the closure does. Two words larger than parking_lot's, and as much padding as those need.
///
/// # Cost
///
/// A call that finds the work done costs what parking_lot's does: nothing is looked at but that. No call allocates.
///
/// # Examples
///
/// ```
/// use pfs::parking_lot::Once;
/// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
///
/// static READY: Once = Once::new();
/// static RUNS: AtomicU32 = AtomicU32::new(0);
///
/// std::thread::scope(|scope| {
///     for _ in 0..3 {
///         scope.spawn(|| READY.call_once(|| _ = RUNS.fetch_add(1, Relaxed)));
///     }
/// });
/// assert_eq!(RUNS.load(Relaxed), 1);
/// ```
pub struct Once {
    pub(super) instance: Instance,
    inner: raw::Once,
}

/// Makes a once of class `class`, for the macros.
#[doc(hidden)]
#[must_use]
#[inline]
#[track_caller]
pub const fn with_class(class: &'static Class) -> Once {
    Once { instance: Instance::new(class, Location::caller()), inner: raw::Once::new() }
}

impl Once {
    /// Makes a once of class `wait/synch/cond/pfs/unnamed`, which remembers its caller.
    ///
    /// # Examples
    ///
    /// ```
    /// static OPENED: pfs::parking_lot::Once = pfs::parking_lot::Once::new();
    /// assert!(!OPENED.state().done());
    /// ```
    #[must_use]
    #[inline]
    #[track_caller]
    pub const fn new() -> Self {
        with_class(&fresh::COND)
    }

    /// Whether a closure has run, runs, or panicked. No event.
    ///
    /// # Examples
    ///
    /// ```
    /// use pfs::parking_lot::{Once, OnceState};
    ///
    /// let once = Once::new();
    /// assert_eq!(once.state(), OnceState::New);
    /// once.call_once(|| assert_eq!(once.state(), OnceState::InProgress));
    /// assert_eq!(once.state(), OnceState::Done);
    /// ```
    #[inline]
    pub fn state(&self) -> OnceState {
        self.inner.state()
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
    /// let (once, mut runs) = (pfs::parking_lot::Once::new(), 0);
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
        if COMPILED_IN && self.inner.state().done() {
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
    /// use pfs::parking_lot::Once;
    ///
    /// static LOADED: Once = Once::new();
    /// let failed = std::thread::spawn(|| LOADED.call_once(|| std::panic::panic_any("no such file"))).join();
    /// assert!(failed.is_err());
    ///
    /// LOADED.call_once_force(|state| assert!(state.poisoned()));
    /// assert!(LOADED.state().done());
    /// ```
    #[inline]
    #[track_caller]
    pub fn call_once_force<F>(&self, f: F)
    where
        F: FnOnce(OnceState),
    {
        if COMPILED_IN && self.inner.state().done() {
            return;
        }
        let wait = MaybeWait::begin(&self.instance, Operation::Wait, Location::caller());
        self.inner.call_once_force(|state| {
            wait.cancel();
            f(state);
        });
    }
}

impl Default for Once {
    #[inline]
    #[track_caller]
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Once {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}
