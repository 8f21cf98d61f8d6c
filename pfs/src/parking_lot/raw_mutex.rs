//! The raw lock inside [`Mutex`](super::Mutex) and [`FairMutex`](super::FairMutex): parking_lot's, with each acquisition
//! an event of class `wait/synch/mutex/…`.
//!
//! **Trying first changes nothing.** parking_lot's `lock` takes a mutex that is not locked, be there a queue or not, with
//! its first instruction and again before each time it would sleep; that is what `try_lock` does and all it does. So
//! `try_lock`, and `lock` where it fails, is `lock`, begun a moment earlier. Fairness is the work of who unlocks: a mutex
//! that is handed over is never unlocked meanwhile, so that no try can get in between, whether it is handed over always
//! (`FairMutex`), when asked for (`unlock_fair`, `bump`) or now and then (eventual fairness). The same holds of the timed
//! ways, which are `lock` with a deadline.

use core::mem::ManuallyDrop;
use core::panic::{Location, RefUnwindSafe, UnwindSafe};

use ::parking_lot as raw;
use pfs_runtime::class::{Class, fresh};
use pfs_runtime::instance::Instance;
use pfs_runtime::model::{Operation, Site};
use pfs_runtime::probe::{held, lock};
use raw::lock_api;

/// A raw mutex of parking_lot, `R`, instrumented.
///
/// Users name it by the aliases [`RawMutex`](super::RawMutex) and [`RawFairMutex`](super::RawFairMutex).
pub struct InstrumentedRawMutex<R> {
    pub(super) instance: Instance,
    // A mutex and not `R` alone, because parking_lot's condvar asks for a guard of one.
    inner: lock_api::Mutex<R, ()>,
}

impl<R: lock_api::RawMutex> InstrumentedRawMutex<R> {
    pub(super) const fn with_class(class: &'static Class, made_at: Site) -> Self {
        Self { instance: Instance::new(class, made_at), inner: lock_api::Mutex::new(()) }
    }

    #[inline(always)]
    fn raw(&self) -> &R {
        // SAFETY: through it a mutex could be unlocked of which there is a guard. Of `inner` there is none, except the
        // one of `guard`, whose caller has the lock's own guard to itself as long.
        unsafe { self.inner.raw() }
    }

    /// parking_lot's guard of the lock, for its condvar. It must not be dropped: that would unlock.
    ///
    /// # Safety
    ///
    /// The caller has the guard of this lock, and lets nobody else use it until the guard given here is gone.
    pub(super) unsafe fn guard(&self) -> ManuallyDrop<lock_api::MutexGuard<'_, R, ()>> {
        // SAFETY: the caller holds the lock, which is `inner`'s, and has the only guard of it; while that is not used,
        // this one is. The data under it is nothing, so that there is nothing to alias.
        ManuallyDrop::new(unsafe { self.inner.make_guard_unchecked() })
    }

    #[inline(always)]
    #[track_caller]
    fn try_in_time(&self, wait: impl FnOnce(&R) -> bool) -> bool {
        let raw = self.raw();
        lock::exclusive_in_time(
            &self.instance,
            Operation::TryLock,
            Location::caller(),
            || raw.try_lock().then_some(()),
            || wait(raw).then_some(()),
        )
        .map(|((), token)| token.leave())
        .is_some()
    }
}

// SAFETY: whether and by whom it is locked is `R`'s affair alone: what is done around each of its operations neither
// locks nor unlocks.
unsafe impl<R: lock_api::RawMutex> lock_api::RawMutex for InstrumentedRawMutex<R> {
    const INIT: Self = Self { instance: Instance::unplaced(&fresh::MUTEX), inner: lock_api::Mutex::new(()) };

    type GuardMarker = R::GuardMarker;

    #[inline]
    #[track_caller]
    fn lock(&self) {
        let raw = self.raw();
        let ((), token) = lock::exclusive(
            &self.instance,
            Operation::Lock,
            Location::caller(),
            || raw.try_lock().then_some(()),
            || raw.lock(),
        );
        token.leave();
    }

    #[inline]
    #[track_caller]
    fn try_lock(&self) -> bool {
        lock::try_exclusive(&self.instance, Operation::TryLock, Location::caller(), || {
            self.raw().try_lock().then_some(())
        })
        .map(|((), token)| token.leave())
        .is_some()
    }

    #[inline]
    unsafe fn unlock(&self) {
        held::release(&self.instance);
        // SAFETY: the caller holds the lock.
        unsafe { self.raw().unlock() }
    }

    #[inline]
    fn is_locked(&self) -> bool {
        self.raw().is_locked()
    }
}

// SAFETY: as above.
unsafe impl<R: lock_api::RawMutexFair> lock_api::RawMutexFair for InstrumentedRawMutex<R> {
    #[inline]
    unsafe fn unlock_fair(&self) {
        held::release(&self.instance);
        // SAFETY: the caller holds the lock.
        unsafe { self.raw().unlock_fair() }
    }

    #[inline]
    unsafe fn bump(&self) {
        let _lent = held::lend(&self.instance);
        // SAFETY: the caller holds the lock.
        unsafe { self.raw().bump() }
    }
}

// SAFETY: as above.
unsafe impl<R: lock_api::RawMutexTimed> lock_api::RawMutexTimed for InstrumentedRawMutex<R> {
    type Duration = R::Duration;
    type Instant = R::Instant;

    #[inline]
    #[track_caller]
    fn try_lock_for(&self, timeout: R::Duration) -> bool {
        self.try_in_time(|raw| raw.try_lock_for(timeout))
    }

    #[inline]
    #[track_caller]
    fn try_lock_until(&self, timeout: R::Instant) -> bool {
        self.try_in_time(|raw| raw.try_lock_until(timeout))
    }
}

// As parking_lot's own: there is no value that a panic could leave unsound.
impl<R> UnwindSafe for InstrumentedRawMutex<R> {}
impl<R> RefUnwindSafe for InstrumentedRawMutex<R> {}
