//! Upgradable reads and upgrades. An upgradable reader is a reader among others until its upgrade succeeds.

use core::sync::atomic::{Ordering, fence};
use std::time::{Duration, Instant};

use ::parking_lot::RawRwLock as Inner;
use ::parking_lot::lock_api::{
    RawRwLockUpgrade, RawRwLockUpgradeDowngrade, RawRwLockUpgradeFair, RawRwLockUpgradeTimed,
};
use pfs_runtime::model::Operation;
use pfs_runtime::probe::held;

use super::RawRwLock;

impl RawRwLock {
    /// Says, where an upgrade was `done`, that the reader is one no more. The caller's lock is exclusive then.
    #[inline(always)]
    fn upgraded(&self, done: bool) -> bool {
        if done {
            held::upgraded(&self.instance);
        }
        done
    }
}

/// Acquires what was released by the lock's word as this thread saw it last.
#[inline(always)]
fn acquire(raw: &Inner) {
    fence(Ordering::Acquire);
    // ThreadSanitizer does not understand fences: it is told.
    #[cfg(pfs_thread_sanitizer)]
    {
        unsafe extern "C" {
            fn __tsan_acquire(address: *mut core::ffi::c_void);
        }
        // SAFETY: the sanitizer's runtime, which the program is built with then, looks up what it knows of the address
        // and does not touch what is there. It is that of the lock's one word.
        unsafe { __tsan_acquire(core::ptr::from_ref(raw).cast_mut().cast()) }
    }
    #[cfg(not(pfs_thread_sanitizer))]
    let _ = raw;
}

// SAFETY: whether and by whom it is locked is the inner lock's affair alone: what is done around each of its operations
// neither locks nor unlocks. The same holds of all implementations below.
unsafe impl RawRwLockUpgrade for RawRwLock {
    #[inline]
    #[track_caller]
    fn lock_upgradable(&self) {
        self.shared(Operation::SharedExclusiveLock, Inner::try_lock_upgradable, Inner::lock_upgradable);
    }

    #[inline]
    #[track_caller]
    fn try_lock_upgradable(&self) -> bool {
        self.try_shared(Operation::TrySharedExclusiveLock, Inner::try_lock_upgradable)
    }

    #[inline]
    unsafe fn unlock_upgradable(&self) {
        held::release_shared(&self.instance);
        // SAFETY: the caller holds the lock as its upgradable reader.
        unsafe { self.inner.unlock_upgradable() }
    }

    #[inline]
    #[track_caller]
    unsafe fn upgrade(&self) {
        self.exclusive(
            Operation::ExclusiveLock,
            |raw| {
                // SAFETY: the caller holds the lock as its upgradable reader.
                let done = unsafe { raw.try_upgrade() };
                // A try may be relaxed, and stands in the place of an `upgrade`, which acquires what readers that have
                // left did.
                acquire(raw);
                self.upgraded(done)
            },
            |raw| {
                // SAFETY: it is still its upgradable reader: nothing was tried, or in vain.
                unsafe { raw.upgrade() };
                self.upgraded(true);
            },
        );
    }

    #[inline]
    #[track_caller]
    unsafe fn try_upgrade(&self) -> bool {
        self.try_exclusive(Operation::TryExclusiveLock, |raw| {
            // SAFETY: the caller holds the lock as its upgradable reader.
            self.upgraded(unsafe { raw.try_upgrade() })
        })
    }
}

// SAFETY: as above.
unsafe impl RawRwLockUpgradeFair for RawRwLock {
    #[inline]
    unsafe fn unlock_upgradable_fair(&self) {
        held::release_shared(&self.instance);
        // SAFETY: the caller holds the lock as its upgradable reader.
        unsafe { self.inner.unlock_upgradable_fair() }
    }

    #[inline]
    unsafe fn bump_upgradable(&self) {
        let _lent = held::lend_shared(&self.instance);
        // SAFETY: the caller holds the lock as its upgradable reader.
        unsafe { self.inner.bump_upgradable() }
    }
}

// SAFETY: as above.
unsafe impl RawRwLockUpgradeDowngrade for RawRwLock {
    #[inline]
    unsafe fn downgrade_upgradable(&self) {
        // SAFETY: the caller holds the lock as its upgradable reader.
        unsafe { self.inner.downgrade_upgradable() }
    }

    #[inline]
    unsafe fn downgrade_to_upgradable(&self) {
        held::downgrade(&self.instance);
        // SAFETY: the caller holds the lock as its writer.
        unsafe { self.inner.downgrade_to_upgradable() }
    }
}

// SAFETY: as above.
unsafe impl RawRwLockUpgradeTimed for RawRwLock {
    #[inline]
    #[track_caller]
    fn try_lock_upgradable_for(&self, timeout: Duration) -> bool {
        self.shared_in_time(Operation::TrySharedExclusiveLock, Inner::try_lock_upgradable, |raw| {
            raw.try_lock_upgradable_for(timeout)
        })
    }

    #[inline]
    #[track_caller]
    fn try_lock_upgradable_until(&self, timeout: Instant) -> bool {
        self.shared_in_time(Operation::TrySharedExclusiveLock, Inner::try_lock_upgradable, |raw| {
            raw.try_lock_upgradable_until(timeout)
        })
    }

    #[inline]
    #[track_caller]
    unsafe fn try_upgrade_for(&self, timeout: Duration) -> bool {
        self.exclusive_in_time(
            Operation::TryExclusiveLock,
            // SAFETY: the caller holds the lock as its upgradable reader.
            |raw| self.upgraded(unsafe { raw.try_upgrade() }),
            // SAFETY: it is still its upgradable reader: nothing was tried, or in vain.
            |raw| self.upgraded(unsafe { raw.try_upgrade_for(timeout) }),
        )
    }

    #[inline]
    #[track_caller]
    unsafe fn try_upgrade_until(&self, timeout: Instant) -> bool {
        self.exclusive_in_time(
            Operation::TryExclusiveLock,
            // SAFETY: the caller holds the lock as its upgradable reader.
            |raw| self.upgraded(unsafe { raw.try_upgrade() }),
            // SAFETY: it is still its upgradable reader: nothing was tried, or in vain.
            |raw| self.upgraded(unsafe { raw.try_upgrade_until(timeout) }),
        )
    }
}
