//! What is waited for at the types of `pfs::parking_lot` is counted and timed as a wait, by the place that waited. Each
//! test has classes of its own, so that the tests may run at once.

#![cfg(all(feature = "engine", feature = "parking_lot"))]

mod parking;

use std::panic::{self, AssertUnwindSafe};
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use parking::{by_instance, counts, exactly, held, holders, operations, recorded, until_waiting};
use pfs::parking_lot::{Condvar, Mutex, Once, RwLock, RwLockUpgradableReadGuard};

const SHORT: Duration = Duration::from_millis(1);
/// No test waits so long, unless it fails.
const LONG: Duration = Duration::from_mins(10);

fn soon() -> Instant {
    Instant::now() + SHORT
}

#[test]
fn an_acquisition_that_waits_says_so() {
    const MUTEX: &str = "wait/synch/mutex/test/WAITED";
    const RWLOCK: &str = "wait/synch/rwlock/test/WAITED";
    let pfs = recorded();
    let lock = pfs::parking_lot::mutex!("test/WAITED", ());
    let shared = pfs::parking_lot::rwlock!("test/WAITED", ());
    type Wait = fn(&Mutex<()>, &RwLock<()>);
    let waits: [(&str, &str, Wait); 8] = [
        (MUTEX, "lock", |lock, _| drop(lock.lock())),
        (MUTEX, "try_lock", |lock, _| assert!(lock.try_lock_for(LONG).is_some())),
        (RWLOCK, "read_lock", |_, shared| drop(shared.read())),
        (RWLOCK, "read_lock", |_, shared| drop(shared.read_recursive())),
        (RWLOCK, "try_read_lock", |_, shared| assert!(shared.try_read_for(LONG).is_some())),
        (RWLOCK, "write_lock", |_, shared| drop(shared.write())),
        (RWLOCK, "try_write_lock", |_, shared| assert!(shared.try_write_for(LONG).is_some())),
        (RWLOCK, "shared_exclusive_lock", |_, shared| {
            drop(RwLockUpgradableReadGuard::upgrade(shared.upgradable_read()));
        }),
    ];
    for (class, operation, wait) in waits {
        let held = (lock.lock(), shared.write());
        thread::scope(|scope| {
            scope.spawn(|| wait(&lock, &shared));
            until_waiting(pfs, class, operation);
            drop(held);
        });
    }
    // The upgrade found no reader but itself.
    assert_eq!(counts(pfs, MUTEX), (8 + 2, 2));
    assert_eq!(counts(pfs, RWLOCK), (8 + 7, 6));
    assert_eq!((by_instance(pfs, MUTEX), by_instance(pfs, RWLOCK)), (10, 15));

    // One that finds a reader waits for it to leave.
    let reader = shared.read();
    thread::scope(|scope| {
        scope.spawn(|| drop(RwLockUpgradableReadGuard::upgrade(shared.upgradable_read())));
        until_waiting(pfs, RWLOCK, "exclusive_lock");
        // It is a reader until it is the writer.
        assert_eq!(holders(pfs, RWLOCK), (false, 2));
        drop(reader);
    });
    assert_eq!(counts(pfs, RWLOCK), (18, 7));
}

#[test]
fn each_wait_on_a_condvar_is_one_event_and_not_one_of_its_mutex() {
    const MUTEX: &str = "wait/synch/mutex/test/GUARD";
    const COND: &str = "wait/synch/cond/test/CHANGED";
    let pfs = recorded();
    let lock = pfs::parking_lot::mutex!("test/GUARD", false);
    let changed = pfs::parking_lot::condvar!("test/CHANGED");
    assert!(!changed.notify_one());
    assert_eq!(changed.notify_all(), 0);
    let mut guard = lock.lock();
    // Its condition is false at once: no wait.
    changed.wait_while(&mut guard, |_| false);
    assert!(!changed.wait_while_for(&mut guard, |_| false, SHORT).timed_out());
    assert!(!changed.wait_while_until(&mut guard, |_| false, soon()).timed_out());
    assert_eq!(counts(pfs, COND), (0, 0));
    assert!(changed.wait_for(&mut guard, SHORT).timed_out());
    assert!(changed.wait_until(&mut guard, soon()).timed_out());
    assert!(changed.wait_while_for(&mut guard, |_| true, SHORT).timed_out());
    assert!(changed.wait_while_until(&mut guard, |_| true, soon()).timed_out());
    assert_eq!(operations(pfs, COND), exactly([("timed_wait", 4)]));
    assert!(held(pfs, MUTEX));

    let notify = |times: u64| {
        for _ in 0..times {
            let mut guard = lock.lock();
            assert!(!*guard);
            *guard = true;
            // Whoever waits gave the mutex up, and is not shown to hold it.
            assert!(held(pfs, MUTEX));
            assert!(changed.notify_one());
            drop(guard);
            while *lock.lock() {
                thread::yield_now();
            }
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| notify(3));
        changed.wait(&mut guard);
        assert!(held(pfs, MUTEX));
        *guard = false;
        changed.wait_while(&mut guard, |ready| !*ready);
        *guard = false;
        assert!(!changed.wait_while_for(&mut guard, |ready| !*ready, LONG).timed_out());
        assert!(held(pfs, MUTEX));
        *guard = false;
        drop(guard);
    });
    assert!(!held(pfs, MUTEX));
    assert_eq!(operations(pfs, COND), exactly([("timed_wait", 5), ("wait", 2)]));
    assert_eq!((counts(pfs, COND), by_instance(pfs, COND)), ((7, 7), 7));
    // No operation but that of who locked it.
    assert_eq!(operations(pfs, MUTEX).into_keys().collect::<Vec<_>>(), ["lock"]);
}

#[test]
fn a_wait_that_panics_ends_and_the_mutex_is_still_held() {
    const MUTEX: &str = "wait/synch/mutex/test/SECOND";
    const COND: &str = "wait/synch/cond/test/TWO_MUTEXES";
    let pfs = recorded();
    let lock = pfs::parking_lot::mutex!("test/FIRST", false);
    let other = pfs::parking_lot::mutex!("test/SECOND", ());
    let changed: Condvar = pfs::parking_lot::condvar!("test/TWO_MUTEXES");
    let arrived = Barrier::new(2);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut guard = lock.lock();
            arrived.wait();
            changed.wait_while(&mut guard, |ready| !*ready);
        });
        arrived.wait();
        let mut guard = lock.lock();
        let mut wrong = other.lock();
        assert!(panic::catch_unwind(AssertUnwindSafe(|| changed.wait(&mut wrong))).is_err());
        assert!(held(pfs, MUTEX));
        assert_eq!(operations(pfs, COND), exactly([("wait", 1)]));
        *guard = true;
        changed.notify_one();
    });
    assert_eq!((counts(pfs, COND), counts(pfs, MUTEX)), ((2, 2), (1, 0)));
}

#[test]
fn waiting_for_anothers_once_is_an_event_and_running_it_is_none() {
    const CLASS: &str = "wait/synch/cond/test/ONCE";
    let pfs = recorded();
    let (once, begun): (Once, _) = (pfs::parking_lot::once!("test/ONCE"), Barrier::new(2));
    thread::scope(|scope| {
        scope.spawn(|| {
            once.call_once(|| {
                begun.wait();
                until_waiting(pfs, CLASS, "wait");
            });
        });
        begun.wait();
        once.call_once(|| unreachable!("another thread runs it"));
    });
    assert_eq!((counts(pfs, CLASS), by_instance(pfs, CLASS)), ((1, 1), 1));
    once.call_once(|| ());
    once.call_once_force(|_| ());
    assert!(once.state().done());
    assert_eq!(operations(pfs, CLASS), exactly([("wait", 1)]));
}

#[test]
fn a_lock_with_no_name_has_the_class_of_its_kind() {
    let pfs = recorded();
    let unnamed =
        || ["mutex", "rwlock", "cond"].map(|kind| counts(pfs, &format!("wait/synch/{kind}/pfs/unnamed")).0);
    assert_eq!(unnamed(), [0, 0, 0]);
    let (lock, shared, changed) = (Mutex::new(()), RwLock::new(()), Condvar::new());
    for _ in 0..10 {
        changed.wait_for(&mut lock.lock(), Duration::ZERO);
        drop((shared.write(), pfs::parking_lot::FairMutex::new(()).lock()));
        drop(pfs::parking_lot::ReentrantMutex::new(()).lock());
    }
    assert_eq!(unnamed(), [30, 10, 10]);
}

#[test]
fn an_event_says_who_called() {
    const MUTEX: &str = "wait/synch/mutex/test/SOURCE";
    const RWLOCK: &str = "wait/synch/rwlock/test/SOURCE";
    const REENTRANT: &str = "wait/synch/mutex/test/REENTRANT_SOURCE";
    let pfs = recorded();
    let lock = pfs::parking_lot::mutex!("test/SOURCE", ());
    let shared = pfs::parking_lot::rwlock!("test/SOURCE", ());
    let reentrant = pfs::parking_lot::reentrant_mutex!("test/REENTRANT_SOURCE", ());
    let first = line!() + 1;
    drop(lock.lock());
    drop(lock.try_lock());
    drop(lock.try_lock_for(SHORT));
    drop(shared.read());
    drop(shared.try_write_until(soon()));
    drop(RwLockUpgradableReadGuard::upgrade(shared.upgradable_read()));
    let held = reentrant.lock();
    drop((reentrant.lock(), reentrant.try_lock_for(SHORT), held));
    let sources = |class: &'static str| {
        let rows = pfs.events_waits_history_long().filter(move |row| row.event_name == class);
        let mut sources: Vec<_> = rows.map(|row| row.event.source.unwrap()).collect();
        sources.sort();
        sources
    };
    let lines = |lines: &[u32]| {
        let mut sources: Vec<_> =
            lines.iter().map(|line| format!("parking_lot_counted_waits.rs:{}", first + line)).collect();
        sources.sort();
        sources
    };
    assert_eq!(sources(MUTEX), lines(&[0, 1, 2]));
    assert_eq!(sources(RWLOCK), lines(&[3, 4, 5, 5]));
    // Where the thread has it not yet, `lock_api` does not say who called.
    let [again @ .., first_of_all] = &sources(REENTRANT)[..] else { panic!("three acquisitions") };
    assert_eq!(again, lines(&[7, 7]));
    assert!(first_of_all.starts_with("remutex.rs:"), "{first_of_all}");
}
