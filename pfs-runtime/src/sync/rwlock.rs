//! [`RwLock`]: std's, with each acquisition an event of class `wait/synch/rwlock/…`.

use core::fmt;
use core::ops::{Deref, DerefMut};
use core::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::sync::{self as raw, LockResult, PoisonError, TryLockError, TryLockResult};

use super::acquired;
use crate::class::{Class, fresh};
use crate::instance::Instance;
use crate::model::Operation;
use crate::probe::lock::{self, Exclusive, Shared};

/// A lock that many readers or one writer hold: [`std::sync::RwLock`], instrumented.
///
/// The interface, poisoning and preference between readers and writers included, is std's. Two words larger than
/// std's.
///
/// # Cost
///
/// Before pfs is started, or with the instrument disabled, an acquisition costs one relaxed load and a branch more
/// than std's. A counted read also touches the instance's row, which its readers share. No call allocates.
///
/// # Examples
///
/// ```
/// # use pfs_runtime as pfs;
/// use pfs::sync::RwLock;
///
/// let limits = RwLock::new(vec![10, 20]);
/// {
///     let (one, other) = (limits.read().unwrap(), limits.read().unwrap());
///     assert_eq!(one[0] + other[1], 30);
/// }
/// limits.write().unwrap().push(30);
/// assert_eq!(limits.read().unwrap().len(), 3);
/// ```
pub struct RwLock<T: ?Sized> {
    // No `Drop` on the lock itself: that would forbid what std's drop check allows, and moving `inner` out.
    instance: Instance,
    // Last, so that the lock unsizes as its value does.
    inner: raw::RwLock<T>,
}

/// Makes a rwlock of class `class`, for the macros.
#[doc(hidden)]
#[must_use]
#[inline]
#[track_caller]
pub const fn with_class<T>(class: &'static Class, value: T) -> RwLock<T> {
    RwLock { instance: Instance::new(class, Location::caller()), inner: raw::RwLock::new(value) }
}

/// The handle of a lock, for what names it.
#[doc(hidden)]
#[must_use]
#[inline]
pub const fn instance<T: ?Sized>(lock: &RwLock<T>) -> &Instance {
    &lock.instance
}

impl<T> RwLock<T> {
    /// Makes an unlocked rwlock of class `wait/synch/rwlock/pfs/unnamed`, which remembers its caller.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::RwLock;
    ///
    /// static NAME: RwLock<&str> = RwLock::new("none");
    /// assert_eq!(*NAME.read().unwrap(), "none");
    /// ```
    #[inline]
    #[track_caller]
    pub const fn new(value: T) -> Self {
        with_class(&fresh::RWLOCK, value)
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Acquires the lock for reading, blocking until no writer holds it.
    ///
    /// One event, operation `read_lock`.
    ///
    /// # Errors
    ///
    /// The guard inside a [`PoisonError`] if a writer panicked.
    ///
    /// # Panics
    ///
    /// As std's, it may panic (or never return) if the calling thread holds the lock already.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::RwLock;
    ///
    /// assert_eq!(*RwLock::new(7).read().unwrap(), 7);
    /// ```
    #[inline]
    #[track_caller]
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        let (result, token) = lock::shared(
            &self.instance,
            Operation::ReadLock,
            Location::caller(),
            || acquired(self.inner.try_read()),
            || self.inner.read(),
        );
        read_guard(result, token)
    }

    /// Acquires the lock for reading if no writer holds it; never blocks.
    ///
    /// One event, operation `try_read_lock`, also where it fails.
    ///
    /// # Errors
    ///
    /// [`TryLockError::WouldBlock`] if a writer holds it, [`TryLockError::Poisoned`] with the guard if a writer
    /// panicked.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::RwLock;
    ///
    /// let lock = RwLock::new(1);
    /// let reader = lock.read().unwrap();
    /// assert_eq!(*lock.try_read().unwrap(), *reader);
    /// drop(reader);
    /// let writer = lock.write().unwrap();
    /// assert!(lock.try_read().is_err());
    /// # drop(writer);
    /// ```
    #[inline]
    #[track_caller]
    pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<'_, T>> {
        let attempt = lock::try_shared(&self.instance, Operation::TryReadLock, Location::caller(), || {
            acquired(self.inner.try_read())
        });
        match attempt {
            Some((result, token)) => Ok(read_guard(result, token)?),
            None => Err(TryLockError::WouldBlock),
        }
    }

    /// Acquires the lock for writing, blocking until no one else holds it.
    ///
    /// One event, operation `write_lock`.
    ///
    /// # Errors
    ///
    /// The guard inside a [`PoisonError`] if a writer panicked.
    ///
    /// # Panics
    ///
    /// As std's, it may panic (or never return) if the calling thread holds the lock already.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::RwLock;
    ///
    /// let lock = RwLock::new(1);
    /// *lock.write().unwrap() += 1;
    /// assert_eq!(lock.into_inner().unwrap(), 2);
    /// ```
    #[inline]
    #[track_caller]
    pub fn write(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        let (result, token) = lock::exclusive(
            &self.instance,
            Operation::WriteLock,
            Location::caller(),
            || acquired(self.inner.try_write()),
            || self.inner.write(),
        );
        write_guard(result, token)
    }

    /// Acquires the lock for writing if no one holds it; never blocks.
    ///
    /// One event, operation `try_write_lock`, also where it fails.
    ///
    /// # Errors
    ///
    /// [`TryLockError::WouldBlock`] if it is held, [`TryLockError::Poisoned`] with the guard if a writer panicked.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::RwLock;
    ///
    /// let lock = RwLock::new(1);
    /// let reader = lock.read().unwrap();
    /// assert!(lock.try_write().is_err());
    /// drop(reader);
    /// assert!(lock.try_write().is_ok());
    /// ```
    #[inline]
    #[track_caller]
    pub fn try_write(&self) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        let attempt =
            lock::try_exclusive(&self.instance, Operation::TryWriteLock, Location::caller(), || {
                acquired(self.inner.try_write())
            });
        match attempt {
            Some((result, token)) => Ok(write_guard(result, token)?),
            None => Err(TryLockError::WouldBlock),
        }
    }

    /// Whether a writer has panicked and the lock has not been cleared since. No event.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::RwLock;
    ///
    /// assert!(!RwLock::new(0).is_poisoned());
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
    /// use pfs::sync::{Arc, RwLock};
    /// use pfs::thread;
    ///
    /// let lock = Arc::new(RwLock::new(1));
    /// let theirs = Arc::clone(&lock);
    /// let died = thread::spawn(move || {
    ///     let _held = theirs.write();
    ///     panic!("while writing");
    /// });
    /// assert!(died.join().is_err() && lock.is_poisoned());
    ///
    /// lock.clear_poison();
    /// assert!(lock.read().is_ok());
    /// ```
    #[inline]
    pub fn clear_poison(&self) {
        self.inner.clear_poison();
    }

    /// Ends the lock and gives its value. No event: there is no one to wait for.
    ///
    /// # Errors
    ///
    /// The value inside a [`PoisonError`] if a writer panicked.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::RwLock;
    ///
    /// assert_eq!(RwLock::new("value").into_inner().unwrap(), "value");
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
    /// The reference inside a [`PoisonError`] if a writer panicked.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::RwLock;
    ///
    /// let mut lock = RwLock::new(1);
    /// *lock.get_mut().unwrap() += 1;
    /// assert_eq!(*lock.read().unwrap(), 2);
    /// ```
    #[inline]
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        self.inner.get_mut()
    }
}

/// Dresses std's guard with what ends the hold.
#[inline]
fn read_guard<T: ?Sized>(
    result: LockResult<raw::RwLockReadGuard<'_, T>>,
    token: Shared,
) -> LockResult<RwLockReadGuard<'_, T>> {
    match result {
        Ok(inner) => Ok(RwLockReadGuard { _token: token, inner }),
        Err(poisoned) => {
            Err(PoisonError::new(RwLockReadGuard { _token: token, inner: poisoned.into_inner() }))
        }
    }
}

/// Dresses std's guard with what ends the hold.
#[inline]
fn write_guard<T: ?Sized>(
    result: LockResult<raw::RwLockWriteGuard<'_, T>>,
    token: Exclusive,
) -> LockResult<RwLockWriteGuard<'_, T>> {
    match result {
        Ok(inner) => Ok(RwLockWriteGuard { token, inner }),
        Err(poisoned) => Err(PoisonError::new(RwLockWriteGuard { token, inner: poisoned.into_inner() })),
    }
}

impl<T> From<T> for RwLock<T> {
    #[inline]
    #[track_caller]
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: Default> Default for RwLock<T> {
    #[inline]
    #[track_caller]
    fn default() -> Self {
        Self::new(T::default())
    }
}

/// As std's, which tries to lock to show the value. That is not an event: a log line must not change a count.
impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}

// A panic cannot leave the value seen unsound: it poisons the lock.
impl<T: ?Sized> UnwindSafe for RwLock<T> {}
impl<T: ?Sized> RefUnwindSafe for RwLock<T> {}

/// Holds a [`RwLock`] for reading; dropping it gives this hold up.
///
/// # Examples
///
/// ```
/// # use pfs_runtime as pfs;
/// use pfs::sync::{RwLock, RwLockReadGuard};
///
/// fn first(names: RwLockReadGuard<'_, [&'static str; 2]>) -> &'static str {
///     names[0]
/// }
/// assert_eq!(first(RwLock::new(["a", "b"]).read().unwrap()), "a");
/// ```
#[must_use = "if unused the RwLock will immediately unlock"]
#[clippy::has_significant_drop]
pub struct RwLockReadGuard<'rwlock, T: ?Sized + 'rwlock> {
    // Dropped first: this reader is gone from the instance while its lock is still held.
    _token: Shared,
    inner: raw::RwLockReadGuard<'rwlock, T>,
}

/// Holds a [`RwLock`] for writing; dropping it unlocks.
///
/// # Examples
///
/// ```
/// # use pfs_runtime as pfs;
/// use pfs::sync::{RwLock, RwLockWriteGuard};
///
/// fn clear(mut names: RwLockWriteGuard<'_, Vec<&str>>) {
///     names.clear();
/// }
///
/// let names = RwLock::new(vec!["a"]);
/// clear(names.write().unwrap());
/// assert!(names.read().unwrap().is_empty());
/// ```
#[must_use = "if unused the RwLock will immediately unlock"]
#[clippy::has_significant_drop]
pub struct RwLockWriteGuard<'rwlock, T: ?Sized + 'rwlock> {
    // Dropped first: the writer is cleared while the lock is still held.
    token: Exclusive,
    inner: raw::RwLockWriteGuard<'rwlock, T>,
}

impl<'rwlock, T: ?Sized> RwLockWriteGuard<'rwlock, T> {
    /// Turns a writer's hold into a reader's without letting another writer in between. No event: it never blocks.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::{RwLock, RwLockWriteGuard};
    ///
    /// let lock = RwLock::new(1);
    /// let mut writer = lock.write().unwrap();
    /// *writer = 2;
    /// let reader = RwLockWriteGuard::downgrade(writer);
    /// assert_eq!((*reader, *lock.try_read().unwrap()), (2, 2));
    /// assert!(lock.try_write().is_err());
    /// ```
    #[inline]
    pub fn downgrade(s: Self) -> RwLockReadGuard<'rwlock, T> {
        let Self { token, inner } = s;
        // The writer goes before the lock admits readers, as in a drop.
        let token = token.downgrade();
        RwLockReadGuard { _token: token, inner: raw::RwLockWriteGuard::downgrade(inner) }
    }
}

impl<T: ?Sized> Deref for RwLockReadGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.inner
    }
}

impl<T: ?Sized> Deref for RwLockWriteGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.inner
    }
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.inner
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLockReadGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLockWriteGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for RwLockReadGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for RwLockWriteGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}
