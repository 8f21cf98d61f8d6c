//! Which calls of `pfs::parking_lot::RwLock` are events: their exact number an operation, and who is shown to hold it
//! meanwhile. Each test has classes of its own, so that the tests may run at once.

#![cfg(all(feature = "engine", feature = "parking_lot"))]

mod parking;

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking::{by_instance, counts, exactly, holders, operations, recorded};
use pfs::parking_lot::lock_api::{ArcRwLockReadGuard, ArcRwLockUpgradableReadGuard, ArcRwLockWriteGuard};
use pfs::parking_lot::{RwLockReadGuard, RwLockUpgradableReadGuard, RwLockWriteGuard};

const SHORT: Duration = Duration::from_millis(1);

fn soon() -> Instant {
    Instant::now() + SHORT
}

#[test]
fn each_acquisition_of_a_rwlock_is_one_event() {
    const CLASS: &str = "wait/synch/rwlock/test/SHARED";
    let pfs = recorded();
    let mut lock = pfs::parking_lot::rwlock!("test/SHARED", 1);
    let readers = (
        lock.read(),
        lock.try_read().unwrap(),
        lock.try_read_for(SHORT).unwrap(),
        lock.try_read_until(soon()).unwrap(),
        lock.read_recursive(),
        lock.try_read_recursive().unwrap(),
        lock.try_read_recursive_for(SHORT).unwrap(),
        lock.try_read_recursive_until(soon()).unwrap(),
    );
    assert_eq!(holders(pfs, CLASS), (false, 8));
    assert_eq!(operations(pfs, CLASS), exactly([("read_lock", 2), ("try_read_lock", 6)]));
    assert!(lock.try_write().is_none());
    assert!(lock.try_write_for(SHORT).is_none());
    assert!(lock.try_write_until(soon()).is_none());
    assert_eq!((counts(pfs, CLASS), by_instance(pfs, CLASS)), ((11, 2), 8));
    drop(readers);
    assert_eq!(holders(pfs, CLASS), (false, 0));

    let writer = lock.write();
    assert_eq!(holders(pfs, CLASS), (true, 0));
    drop(writer);
    assert_eq!(holders(pfs, CLASS), (false, 0));
    std::mem::forget(lock.try_write().unwrap());
    assert_eq!(holders(pfs, CLASS), (true, 0));
    assert!(lock.try_read().is_none());
    assert!(lock.try_read_for(SHORT).is_none());
    assert!(lock.try_read_recursive().is_none());
    assert!(lock.try_read_recursive_until(soon()).is_none());
    assert!(lock.try_upgradable_read().is_none());
    assert!(lock.try_upgradable_read_for(SHORT).is_none());
    assert_eq!((counts(pfs, CLASS), by_instance(pfs, CLASS)), ((19, 5), 10));
    // SAFETY: the guard was forgotten.
    unsafe { lock.force_unlock_write_fair() }
    assert_eq!(holders(pfs, CLASS), (false, 0));
    drop(lock.try_write_for(SHORT).unwrap());
    drop(lock.try_write_until(soon()).unwrap());
    assert_eq!(
        operations(pfs, CLASS),
        exactly([
            ("read_lock", 2),
            ("try_read_lock", 10),
            ("write_lock", 1),
            ("try_write_lock", 6),
            ("try_shared_exclusive_lock", 2),
        ])
    );

    // Looking at it is none, except by `Debug`, which tries to read.
    assert!(!lock.is_locked() && !lock.is_locked_exclusive());
    *lock.get_mut() += 1;
    assert_eq!(counts(pfs, CLASS), (21, 5));
    assert_eq!(format!("{lock:?}"), "RwLock { data: 2 }");
    assert_eq!(lock.into_inner(), 2);
    assert_eq!((counts(pfs, CLASS), by_instance(pfs, CLASS)), ((22, 5), 0));
}

#[test]
fn an_upgrade_is_an_acquisition_and_a_downgrade_is_none() {
    const CLASS: &str = "wait/synch/rwlock/test/UPGRADED";
    let pfs = recorded();
    let lock = pfs::parking_lot::rwlock!("test/UPGRADED", 1);
    let upgradable = lock.upgradable_read();
    assert_eq!(holders(pfs, CLASS), (false, 1));
    let reader = lock.read();
    assert_eq!(holders(pfs, CLASS), (false, 2));
    let upgradable = RwLockUpgradableReadGuard::try_upgrade(upgradable).unwrap_err();
    let upgradable = RwLockUpgradableReadGuard::try_upgrade_for(upgradable, SHORT).unwrap_err();
    let upgradable = RwLockUpgradableReadGuard::try_upgrade_until(upgradable, soon()).unwrap_err();
    assert_eq!(holders(pfs, CLASS), (false, 2));
    assert_eq!((counts(pfs, CLASS), by_instance(pfs, CLASS)), ((5, 2), 2));
    drop(reader);
    assert_eq!(holders(pfs, CLASS), (false, 1));

    let upgrades: [fn(_) -> _; 4] = [
        RwLockUpgradableReadGuard::upgrade,
        |guard| RwLockUpgradableReadGuard::try_upgrade(guard).unwrap(),
        |guard| RwLockUpgradableReadGuard::try_upgrade_for(guard, SHORT).unwrap(),
        |guard| RwLockUpgradableReadGuard::try_upgrade_until(guard, soon()).unwrap(),
    ];
    let mut upgradable = upgradable;
    for upgrade in upgrades {
        let writer = upgrade(upgradable);
        assert_eq!(holders(pfs, CLASS), (true, 0));
        upgradable = RwLockWriteGuard::downgrade_to_upgradable(writer);
        assert_eq!(holders(pfs, CLASS), (false, 1));
    }
    upgradable.with_upgraded(|_| assert_eq!(holders(pfs, CLASS), (true, 0)));
    assert_eq!(holders(pfs, CLASS), (false, 1));
    let reader = RwLockUpgradableReadGuard::downgrade(upgradable);
    assert_eq!(holders(pfs, CLASS), (false, 1));
    drop(reader);
    assert_eq!(holders(pfs, CLASS), (false, 0));
    let reader = RwLockWriteGuard::downgrade(lock.write());
    assert_eq!(holders(pfs, CLASS), (false, 1));
    drop((reader, lock.try_upgradable_read().unwrap()));
    drop(lock.try_upgradable_read_for(SHORT).unwrap());
    drop(lock.try_upgradable_read_until(soon()).unwrap());
    assert_eq!(holders(pfs, CLASS), (false, 0));
    assert_eq!(
        operations(pfs, CLASS),
        exactly([
            ("shared_exclusive_lock", 1),
            ("try_shared_exclusive_lock", 3),
            ("read_lock", 1),
            ("write_lock", 1),
            ("exclusive_lock", 2),
            ("try_exclusive_lock", 6),
        ])
    );
    assert_eq!((counts(pfs, CLASS), by_instance(pfs, CLASS)), ((14, 2), 11));
}

/// What guards of an rwlock do, for those that borrow it and those that own it.
macro_rules! guards_of_a_rwlock {
    (
        $test:ident, $name:literal, $new:expr, $read:ident, $write:ident, $upgradable:ident,
        $ReadGuard:ident, $WriteGuard:ident, $UpgradableGuard:ident
    ) => {
        #[test]
        fn $test() {
            const CLASS: &str = concat!("wait/synch/rwlock/", $name);
            let pfs = recorded();
            let lock = $new(pfs::parking_lot::rwlock!($name, 1));
            let none = || assert_eq!(holders(pfs, CLASS), (false, 0));
            let mut guard = lock.$read();
            $ReadGuard::unlocked(&mut guard, none);
            $ReadGuard::unlocked_fair(&mut guard, none);
            $ReadGuard::bump(&mut guard);
            assert_eq!(holders(pfs, CLASS), (false, 1));
            $ReadGuard::unlock_fair(guard);
            none();
            assert_eq!(operations(pfs, CLASS), exactly([("read_lock", 3)]));

            let mut guard = lock.$write();
            $WriteGuard::unlocked(&mut guard, none);
            $WriteGuard::unlocked_fair(&mut guard, none);
            $WriteGuard::bump(&mut guard);
            assert_eq!(holders(pfs, CLASS), (true, 0));
            $WriteGuard::unlock_fair(guard);
            none();
            assert_eq!(operations(pfs, CLASS), exactly([("read_lock", 3), ("write_lock", 3)]));

            let mut guard = lock.$upgradable();
            $UpgradableGuard::unlocked(&mut guard, none);
            $UpgradableGuard::unlocked_fair(&mut guard, none);
            $UpgradableGuard::bump(&mut guard);
            assert_eq!(holders(pfs, CLASS), (false, 1));
            guard.with_upgraded(|_| assert_eq!(holders(pfs, CLASS), (true, 0)));
            let guard = $UpgradableGuard::upgrade(guard);
            assert_eq!(holders(pfs, CLASS), (true, 0));
            let guard = $WriteGuard::downgrade_to_upgradable(guard);
            assert_eq!(holders(pfs, CLASS), (false, 1));
            $UpgradableGuard::unlock_fair(guard);
            none();
            assert_eq!(
                operations(pfs, CLASS),
                exactly([
                    ("read_lock", 3),
                    ("write_lock", 3),
                    ("shared_exclusive_lock", 3),
                    ("exclusive_lock", 2)
                ])
            );
            let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
                let _reader = lock.$read();
                let mut guard = lock.$upgradable();
                $UpgradableGuard::unlocked(&mut guard, || panic::resume_unwind(Box::new(())));
            }));
            assert!(outcome.is_err());
            none();
            assert_eq!((counts(pfs, CLASS), by_instance(pfs, CLASS)), ((14, 0), 14));
        }
    };
}

guards_of_a_rwlock!(
    what_a_guard_of_a_rwlock_does,
    "test/BORROWED",
    |lock| lock,
    read,
    write,
    upgradable_read,
    RwLockReadGuard,
    RwLockWriteGuard,
    RwLockUpgradableReadGuard
);
guards_of_a_rwlock!(
    guards_that_own_a_rwlock_are_counted_alike,
    "test/OWNED",
    Arc::new,
    read_arc,
    write_arc,
    upgradable_read_arc,
    ArcRwLockReadGuard,
    ArcRwLockWriteGuard,
    ArcRwLockUpgradableReadGuard
);

#[test]
fn each_way_to_own_a_rwlock_is_one_event() {
    const CLASS: &str = "wait/synch/rwlock/test/WAYS";
    let pfs = recorded();
    let lock = Arc::new(pfs::parking_lot::rwlock!("test/WAYS", ()));
    drop(lock.try_read_arc().unwrap());
    drop(lock.try_read_arc_for(SHORT).unwrap());
    drop(lock.try_read_arc_until(soon()).unwrap());
    drop(lock.read_arc_recursive());
    drop(lock.try_read_recursive_arc().unwrap());
    drop(lock.try_read_arc_recursive_for(SHORT).unwrap());
    drop(lock.try_read_arc_recursive_until(soon()).unwrap());
    drop(lock.try_write_arc().unwrap());
    drop(lock.try_write_arc_for(SHORT).unwrap());
    drop(lock.try_write_arc_until(soon()).unwrap());
    drop(lock.try_upgradable_read_arc().unwrap());
    drop(lock.try_upgradable_read_arc_for(SHORT).unwrap());
    let mut guard = lock.try_upgradable_read_arc_until(soon()).unwrap();
    assert_eq!(guard.try_with_upgraded(|()| holders(pfs, CLASS)), Some((true, 0)));
    assert_eq!(guard.try_with_upgraded_for(SHORT, |()| holders(pfs, CLASS)), Some((true, 0)));
    assert_eq!(guard.try_with_upgraded_until(soon(), |()| holders(pfs, CLASS)), Some((true, 0)));
    drop(ArcRwLockUpgradableReadGuard::downgrade(guard));
    assert_eq!(holders(pfs, CLASS), (false, 0));
    assert_eq!(
        operations(pfs, CLASS),
        exactly([
            ("read_lock", 1),
            ("try_read_lock", 6),
            ("try_write_lock", 3),
            ("try_shared_exclusive_lock", 3),
            ("try_exclusive_lock", 3),
        ])
    );
    assert_eq!((counts(pfs, CLASS), by_instance(pfs, CLASS)), ((16, 0), 16));
}
