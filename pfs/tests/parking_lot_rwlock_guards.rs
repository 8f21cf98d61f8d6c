//! Every guard of `pfs::parking_lot::RwLock`, those that borrow it and those that own it, does what parking_lot's does.

#![cfg(feature = "parking_lot")]

use std::fmt::{Debug, Display};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use pfs::parking_lot::lock_api::{ArcRwLockReadGuard, ArcRwLockUpgradableReadGuard, ArcRwLockWriteGuard};
use pfs::parking_lot::{
    MappedRwLockReadGuard, MappedRwLockWriteGuard, RawRwLock, RwLock, RwLockReadGuard,
    RwLockUpgradableReadGuard, RwLockWriteGuard,
};

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

/// Who may have the lock beside those that have it: a reader, a recursive one, an upgradable one, a writer.
fn free_for<T>(lock: &RwLock<T>) -> [bool; 4] {
    let read = lock.try_read().is_some();
    let recursive = lock.try_read_recursive().is_some();
    let upgradable = lock.try_upgradable_read().is_some();
    [read, recursive, upgradable, lock.try_write().is_some()]
}

fn address<T>(lock: &RwLock<T>) -> *const RwLock<T> {
    lock
}

const ALL: [bool; 4] = [true; 4];
const NOBODY: [bool; 4] = [false; 4];
const READERS: [bool; 4] = [true, true, true, false];
/// Beside one that could be upgraded.
const PLAIN_READERS: [bool; 4] = [true, true, false, false];

/// What every kind of guard can do, for those that borrow the lock and those that own it.
macro_rules! guards {
    (
        $module:ident: $new:expr, [$($read:expr),+], [$($write:expr),+], [$($upgradable:expr),+],
        $ReadGuard:ident, $WriteGuard:ident, $UpgradableGuard:ident
    ) => {
        mod $module {
            use super::*;

            #[test]
            fn each_way_to_acquire_keeps_out_whom_it_should() {
                crate::begin();
                let lock = $new;
                $({
                    let guard = $read(&lock);
                    assert_eq!((*guard, free_for(&lock)), (1, READERS));
                    assert_eq!(address($ReadGuard::rwlock(&guard)), address(&lock));
                    drop(guard);
                    assert_eq!(free_for(&lock), ALL);
                })+
                $({
                    let mut guard = $write(&lock);
                    *guard = 1;
                    assert_eq!((*guard, free_for(&lock)), (1, NOBODY));
                    assert_eq!(address($WriteGuard::rwlock(&guard)), address(&lock));
                    drop(guard);
                    assert_eq!(free_for(&lock), ALL);
                })+
                $({
                    let guard = $upgradable(&lock);
                    assert_eq!((*guard, free_for(&lock)), (1, PLAIN_READERS));
                    assert_eq!(address($UpgradableGuard::rwlock(&guard)), address(&lock));
                    drop(guard);
                    assert_eq!(free_for(&lock), ALL);
                })+
            }

            #[test]
            fn what_is_unlocked_for_a_while_is_taken_back() {
                crate::begin();
                let lock = $new;
                let mut guard = first!($($read),+)(&lock);
                let inner = $ReadGuard::unlocked(&mut guard, || free_for(&lock));
                assert_eq!((inner, free_for(&lock)), (ALL, READERS));
                let inner = $ReadGuard::unlocked_fair(&mut guard, || free_for(&lock));
                assert_eq!((inner, free_for(&lock)), (ALL, READERS));
                $ReadGuard::bump(&mut guard);
                assert_eq!((*guard, free_for(&lock)), (1, READERS));
                $ReadGuard::unlock_fair(guard);

                let mut guard = first!($($write),+)(&lock);
                let inner = $WriteGuard::unlocked(&mut guard, || free_for(&lock));
                assert_eq!((inner, free_for(&lock)), (ALL, NOBODY));
                let inner = $WriteGuard::unlocked_fair(&mut guard, || free_for(&lock));
                assert_eq!((inner, free_for(&lock)), (ALL, NOBODY));
                $WriteGuard::bump(&mut guard);
                assert_eq!((*guard, free_for(&lock)), (1, NOBODY));
                $WriteGuard::unlock_fair(guard);

                let mut guard = first!($($upgradable),+)(&lock);
                let inner = $UpgradableGuard::unlocked(&mut guard, || free_for(&lock));
                assert_eq!((inner, free_for(&lock)), (ALL, PLAIN_READERS));
                let inner = $UpgradableGuard::unlocked_fair(&mut guard, || free_for(&lock));
                assert_eq!((inner, free_for(&lock)), (ALL, PLAIN_READERS));
                $UpgradableGuard::bump(&mut guard);
                assert_eq!((*guard, free_for(&lock)), (1, PLAIN_READERS));
                $UpgradableGuard::unlock_fair(guard);
                assert_eq!(free_for(&lock), ALL);
            }

            #[test]
            fn a_bump_lets_a_waiter_in() {
                crate::begin();
                let lock = $new;
                let wait = |bump: &mut dyn FnMut() -> u32| {
                    let before = bump();
                    thread::scope(|scope| {
                        scope.spawn(|| *lock.write() += 1);
                        while bump() == before {
                            thread::yield_now();
                        }
                    });
                };
                let mut guard = first!($($read),+)(&lock);
                wait(&mut || {
                    $ReadGuard::bump(&mut guard);
                    *guard
                });
                drop(guard);
                let mut guard = first!($($write),+)(&lock);
                wait(&mut || {
                    $WriteGuard::bump(&mut guard);
                    *guard
                });
                drop(guard);
                let mut guard = first!($($upgradable),+)(&lock);
                wait(&mut || {
                    $UpgradableGuard::bump(&mut guard);
                    // parking_lot bumps it for those alone that it finds in the queue, not for a writer that waits for
                    // it to leave.
                    $UpgradableGuard::unlocked(&mut guard, thread::yield_now);
                    *guard
                });
                drop(guard);
                assert_eq!(*lock.read(), 4);
            }

            #[test]
            fn guards_become_each_other() {
                crate::begin();
                let lock = $new;
                let guard = $WriteGuard::downgrade(first!($($write),+)(&lock));
                assert_eq!((*guard, free_for(&lock)), (1, READERS));
                drop(guard);
                let mut guard = $WriteGuard::downgrade_to_upgradable(first!($($write),+)(&lock));
                assert_eq!((*guard, free_for(&lock)), (1, PLAIN_READERS));
                guard.with_upgraded(|value| assert_eq!((*value, free_for(&lock)), (1, NOBODY)));
                assert_eq!(guard.try_with_upgraded(|_| free_for(&lock)), Some(NOBODY));
                assert_eq!(guard.try_with_upgraded_for(LONG, |_| free_for(&lock)), Some(NOBODY));
                assert_eq!(guard.try_with_upgraded_until(late(), |_| free_for(&lock)), Some(NOBODY));
                assert_eq!(free_for(&lock), PLAIN_READERS);
                let reader = lock.read();
                assert_eq!(guard.try_with_upgraded(|_| ()), None);
                assert_eq!(guard.try_with_upgraded_for(SHORT, |_| ()), None);
                assert_eq!(guard.try_with_upgraded_until(soon(), |_| ()), None);
                let guard = $UpgradableGuard::try_upgrade(guard).unwrap_err();
                let guard = $UpgradableGuard::try_upgrade_for(guard, SHORT).unwrap_err();
                let guard = $UpgradableGuard::try_upgrade_until(guard, soon()).unwrap_err();
                assert_eq!(free_for(&lock), PLAIN_READERS);
                drop(reader);
                let upgrades: [fn(_) -> _; 4] = [
                    $UpgradableGuard::upgrade,
                    |guard| $UpgradableGuard::try_upgrade(guard).unwrap(),
                    |guard| $UpgradableGuard::try_upgrade_for(guard, LONG).unwrap(),
                    |guard| $UpgradableGuard::try_upgrade_until(guard, late()).unwrap(),
                ];
                let mut guard = guard;
                for upgrade in upgrades {
                    let writer = upgrade(guard);
                    assert_eq!(free_for(&lock), NOBODY);
                    guard = $WriteGuard::downgrade_to_upgradable(writer);
                }
                let guard = $UpgradableGuard::downgrade(guard);
                assert_eq!((*guard, free_for(&lock)), (1, READERS));
                drop(guard);
                assert_eq!(free_for(&lock), ALL);
            }

            #[test]
            fn a_guard_is_shown_as_its_value() {
                crate::begin();
                let lock = $new;
                let shown = |debug: &dyn Debug, display: &dyn Display| format!("{debug:>3?}{display:>3}");
                let guard = first!($($read),+)(&lock);
                assert_eq!(shown(&guard, &guard), "  1  1");
                drop(guard);
                let guard = first!($($write),+)(&lock);
                assert_eq!(shown(&guard, &guard), "  1  1");
                drop(guard);
                let guard = first!($($upgradable),+)(&lock);
                assert_eq!(shown(&guard, &guard), "  1  1");
            }
        }
    };
}

macro_rules! first {
    ($first:expr $(, $others:expr)*) => {
        $first
    };
}

guards!(
    borrowing: Box::new(RwLock::new(1_u32)),
    [
        RwLock::read,
        |lock| RwLock::try_read(lock).unwrap(),
        |lock| RwLock::try_read_for(lock, LONG).unwrap(),
        |lock| RwLock::try_read_until(lock, late()).unwrap(),
        RwLock::read_recursive,
        |lock| RwLock::try_read_recursive(lock).unwrap(),
        |lock| RwLock::try_read_recursive_for(lock, LONG).unwrap(),
        |lock| RwLock::try_read_recursive_until(lock, late()).unwrap()
    ],
    [
        RwLock::write,
        |lock| RwLock::try_write(lock).unwrap(),
        |lock| RwLock::try_write_for(lock, LONG).unwrap(),
        |lock| RwLock::try_write_until(lock, late()).unwrap()
    ],
    [
        RwLock::upgradable_read,
        |lock| RwLock::try_upgradable_read(lock).unwrap(),
        |lock| RwLock::try_upgradable_read_for(lock, LONG).unwrap(),
        |lock| RwLock::try_upgradable_read_until(lock, late()).unwrap()
    ],
    RwLockReadGuard, RwLockWriteGuard, RwLockUpgradableReadGuard
);

guards!(
    owning: Arc::new(RwLock::new(1_u32)),
    [
        RwLock::read_arc,
        |lock| RwLock::try_read_arc(lock).unwrap(),
        |lock| RwLock::try_read_arc_for(lock, LONG).unwrap(),
        |lock| RwLock::try_read_arc_until(lock, late()).unwrap(),
        RwLock::read_arc_recursive,
        |lock| RwLock::try_read_recursive_arc(lock).unwrap(),
        |lock| RwLock::try_read_arc_recursive_for(lock, LONG).unwrap(),
        |lock| RwLock::try_read_arc_recursive_until(lock, late()).unwrap()
    ],
    [
        RwLock::write_arc,
        |lock| RwLock::try_write_arc(lock).unwrap(),
        |lock| RwLock::try_write_arc_for(lock, LONG).unwrap(),
        |lock| RwLock::try_write_arc_until(lock, late()).unwrap()
    ],
    [
        RwLock::upgradable_read_arc,
        |lock| RwLock::try_upgradable_read_arc(lock).unwrap(),
        |lock| RwLock::try_upgradable_read_arc_for(lock, LONG).unwrap(),
        |lock| RwLock::try_upgradable_read_arc_until(lock, late()).unwrap()
    ],
    ArcRwLockReadGuard, ArcRwLockWriteGuard, ArcRwLockUpgradableReadGuard
);

#[test]
fn guards_that_own_the_lock_keep_it_and_give_it_back() {
    crate::begin();
    let lock = Arc::new(RwLock::new(1));
    let read: ArcRwLockReadGuard<RawRwLock, i32> = lock.read_arc();
    assert_eq!(Arc::strong_count(&lock), 2);
    drop(read);
    drop(ArcRwLockReadGuard::into_arc(lock.read_arc()));
    drop(ArcRwLockReadGuard::into_arc_fair(lock.read_arc()));
    drop(ArcRwLockWriteGuard::into_arc(lock.write_arc()));
    drop(ArcRwLockWriteGuard::into_arc_fair(lock.write_arc()));
    drop(ArcRwLockUpgradableReadGuard::into_arc(lock.upgradable_read_arc()));
    drop(ArcRwLockUpgradableReadGuard::into_arc_fair(lock.upgradable_read_arc()));
    std::mem::forget(lock.read());
    std::mem::forget(lock.upgradable_read());
    // SAFETY: the guards were forgotten, and the lock is held as theirs.
    drop(unsafe { (lock.make_arc_read_guard_unchecked(), lock.make_upgradable_arc_guard_unchecked()) });
    std::mem::forget(lock.write());
    // SAFETY: as above.
    drop(unsafe { lock.make_arc_write_guard_unchecked() });
    assert_eq!((Arc::strong_count(&lock), free_for(&lock)), (1, ALL));
}

#[test]
fn a_mapped_guard_holds_the_lock() {
    crate::begin();
    let lock = RwLock::new((1, [2, 3]));
    let guard = RwLockReadGuard::try_map(lock.read(), |_| None::<&u8>).unwrap_err();
    let (guard, why) = RwLockReadGuard::try_map_or_err(guard, |_| Err::<&u8, _>("no")).unwrap_err();
    assert_eq!(why, "no");
    let guard = RwLockReadGuard::map(guard, |value| &value.1);
    let guard = MappedRwLockReadGuard::try_map(guard, |_| None::<&u8>).unwrap_err();
    let guard = MappedRwLockReadGuard::map(guard, |array| &array[0]);
    assert_eq!((*guard, free_for(&lock)), (2, READERS));
    assert_eq!((format!("{guard}"), format!("{guard:?}")), ("2".into(), "2".into()));
    MappedRwLockReadGuard::unlock_fair(guard);
    let guard = RwLockReadGuard::try_map(lock.read(), |value| Some(&value.1)).unwrap();
    let guard = MappedRwLockReadGuard::try_map(guard, |array| array.get(1)).unwrap();
    assert_eq!((*guard, free_for(&lock)), (3, READERS));
    drop(guard);
    let guard = RwLockReadGuard::try_map_or_err(lock.read(), |value| Ok::<_, ()>(&value.1)).ok().unwrap();
    let (guard, why) = MappedRwLockReadGuard::try_map_or_else(guard, |_| Err::<&u8, _>("never")).unwrap_err();
    assert_eq!((guard[0], why), (2, "never"));
    drop(guard);
    assert_eq!(free_for(&lock), ALL);

    let guard = RwLockWriteGuard::try_map(lock.write(), |_| None::<&mut u8>).unwrap_err();
    let (guard, why) = RwLockWriteGuard::try_map_or_err(guard, |_| Err::<&mut u8, _>("no")).unwrap_err();
    assert_eq!(why, "no");
    let guard = RwLockWriteGuard::map(guard, |value| &mut value.1);
    let guard = MappedRwLockWriteGuard::try_map(guard, |_| None::<&mut u8>).unwrap_err();
    let (guard, why) =
        MappedRwLockWriteGuard::try_map_or_err(guard, |_| Err::<&mut u8, _>("never")).unwrap_err();
    assert_eq!(why, "never");
    let mut guard = MappedRwLockWriteGuard::map(guard, |array| &mut array[0]);
    *guard = 4;
    assert_eq!((format!("{guard}"), format!("{guard:?}")), ("4".into(), "4".into()));
    assert_eq!(free_for(&lock), NOBODY);
    MappedRwLockWriteGuard::unlock_fair(guard);
    let guard = RwLockWriteGuard::try_map(lock.write(), |value| Some(&mut value.1)).unwrap();
    let guard = MappedRwLockWriteGuard::try_map(guard, |array| array.first_mut()).unwrap();
    assert_eq!((*guard, free_for(&lock)), (4, NOBODY));
    drop(guard);
    assert_eq!(free_for(&lock), ALL);
}
