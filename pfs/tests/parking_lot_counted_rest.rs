//! What makes, takes apart and hands on locks and guards of `pfs::parking_lot` without an acquisition: none of it is an
//! event, and who is shown to hold a lock stays right. Each test has classes of its own, so that the tests may run at once.

#![cfg(all(feature = "engine", feature = "parking_lot"))]

mod parking;

use std::sync::Arc;

use parking::{counts, held, holders, recorded};
use pfs::parking_lot::lock_api::{
    ArcMutexGuard, ArcReentrantMutexGuard, ArcRwLockReadGuard, ArcRwLockUpgradableReadGuard,
    ArcRwLockWriteGuard, GetThreadId, RawMutex as _, RawRwLock as _,
};
use pfs::parking_lot::{
    MappedMutexGuard, MappedReentrantMutexGuard, MappedRwLockReadGuard, MappedRwLockWriteGuard, Mutex,
    MutexGuard, RawFairMutex, RawMutex, RawRwLock, RawThreadId, ReentrantMutex, ReentrantMutexGuard, RwLock,
    RwLockReadGuard, RwLockWriteGuard,
};

#[test]
fn guards_of_mutexes() {
    const CLASS: &str = "wait/synch/mutex/rest/LOCK";
    let pfs = recorded();
    let lock = pfs::parking_lot::mutex!("rest/LOCK", (1, 2));
    let whole = lock.lock();
    assert!(std::ptr::eq(MutexGuard::mutex(&whole), &raw const lock));
    let Err(whole) = MutexGuard::try_map(whole, |_| None::<&mut u8>) else { panic!("there is nothing") };
    let Err((whole, 7)) = MutexGuard::try_map_or_err(whole, |_| Err::<&mut u8, _>(7)) else {
        panic!("an error")
    };
    assert!(held(pfs, CLASS));
    let Ok(part) = MutexGuard::try_map(whole, |value| Some(value)) else { panic!("it is there") };
    let Err(part) = MappedMutexGuard::try_map(part, |_| None::<&mut u8>) else { panic!("there is nothing") };
    let Err((part, ())) = MappedMutexGuard::try_map_or_err(part, |_| Err::<&mut u8, _>(())) else {
        panic!("an error")
    };
    let Ok(part) = MappedMutexGuard::try_map_or_err(part, |value| Ok::<_, ()>(&mut value.1)) else {
        panic!("it is there")
    };
    assert!(*part == 2 && held(pfs, CLASS) && lock.is_locked());
    drop(part);
    assert!(!held(pfs, CLASS) && !lock.is_locked());
    assert_eq!(counts(pfs, CLASS), (1, 0));

    std::mem::forget(lock.lock());
    // SAFETY: the guard was forgotten, so that this stands for it.
    drop(unsafe { lock.make_guard_unchecked() });
    assert!(!held(pfs, CLASS));
    // SAFETY: nobody has a reference to the value.
    assert_eq!(unsafe { *lock.data_ptr() }, (1, 2));
    // SAFETY: the raw lock is only asked.
    assert!(!unsafe { lock.raw() }.is_locked());
    MutexGuard::leak(lock.lock()).0 = 3;
    assert!(held(pfs, CLASS) && lock.is_locked());
    assert_eq!(counts(pfs, CLASS), (3, 0));
}

#[test]
fn guards_that_own_their_mutex() {
    const CLASS: &str = "wait/synch/mutex/rest/OWNED";
    let pfs = recorded();
    let lock = Arc::new(pfs::parking_lot::mutex!("rest/OWNED", 1));
    let guard = lock.lock_arc();
    assert!(Arc::ptr_eq(ArcMutexGuard::mutex(&guard), &lock) && held(pfs, CLASS));
    let lock = ArcMutexGuard::into_arc(guard);
    assert!(!held(pfs, CLASS));
    drop(ArcMutexGuard::into_arc_fair(lock.lock_arc()));
    assert!(!held(pfs, CLASS));
    assert_eq!(counts(pfs, CLASS), (2, 0));
}

#[test]
fn guards_of_reentrant_mutexes() {
    const CLASS: &str = "wait/synch/mutex/rest/AGAIN";
    let pfs = recorded();
    let lock = Arc::new(pfs::parking_lot::reentrant_mutex!("rest/AGAIN", (1, 2)));
    let whole = lock.lock();
    let Err(whole) = ReentrantMutexGuard::try_map(whole, |_| None::<&u8>) else { panic!("there is nothing") };
    let Err((whole, 7)) = ReentrantMutexGuard::try_map_or_err(whole, |_| Err::<&u8, _>(7)) else {
        panic!("an error")
    };
    let Ok(part) = ReentrantMutexGuard::try_map(whole, |value| Some(&value.0)) else { panic!("it is there") };
    let Err(part) = MappedReentrantMutexGuard::try_map(part, |_| None::<&u8>) else {
        panic!("there is nothing")
    };
    let Ok(part) = MappedReentrantMutexGuard::try_map_or_err(part, |value| Ok::<_, ()>(value)) else {
        panic!("it is there")
    };
    assert!(*part == 1 && held(pfs, CLASS));
    drop(part);
    assert!(!held(pfs, CLASS));
    std::mem::forget(lock.lock());
    // SAFETY: the guard was forgotten, so that this stands for it.
    drop(unsafe { lock.make_guard_unchecked() });
    assert!(!held(pfs, CLASS));
    assert_eq!(counts(pfs, CLASS), (2, 0));

    drop(ArcReentrantMutexGuard::into_arc(lock.lock_arc()));
    drop(ArcReentrantMutexGuard::into_arc_fair(lock.lock_arc()));
    assert!(!held(pfs, CLASS));
    // SAFETY: nobody has a reference to the value, and the raw lock is only asked.
    assert_eq!((unsafe { *lock.data_ptr() }, unsafe { lock.raw() }.is_locked()), ((1, 2), false));
    assert_eq!(counts(pfs, CLASS), (4, 0));
}

#[test]
fn guards_of_rwlocks() {
    const CLASS: &str = "wait/synch/rwlock/rest/MAP";
    let pfs = recorded();
    let lock = pfs::parking_lot::rwlock!("rest/MAP", (1, 2));
    let reader = lock.read();
    let Err(reader) = RwLockReadGuard::try_map(reader, |_| None::<&u8>) else { panic!("there is nothing") };
    let Err((reader, ())) = RwLockReadGuard::try_map_or_err(reader, |_| Err::<&u8, _>(())) else {
        panic!("an error")
    };
    assert_eq!(holders(pfs, CLASS), (false, 1));
    let part = RwLockReadGuard::map(reader, |value| &value.0);
    let Err(part) = MappedRwLockReadGuard::try_map(part, |_| None::<&u8>) else { panic!("there is nothing") };
    let Ok(part) = MappedRwLockReadGuard::try_map_or_else(part, |value| Ok::<_, ()>(value)) else {
        panic!("it is there")
    };
    let part = MappedRwLockReadGuard::map(part, |value| value);
    assert_eq!((*part, holders(pfs, CLASS)), (1, (false, 1)));
    drop(part);
    assert_eq!(holders(pfs, CLASS), (false, 0));

    let writer = lock.write();
    let Err(writer) = RwLockWriteGuard::try_map(writer, |_| None::<&mut u8>) else {
        panic!("there is nothing")
    };
    let Err((writer, ())) = RwLockWriteGuard::try_map_or_err(writer, |_| Err::<&mut u8, _>(())) else {
        panic!("an error")
    };
    let part = RwLockWriteGuard::map(writer, |value| &mut value.1);
    let Err(part) = MappedRwLockWriteGuard::try_map(part, |_| None::<&mut u8>) else {
        panic!("there is nothing")
    };
    let Ok(part) = MappedRwLockWriteGuard::try_map_or_err(part, |value| Ok::<_, ()>(value)) else {
        panic!("it is there")
    };
    let part = MappedRwLockWriteGuard::map(part, |value| value);
    assert_eq!((*part, holders(pfs, CLASS)), (2, (true, 0)));
    drop(part);
    assert_eq!((holders(pfs, CLASS), counts(pfs, CLASS)), ((false, 0), (2, 0)));

    std::mem::forget(lock.read());
    // SAFETY: the guard was forgotten, so that this stands for it.
    drop(unsafe { lock.make_read_guard_unchecked() });
    std::mem::forget(lock.write());
    // SAFETY: as above.
    drop(unsafe { lock.make_write_guard_unchecked() });
    std::mem::forget(lock.upgradable_read());
    // SAFETY: as above.
    drop(unsafe { lock.make_upgradable_guard_unchecked() });
    for fair in [false, true] {
        std::mem::forget(lock.read());
        // SAFETY: the guard was forgotten.
        unsafe { if fair { lock.force_unlock_read_fair() } else { lock.force_unlock_read() } };
        std::mem::forget(lock.write());
        // SAFETY: the guard was forgotten.
        unsafe { if fair { lock.force_unlock_write_fair() } else { lock.force_unlock_write() } };
        assert_eq!(holders(pfs, CLASS), (false, 0));
    }
    // SAFETY: nobody has a reference to the value, and the raw lock is only asked.
    assert_eq!((unsafe { *lock.data_ptr() }, unsafe { lock.raw() }.is_locked()), ((1, 2), false));
    assert_eq!((holders(pfs, CLASS), counts(pfs, CLASS)), ((false, 0), (9, 0)));
}

#[test]
fn guards_that_own_their_rwlock() {
    const CLASS: &str = "wait/synch/rwlock/rest/OWNED";
    let pfs = recorded();
    let lock = Arc::new(pfs::parking_lot::rwlock!("rest/OWNED", 1));
    let arc = ArcRwLockReadGuard::into_arc(lock.read_arc());
    let arc = ArcRwLockReadGuard::into_arc_fair(arc.read_arc());
    let arc = ArcRwLockWriteGuard::into_arc(arc.write_arc());
    let arc = ArcRwLockWriteGuard::into_arc_fair(arc.write_arc());
    let arc = ArcRwLockUpgradableReadGuard::into_arc(arc.upgradable_read_arc());
    let arc = ArcRwLockUpgradableReadGuard::into_arc_fair(arc.upgradable_read_arc());
    assert!(Arc::ptr_eq(&arc, &lock));
    assert_eq!((holders(pfs, CLASS), counts(pfs, CLASS)), ((false, 0), (6, 0)));
}

#[test]
fn locks_of_raw_ones() {
    static LOCK: Mutex<u8> = Mutex::const_new(RawMutex::INIT, 1);
    static MAP: RwLock<u8> = RwLock::const_new(RawRwLock::INIT, 2);
    static AGAIN: ReentrantMutex<u8> = ReentrantMutex::const_new(RawMutex::INIT, RawThreadId::INIT, 3);
    let unnamed = ["mutex", "rwlock"].map(|kind| format!("wait/synch/{kind}/pfs/unnamed"));
    let pfs = recorded();
    let before = unnamed.each_ref().map(|class| counts(pfs, class).0);
    assert_eq!((*LOCK.lock(), *MAP.read(), *AGAIN.lock()), (1, 2, 3));
    let fair = pfs::parking_lot::FairMutex::from_raw(RawFairMutex::INIT, 4);
    let again = ReentrantMutex::from_raw(RawMutex::INIT, RawThreadId::INIT, 5);
    assert_eq!((*fair.lock(), *again.lock()), (4, 5));
    assert_eq!(
        (*Mutex::from_raw(RawMutex::INIT, 6).lock(), *RwLock::from_raw(RawRwLock::INIT, 7).write()),
        (6, 7)
    );
    let after = unnamed.each_ref().map(|class| counts(pfs, class).0);
    assert_eq!([after[0] - before[0], after[1] - before[1]], [5, 2]);
}
