//! [`Mutex`]: std's, with each acquisition an event of class `wait/synch/mutex/…`.

use core::fmt;
use core::ops::{Deref, DerefMut};
use core::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::sync::{self as raw, LockResult, PoisonError, TryLockError, TryLockResult};

use super::acquired;
use crate::class::{Class, fresh};
use crate::instance::Instance;
use crate::model::Operation;
use crate::probe::lock::{self, Exclusive};

/// A mutual exclusion lock around a `T`: [`std::sync::Mutex`], instrumented.
///
/// The interface, poisoning included, is std's. Two words larger than std's.
///
/// # Cost
///
/// Before pfs is started, or with the instrument disabled, an acquisition costs one relaxed load and a branch more
/// than std's. No call allocates.
///
/// # Examples
///
/// ```
/// # use pfs_runtime as pfs;
/// use pfs::sync::Mutex;
/// use pfs::thread;
///
/// static HITS: Mutex<u64> = Mutex::new(0);
///
/// thread::scope(|scope| {
///     for _ in 0..4 {
///         scope.spawn(|| *HITS.lock().unwrap() += 1);
///     }
/// });
/// assert_eq!(*HITS.lock().unwrap(), 4);
/// ```
pub struct Mutex<T: ?Sized> {
    // No `Drop` on the mutex itself: that would forbid what std's drop check allows, and moving `inner` out.
    instance: Instance,
    // Last, so that the mutex unsizes as its value does.
    pub(super) inner: raw::Mutex<T>,
}

/// Makes a mutex of class `class`, for the macros.
#[doc(hidden)]
#[must_use]
#[inline]
#[track_caller]
pub const fn with_class<T>(class: &'static Class, value: T) -> Mutex<T> {
    Mutex { instance: Instance::new(class, Location::caller()), inner: raw::Mutex::new(value) }
}

/// The handle of a mutex, for what names it.
#[doc(hidden)]
#[must_use]
#[inline]
pub const fn instance<T: ?Sized>(mutex: &Mutex<T>) -> &Instance {
    &mutex.instance
}

impl<T> Mutex<T> {
    /// Makes an unlocked mutex of class `wait/synch/mutex/pfs/unnamed`, which remembers its caller.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::Mutex;
    ///
    /// static TABLE: [Mutex<u8>; 2] = [const { Mutex::new(0) }; 2];
    /// assert_eq!(*TABLE[1].lock().unwrap(), 0);
    /// ```
    #[inline]
    #[track_caller]
    pub const fn new(value: T) -> Self {
        with_class(&fresh::MUTEX, value)
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Acquires the mutex, blocking until it can.
    ///
    /// One event, operation `lock`.
    ///
    /// # Errors
    ///
    /// The guard inside a [`PoisonError`] if a holder panicked.
    ///
    /// # Panics
    ///
    /// As std's, it may panic (or never return) if the calling thread holds the mutex already.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::Mutex;
    ///
    /// let queue = Mutex::new(vec![1, 2]);
    /// queue.lock().unwrap().push(3);
    /// assert_eq!(*queue.lock().unwrap(), [1, 2, 3]);
    /// ```
    #[inline]
    #[track_caller]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        let (result, token) = lock::exclusive(
            &self.instance,
            Operation::Lock,
            Location::caller(),
            || acquired(self.inner.try_lock()),
            || self.inner.lock(),
        );
        guard(result, token)
    }

    /// Acquires the mutex if no one holds it; never blocks.
    ///
    /// One event, operation `try_lock`, also where it fails.
    ///
    /// # Errors
    ///
    /// [`TryLockError::WouldBlock`] if it is held, [`TryLockError::Poisoned`] with the guard if a holder panicked.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::{Mutex, TryLockError};
    ///
    /// let lock = Mutex::new(());
    /// let held = lock.try_lock().unwrap();
    /// assert!(matches!(lock.try_lock(), Err(TryLockError::WouldBlock)));
    /// drop(held);
    /// assert!(lock.try_lock().is_ok());
    /// ```
    #[inline]
    #[track_caller]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        let attempt = lock::try_exclusive(&self.instance, Operation::TryLock, Location::caller(), || {
            acquired(self.inner.try_lock())
        });
        match attempt {
            Some((result, token)) => Ok(guard(result, token)?),
            None => Err(TryLockError::WouldBlock),
        }
    }

    /// Whether a holder has panicked and the mutex has not been cleared since. No event.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::Mutex;
    ///
    /// assert!(!Mutex::new(0).is_poisoned());
    /// ```
    #[inline]
    pub fn is_poisoned(&self) -> bool {
        self.inner.is_poisoned()
    }

    /// Takes the poison away, for a caller who knows that the value is sound. No event.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::{Arc, Mutex};
    /// use pfs::thread;
    ///
    /// let lock = Arc::new(Mutex::new(1));
    /// let theirs = Arc::clone(&lock);
    /// let died = thread::spawn(move || {
    ///     let _held = theirs.lock();
    ///     panic!("while holding it");
    /// });
    /// assert!(died.join().is_err() && lock.is_poisoned());
    ///
    /// *lock.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = 0;
    /// lock.clear_poison();
    /// assert_eq!(*lock.lock().unwrap(), 0);
    /// ```
    #[inline]
    pub fn clear_poison(&self) {
        self.inner.clear_poison();
    }

    /// Ends the mutex and gives its value. No event: there is no one to wait for.
    ///
    /// # Errors
    ///
    /// The value inside a [`PoisonError`] if a holder panicked.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::Mutex;
    ///
    /// assert_eq!(Mutex::new("value").into_inner().unwrap(), "value");
    /// ```
    #[inline]
    pub fn into_inner(self) -> LockResult<T>
    where
        T: Sized,
    {
        self.inner.into_inner()
    }

    /// The value, through the only reference there is. No event: nothing is locked.
    ///
    /// # Errors
    ///
    /// The reference inside a [`PoisonError`] if a holder panicked.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::Mutex;
    ///
    /// let mut lock = Mutex::new(1);
    /// *lock.get_mut().unwrap() += 1;
    /// assert_eq!(lock.into_inner().unwrap(), 2);
    /// ```
    #[inline]
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        self.inner.get_mut()
    }
}

/// Dresses std's guard with what ends the hold.
#[inline]
fn guard<T: ?Sized>(
    result: LockResult<raw::MutexGuard<'_, T>>,
    token: Exclusive,
) -> LockResult<MutexGuard<'_, T>> {
    match result {
        Ok(inner) => Ok(MutexGuard { token, inner }),
        Err(poisoned) => Err(PoisonError::new(MutexGuard { token, inner: poisoned.into_inner() })),
    }
}

impl<T> From<T> for Mutex<T> {
    #[inline]
    #[track_caller]
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: Default> Default for Mutex<T> {
    #[inline]
    #[track_caller]
    fn default() -> Self {
        Self::new(T::default())
    }
}

/// As std's, which tries to lock to show the value. That is not an event: a log line must not change a count.
impl<T: ?Sized + fmt::Debug> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}

// A panic cannot leave the value seen unsound: it poisons the mutex.
impl<T: ?Sized> UnwindSafe for Mutex<T> {}
impl<T: ?Sized> RefUnwindSafe for Mutex<T> {}

/// Holds a [`Mutex`] and gives its value; dropping it unlocks.
///
/// # Examples
///
/// ```
/// # use pfs_runtime as pfs;
/// use pfs::sync::{Mutex, MutexGuard};
///
/// fn append(mut log: MutexGuard<'_, String>, line: &str) {
///     log.push_str(line);
/// }
///
/// let log = Mutex::new(String::from("started"));
/// append(log.lock().unwrap(), ", stopped");
/// assert_eq!(*log.lock().unwrap(), "started, stopped");
/// ```
#[must_use = "if unused the Mutex will immediately unlock"]
#[clippy::has_significant_drop]
pub struct MutexGuard<'a, T: ?Sized + 'a> {
    // Dropped first: the holder is cleared while the lock is still held.
    pub(super) token: Exclusive,
    pub(super) inner: raw::MutexGuard<'a, T>,
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.inner
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.inner
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}
