//! `pfs::parking_lot::Condvar` and `Once` have the whole interface of parking_lot's, and their semantics.

#![cfg(feature = "parking_lot")]

use std::panic::{self, AssertUnwindSafe};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

use pfs::parking_lot::{Condvar, Mutex, MutexGuard, Once, OnceState, WaitTimeoutResult};

/// Nothing: pfs is not started here. `parking_lot_started.rs` runs the same tests on one that is.
#[allow(dead_code, reason = "not called where these tests are a module")]
fn begin() {}

const SHORT: Duration = Duration::from_millis(1);
/// No test waits so long, unless it fails.
const LONG: Duration = Duration::from_mins(10);

fn late() -> Instant {
    Instant::now() + LONG
}

/// Every way to wait until the value is positive, each of which must not time out.
const WAITS: [fn(&Condvar, &mut MutexGuard<'_, i32>); 6] = [
    |condvar, guard| {
        while **guard <= 0 {
            condvar.wait(guard);
        }
    },
    |condvar, guard| {
        while **guard <= 0 {
            assert!(!condvar.wait_until(guard, late()).timed_out());
        }
    },
    |condvar, guard| {
        while **guard <= 0 {
            assert!(!condvar.wait_for(guard, Duration::MAX).timed_out());
        }
    },
    |condvar, guard| condvar.wait_while(guard, |value| *value <= 0),
    |condvar, guard| assert!(!condvar.wait_while_until(guard, |value| *value <= 0, late()).timed_out()),
    |condvar, guard| assert!(!condvar.wait_while_for(guard, |value| *value <= 0, Duration::MAX).timed_out()),
];

#[test]
fn a_wait_ends_with_the_notification() {
    crate::begin();
    for wait in WAITS {
        let (lock, changed) = (Mutex::new(0), Condvar::new());
        thread::scope(|scope| {
            let mut guard = lock.lock();
            // The notifier has the mutex no sooner than the wait gives it up.
            scope.spawn(|| {
                *lock.lock() = 1;
                assert!(changed.notify_one());
                assert!(!changed.notify_one());
            });
            wait(&changed, &mut guard);
            assert_eq!(*guard, 1);
            assert!(lock.is_locked());
        });
        // Nobody is left, and no other thread is needed where the condition is fulfilled.
        wait(&changed, &mut lock.lock());
        assert_eq!((changed.notify_all(), lock.is_locked()), (0, false));
    }
}

#[test]
fn everybody_is_notified() {
    crate::begin();
    const WAITERS: usize = 5;
    let (lock, changed, arrived) = (Mutex::new(0), Condvar::new(), AtomicU32::new(0));
    thread::scope(|scope| {
        for wait in WAITS.into_iter().cycle().take(WAITERS) {
            let (lock, changed, arrived) = (&lock, &changed, &arrived);
            scope.spawn(move || {
                let mut guard = lock.lock();
                arrived.fetch_add(1, SeqCst);
                wait(changed, &mut guard);
            });
        }
        while arrived.load(SeqCst) < 5 {
            thread::yield_now();
        }
        // All have had the mutex, so that whoever has not given it up waits.
        let mut guard = lock.lock();
        *guard = 1;
        assert_eq!(changed.notify_all(), WAITERS);
    });
}

#[test]
fn time_runs_out() {
    crate::begin();
    let (lock, never) = (Mutex::new(0), Condvar::default());
    let mut guard = lock.lock();
    let begun = Instant::now();
    assert!(never.wait_for(&mut guard, SHORT).timed_out());
    assert!(never.wait_until(&mut guard, begun + 2 * SHORT).timed_out());
    assert!(begun.elapsed() >= 2 * SHORT);
    assert!(never.wait_until(&mut guard, begun).timed_out());
    assert!(never.wait_for(&mut guard, Duration::ZERO).timed_out());
    let mut asked = 0;
    let mut pending = |_: &mut i32| {
        asked += 1;
        true
    };
    let result: WaitTimeoutResult = never.wait_while_for(&mut guard, &mut pending, SHORT);
    assert!(result.timed_out());
    assert!(never.wait_while_until(&mut guard, &mut pending, begun).timed_out());
    assert_eq!(asked, 2);
    assert!(!never.wait_while_for(&mut guard, |_| false, Duration::ZERO).timed_out());
    assert!(!never.wait_while_until(&mut guard, |_| false, begun).timed_out());
    assert!(lock.is_locked());
}

#[test]
fn one_condvar_is_for_one_mutex_at_a_time() {
    crate::begin();
    let (lock, changed, other) = (Mutex::new(0), Condvar::new(), Mutex::new(0));
    let arrived = Barrier::new(2);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut guard = lock.lock();
            arrived.wait();
            changed.wait_while(&mut guard, |value| *value == 0);
        });
        arrived.wait();
        // The waiter has given the mutex up, so it waits.
        let mut guard = lock.lock();
        let mut wrong = other.lock();
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| changed.wait(&mut wrong)));
        assert_eq!(
            outcome.unwrap_err().downcast_ref::<&str>(),
            Some(&"attempted to use a condition variable with more than one mutex"),
        );
        assert!(other.is_locked());
        drop(wrong);
        assert!(!other.is_locked());
        *guard = 1;
        assert_eq!(changed.notify_all(), 1);
    });
    // Nobody waits any more.
    assert!(changed.wait_for(&mut other.lock(), SHORT).timed_out());
}

#[test]
fn a_condition_that_panics_leaves_the_mutex_to_its_guard() {
    crate::begin();
    let (lock, changed) = (Mutex::new(1), Condvar::new());
    let mut guard = lock.lock();
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        changed.wait_while(&mut guard, |_| panic::resume_unwind(Box::new(())));
    }));
    assert!(outcome.is_err() && lock.is_locked());
    drop(guard);
    assert!(!lock.is_locked());
}

#[test]
fn a_mutex_of_anything_can_be_waited_with() {
    crate::begin();
    let (lock, changed) = (Mutex::new([1, 2]), Condvar::new());
    let of_unsized: &Mutex<[i32]> = &lock;
    changed.wait_while(&mut of_unsized.lock(), |slice| slice.is_empty());
    assert!(changed.wait_for(&mut of_unsized.lock(), SHORT).timed_out());
    assert_eq!(format!("{changed:?}"), format!("{:?}", ::parking_lot::Condvar::new()));
}

static STATIC: Once = Once::new();

#[test]
fn once_is_once() {
    crate::begin();
    let (runs, seen) = (AtomicU32::new(0), AtomicU32::new(0));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                STATIC.call_once(|| {
                    thread::sleep(SHORT);
                    runs.fetch_add(1, SeqCst);
                });
                seen.fetch_add(runs.load(SeqCst), SeqCst);
            });
        }
    });
    assert_eq!((runs.into_inner(), seen.into_inner()), (1, 4));
    assert!(STATIC.state().done());
}

#[test]
fn the_state_of_a_once() {
    crate::begin();
    let once = Once::default();
    assert_eq!(once.state(), OnceState::New);
    let failed = panic::catch_unwind(AssertUnwindSafe(|| {
        once.call_once(|| {
            assert_eq!(once.state(), OnceState::InProgress);
            panic::resume_unwind(Box::new(()));
        });
    }));
    assert!(failed.is_err());
    assert_eq!(once.state(), OnceState::Poisoned);
    assert!(panic::catch_unwind(AssertUnwindSafe(|| once.call_once(|| ()))).is_err());
    once.call_once_force(|state| assert!(state.poisoned() && !state.done()));
    assert_eq!(once.state(), OnceState::Done);
    once.call_once(|| unreachable!("it has run"));
    once.call_once_force(|_| unreachable!("it has run"));
    assert_eq!(format!("{once:?}"), "Once { state: Done }");
}

#[test]
fn a_once_that_fails_is_left_to_who_waits_for_it() {
    crate::begin();
    let (once, begun) = (Once::new(), Barrier::new(2));
    let fail = || {
        once.call_once(|| {
            begun.wait();
            thread::sleep(SHORT);
            panic::resume_unwind(Box::new(()));
        });
    };
    thread::scope(|scope| {
        let failed = scope.spawn(fail);
        begun.wait();
        let mut poisoned = false;
        once.call_once_force(|state| poisoned = state.poisoned());
        assert!(poisoned && failed.join().is_err());
    });
    assert!(once.state().done());
}
