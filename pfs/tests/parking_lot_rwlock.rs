//! `pfs::parking_lot::RwLock` has the whole interface of parking_lot's, and its semantics.

#![cfg(feature = "parking_lot")]

use std::fmt::{Debug, Display};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use pfs::parking_lot::lock_api::{self, RawRwLock as _};
use pfs::parking_lot::{RawRwLock, RwLock, RwLockUpgradableReadGuard, RwLockWriteGuard, const_rwlock};

/// Nothing: pfs is not started here. `parking_lot_started.rs` runs the same tests on one that is.
#[allow(dead_code, reason = "not called where these tests are a module")]
fn begin() {}

const SHORT: Duration = Duration::from_millis(1);
/// No test waits so long, unless it fails.
const LONG: Duration = Duration::from_mins(10);

fn soon() -> Instant {
    Instant::now() + SHORT
}

fn late() -> Instant {
    Instant::now() + LONG
}

fn pretty(value: &impl Debug) -> String {
    format!("{value:#?}")
}

/// Who may have the lock beside those that have it: a reader, a recursive one, an upgradable one, a writer.
fn free_for<T>(lock: &RwLock<T>) -> [bool; 4] {
    let read = lock.try_read().is_some();
    let recursive = lock.try_read_recursive().is_some();
    let upgradable = lock.try_upgradable_read().is_some();
    [read, recursive, upgradable, lock.try_write().is_some()]
}

const ALL: [bool; 4] = [true; 4];
const NOBODY: [bool; 4] = [false; 4];
const READERS: [bool; 4] = [true, true, true, false];
/// Beside one that could be upgraded.
const PLAIN_READERS: [bool; 4] = [true, true, false, false];

static STATIC: RwLock<u32> = RwLock::new(1);
static BY_FUNCTION: RwLock<[u8; 2]> = const_rwlock([1, 2]);
static FROM_RAW: RwLock<u32> = RwLock::from_raw(RawRwLock::INIT, 3);
static CONST_NEW: RwLock<u32> = RwLock::const_new(RawRwLock::INIT, 4);

#[test]
fn every_way_to_make_one() {
    crate::begin();
    *STATIC.write() += 1;
    assert_eq!(*STATIC.read(), 2);
    assert_eq!(BY_FUNCTION.read()[1], 2);
    assert_eq!(*FROM_RAW.read() + *CONST_NEW.read(), 7);
    assert_eq!(*RwLock::<u8>::default().read(), 0);
    let from: RwLock<&str> = "text".into();
    assert_eq!(*from.read(), "text");
    assert_eq!(RwLock::new(String::from("moved")).into_inner(), "moved");
    let of_unsized: &RwLock<[i32]> = &RwLock::new([1, 2, 3]);
    of_unsized.write()[1] = 5;
    assert_eq!(*of_unsized.read(), [1, 5, 3]);
    let of_a_trait: Arc<RwLock<dyn Display + Send + Sync>> = Arc::new(RwLock::new(6));
    assert_eq!(of_a_trait.read().to_string(), "6");
}

#[test]
fn readers_share_and_a_writer_excludes() {
    crate::begin();
    let mut lock = RwLock::new(1);
    assert_eq!((free_for(&lock), lock.is_locked(), lock.is_locked_exclusive()), (ALL, false, false));
    let readers = [lock.read(), lock.try_read().unwrap(), lock.read_recursive()];
    assert_eq!((free_for(&lock), lock.is_locked(), lock.is_locked_exclusive()), (READERS, true, false));
    assert!(lock.try_write_for(SHORT).is_none());
    assert!(lock.try_write_until(soon()).is_none());
    drop(readers);
    *lock.write() += 1;
    let mut writer = lock.try_write().unwrap();
    assert_eq!((free_for(&lock), lock.is_locked(), lock.is_locked_exclusive()), (NOBODY, true, true));
    assert!(lock.try_read_for(SHORT).is_none());
    assert!(lock.try_read_until(soon()).is_none());
    assert!(lock.try_read_recursive_for(SHORT).is_none());
    assert!(lock.try_read_recursive_until(soon()).is_none());
    assert!(lock.try_upgradable_read_for(SHORT).is_none());
    assert!(lock.try_upgradable_read_until(soon()).is_none());
    *writer += 1;
    drop(writer);
    *lock.get_mut() += 1;
    assert_eq!((free_for(&lock), lock.into_inner()), (ALL, 4));
}

#[test]
fn one_reader_can_be_upgraded() {
    crate::begin();
    let lock = RwLock::new(1);
    let upgradable = lock.upgradable_read();
    assert_eq!((free_for(&lock), lock.is_locked_exclusive()), (PLAIN_READERS, false));
    assert!(lock.try_upgradable_read_for(SHORT).is_none());
    let reader = lock.read();
    let upgradable = RwLockUpgradableReadGuard::try_upgrade(upgradable).unwrap_err();
    let upgradable = RwLockUpgradableReadGuard::try_upgrade_for(upgradable, SHORT).unwrap_err();
    let mut upgradable = RwLockUpgradableReadGuard::try_upgrade_until(upgradable, soon()).unwrap_err();
    assert_eq!(upgradable.try_with_upgraded(|_| "not upgraded"), None);
    assert_eq!(upgradable.try_with_upgraded_for(SHORT, |_| "not upgraded"), None);
    assert_eq!(upgradable.try_with_upgraded_until(soon(), |_| "not upgraded"), None);
    assert_eq!(free_for(&lock), PLAIN_READERS);
    drop(reader);

    let upgrades: [fn(_) -> _; 4] = [
        RwLockUpgradableReadGuard::upgrade,
        |guard| RwLockUpgradableReadGuard::try_upgrade(guard).unwrap(),
        |guard| RwLockUpgradableReadGuard::try_upgrade_for(guard, LONG).unwrap(),
        |guard| RwLockUpgradableReadGuard::try_upgrade_until(guard, late()).unwrap(),
    ];
    for upgrade in upgrades {
        let mut writer: RwLockWriteGuard<'_, i32> = upgrade(upgradable);
        assert_eq!(free_for(&lock), NOBODY);
        *writer += 1;
        upgradable = RwLockWriteGuard::downgrade_to_upgradable(writer);
        assert_eq!(free_for(&lock), PLAIN_READERS);
    }
    upgradable.with_upgraded(|value| {
        assert_eq!(free_for(&lock), NOBODY);
        *value += 1;
    });
    assert_eq!(upgradable.try_with_upgraded(|value| *value), Some(6));
    assert_eq!(upgradable.try_with_upgraded_for(LONG, |value| *value), Some(6));
    assert_eq!(upgradable.try_with_upgraded_until(late(), |value| *value), Some(6));
    assert_eq!(free_for(&lock), PLAIN_READERS);
    let reader = RwLockUpgradableReadGuard::downgrade(upgradable);
    assert_eq!((*reader, free_for(&lock)), (6, READERS));
    drop(reader);
    type Upgradable = fn(&RwLock<i32>) -> Option<RwLockUpgradableReadGuard<'_, i32>>;
    let upgradables: [Upgradable; 3] = [
        RwLock::try_upgradable_read,
        |lock| lock.try_upgradable_read_for(LONG),
        |lock| lock.try_upgradable_read_until(late()),
    ];
    for upgradable in upgradables {
        let guard = upgradable(&lock).unwrap();
        assert_eq!((*guard, free_for(&lock)), (6, PLAIN_READERS));
        drop(guard);
        assert_eq!(free_for(&lock), ALL);
    }
}

#[test]
fn a_downgrade_keeps_writers_out_and_lets_readers_in() {
    crate::begin();
    let lock = RwLock::new(1);
    let mut writer = lock.write();
    *writer = 2;
    let reader = RwLockWriteGuard::downgrade(writer);
    assert_eq!((*reader, free_for(&lock)), (2, READERS));
    drop(reader);
    let mut writer = lock.write();
    thread::scope(|scope| {
        let readers = [
            scope.spawn(|| *lock.read()),
            scope.spawn(|| *lock.read_recursive()),
            scope.spawn(|| *lock.upgradable_read()),
        ];
        *writer = 3;
        let reader = RwLockWriteGuard::downgrade(writer);
        for other in readers {
            assert_eq!(other.join().unwrap(), 3);
        }
        drop(reader);
    });
    assert_eq!(free_for(&lock), ALL);
}

#[test]
fn a_recursive_reader_passes_a_writer_that_waits() {
    crate::begin();
    let lock = RwLock::new(0);
    let reader = lock.read();
    thread::scope(|scope| {
        scope.spawn(|| *lock.write() += 1);
        // Until the writer waits, which keeps others out.
        while lock.try_read().is_some() {
            thread::yield_now();
        }
        assert!(lock.try_read_for(SHORT).is_none());
        assert!(lock.try_upgradable_read().is_none());
        let recursive = [
            lock.read_recursive(),
            lock.try_read_recursive().unwrap(),
            lock.try_read_recursive_for(LONG).unwrap(),
            lock.try_read_recursive_until(late()).unwrap(),
        ];
        assert_eq!(*recursive[3], 0);
        drop(reader);
    });
    assert_eq!(*lock.read(), 1);
}

#[test]
fn what_waits_goes_on_when_the_lock_is_free() {
    crate::begin();
    let lock = RwLock::new(0);
    let waiters: [fn(&RwLock<u32>); 12] = [
        |lock| *lock.write() += 1,
        |lock| *lock.try_write_for(LONG).unwrap() += 1,
        |lock| *lock.try_write_until(late()).unwrap() += 1,
        |lock| *RwLockUpgradableReadGuard::upgrade(lock.upgradable_read()) += 1,
        |lock| {
            let upgradable = lock.try_upgradable_read_for(LONG).unwrap();
            *RwLockUpgradableReadGuard::try_upgrade_for(upgradable, LONG).unwrap() += 1;
        },
        |lock| {
            let upgradable = lock.try_upgradable_read_until(late()).unwrap();
            *RwLockUpgradableReadGuard::try_upgrade_until(upgradable, late()).unwrap() += 1;
        },
        |lock| drop(lock.read()),
        |lock| drop(lock.try_read_for(LONG).unwrap()),
        |lock| drop(lock.try_read_until(late()).unwrap()),
        |lock| drop(lock.read_recursive()),
        |lock| drop(lock.try_read_recursive_for(LONG).unwrap()),
        |lock| drop(lock.try_read_recursive_until(late()).unwrap()),
    ];
    let writer = lock.write();
    thread::scope(|scope| {
        let lock = &lock;
        let waiting: Vec<_> = waiters.map(|waiter| scope.spawn(move || waiter(lock))).into();
        assert_eq!(*writer, 0);
        drop(writer);
        for waiter in waiting {
            waiter.join().unwrap();
        }
    });
    assert_eq!(lock.into_inner(), 6);
}

#[test]
fn what_is_read_is_whole() {
    crate::begin();
    const ROUNDS: u64 = 1_000;
    let lock = RwLock::new((0_u64, 0_u64));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for round in 0..ROUNDS {
                    let mut pair = if round.is_multiple_of(2) {
                        lock.write()
                    } else {
                        RwLockUpgradableReadGuard::upgrade(lock.upgradable_read())
                    };
                    pair.0 += 1;
                    pair.1 += 1;
                }
            });
            scope.spawn(|| {
                for round in 0..ROUNDS {
                    let pair = if round.is_multiple_of(2) { lock.read() } else { lock.read_recursive() };
                    assert_eq!(pair.0, pair.1);
                }
            });
        }
    });
    assert_eq!(lock.into_inner(), (2 * ROUNDS, 2 * ROUNDS));
}

#[test]
fn a_panic_unlocks_and_poisons_nothing() {
    crate::begin();
    let lock = RwLock::new(1);
    let holders: [fn(&RwLock<u32>); 4] = [
        |lock| {
            let _held = lock.read();
            panic::resume_unwind(Box::new(()));
        },
        |lock| {
            let _held = lock.upgradable_read();
            panic::resume_unwind(Box::new(()));
        },
        |lock| {
            *lock.write() += 1;
            let _held = lock.write();
            panic::resume_unwind(Box::new(()));
        },
        |lock| {
            let mut upgradable = lock.upgradable_read();
            upgradable.with_upgraded(|_| panic::resume_unwind(Box::new(())));
        },
    ];
    for holder in holders {
        assert!(panic::catch_unwind(AssertUnwindSafe(|| holder(&lock))).is_err());
        assert_eq!(free_for(&lock), ALL);
    }
    assert_eq!(*lock.read(), 2);
}

#[test]
fn what_is_forgotten_stays_locked_until_it_is_unlocked_by_force() {
    crate::begin();
    let lock = RwLock::new(1);
    for fair in [false, true] {
        std::mem::forget(lock.read());
        assert!(lock.is_locked());
        // SAFETY: the guard was forgotten, and the lock is held.
        unsafe { if fair { lock.force_unlock_read_fair() } else { lock.force_unlock_read() } }
        std::mem::forget(lock.write());
        assert!(lock.is_locked_exclusive());
        // SAFETY: as above.
        unsafe { if fair { lock.force_unlock_write_fair() } else { lock.force_unlock_write() } }
        assert_eq!(free_for(&lock), ALL);
    }
    std::mem::forget(lock.read());
    // SAFETY: the guard was forgotten, and the lock is held as that guard's.
    drop(unsafe { lock.make_read_guard_unchecked() });
    std::mem::forget(lock.write());
    // SAFETY: as above.
    drop(unsafe { lock.make_write_guard_unchecked() });
    std::mem::forget(lock.upgradable_read());
    // SAFETY: as above.
    drop(unsafe { lock.make_upgradable_guard_unchecked() });
    assert_eq!(free_for(&lock), ALL);
    // SAFETY: nobody changes the value.
    assert_eq!(unsafe { *lock.data_ptr() }, 1);
    // SAFETY: it is only looked at.
    assert!(!unsafe { lock.raw() }.is_locked());
}

#[test]
fn it_is_shown_as_parking_lots_is() {
    crate::begin();
    let (ours, theirs) = (RwLock::new(vec![1]), ::parking_lot::RwLock::new(vec![1]));
    assert_eq!(pretty(&ours), pretty(&theirs));
    let held = (ours.read(), theirs.read());
    assert_eq!(pretty(&ours), pretty(&theirs));
    assert_eq!(pretty(&held.0), pretty(&held.1));
    drop(held);
    let _held = (ours.write(), theirs.write());
    assert_eq!(format!("{ours:?}"), "RwLock { data: <locked> }");
    assert_eq!(pretty(&ours), pretty(&theirs));
}

#[test]
fn code_over_any_raw_rwlock_takes_it() {
    crate::begin();
    fn add<R>(lock: &lock_api::RwLock<R, u32>) -> u32
    where
        R: lock_api::RawRwLockUpgradeDowngrade
            + lock_api::RawRwLockUpgradeFair
            + lock_api::RawRwLockUpgradeTimed
            + lock_api::RawRwLockRecursiveTimed,
    {
        *lock_api::RwLockUpgradableReadGuard::upgrade(lock.upgradable_read()) += 1;
        *lock.read_recursive()
    }
    assert_eq!(add(&RwLock::new(1)), 2);
    let raw = RawRwLock::INIT;
    raw.lock_shared();
    assert!(raw.try_lock_shared() && !raw.try_lock_exclusive());
    // SAFETY: it was locked twice above.
    unsafe {
        raw.unlock_shared();
        raw.unlock_shared();
    }
    assert!(raw.try_lock_exclusive());
}
