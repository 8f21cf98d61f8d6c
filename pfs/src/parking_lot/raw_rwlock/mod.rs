//! The raw lock inside [`RwLock`](super::RwLock): parking_lot's, with each acquisition an event of class
//! `wait/synch/rwlock/…`.
//!
//! **Trying first changes nothing.** Whatever parking_lot's `lock_…` waits for, it takes with its first instructions if
//! the `try_lock_…` of the same name would: neither looks at a queue, and both refuse under the same conditions. A read
//! is refused while a writer has the lock or waits for readers to leave it, so that a try does not pass a writer that
//! waits, except a recursive one, which is there to pass it. A `try_lock_exclusive` refuses more than need be, a lock
//! that nobody holds but somebody queues for; then `lock_exclusive` takes it without sleeping, as it always did, and is
//! counted as one that waited. Who is handed the lock gets it without it being free in between. So trying, and locking
//! where that fails, is locking, begun a moment earlier. The same holds of the timed ways.

mod upgrade;

use core::panic::Location;
use std::time::{Duration, Instant};

use ::parking_lot::RawRwLock as Inner;
use ::parking_lot::lock_api::{
    self, RawRwLock as _, RawRwLockDowngrade, RawRwLockFair, RawRwLockRecursive, RawRwLockRecursiveTimed,
    RawRwLockTimed,
};
use pfs_runtime::class::{Class, fresh};
use pfs_runtime::instance::Instance;
use pfs_runtime::model::{Operation, Site};
use pfs_runtime::probe::{held, lock};

/// The raw reader-writer lock of parking_lot, instrumented. Two words larger than parking_lot's.
///
/// It implements each trait of `lock_api` that parking_lot's does.
pub struct RawRwLock {
    pub(super) instance: Instance,
    inner: Inner,
}

impl RawRwLock {
    pub(super) const fn with_class(class: &'static Class, made_at: Site) -> Self {
        Self { instance: Instance::new(class, made_at), inner: <Inner as lock_api::RawRwLock>::INIT }
    }

    #[inline(always)]
    #[track_caller]
    fn shared(&self, operation: Operation, now: impl FnOnce(&Inner) -> bool, block: impl FnOnce(&Inner)) {
        let ((), token) = lock::shared(
            &self.instance,
            operation,
            Location::caller(),
            || now(&self.inner).then_some(()),
            || block(&self.inner),
        );
        token.leave();
    }

    #[inline(always)]
    #[track_caller]
    fn try_shared(&self, operation: Operation, now: impl FnOnce(&Inner) -> bool) -> bool {
        lock::try_shared(&self.instance, operation, Location::caller(), || now(&self.inner).then_some(()))
            .map(|((), token)| token.leave())
            .is_some()
    }

    #[inline(always)]
    #[track_caller]
    fn shared_in_time(
        &self,
        operation: Operation,
        now: impl FnOnce(&Inner) -> bool,
        wait: impl FnOnce(&Inner) -> bool,
    ) -> bool {
        lock::shared_in_time(
            &self.instance,
            operation,
            Location::caller(),
            || now(&self.inner).then_some(()),
            || wait(&self.inner).then_some(()),
        )
        .map(|((), token)| token.leave())
        .is_some()
    }

    #[inline(always)]
    #[track_caller]
    fn exclusive(&self, operation: Operation, now: impl FnOnce(&Inner) -> bool, block: impl FnOnce(&Inner)) {
        let ((), token) = lock::exclusive(
            &self.instance,
            operation,
            Location::caller(),
            || now(&self.inner).then_some(()),
            || block(&self.inner),
        );
        token.leave();
    }

    #[inline(always)]
    #[track_caller]
    fn try_exclusive(&self, operation: Operation, now: impl FnOnce(&Inner) -> bool) -> bool {
        lock::try_exclusive(&self.instance, operation, Location::caller(), || now(&self.inner).then_some(()))
            .map(|((), token)| token.leave())
            .is_some()
    }

    #[inline(always)]
    #[track_caller]
    fn exclusive_in_time(
        &self,
        operation: Operation,
        now: impl FnOnce(&Inner) -> bool,
        wait: impl FnOnce(&Inner) -> bool,
    ) -> bool {
        lock::exclusive_in_time(
            &self.instance,
            operation,
            Location::caller(),
            || now(&self.inner).then_some(()),
            || wait(&self.inner).then_some(()),
        )
        .map(|((), token)| token.leave())
        .is_some()
    }
}

// SAFETY: whether and by whom it is locked is the inner lock's affair alone: what is done around each of its operations
// neither locks nor unlocks. The same holds of all implementations below.
unsafe impl lock_api::RawRwLock for RawRwLock {
    const INIT: Self =
        Self { instance: Instance::unplaced(&fresh::RWLOCK), inner: <Inner as lock_api::RawRwLock>::INIT };

    type GuardMarker = <Inner as lock_api::RawRwLock>::GuardMarker;

    #[inline]
    #[track_caller]
    fn lock_shared(&self) {
        self.shared(Operation::ReadLock, Inner::try_lock_shared, Inner::lock_shared);
    }

    #[inline]
    #[track_caller]
    fn try_lock_shared(&self) -> bool {
        self.try_shared(Operation::TryReadLock, Inner::try_lock_shared)
    }

    #[inline]
    unsafe fn unlock_shared(&self) {
        held::release_shared(&self.instance);
        // SAFETY: the caller holds the lock as a reader.
        unsafe { self.inner.unlock_shared() }
    }

    #[inline]
    #[track_caller]
    fn lock_exclusive(&self) {
        self.exclusive(Operation::WriteLock, Inner::try_lock_exclusive, Inner::lock_exclusive);
    }

    #[inline]
    #[track_caller]
    fn try_lock_exclusive(&self) -> bool {
        self.try_exclusive(Operation::TryWriteLock, Inner::try_lock_exclusive)
    }

    #[inline]
    unsafe fn unlock_exclusive(&self) {
        held::release(&self.instance);
        // SAFETY: the caller holds the lock as its writer.
        unsafe { self.inner.unlock_exclusive() }
    }

    #[inline]
    fn is_locked(&self) -> bool {
        self.inner.is_locked()
    }

    #[inline]
    fn is_locked_exclusive(&self) -> bool {
        self.inner.is_locked_exclusive()
    }
}

// SAFETY: as above.
unsafe impl RawRwLockFair for RawRwLock {
    #[inline]
    unsafe fn unlock_shared_fair(&self) {
        held::release_shared(&self.instance);
        // SAFETY: the caller holds the lock as a reader.
        unsafe { self.inner.unlock_shared_fair() }
    }

    #[inline]
    unsafe fn unlock_exclusive_fair(&self) {
        held::release(&self.instance);
        // SAFETY: the caller holds the lock as its writer.
        unsafe { self.inner.unlock_exclusive_fair() }
    }

    #[inline]
    unsafe fn bump_shared(&self) {
        let _lent = held::lend_shared(&self.instance);
        // SAFETY: the caller holds the lock as a reader.
        unsafe { self.inner.bump_shared() }
    }

    #[inline]
    unsafe fn bump_exclusive(&self) {
        let _lent = held::lend(&self.instance);
        // SAFETY: the caller holds the lock as its writer.
        unsafe { self.inner.bump_exclusive() }
    }
}

// SAFETY: as above.
unsafe impl RawRwLockDowngrade for RawRwLock {
    #[inline]
    unsafe fn downgrade(&self) {
        held::downgrade(&self.instance);
        // SAFETY: the caller holds the lock as its writer.
        unsafe { self.inner.downgrade() }
    }
}

// SAFETY: as above.
unsafe impl RawRwLockTimed for RawRwLock {
    type Duration = Duration;
    type Instant = Instant;

    #[inline]
    #[track_caller]
    fn try_lock_shared_for(&self, timeout: Duration) -> bool {
        self.shared_in_time(Operation::TryReadLock, Inner::try_lock_shared, |raw| {
            raw.try_lock_shared_for(timeout)
        })
    }

    #[inline]
    #[track_caller]
    fn try_lock_shared_until(&self, timeout: Instant) -> bool {
        self.shared_in_time(Operation::TryReadLock, Inner::try_lock_shared, |raw| {
            raw.try_lock_shared_until(timeout)
        })
    }

    #[inline]
    #[track_caller]
    fn try_lock_exclusive_for(&self, timeout: Duration) -> bool {
        self.exclusive_in_time(Operation::TryWriteLock, Inner::try_lock_exclusive, |raw| {
            raw.try_lock_exclusive_for(timeout)
        })
    }

    #[inline]
    #[track_caller]
    fn try_lock_exclusive_until(&self, timeout: Instant) -> bool {
        self.exclusive_in_time(Operation::TryWriteLock, Inner::try_lock_exclusive, |raw| {
            raw.try_lock_exclusive_until(timeout)
        })
    }
}

// SAFETY: as above.
unsafe impl RawRwLockRecursive for RawRwLock {
    #[inline]
    #[track_caller]
    fn lock_shared_recursive(&self) {
        self.shared(Operation::ReadLock, Inner::try_lock_shared_recursive, Inner::lock_shared_recursive);
    }

    #[inline]
    #[track_caller]
    fn try_lock_shared_recursive(&self) -> bool {
        self.try_shared(Operation::TryReadLock, Inner::try_lock_shared_recursive)
    }
}

// SAFETY: as above.
unsafe impl RawRwLockRecursiveTimed for RawRwLock {
    #[inline]
    #[track_caller]
    fn try_lock_shared_recursive_for(&self, timeout: Duration) -> bool {
        self.shared_in_time(Operation::TryReadLock, Inner::try_lock_shared_recursive, |raw| {
            raw.try_lock_shared_recursive_for(timeout)
        })
    }

    #[inline]
    #[track_caller]
    fn try_lock_shared_recursive_until(&self, timeout: Instant) -> bool {
        self.shared_in_time(Operation::TryReadLock, Inner::try_lock_shared_recursive, |raw| {
            raw.try_lock_shared_recursive_until(timeout)
        })
    }
}
