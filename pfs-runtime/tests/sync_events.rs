//! Which calls of the std-shaped types are events: their exact number a class, on a started pfs.
//!
//! Each test has classes of its own, so that the tests may run at once.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::time::Duration;

use pfs_runtime::class;
use pfs_runtime::class::{Class, EventKind, builtin};
use pfs_runtime::config::Config;
use pfs_runtime::schema::{self, Schema};
use pfs_runtime::stat::WaitStat;
use pfs_runtime::sync::{Condvar, Mutex, RwLock, RwLockWriteGuard, condvar, mutex, rwlock};
use pfs_runtime::thread::{self, ThreadClass};

fn started() -> &'static Schema {
    static START: Once = Once::new();
    START.call_once(|| {
        assert!(schema::start(&Config::new(), |_| ()).unwrap().is_some());
    });
    schema::process().unwrap()
}

fn waits(class: &'static Class) -> WaitStat {
    let schema = started();
    let mut instruments = schema.instruments().of_event(EventKind::Wait);
    let index = instruments.position(|instrument| instrument.name() == class.name()).unwrap();
    schema.waits.global(schema, index).unwrap().stat
}

fn count(class: &'static Class) -> u64 {
    waits(class).count
}

#[test]
fn each_acquisition_of_a_mutex_is_one_event() {
    class! { static LOCKED: Mutex = "wait/synch/mutex/test/locked"; }
    started();
    let mut lock = mutex::with_class(&LOCKED, 1);
    for _ in 0..3 {
        *lock.lock().unwrap() += 1;
    }
    assert_eq!(count(&LOCKED), 3);
    drop(lock.try_lock().unwrap());
    assert_eq!(count(&LOCKED), 4);
    let held = lock.lock().unwrap();
    assert_eq!(count(&LOCKED), 5);
    assert!(lock.try_lock().is_err());
    assert_eq!(count(&LOCKED), 6);
    drop(held);
    assert_eq!(waits(&LOCKED).waited, 0);

    // Looking at it is none.
    assert_eq!(format!("{lock:?}"), "Mutex { data: 4, poisoned: false, .. }");
    assert!(!lock.is_poisoned());
    lock.clear_poison();
    *lock.get_mut().unwrap() = 0;
    assert_eq!(lock.into_inner().unwrap(), 0);
    assert_eq!(count(&LOCKED), 6);
}

#[test]
fn acquiring_a_poisoned_mutex_is_an_event() {
    class! { static POISONED: Mutex = "wait/synch/mutex/test/poisoned"; }
    started();
    let lock = mutex::with_class(&POISONED, ());
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        let _held = lock.lock();
        panic::resume_unwind(Box::new(()));
    }));
    assert!(outcome.is_err());
    assert!(lock.lock().is_err());
    assert!(lock.try_lock().is_err());
    assert_eq!(count(&POISONED), 3);
}

#[test]
fn an_acquisition_that_waits_says_so() {
    class! { static WAITED: Mutex = "wait/synch/mutex/test/waited"; }
    started();
    let lock = mutex::with_class(&WAITED, ());
    let held = lock.lock().unwrap();
    std::thread::scope(|scope| {
        let waiter = scope.spawn(|| drop(lock.lock().unwrap()));
        // Long enough for the waiter to be at the lock.
        std::thread::sleep(Duration::from_millis(50));
        drop(held);
        waiter.join().unwrap();
    });
    let WaitStat { count, waited, .. } = waits(&WAITED);
    assert_eq!((count, waited), (2, 1));
}

#[test]
fn each_acquisition_of_a_rwlock_is_one_event() {
    class! { static SHARED: RwLock = "wait/synch/rwlock/test/shared"; }
    started();
    let mut lock = rwlock::with_class(&SHARED, 1);
    let readers = (lock.read().unwrap(), lock.try_read().unwrap());
    assert!(lock.try_write().is_err());
    assert_eq!(count(&SHARED), 3);
    drop(readers);

    let mut writer = lock.write().unwrap();
    *writer += 1;
    assert!(lock.try_read().is_err());
    assert_eq!(count(&SHARED), 5);
    let reader = RwLockWriteGuard::downgrade(writer);
    assert_eq!(count(&SHARED), 5);
    assert_eq!(*lock.try_read().unwrap(), 2);
    drop(reader);
    drop(lock.try_write().unwrap());
    assert_eq!(count(&SHARED), 7);

    assert_eq!(format!("{lock:?}"), "RwLock { data: 2, poisoned: false, .. }");
    assert_eq!(*lock.get_mut().unwrap(), 2);
    assert_eq!(lock.into_inner().unwrap(), 2);
    assert_eq!(count(&SHARED), 7);
}

#[test]
fn each_wait_on_a_condvar_is_one_event_and_not_one_of_its_mutex() {
    class! {
        static GUARD: Mutex = "wait/synch/mutex/test/guard";
        static CHANGED: Cond = "wait/synch/cond/test/changed";
    }
    started();
    const SHORT: Duration = Duration::from_millis(1);
    let (lock, changed) = (mutex::with_class(&GUARD, 0), condvar::with_class(&CHANGED));
    changed.notify_one();
    changed.notify_all();
    let held = lock.lock().unwrap();
    // Its condition is false at once: no wait.
    let held = changed.wait_while(held, |_| false).unwrap();
    let (held, _) = changed.wait_timeout_while(held, SHORT, |_| false).unwrap();
    assert_eq!(count(&CHANGED), 0);
    let (held, _) = changed.wait_timeout(held, SHORT).unwrap();
    assert_eq!(count(&CHANGED), 1);
    let mut asked = 0;
    let (held, result) = changed
        .wait_timeout_while(held, SHORT, |_| {
            asked += 1;
            true
        })
        .unwrap();
    assert!(result.timed_out());
    // Asked once before the first wait and once after each.
    assert_eq!(count(&CHANGED), asked);
    drop(held);
    assert_eq!(count(&GUARD), 1);
    assert_eq!(waits(&CHANGED).waited, asked);
}

#[test]
fn sleeping_and_parking_are_waits() {
    started();
    let before = (count(&builtin::SLEEP), count(&builtin::PARK));
    assert_eq!(before, (0, 0));
    thread::sleep(Duration::from_millis(1));
    assert_eq!(count(&builtin::SLEEP), 1);
    std::thread::current().unpark();
    thread::park();
    thread::park_timeout(Duration::from_millis(1));
    assert_eq!(count(&builtin::PARK), 2);
    assert_eq!(count(&builtin::SLEEP), 1);
}

#[test]
fn joining_is_a_wait() {
    class! { static WORKER: Thread = "thread/test/worker"; }
    started();
    assert_eq!(count(&builtin::JOIN), 0);
    assert_eq!(thread::spawn(|| 1).join().unwrap(), 1);
    assert!(thread::spawn(|| -> u8 { panic::resume_unwind(Box::new(())) }).join().is_err());
    let worker = ThreadClass::__new(&WORKER);
    assert_eq!(worker.spawn(|| 2).join().unwrap(), 2);
    assert_eq!(worker.builder().name("w".into()).spawn(|| 3).unwrap().join().unwrap(), 3);
    assert_eq!(count(&builtin::JOIN), 4);
    thread::scope(|scope| {
        assert_eq!(scope.spawn(|| 4).join().unwrap(), 4);
        worker.builder().spawn_scoped(scope, || ()).unwrap();
    });
    assert_eq!(count(&builtin::JOIN), 5);
}

#[test]
fn a_lock_with_no_name_has_the_class_of_its_kind() {
    started();
    let unnamed = || [&builtin::MUTEX_UNNAMED, &builtin::RWLOCK_UNNAMED, &builtin::COND_UNNAMED].map(count);
    assert_eq!(unnamed(), [0, 0, 0]);
    let (lock, other) = (Mutex::new(()), RwLock::default());
    let (held, _) = Condvar::new().wait_timeout(lock.lock().unwrap(), Duration::ZERO).unwrap();
    drop((held, other.write().map(|mut held| *held = 1)));
    assert_eq!(unnamed(), [1, 1, 1]);
}
