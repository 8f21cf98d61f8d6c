//! Which calls of the mutexes of `pfs::parking_lot` are events: their exact number an operation, and whether they are
//! shown as held meanwhile. Each test has classes of its own, so that the tests may run at once.

#![cfg(all(feature = "engine", feature = "parking_lot"))]

mod parking;

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parking::{by_instance, counts, exactly, held, operations, recorded};
use pfs::parking_lot::lock_api::{ArcMutexGuard, ArcReentrantMutexGuard};
use pfs::parking_lot::{
    FairMutexGuard, MappedMutexGuard, MappedReentrantMutexGuard, MutexGuard, ReentrantMutexGuard,
};

const SHORT: Duration = Duration::from_millis(1);

fn soon() -> Instant {
    Instant::now() + SHORT
}

#[test]
fn each_acquisition_of_a_mutex_is_one_event() {
    const CLASS: &str = "wait/synch/mutex/test/LOCK";
    let pfs = recorded();
    let mut lock = pfs::parking_lot::mutex!("test/LOCK", 0);
    *lock.lock() += 1;
    *lock.try_lock().unwrap() += 1;
    *lock.try_lock_for(SHORT).unwrap() += 1;
    *lock.try_lock_until(soon()).unwrap() += 1;
    assert_eq!(operations(pfs, CLASS), exactly([("lock", 1), ("try_lock", 3)]));
    assert_eq!((counts(pfs, CLASS), by_instance(pfs, CLASS)), ((4, 0), 4));

    // What fails is an event of the thread and not of the mutex; one that had time for it has waited.
    let guard = lock.lock();
    assert!(lock.try_lock().is_none());
    assert_eq!(counts(pfs, CLASS), (6, 0));
    assert!(lock.try_lock_for(SHORT).is_none());
    assert!(lock.try_lock_until(soon()).is_none());
    assert_eq!((counts(pfs, CLASS), by_instance(pfs, CLASS)), ((8, 2), 5));
    drop(guard);

    // Looking at it is none, except by `Debug`, which tries the lock.
    assert!(!lock.is_locked());
    *lock.get_mut() += 1;
    assert_eq!(counts(pfs, CLASS), (8, 2));
    assert_eq!(format!("{lock:?}"), "Mutex { data: 5 }");
    assert_eq!(operations(pfs, CLASS), exactly([("lock", 2), ("try_lock", 7)]));
    assert_eq!(lock.into_inner(), 5);
    assert_eq!((counts(pfs, CLASS), by_instance(pfs, CLASS)), ((9, 2), 0));
}

#[test]
fn what_a_guard_of_a_mutex_does() {
    const CLASS: &str = "wait/synch/mutex/test/GUARDED";
    let pfs = recorded();
    let lock = pfs::parking_lot::mutex!("test/GUARDED", (1, 2));
    let mut guard = lock.lock();
    assert!(held(pfs, CLASS));
    MutexGuard::unlocked(&mut guard, || assert!(!held(pfs, CLASS)));
    assert!(held(pfs, CLASS));
    MutexGuard::unlocked_fair(&mut guard, || assert!(!held(pfs, CLASS)));
    MutexGuard::bump(&mut guard);
    assert!(held(pfs, CLASS));
    let guard = MappedMutexGuard::map(MutexGuard::map(guard, |value| value), |value| &mut value.0);
    assert!(held(pfs, CLASS));
    MappedMutexGuard::unlock_fair(guard);
    assert!(!held(pfs, CLASS));
    MutexGuard::unlock_fair(lock.lock());
    assert!(!held(pfs, CLASS));
    // The mutex was taken back twice.
    assert_eq!(operations(pfs, CLASS), exactly([("lock", 4)]));

    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        let mut guard = lock.lock();
        MutexGuard::unlocked(&mut guard, || panic::resume_unwind(Box::new(())));
    }));
    assert!(outcome.is_err() && !held(pfs, CLASS));
    std::mem::forget(lock.lock());
    assert!(held(pfs, CLASS));
    // SAFETY: the guard was forgotten.
    unsafe { lock.force_unlock() }
    assert!(!held(pfs, CLASS));
    std::mem::forget(lock.lock());
    // SAFETY: the guard was forgotten.
    unsafe { lock.force_unlock_fair() }
    assert!(!held(pfs, CLASS));
    assert_eq!((counts(pfs, CLASS), by_instance(pfs, CLASS)), ((8, 0), 8));
}

#[test]
fn guards_that_own_a_mutex_are_counted_alike() {
    const CLASS: &str = "wait/synch/mutex/test/OWNED";
    let pfs = recorded();
    let lock = Arc::new(pfs::parking_lot::mutex!("test/OWNED", 0));
    let mut guard = lock.lock_arc();
    assert!(held(pfs, CLASS));
    assert!(lock.try_lock_arc().is_none());
    assert!(lock.try_lock_arc_for(SHORT).is_none());
    assert!(lock.try_lock_arc_until(soon()).is_none());
    ArcMutexGuard::unlocked(&mut guard, || assert!(!held(pfs, CLASS)));
    ArcMutexGuard::unlocked_fair(&mut guard, || assert!(!held(pfs, CLASS)));
    ArcMutexGuard::bump(&mut guard);
    assert!(held(pfs, CLASS));
    drop(guard);
    assert!(!held(pfs, CLASS));
    drop(lock.try_lock_arc());
    drop(lock.try_lock_arc_for(SHORT));
    ArcMutexGuard::unlock_fair(lock.try_lock_arc_until(soon()).unwrap());
    assert!(!held(pfs, CLASS));
    assert_eq!(operations(pfs, CLASS), exactly([("lock", 3), ("try_lock", 6)]));
    assert_eq!((counts(pfs, CLASS), by_instance(pfs, CLASS)), ((9, 2), 6));
}

#[test]
fn each_acquisition_of_a_fair_mutex_is_one_event() {
    const CLASS: &str = "wait/synch/mutex/test/FAIR";
    let pfs = recorded();
    let lock = pfs::parking_lot::fair_mutex!("test/FAIR", 0);
    let mut guard = lock.lock();
    assert!(held(pfs, CLASS));
    assert!(lock.try_lock().is_none() && lock.try_lock_for(SHORT).is_none());
    FairMutexGuard::unlocked(&mut guard, || assert!(!held(pfs, CLASS)));
    FairMutexGuard::bump(&mut guard);
    assert!(held(pfs, CLASS));
    drop(guard);
    assert!(!held(pfs, CLASS));
    FairMutexGuard::unlock_fair(lock.try_lock_until(soon()).unwrap());
    assert!(!held(pfs, CLASS));
    assert_eq!(operations(pfs, CLASS), exactly([("lock", 2), ("try_lock", 3)]));
    assert_eq!((counts(pfs, CLASS), by_instance(pfs, CLASS)), ((5, 1), 3));
}

#[test]
fn each_acquisition_of_a_reentrant_mutex_is_one_event() {
    const CLASS: &str = "wait/synch/mutex/test/REENTRANT";
    let pfs = recorded();
    let lock = Arc::new(pfs::parking_lot::reentrant_mutex!("test/REENTRANT", 1));
    let mut outer = lock.lock();
    assert_eq!(operations(pfs, CLASS), exactly([("lock", 1)]));
    let inner = (
        lock.lock(),
        lock.try_lock().unwrap(),
        lock.try_lock_for(SHORT).unwrap(),
        lock.try_lock_until(soon()).unwrap(),
        lock.lock_arc(),
        lock.try_lock_arc().unwrap(),
        lock.try_lock_arc_for(SHORT).unwrap(),
        lock.try_lock_arc_until(soon()).unwrap(),
    );
    assert_eq!(operations(pfs, CLASS), exactly([("lock", 3), ("try_lock", 6)]));
    drop(inner);
    // It is free when the last guard is dropped.
    assert!(held(pfs, CLASS));
    thread::scope(|scope| {
        scope.spawn(|| {
            assert!(lock.try_lock().is_none());
            assert!(lock.try_lock_for(SHORT).is_none());
            assert!(lock.try_lock_arc_until(soon()).is_none());
            assert!(!lock.is_owned_by_current_thread());
        });
    });
    assert_eq!((counts(pfs, CLASS), by_instance(pfs, CLASS)), ((12, 2), 9));
    ReentrantMutexGuard::unlocked(&mut outer, || assert!(!held(pfs, CLASS)));
    ReentrantMutexGuard::bump(&mut outer);
    assert!(held(pfs, CLASS) && lock.is_owned_by_current_thread() && lock.is_locked());
    MappedReentrantMutexGuard::unlock_fair(ReentrantMutexGuard::map(outer, |value| value));
    assert!(!held(pfs, CLASS));
    let mut guard = lock.try_lock_arc_for(SHORT).unwrap();
    ArcReentrantMutexGuard::unlocked_fair(&mut guard, || assert!(!held(pfs, CLASS)));
    assert!(held(pfs, CLASS));
    drop(guard);
    assert!(!held(pfs, CLASS));
    assert_eq!(operations(pfs, CLASS), exactly([("lock", 5), ("try_lock", 10)]));
    assert_eq!((counts(pfs, CLASS), by_instance(pfs, CLASS)), ((15, 2), 12));
}
