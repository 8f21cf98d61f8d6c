//! [`Condvar`]: parking_lot's, with each wait an event of class `wait/synch/cond/…`.

use core::fmt;
use core::panic::Location;
use std::time::{Duration, Instant};

use ::parking_lot as raw;
use pfs_runtime::class::{Class, fresh};
use pfs_runtime::instance::Instance;
use pfs_runtime::model::Operation;
use pfs_runtime::probe::{held, wait};
use raw::WaitTimeoutResult;

use super::MutexGuard;

/// Lets threads wait for a condition that a [`Mutex`](super::Mutex) guards: [`parking_lot::Condvar`](raw::Condvar),
/// instrumented.
///
/// The interface is parking_lot's, and so is what it promises: no wake-up without a notification. A wait gives the mutex
/// up: it has no holder meanwhile, and taking it back is part of the wait, not an acquisition of its own. Two words
/// larger than parking_lot's.
///
/// # Cost
///
/// Before pfs is started, or with the instrument disabled, a wait costs a few loads and branches more than parking_lot's,
/// and a notification nothing. No call allocates.
///
/// # Examples
///
/// ```
/// use pfs::parking_lot::{Condvar, Mutex};
///
/// static READY: Mutex<bool> = Mutex::new(false);
/// static CHANGED: Condvar = Condvar::new();
///
/// let waiter = std::thread::spawn(|| {
///     let mut ready = READY.lock();
///     CHANGED.wait_while(&mut ready, |ready| !*ready);
///     *ready
/// });
/// *READY.lock() = true;
/// CHANGED.notify_one();
/// assert!(waiter.join().unwrap());
/// ```
pub struct Condvar {
    pub(super) instance: Instance,
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

impl Condvar {
    /// Makes a condvar of class `wait/synch/cond/pfs/unnamed`, which remembers its caller.
    ///
    /// # Examples
    ///
    /// ```
    /// use pfs::parking_lot::Condvar;
    ///
    /// static FLUSHED: Condvar = Condvar::new();
    /// assert_eq!(FLUSHED.notify_all(), 0);
    /// ```
    #[must_use]
    #[inline]
    #[track_caller]
    pub const fn new() -> Self {
        with_class(&fresh::COND)
    }

    /// Wakes one waiting thread, if there is one, and says whether there was. No event.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(!pfs::parking_lot::Condvar::new().notify_one());
    /// ```
    #[inline]
    pub fn notify_one(&self) -> bool {
        self.inner.notify_one()
    }

    /// Wakes every waiting thread, and says how many there were. No event.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(pfs::parking_lot::Condvar::new().notify_all(), 0);
    /// ```
    #[inline]
    pub fn notify_all(&self) -> usize {
        self.inner.notify_all()
    }

    /// Gives the mutex up and blocks until notified, then takes the mutex back.
    ///
    /// One event, operation `wait`.
    ///
    /// # Panics
    ///
    /// If another thread waits on this condvar with another mutex; the mutex is held then.
    ///
    /// # Examples
    ///
    /// ```
    /// use pfs::parking_lot::{Condvar, Mutex};
    ///
    /// let (jobs, added) = (Mutex::new(Vec::new()), Condvar::new());
    /// std::thread::scope(|scope| {
    ///     scope.spawn(|| {
    ///         jobs.lock().push("a job");
    ///         added.notify_one();
    ///     });
    ///     let mut queue = jobs.lock();
    ///     while queue.is_empty() {
    ///         added.wait(&mut queue);
    ///     }
    ///     assert_eq!(queue.pop(), Some("a job"));
    /// });
    /// ```
    #[inline]
    #[track_caller]
    pub fn wait<T: ?Sized>(&self, mutex_guard: &mut MutexGuard<'_, T>) {
        self.lending(Operation::Wait, mutex_guard, raw::Condvar::wait);
    }

    /// As [`wait`](Self::wait), but not beyond `timeout`.
    ///
    /// One event, operation `timed_wait`.
    ///
    /// # Panics
    ///
    /// As [`wait`](Self::wait).
    ///
    /// # Examples
    ///
    /// ```
    /// use pfs::parking_lot::{Condvar, Mutex};
    /// use std::time::Instant;
    ///
    /// let (lock, never) = (Mutex::new(()), Condvar::new());
    /// assert!(never.wait_until(&mut lock.lock(), Instant::now()).timed_out());
    /// ```
    #[inline]
    #[track_caller]
    pub fn wait_until<T: ?Sized>(
        &self,
        mutex_guard: &mut MutexGuard<'_, T>,
        timeout: Instant,
    ) -> WaitTimeoutResult {
        self.lending(Operation::TimedWait, mutex_guard, |inner, guard| inner.wait_until(guard, timeout))
    }

    /// As [`wait`](Self::wait), but for about `timeout` at most.
    ///
    /// One event, operation `timed_wait`.
    ///
    /// # Panics
    ///
    /// As [`wait`](Self::wait).
    ///
    /// # Examples
    ///
    /// ```
    /// use pfs::parking_lot::{Condvar, Mutex};
    /// use std::time::Duration;
    ///
    /// let (lock, never) = (Mutex::new(()), Condvar::new());
    /// assert!(never.wait_for(&mut lock.lock(), Duration::from_millis(1)).timed_out());
    /// ```
    #[inline]
    #[track_caller]
    pub fn wait_for<T: ?Sized>(
        &self,
        mutex_guard: &mut MutexGuard<'_, T>,
        timeout: Duration,
    ) -> WaitTimeoutResult {
        self.lending(Operation::TimedWait, mutex_guard, |inner, guard| inner.wait_for(guard, timeout))
    }

    /// Waits until `condition` is false; it is asked with the mutex held, before the first wait and after each.
    ///
    /// One event a wait, operation `wait`, so none if the condition is false at once.
    ///
    /// # Panics
    ///
    /// As [`wait`](Self::wait).
    ///
    /// # Examples
    ///
    /// ```
    /// use pfs::parking_lot::{Condvar, Mutex};
    ///
    /// let lock = Mutex::new(3);
    /// let mut three = lock.lock();
    /// Condvar::new().wait_while(&mut three, |value| *value != 3);
    /// assert_eq!(*three, 3);
    /// ```
    #[inline]
    #[track_caller]
    pub fn wait_while<T, F>(&self, mutex_guard: &mut MutexGuard<'_, T>, mut condition: F)
    where
        T: ?Sized,
        F: FnMut(&mut T) -> bool,
    {
        while condition(mutex_guard) {
            self.wait(mutex_guard);
        }
    }

    /// As [`wait_while`](Self::wait_while), but not beyond `timeout` over all its waits.
    ///
    /// One event a wait, operation `timed_wait`, so none if the condition is false at once. The result says "timed out"
    /// of the last wait; the condition is not asked after it.
    ///
    /// # Panics
    ///
    /// As [`wait`](Self::wait).
    ///
    /// # Examples
    ///
    /// ```
    /// use pfs::parking_lot::{Condvar, Mutex};
    /// use std::time::Instant;
    ///
    /// let (pending, done) = (Mutex::new(true), Condvar::new());
    /// let mut pending = pending.lock();
    /// assert!(done.wait_while_until(&mut pending, |pending| *pending, Instant::now()).timed_out());
    /// ```
    #[inline]
    #[track_caller]
    pub fn wait_while_until<T, F>(
        &self,
        mutex_guard: &mut MutexGuard<'_, T>,
        condition: F,
        timeout: Instant,
    ) -> WaitTimeoutResult
    where
        T: ?Sized,
        F: FnMut(&mut T) -> bool,
    {
        self.wait_while_within(mutex_guard, condition, Some(timeout))
    }

    /// As [`wait_while`](Self::wait_while), but for about `timeout` at most over all its waits.
    ///
    /// In all else as [`wait_while_until`](Self::wait_while_until).
    ///
    /// # Panics
    ///
    /// As [`wait`](Self::wait).
    ///
    /// # Examples
    ///
    /// ```
    /// use pfs::parking_lot::{Condvar, Mutex};
    /// use std::time::Duration;
    ///
    /// let (pending, done) = (Mutex::new(false), Condvar::new());
    /// let mut pending = pending.lock();
    /// assert!(!done.wait_while_for(&mut pending, |pending| *pending, Duration::from_millis(1)).timed_out());
    /// ```
    #[inline]
    #[track_caller]
    pub fn wait_while_for<T, F>(
        &self,
        mutex_guard: &mut MutexGuard<'_, T>,
        condition: F,
        timeout: Duration,
    ) -> WaitTimeoutResult
    where
        T: ?Sized,
        F: FnMut(&mut T) -> bool,
    {
        self.wait_while_within(mutex_guard, condition, Instant::now().checked_add(timeout))
    }

    /// Waits while `condition` is true, until `deadline`; for ever without one, as parking_lot does where there is no
    /// `Instant` so late.
    #[track_caller]
    fn wait_while_within<T, F>(
        &self,
        mutex_guard: &mut MutexGuard<'_, T>,
        mut condition: F,
        deadline: Option<Instant>,
    ) -> WaitTimeoutResult
    where
        T: ?Sized,
        F: FnMut(&mut T) -> bool,
    {
        let mut waited = None;
        while condition(mutex_guard) {
            let result = match deadline {
                Some(deadline) => self.wait_until(mutex_guard, deadline),
                None => self.wait_for(mutex_guard, Duration::MAX),
            };
            if result.timed_out() {
                return result;
            }
            waited = Some(result);
        }
        waited.unwrap_or_else(|| {
            // parking_lot alone makes a result; of a wait that is none it makes this one.
            let (lock, nobody) = (raw::Mutex::new(()), raw::Condvar::new());
            nobody.wait_while_for(&mut lock.lock(), |()| false, Duration::ZERO)
        })
    }

    /// Waits by `wait`, which gets parking_lot's condvar and its guard of the mutex: the one event.
    #[inline]
    #[track_caller]
    fn lending<T: ?Sized, R>(
        &self,
        operation: Operation,
        mutex_guard: &mut MutexGuard<'_, T>,
        wait: impl FnOnce(&raw::Condvar, &mut raw::MutexGuard<'_, ()>) -> R,
    ) -> R {
        // SAFETY: through it the mutex could be unlocked while there is a guard. It is, as every condvar does, while the
        // guard is borrowed here; it is locked again when that ends, be it by a panic.
        let mutex = unsafe { MutexGuard::mutex(mutex_guard).raw() };
        // SAFETY: `mutex_guard` is the guard of this lock and borrowed for longer than this.
        let mut guard = unsafe { mutex.guard() };
        let _lent = held::lend(&mutex.instance);
        wait::wait_on(
            &self.instance,
            operation,
            Location::caller(),
            || wait(&self.inner, &mut guard),
            |_| true,
        )
    }
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
