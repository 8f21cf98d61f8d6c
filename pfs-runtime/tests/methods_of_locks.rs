//! Every method of `Mutex`, `RwLock` and `Condvar`: its result and its exact count.

mod methods;

use std::panic::resume_unwind;
use std::time::Duration;

use methods::counted::{count, until_waiting};
use methods::{Methods, panicked, while_held};
use pfs_runtime::class;
use pfs_runtime::sync::{
    Condvar, LockResult, Mutex, PoisonError, RwLock, RwLockWriteGuard, TryLockError, condvar, mutex, rwlock,
};

fn leave_poisoned<G>(guard: LockResult<G>) {
    let _held = guard;
    resume_unwind(Box::new("holding it"));
}

#[test]
fn mutex() {
    class! { static LOCK: Mutex = "wait/synch/mutex/methods/lock"; }
    let mut of = Methods::of(&LOCK, &[include_str!("../src/sync/mutex.rs")]);
    let mut lock: Mutex<u8> = mutex::with_class(&LOCK, 1);
    let unnamed = of.is_none("new", || Mutex::new(9));
    assert_eq!(*unnamed.lock().unwrap(), 9);

    assert_eq!(of.counts("lock", (1, 0), || *lock.lock().unwrap()), 1);
    of.counts("lock", (1, 0), || *lock.lock().unwrap() = 2);
    assert_eq!(
        of.counts("lock", (2, 1), || while_held(&LOCK, || lock.lock().unwrap(), || *lock.lock().unwrap())),
        2
    );
    assert_eq!(of.counts("try_lock", (1, 0), || *lock.try_lock().unwrap()), 2);
    of.counts("try_lock", (2, 0), || {
        let _held = lock.lock().unwrap();
        assert!(matches!(lock.try_lock(), Err(TryLockError::WouldBlock)));
    });

    assert!(!of.is_none("is_poisoned", || lock.is_poisoned()));
    of.counts("lock", (1, 0), || panicked(|| leave_poisoned(lock.lock())));
    assert!(of.is_none("is_poisoned", || lock.is_poisoned()));
    of.counts("lock", (1, 0), || assert_eq!(**lock.lock().unwrap_err().get_ref(), 2));
    of.counts("try_lock", (1, 0), || assert!(matches!(lock.try_lock(), Err(TryLockError::Poisoned(_)))));
    assert_eq!(of.is_none("get_mut", || *lock.get_mut().unwrap_err().into_inner()), 2);
    of.is_none("clear_poison", || lock.clear_poison());
    assert_eq!(of.counts("lock", (1, 0), || lock.lock().map(|value| *value).unwrap()), 2);
    of.is_none("get_mut", || *lock.get_mut().unwrap() = 3);

    // What has no name of its own.
    let shown = of.is_none("lock", || format!("{lock:?}"));
    assert_eq!(shown, "Mutex { data: 3, poisoned: false, .. }");
    of.counts("lock", (1, 0), || {
        let mut guard = lock.lock().unwrap();
        *guard += 1;
        assert_eq!((format!("{guard:?} {guard}"), *guard), ("4 4".to_owned(), 4));
    });
    assert_eq!(
        of.is_none("new", || [Mutex::from(5), Mutex::default()].map(|lock| *lock.lock().unwrap())),
        [5, 0]
    );
    assert_eq!(of.is_none("into_inner", || lock.into_inner().unwrap()), 4);
    of.were_all_used();
}

#[test]
fn rwlock() {
    class! { static MAP: RwLock = "wait/synch/rwlock/methods/map"; }
    let mut of = Methods::of(&MAP, &[include_str!("../src/sync/rwlock.rs")]);
    let mut lock: RwLock<u8> = rwlock::with_class(&MAP, 1);
    let unnamed = of.is_none("new", || RwLock::new(9));
    assert_eq!(*unnamed.read().unwrap(), 9);

    assert_eq!(of.counts("read", (2, 0), || *lock.read().unwrap() + *lock.read().unwrap()), 2);
    assert_eq!(
        of.counts("read", (2, 1), || while_held(&MAP, || lock.write().unwrap(), || *lock.read().unwrap())),
        1
    );
    of.counts("write", (1, 0), || *lock.write().unwrap() = 2);
    of.counts("write", (2, 1), || while_held(&MAP, || lock.read().unwrap(), || *lock.write().unwrap() = 3));
    assert_eq!(of.counts("try_read", (1, 0), || *lock.try_read().unwrap()), 3);
    of.counts("try_read", (2, 0), || {
        let _held = lock.write().unwrap();
        assert!(matches!(lock.try_read(), Err(TryLockError::WouldBlock)));
    });
    of.counts("try_write", (1, 0), || *lock.try_write().unwrap() = 4);
    of.counts("try_write", (2, 0), || {
        let _held = lock.read().unwrap();
        assert!(matches!(lock.try_write(), Err(TryLockError::WouldBlock)));
    });
    // The writer is one acquisition, as whatever it becomes.
    of.counts("downgrade", (2, 0), || {
        let reader = RwLockWriteGuard::downgrade(lock.write().unwrap());
        assert_eq!((*reader, *lock.read().unwrap()), (4, 4));
    });

    assert!(!of.is_none("is_poisoned", || lock.is_poisoned()));
    of.counts("read", (1, 0), || panicked(|| leave_poisoned(lock.read())));
    assert!(!lock.is_poisoned());
    of.counts("write", (1, 0), || panicked(|| leave_poisoned(lock.write())));
    assert!(of.is_none("is_poisoned", || lock.is_poisoned()));
    of.counts("read", (1, 0), || assert_eq!(**lock.read().unwrap_err().get_ref(), 4));
    of.counts("write", (1, 0), || assert_eq!(**lock.write().unwrap_err().get_ref(), 4));
    of.counts("try_read", (1, 0), || assert!(matches!(lock.try_read(), Err(TryLockError::Poisoned(_)))));
    of.counts("try_write", (1, 0), || assert!(matches!(lock.try_write(), Err(TryLockError::Poisoned(_)))));
    of.is_none("clear_poison", || lock.clear_poison());
    of.is_none("get_mut", || *lock.get_mut().unwrap() = 5);

    let shown = of.is_none("read", || format!("{lock:?}"));
    assert_eq!(shown, "RwLock { data: 5, poisoned: false, .. }");
    of.counts("write", (2, 0), || {
        let mut guard = lock.write().unwrap();
        *guard += 1;
        assert_eq!(format!("{guard:?} {guard}"), "6 6");
        drop(guard);
        let guard = lock.read().unwrap();
        assert_eq!((format!("{guard:?} {guard}"), *guard), ("6 6".to_owned(), 6));
    });
    assert_eq!(
        of.is_none("new", || [RwLock::from(5), RwLock::default()].map(|lock| *lock.read().unwrap())),
        [5, 0]
    );
    assert_eq!(of.is_none("into_inner", || lock.into_inner().unwrap()), 6);
    of.were_all_used();
}

#[test]
fn condvar() {
    class! {
        static COND: Cond = "wait/synch/cond/methods/cond";
        static LOCK: Mutex = "wait/synch/mutex/methods/lock of cond";
    }
    let mut of = Methods::of(&COND, &[include_str!("../src/sync/condvar.rs")]);
    let (cond, lock) = (condvar::with_class(&COND), mutex::with_class(&LOCK, 0));
    let locked = || lock.lock().unwrap();
    const SOON: Duration = Duration::from_millis(1);
    const LATE: Duration = Duration::from_mins(10);
    of.is_none("new", || Condvar::new().notify_one());

    /// Notifies by `notify` as often as it takes until the waiter has seen the value.
    fn notified<R: Send>(lock: &Mutex<u8>, notify: impl Fn(), waiter: impl FnOnce() -> R + Send) -> R {
        std::thread::scope(|scope| {
            let waiter = scope.spawn(waiter);
            until_waiting(&COND, 1);
            *lock.lock().unwrap() = 1;
            notify();
            waiter.join().unwrap()
        })
    }

    of.counts("wait", (1, 1), || {
        let seen = notified(&lock, || cond.notify_one(), || *cond.wait(lock.lock().unwrap()).unwrap());
        assert!(seen <= 1);
    });
    *locked() = 0;
    assert_eq!(
        of.counts("wait_while", (1, 1), || {
            notified(
                &lock,
                || cond.notify_all(),
                || *cond.wait_while(lock.lock().unwrap(), |value| *value == 0).unwrap(),
            )
        }),
        1
    );
    assert_eq!(of.is_none("wait_while", || *cond.wait_while(locked(), |value| *value == 0).unwrap()), 1);
    assert!(of.counts("wait_timeout", (1, 1), || cond.wait_timeout(locked(), SOON).unwrap().1.timed_out()));
    *locked() = 0;
    of.counts("wait_timeout", (1, 1), || {
        notified(
            &lock,
            || cond.notify_one(),
            || drop(cond.wait_timeout(lock.lock().unwrap(), LATE).unwrap()),
        );
    });
    #[expect(deprecated, reason = "part of std's interface")]
    let left = of.counts("wait_timeout_ms", (1, 1), || cond.wait_timeout_ms(locked(), 1).unwrap().1);
    assert!(!left);
    let timed_out = of.counts("wait_timeout_while", (1, 1), || {
        cond.wait_timeout_while(locked(), SOON, |_| true).unwrap().1.timed_out()
    });
    assert!(timed_out);
    let at_once =
        of.is_none("wait_timeout_while", || cond.wait_timeout_while(locked(), LATE, |_| false).unwrap().1);
    assert!(!at_once.timed_out());
    of.is_none("notify_one", || cond.notify_one());
    of.is_none("notify_all", || cond.notify_all());
    assert_eq!(
        of.is_none("new", || format!("{cond:?} {:?}", Condvar::default())),
        "Condvar { .. } Condvar { .. }"
    );

    // The mutex: taken back by no wait, and poisoned by no wait.
    let taken = count(&LOCK);
    of.counts("wait_timeout", (1, 1), || {
        drop(cond.wait_timeout(locked(), SOON).unwrap_or_else(PoisonError::into_inner));
    });
    assert_eq!(count(&LOCK).0, taken.0 + 1);
    of.were_all_used();
}
