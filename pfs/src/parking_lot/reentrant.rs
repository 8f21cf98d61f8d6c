//! [`ReentrantMutex`]: parking_lot's, with each acquisition, also of who holds it already, an event of class
//! `wait/synch/mutex/…`.
//!
//! `lock_api` does not tell its raw lock when the owner locks once more, and its guards need not know; so its mutex is
//! wrapped and its guards are not.

use core::fmt;
use core::mem::ManuallyDrop;
use core::panic::Location;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::parking_lot as raw;
use pfs_runtime::class::{Class, fresh};
use pfs_runtime::model::Operation;
use pfs_runtime::probe::{held, lock};
use raw::RawThreadId;
use raw::lock_api::{self, ArcReentrantMutexGuard, GetThreadId};

use super::RawMutex;

/// `lock_api`'s mutex, which locks.
type Inner<T> = lock_api::ReentrantMutex<RawMutex, RawThreadId, T>;

/// Holds a [`ReentrantMutex`].
pub type ReentrantMutexGuard<'a, T> = lock_api::ReentrantMutexGuard<'a, RawMutex, RawThreadId, T>;

/// Holds a [`ReentrantMutex`] and shows a part of its value.
pub type MappedReentrantMutexGuard<'a, T> = lock_api::MappedReentrantMutexGuard<'a, RawMutex, RawThreadId, T>;

/// A mutual exclusion lock that its owner may lock again: [`parking_lot::ReentrantMutex`](raw::ReentrantMutex),
/// instrumented.
///
/// The interface is parking_lot's, except that what a guard says of its mutex (`ReentrantMutexGuard::remutex`,
/// `ArcReentrantMutexGuard::into_arc`) is `lock_api`'s type, which is inside. Each acquisition is one event; that of who
/// holds the mutex already succeeds at once. Two words larger than parking_lot's.
///
/// # Cost
///
/// Before pfs is started, or with the instrument disabled, an acquisition costs two relaxed loads and branches more than
/// parking_lot's, and the last release another. No call allocates.
///
/// # Examples
///
/// ```
/// use pfs::parking_lot::ReentrantMutex;
/// use std::cell::Cell;
///
/// let depth = ReentrantMutex::new(Cell::new(0));
/// fn down(depth: &ReentrantMutex<Cell<u32>>) {
///     let held = depth.lock();
///     held.set(held.get() + 1);
///     if held.get() < 3 {
///         down(depth);
///     }
/// }
/// down(&depth);
/// assert_eq!(depth.into_inner().get(), 3);
/// ```
// A mutex is made one of `lock_api`'s inside its `Arc`.
#[repr(transparent)]
pub struct ReentrantMutex<T: ?Sized> {
    inner: Inner<T>,
}

/// Makes a reentrant mutex of class `class`, for the macros.
#[doc(hidden)]
#[must_use]
#[inline]
#[track_caller]
pub const fn with_class<T>(class: &'static Class, value: T) -> ReentrantMutex<T> {
    ReentrantMutex::from_raw(
        RawMutex::with_class(class, Location::caller()),
        <RawThreadId as GetThreadId>::INIT,
        value,
    )
}

/// Makes an unlocked reentrant mutex of class `wait/synch/mutex/pfs/unnamed`, which remembers its caller.
///
/// ```
/// use pfs::parking_lot::{ReentrantMutex, const_reentrant_mutex};
///
/// static LIMIT: ReentrantMutex<u64> = const_reentrant_mutex(10);
/// assert_eq!(*LIMIT.lock(), 10);
/// ```
#[inline]
#[track_caller]
pub const fn const_reentrant_mutex<T>(val: T) -> ReentrantMutex<T> {
    ReentrantMutex::new(val)
}

impl<T> ReentrantMutex<T> {
    /// Makes an unlocked reentrant mutex of class `wait/synch/mutex/pfs/unnamed`, which remembers its caller.
    #[inline]
    #[track_caller]
    pub const fn new(val: T) -> Self {
        with_class(&fresh::MUTEX, val)
    }

    /// Makes one around a raw mutex, which must not be locked.
    #[inline]
    pub const fn from_raw(raw_mutex: RawMutex, get_thread_id: RawThreadId, val: T) -> Self {
        Self { inner: Inner::from_raw(raw_mutex, get_thread_id, val) }
    }

    /// As [`from_raw`](Self::from_raw).
    #[inline]
    pub const fn const_new(raw_mutex: RawMutex, get_thread_id: RawThreadId, val: T) -> Self {
        Self::from_raw(raw_mutex, get_thread_id, val)
    }

    /// The value. No event.
    #[inline]
    pub fn into_inner(self) -> T {
        self.inner.into_inner()
    }
}

impl<T: ?Sized> ReentrantMutex<T> {
    /// Acquires the mutex, which the calling thread may hold already. One event, operation `lock`.
    #[inline]
    #[track_caller]
    pub fn lock(&self) -> ReentrantMutexGuard<'_, T> {
        self.acquire(Operation::Lock, || self.inner.lock())
    }

    /// Acquires the mutex unless another thread holds it. One event, operation `try_lock`.
    #[inline]
    #[track_caller]
    pub fn try_lock(&self) -> Option<ReentrantMutexGuard<'_, T>> {
        self.acquire(Operation::TryLock, || self.inner.try_lock())
    }

    /// As [`lock`](Self::lock), but for about `timeout` at most. One event, operation `try_lock`.
    #[inline]
    #[track_caller]
    pub fn try_lock_for(&self, timeout: Duration) -> Option<ReentrantMutexGuard<'_, T>> {
        self.acquire(Operation::TryLock, || self.inner.try_lock_for(timeout))
    }

    /// As [`lock`](Self::lock), but not beyond `timeout`. One event, operation `try_lock`.
    #[inline]
    #[track_caller]
    pub fn try_lock_until(&self, timeout: Instant) -> Option<ReentrantMutexGuard<'_, T>> {
        self.acquire(Operation::TryLock, || self.inner.try_lock_until(timeout))
    }

    /// As [`lock`](Self::lock), with a guard that owns the `Arc`.
    #[inline]
    #[track_caller]
    pub fn lock_arc(self: &Arc<Self>) -> ArcReentrantMutexGuard<RawMutex, RawThreadId, T> {
        self.acquire(Operation::Lock, || Self::inner_arc(self).lock_arc())
    }

    /// As [`try_lock`](Self::try_lock), with a guard that owns the `Arc`.
    #[inline]
    #[track_caller]
    pub fn try_lock_arc(self: &Arc<Self>) -> Option<ArcReentrantMutexGuard<RawMutex, RawThreadId, T>> {
        self.acquire(Operation::TryLock, || Self::inner_arc(self).try_lock_arc())
    }

    /// As [`try_lock_for`](Self::try_lock_for), with a guard that owns the `Arc`.
    #[inline]
    #[track_caller]
    pub fn try_lock_arc_for(
        self: &Arc<Self>,
        timeout: Duration,
    ) -> Option<ArcReentrantMutexGuard<RawMutex, RawThreadId, T>> {
        self.acquire(Operation::TryLock, || Self::inner_arc(self).try_lock_arc_for(timeout))
    }

    /// As [`try_lock_until`](Self::try_lock_until), with a guard that owns the `Arc`.
    #[inline]
    #[track_caller]
    pub fn try_lock_arc_until(
        self: &Arc<Self>,
        timeout: Instant,
    ) -> Option<ArcReentrantMutexGuard<RawMutex, RawThreadId, T>> {
        self.acquire(Operation::TryLock, || Self::inner_arc(self).try_lock_arc_until(timeout))
    }

    /// The value, which nobody else can see. No event.
    #[inline]
    pub fn get_mut(&mut self) -> &mut T {
        self.inner.get_mut()
    }

    /// Whether a thread holds the mutex. No event.
    #[inline]
    pub fn is_locked(&self) -> bool {
        self.inner.is_locked()
    }

    /// Whether the calling thread holds the mutex. No event.
    #[inline]
    pub fn is_owned_by_current_thread(&self) -> bool {
        self.inner.is_owned_by_current_thread()
    }

    /// The value, which may be changing.
    #[inline]
    pub fn data_ptr(&self) -> *mut T {
        self.inner.data_ptr()
    }

    /// The raw mutex inside.
    ///
    /// # Safety
    ///
    /// It must not be unlocked while there is a guard.
    #[inline]
    pub unsafe fn raw(&self) -> &RawMutex {
        // SAFETY: the caller promises it.
        unsafe { self.inner.raw() }
    }

    /// A guard of an acquisition whose own was forgotten. No event.
    ///
    /// # Safety
    ///
    /// The calling thread has acquired the mutex once more than there are guards.
    #[inline]
    pub unsafe fn make_guard_unchecked(&self) -> ReentrantMutexGuard<'_, T> {
        // SAFETY: the caller promises it.
        unsafe { self.inner.make_guard_unchecked() }
    }

    /// As [`make_guard_unchecked`](Self::make_guard_unchecked), with a guard that owns the `Arc`.
    ///
    /// # Safety
    ///
    /// As there.
    #[inline]
    pub unsafe fn make_arc_guard_unchecked(
        self: &Arc<Self>,
    ) -> ArcReentrantMutexGuard<RawMutex, RawThreadId, T> {
        // SAFETY: the caller promises it.
        unsafe { Self::inner_arc(self).make_arc_guard_unchecked() }
    }

    /// Undoes an acquisition whose guard was forgotten.
    ///
    /// # Safety
    ///
    /// The calling thread has acquired the mutex once more than there are guards.
    #[inline]
    pub unsafe fn force_unlock(&self) {
        // SAFETY: the caller promises it.
        unsafe { self.inner.force_unlock() }
    }

    /// As [`force_unlock`](Self::force_unlock); a thread that waits gets the mutex, if that was the last acquisition.
    ///
    /// # Safety
    ///
    /// As there.
    #[inline]
    pub unsafe fn force_unlock_fair(&self) {
        // SAFETY: the caller promises it.
        unsafe { self.inner.force_unlock_fair() }
    }

    /// Acquires by `by`: the one event. The raw mutex makes it, unless the calling thread has that already.
    #[inline]
    #[track_caller]
    fn acquire<G>(&self, operation: Operation, by: impl Fn() -> G) -> G {
        // SAFETY: the raw mutex is only looked at.
        let instance = &unsafe { self.inner.raw() }.instance;
        if !(held::is_counted(instance) && self.inner.is_owned_by_current_thread()) {
            return by();
        }
        // What the owner acquires it acquires at once, in whatever way.
        let (guard, token) = lock::exclusive(instance, operation, Location::caller(), || Some(by()), &by);
        token.leave();
        guard
    }

    /// `lock_api`'s mutex in the same `Arc`.
    fn inner_arc(this: &Arc<Self>) -> ManuallyDrop<Arc<Inner<T>>> {
        // SAFETY: the pointer is that of an `Arc` of a type that is transparent around the new one, so of one size,
        // alignment and metadata with it. It owns no reference, and is not dropped; the borrow keeps the value alive.
        ManuallyDrop::new(unsafe { Arc::from_raw(Arc::as_ptr(this) as *const Inner<T>) })
    }
}

impl<T> From<T> for ReentrantMutex<T> {
    #[inline]
    #[track_caller]
    fn from(val: T) -> Self {
        Self::new(val)
    }
}

impl<T: Default> Default for ReentrantMutex<T> {
    #[inline]
    #[track_caller]
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for ReentrantMutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}

#[cfg(feature = "serde")]
impl<T: ?Sized + serde::Serialize> serde::Serialize for ReentrantMutex<T> {
    /// The value, with the mutex held meanwhile.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (*self.lock()).serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de, T: serde::Deserialize<'de>> serde::Deserialize<'de> for ReentrantMutex<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::new)
    }
}
