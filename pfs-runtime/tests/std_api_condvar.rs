//! `pfs::sync::Condvar` has the whole stable interface of `std::sync::Condvar`, and its semantics.

#[path = "std_api/mod.rs"]
mod std_api;

use std::panic::{self, AssertUnwindSafe};
use std::sync as raw;
use std::time::{Duration, Instant};

use pfs_runtime::sync::{Condvar, Mutex, TryLockError, WaitTimeoutResult};
use pfs_runtime::thread;
use std_api::{assert_same_auto_traits, implements};

/// Nothing: pfs is not started here. `std_api_started.rs` runs the same tests on one that is.
#[allow(dead_code, reason = "not called where these tests are a module")]
fn begin() {}

/// Longer than any step of a test that works takes.
const LONG: Duration = Duration::from_mins(10);
const SHORT: Duration = Duration::from_millis(5);

/// Poisons `lock` by a panic of a holder.
fn poison<T>(lock: &Mutex<T>) {
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        let _held = lock.lock();
        panic::resume_unwind(Box::new("poison"));
    }));
    assert!(outcome.is_err());
}

#[test]
fn a_wait_gives_the_mutex_up_and_takes_it_back() {
    crate::begin();
    let (turn, changed) = (Mutex::new(0), Condvar::new());
    thread::scope(|scope| {
        let mut held = turn.lock().unwrap();
        scope.spawn(|| {
            // Acquired only because the waiter gave it up.
            *turn.lock().unwrap() = 1;
            changed.notify_one();
        });
        while *held == 0 {
            held = changed.wait(held).unwrap();
        }
        assert_eq!(*held, 1);
        assert!(matches!(turn.try_lock(), Err(TryLockError::WouldBlock)));
    });
    assert!(turn.try_lock().is_ok());
}

#[test]
fn notify_all_wakes_every_waiter() {
    crate::begin();
    const WAITERS: usize = 4;
    let (state, changed) = (Mutex::new((0, false)), Condvar::new());
    thread::scope(|scope| {
        let waiters: Vec<_> = (0..WAITERS)
            .map(|_| {
                scope.spawn(|| {
                    let mut held = state.lock().unwrap();
                    held.0 += 1;
                    changed.notify_all();
                    changed.wait_while(held, |state| !state.1).unwrap().0
                })
            })
            .collect();
        let mut held = changed.wait_while(state.lock().unwrap(), |state| state.0 < WAITERS).unwrap();
        held.1 = true;
        drop(held);
        changed.notify_all();
        assert_eq!(
            waiters.into_iter().map(|waiter| waiter.join().unwrap()).sum::<usize>(),
            WAITERS * WAITERS
        );
    });
}

#[test]
fn threads_take_turns() {
    crate::begin();
    const ROUNDS: u32 = 500;
    let (turn, changed) = (Mutex::new(0_u32), Condvar::new());
    thread::scope(|scope| {
        for parity in 0..2 {
            let (turn, changed) = (&turn, &changed);
            scope.spawn(move || {
                for _ in 0..ROUNDS {
                    let held = turn.lock().unwrap();
                    let mut held = changed.wait_while(held, |turn| *turn % 2 != parity).unwrap();
                    *held += 1;
                    changed.notify_one();
                }
            });
        }
    });
    assert_eq!(turn.into_inner().unwrap(), 2 * ROUNDS);
}

#[test]
fn wait_while_asks_first_and_changes_the_value() {
    crate::begin();
    let lock = Mutex::new(3);
    let held = Condvar::new()
        .wait_while(lock.lock().unwrap(), |value| {
            *value -= 3;
            *value != 0
        })
        .unwrap();
    assert_eq!(*held, 0);
}

#[test]
fn a_timed_wait_says_whether_the_time_is_over() {
    crate::begin();
    let (lock, never) = (Mutex::new(1), Condvar::new());
    let start = Instant::now();
    let (mut held, mut result) = never.wait_timeout(lock.lock().unwrap(), SHORT).unwrap();
    while !result.timed_out() {
        (held, result) = never.wait_timeout(held, SHORT).unwrap();
    }
    assert!(start.elapsed() >= SHORT);
    assert_eq!(*held, 1);
    drop(held);

    let (flag, changed) = (Mutex::new(false), Condvar::new());
    thread::scope(|scope| {
        let mut held = flag.lock().unwrap();
        scope.spawn(|| {
            *flag.lock().unwrap() = true;
            changed.notify_one();
        });
        while !*held {
            let result;
            (held, result) = changed.wait_timeout(held, LONG).unwrap();
            assert!(!result.timed_out());
        }
    });
}

#[test]
fn a_timed_wait_while_has_the_three_ends_of_std() {
    crate::begin();
    let (lock, never) = (Mutex::new(true), Condvar::new());
    // False at once: not timed out, even with no time at all.
    let (held, result) = never.wait_timeout_while(lock.lock().unwrap(), Duration::ZERO, |_| false).unwrap();
    assert!(!result.timed_out());
    drop(held);
    // True to the end.
    let start = Instant::now();
    let (held, result) = never.wait_timeout_while(lock.lock().unwrap(), SHORT, |flag| *flag).unwrap();
    assert!(*held && result.timed_out() && start.elapsed() >= SHORT);
    drop(held);
    let (held, result) =
        never.wait_timeout_while(lock.lock().unwrap(), Duration::ZERO, |flag| *flag).unwrap();
    assert!(*held && result.timed_out());
    drop(held);
    // Made false by another thread in time.
    thread::scope(|scope| {
        let held = lock.lock().unwrap();
        scope.spawn(|| {
            *lock.lock().unwrap() = false;
            never.notify_all();
        });
        let (held, result) = never.wait_timeout_while(held, LONG, |flag| *flag).unwrap();
        assert!(!*held && !result.timed_out());
    });
}

#[test]
fn results_are_values_of_std() {
    crate::begin();
    let (lock, never) = (Mutex::new(()), Condvar::new());
    let ours: WaitTimeoutResult =
        never.wait_timeout_while(lock.lock().unwrap(), Duration::ZERO, |()| false).unwrap().1;
    let std_lock = raw::Mutex::new(());
    let theirs: raw::WaitTimeoutResult = raw::Condvar::new()
        .wait_timeout_while(std_lock.lock().unwrap(), Duration::ZERO, |()| false)
        .unwrap()
        .1;
    assert_eq!(ours, theirs);
}

#[test]
#[expect(deprecated, reason = "part of std's interface")]
fn a_wait_in_milliseconds_says_whether_time_is_left() {
    crate::begin();
    let (lock, never) = (Mutex::new(()), Condvar::new());
    let (mut held, mut left) = never.wait_timeout_ms(lock.lock().unwrap(), 1).unwrap();
    while left {
        (held, left) = never.wait_timeout_ms(held, 1).unwrap();
    }
    drop(held);
    poison(&lock);
    let (held, _) = never.wait_timeout_ms(lock.lock().unwrap_err().into_inner(), 1).unwrap_err().into_inner();
    drop(held);
}

#[test]
fn a_mutex_poisoned_meanwhile_is_an_error_of_each_wait() {
    crate::begin();
    let changed = Condvar::new();
    let lock = Mutex::new(0);
    poison(&lock);
    let held = || lock.lock().unwrap_err().into_inner();

    let (guard, _) = changed.wait_timeout(held(), SHORT).unwrap_err().into_inner();
    assert_eq!(*guard, 0);
    drop(guard);
    let (guard, _) = changed.wait_timeout_while(held(), SHORT, |_| true).unwrap_err().into_inner();
    drop(guard);
    // With no wait there is no error.
    assert!(changed.wait_while(held(), |_| false).is_ok());
    assert!(changed.wait_timeout_while(held(), SHORT, |_| false).is_ok());

    thread::scope(|scope| {
        let guard = held();
        scope.spawn(|| {
            *lock.lock().unwrap_err().into_inner() = 1;
            changed.notify_all();
        });
        let mut result = changed.wait(guard);
        loop {
            let guard = result.unwrap_err().into_inner();
            if *guard == 1 {
                break;
            }
            result = changed.wait(guard);
        }
    });
    thread::scope(|scope| {
        let guard = held();
        scope.spawn(|| {
            // Until the waiter has come back, notified from outside the lock.
            while *lock.lock().unwrap_err().into_inner() != 2 {
                changed.notify_all();
                thread::yield_now();
            }
        });
        let mut guard = changed.wait_while(guard, |_| true).unwrap_err().into_inner();
        *guard = 2;
    });
}

#[test]
fn a_panicking_condition_poisons_and_unlocks() {
    crate::begin();
    let (lock, changed) = (Mutex::new(1), Condvar::new());
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        let _held = changed.wait_while(lock.lock().unwrap(), |_| panic::resume_unwind(Box::new(())));
    }));
    assert!(outcome.is_err());
    assert!(lock.is_poisoned());
    assert!(matches!(lock.try_lock(), Err(TryLockError::Poisoned(_))));
}

#[test]
fn made_in_const_and_by_default() {
    crate::begin();
    #[derive(Default, Debug)]
    struct Holds {
        changed: Condvar,
    }

    static CHANGED: Condvar = Condvar::new();
    static MANY: [Condvar; 2] = [const { Condvar::new() }; 2];
    CHANGED.notify_one();
    MANY[1].notify_all();
    Condvar::default().notify_one();
    Holds::default().changed.notify_all();
}

#[test]
fn text_and_auto_traits_are_those_of_std() {
    crate::begin();
    assert_eq!(format!("{:?}", Condvar::new()), format!("{:?}", raw::Condvar::new()));
    assert_eq!(format!("{:#?}", Condvar::new()), format!("{:#?}", raw::Condvar::new()));
    assert_same_auto_traits!(Condvar => raw::Condvar);
    assert!(implements!(Condvar: Send) && implements!(Condvar: Sync));
}
