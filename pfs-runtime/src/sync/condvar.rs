//! [`Condvar`]: std's, with each wait an event of class `wait/synch/cond/…`.

use core::fmt;
use core::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::sync::{self as raw, LockResult, OnceLock, PoisonError, WaitTimeoutResult};
use std::time::{Duration, Instant};

use super::mutex::MutexGuard;
use crate::class::{Class, fresh};
use crate::instance::Instance;
use crate::model::Operation;
use crate::probe::wait;

/// Lets threads wait for a condition that a [`Mutex`](super::Mutex) guards: [`std::sync::Condvar`], instrumented.
///
/// The interface is std's. A wait gives the mutex up: it has no holder meanwhile, and taking it back is part of the
/// wait, not an acquisition of its own. Two words larger than std's.
///
/// # Cost
///
/// Before pfs is started, or with the instrument disabled, a wait costs one relaxed load and a branch more than
/// std's, and a notification nothing. No call allocates.
///
/// # Examples
///
/// ```
/// # use pfs_runtime as pfs;
/// use pfs::sync::{Condvar, Mutex};
/// use pfs::thread;
///
/// static READY: Mutex<bool> = Mutex::new(false);
/// static CHANGED: Condvar = Condvar::new();
///
/// let waiter = thread::spawn(|| {
///     let ready = CHANGED.wait_while(READY.lock().unwrap(), |ready| !*ready).unwrap();
///     *ready
/// });
/// *READY.lock().unwrap() = true;
/// CHANGED.notify_one();
/// assert!(waiter.join().unwrap());
/// ```
pub struct Condvar {
    instance: Instance,
    inner: raw::Condvar,
}

/// Makes a condvar of class `class`, for the macros.
#[doc(hidden)]
#[must_use]
#[inline]
#[track_caller]
pub const fn with_class(class: &'static Class) -> Condvar {
    Condvar { instance: Instance::new(class, Location::caller()), inner: raw::Condvar::new() }
}

/// The handle of a condvar, for what names it.
#[doc(hidden)]
#[must_use]
#[inline]
pub const fn instance(condvar: &Condvar) -> &Instance {
    &condvar.instance
}

impl Condvar {
    /// Makes a condvar of class `wait/synch/cond/pfs/unnamed`, which remembers its caller.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::Condvar;
    ///
    /// static FLUSHED: Condvar = Condvar::new();
    /// FLUSHED.notify_all();
    /// ```
    #[must_use]
    #[inline]
    #[track_caller]
    pub const fn new() -> Self {
        with_class(&fresh::COND)
    }

    /// Gives `guard`'s mutex up and blocks until notified, then takes the mutex back. It may return unnotified.
    ///
    /// One event, operation `wait`.
    ///
    /// # Errors
    ///
    /// The guard inside a [`PoisonError`] if the mutex is poisoned when it is taken back.
    ///
    /// # Panics
    ///
    /// As std's, it may panic if used with more than one mutex over time.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::{Condvar, Mutex};
    /// use pfs::thread;
    ///
    /// let (jobs, added) = (Mutex::new(Vec::new()), Condvar::new());
    /// thread::scope(|scope| {
    ///     scope.spawn(|| {
    ///         jobs.lock().unwrap().push("a job");
    ///         added.notify_one();
    ///     });
    ///     let mut queue = jobs.lock().unwrap();
    ///     while queue.is_empty() {
    ///         queue = added.wait(queue).unwrap();
    ///     }
    ///     assert_eq!(queue.pop(), Some("a job"));
    /// });
    /// ```
    #[inline]
    #[track_caller]
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        let MutexGuard { token, inner } = guard;
        let (result, token) =
            wait::cond_wait(&self.instance, Operation::Wait, Location::caller(), token, || {
                self.inner.wait(inner)
            });
        match result {
            Ok(inner) => Ok(MutexGuard { token, inner }),
            Err(poisoned) => Err(PoisonError::new(MutexGuard { token, inner: poisoned.into_inner() })),
        }
    }

    /// Waits until `condition` is false; it is asked with the mutex held, before the first wait and after each.
    ///
    /// One event a wait, so none if the condition is false at once.
    ///
    /// # Errors
    ///
    /// The guard inside a [`PoisonError`] if the mutex is poisoned when it is taken back.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::{Condvar, Mutex};
    ///
    /// let lock = Mutex::new(3);
    /// let three = Condvar::new().wait_while(lock.lock().unwrap(), |value| *value != 3).unwrap();
    /// assert_eq!(*three, 3);
    /// ```
    #[track_caller]
    pub fn wait_while<'a, T, F>(
        &self,
        mut guard: MutexGuard<'a, T>,
        mut condition: F,
    ) -> LockResult<MutexGuard<'a, T>>
    where
        F: FnMut(&mut T) -> bool,
    {
        while condition(&mut guard) {
            guard = self.wait(guard)?;
        }
        Ok(guard)
    }

    /// [`wait_timeout`](Self::wait_timeout) with milliseconds; the flag is `false` if the time is over.
    ///
    /// # Errors
    ///
    /// As [`wait_timeout`](Self::wait_timeout).
    #[track_caller]
    #[deprecated(since = "0.1.0", note = "replaced by `wait_timeout`, as in std")]
    pub fn wait_timeout_ms<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        ms: u32,
    ) -> LockResult<(MutexGuard<'a, T>, bool)> {
        match self.wait_timeout(guard, Duration::from_millis(u64::from(ms))) {
            Ok((guard, result)) => Ok((guard, !result.timed_out())),
            Err(poisoned) => {
                let (guard, result) = poisoned.into_inner();
                Err(PoisonError::new((guard, !result.timed_out())))
            }
        }
    }

    /// As [`wait`](Self::wait), but for about `dur` at most.
    ///
    /// One event, operation `timed_wait`.
    ///
    /// # Errors
    ///
    /// Guard and result inside a [`PoisonError`] if the mutex is poisoned when it is taken back.
    ///
    /// # Panics
    ///
    /// As std's, it may panic if used with more than one mutex over time.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::{Condvar, Mutex};
    /// use std::time::Duration;
    ///
    /// let (lock, never) = (Mutex::new(()), Condvar::new());
    /// let mut guard = lock.lock().unwrap();
    /// loop {
    ///     let (back, result) = never.wait_timeout(guard, Duration::from_millis(1)).unwrap();
    ///     guard = back;
    ///     if result.timed_out() {
    ///         break;
    ///     }
    /// }
    /// ```
    #[inline]
    #[track_caller]
    pub fn wait_timeout<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        dur: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        let MutexGuard { token, inner } = guard;
        let (result, token) =
            wait::cond_wait(&self.instance, Operation::TimedWait, Location::caller(), token, || {
                self.inner.wait_timeout(inner, dur)
            });
        match result {
            Ok((inner, result)) => Ok((MutexGuard { token, inner }, result)),
            Err(poisoned) => {
                let (inner, result) = poisoned.into_inner();
                Err(PoisonError::new((MutexGuard { token, inner }, result)))
            }
        }
    }

    /// As [`wait_while`](Self::wait_while), but for about `dur` at most over all its waits.
    ///
    /// One event a wait, so none if the condition is false at once. The result says "timed out" only if the
    /// condition was still true when the time was over.
    ///
    /// # Errors
    ///
    /// Guard and result inside a [`PoisonError`] if the mutex is poisoned when it is taken back.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::{Condvar, Mutex};
    /// use std::time::Duration;
    ///
    /// let (pending, done) = (Mutex::new(true), Condvar::new());
    /// let (guard, result) = done
    ///     .wait_timeout_while(pending.lock().unwrap(), Duration::from_millis(1), |pending| *pending)
    ///     .unwrap();
    /// assert!(*guard && result.timed_out());
    /// ```
    #[track_caller]
    pub fn wait_timeout_while<'a, T, F>(
        &self,
        mut guard: MutexGuard<'a, T>,
        dur: Duration,
        mut condition: F,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)>
    where
        F: FnMut(&mut T) -> bool,
    {
        let start = Instant::now();
        loop {
            if !condition(&mut guard) {
                return Ok((guard, wait_timeout_result(false)));
            }
            let Some(left) = dur.checked_sub(start.elapsed()) else {
                return Ok((guard, wait_timeout_result(true)));
            };
            guard = self.wait_timeout(guard, left)?.0;
        }
    }

    /// Wakes one waiting thread, if there is one. No event.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// pfs::sync::Condvar::new().notify_one();
    /// ```
    #[inline]
    pub fn notify_one(&self) {
        self.inner.notify_one();
    }

    /// Wakes every waiting thread. No event.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// pfs::sync::Condvar::new().notify_all();
    /// ```
    #[inline]
    pub fn notify_all(&self) {
        self.inner.notify_all();
    }
}

/// std's answer of a timed wait, which only std's own waits can make: two that end at once make one of each.
fn wait_timeout_result(timed_out: bool) -> WaitTimeoutResult {
    static RESULTS: OnceLock<[WaitTimeoutResult; 2]> = OnceLock::new();
    let make = |timed_out| {
        let lock = raw::Mutex::new(());
        let held = lock.lock().unwrap_or_else(PoisonError::into_inner);
        raw::Condvar::new()
            .wait_timeout_while(held, Duration::ZERO, |()| timed_out)
            .unwrap_or_else(PoisonError::into_inner)
            .1
    };
    RESULTS.get_or_init(|| [make(false), make(true)])[usize::from(timed_out)]
}

impl Default for Condvar {
    #[inline]
    #[track_caller]
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Condvar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}

// It holds no value that a panic could leave unsound.
impl UnwindSafe for Condvar {}
impl RefUnwindSafe for Condvar {}
