//! `pfs::sync::Once` has the whole stable interface of `std::sync::Once`, and its semantics.

#[path = "std_api/mod.rs"]
mod std_api;

use std::panic::{self, AssertUnwindSafe};
use std::sync as raw;
use std::sync::atomic::{AtomicU32, Ordering};

use pfs_runtime::sync::{Once, OnceState};
use pfs_runtime::thread;
use std_api::{assert_same_auto_traits, implements};

/// Nothing: pfs is not started here. `std_api_started.rs` runs the same tests on one that is.
#[allow(dead_code, reason = "not called where these tests are a module")]
fn begin() {}

/// Poisons `once` by a panic of its closure.
fn poison(once: &Once) {
    let outcome = panic::catch_unwind(|| once.call_once(|| panic::resume_unwind(Box::new("poison"))));
    assert_eq!(outcome.unwrap_err().downcast_ref::<&str>(), Some(&"poison"));
}

/// What a panic said.
fn message(outcome: thread::Result<()>) -> String {
    outcome.unwrap_err().downcast_ref::<&str>().copied().unwrap_or_default().to_owned()
}

#[test]
fn one_of_many_calls_runs_and_all_see_it_done() {
    crate::begin();
    const THREADS: usize = 8;
    static ONCE: Once = Once::new();
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let start = raw::Barrier::new(THREADS);
    thread::scope(|scope| {
        for at in 0..THREADS {
            let start = &start;
            scope.spawn(move || {
                start.wait();
                // Not atomic in itself: that each thread sees the result is what the once is for.
                let run = || RUNS.store(RUNS.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
                if at % 2 == 0 {
                    ONCE.call_once(run);
                } else {
                    ONCE.call_once_force(|_| run());
                }
                assert!(ONCE.is_completed());
                assert_eq!(RUNS.load(Ordering::Relaxed), 1);
            });
        }
    });
}

#[test]
fn a_closure_runs_once_and_may_borrow_and_move() {
    crate::begin();
    let (once, text, mut seen) = (Once::new(), String::from("moved"), None);
    assert!(!once.is_completed());
    once.call_once(|| seen = Some(text));
    assert!(once.is_completed());
    once.call_once(|| unreachable!("it is done"));
    once.call_once_force(|_| unreachable!("it is done"));
    assert_eq!(seen.as_deref(), Some("moved"));
}

#[test]
fn a_panic_poisons_and_force_heals() {
    crate::begin();
    let once = Once::new();
    poison(&once);
    assert!(!once.is_completed());
    let poisoned = "Once instance has previously been poisoned";
    assert_eq!(message(panic::catch_unwind(|| once.call_once(|| unreachable!()))), poisoned);
    assert_eq!(message(panic::catch_unwind(|| once.wait())), poisoned);

    // A closure that panics again leaves it poisoned.
    let again = panic::catch_unwind(|| once.call_once_force(|_| panic::resume_unwind(Box::new("again"))));
    assert_eq!(message(again), "again");
    let mut states = Vec::new();
    once.call_once_force(|state: &OnceState| states.push(state.is_poisoned()));
    once.call_once_force(|state| states.push(state.is_poisoned()));
    assert_eq!(states, [true]);
    once.call_once(|| unreachable!("it is done"));
    once.wait();

    let fresh = Once::new();
    fresh.call_once_force(|state| {
        assert!(!state.is_poisoned());
        assert_eq!(format!("{state:?}"), "OnceState { poisoned: false }");
    });
}

/// The place of the panic is the caller's, as with std.
#[test]
fn poison_is_reported_where_it_is_met() {
    crate::begin();
    static PLACE: raw::Mutex<Option<(String, u32)>> = raw::Mutex::new(None);
    let once = Once::new();
    poison(&once);
    let (me, before) = (thread::current().id(), panic::take_hook());
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == me {
            let place = info.location().map(|place| (place.file().to_owned(), place.line()));
            *PLACE.lock().unwrap() = place;
        } else {
            before(info);
        }
    }));
    let line = line!() + 1;
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| once.call_once(|| ())));
    drop(panic::take_hook());
    assert!(outcome.is_err());
    let (file, at) = PLACE.lock().unwrap().take().unwrap();
    assert!(file.ends_with("std_api_once.rs"), "{file}");
    assert_eq!(at, line);
}

#[test]
fn a_waiting_call_panics_if_the_running_one_does() {
    crate::begin();
    let (once, inside) = (Once::new(), raw::Barrier::new(2));
    thread::scope(|scope| {
        let running = scope.spawn(|| {
            once.call_once(|| {
                inside.wait();
                panic::resume_unwind(Box::new("failed"));
            });
        });
        inside.wait();
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| once.call_once(|| unreachable!("poisoned"))));
        assert_eq!(message(outcome), "Once instance has previously been poisoned");
        assert_eq!(message(running.join()), "failed");
    });
    // One that is forced runs after it.
    let (once, inside, mut ran) = (Once::new(), raw::Barrier::new(2), false);
    thread::scope(|scope| {
        let running = scope.spawn(|| {
            once.call_once_force(|_| {
                inside.wait();
                panic::resume_unwind(Box::new("failed"));
            });
        });
        inside.wait();
        once.call_once_force(|state| ran = state.is_poisoned());
        assert_eq!(message(running.join()), "failed");
    });
    assert!(ran);
}

#[test]
fn waits_end_when_it_is_done() {
    crate::begin();
    let once = Once::new();
    thread::scope(|scope| {
        let waiters = [scope.spawn(|| once.wait()), scope.spawn(|| once.wait_force())];
        once.call_once(|| ());
        for waiter in waiters {
            waiter.join().unwrap();
        }
    });
    once.wait();
    once.wait_force();

    let once = Once::new();
    poison(&once);
    thread::scope(|scope| {
        let waiter = scope.spawn(|| {
            once.wait_force();
            assert!(once.is_completed());
        });
        once.call_once_force(|_| ());
        waiter.join().unwrap();
    });
}

#[test]
#[expect(deprecated, reason = "part of std's interface")]
fn made_in_const() {
    crate::begin();
    static ONCE: Once = pfs_runtime::sync::ONCE_INIT;
    static MANY: [Once; 3] = [const { Once::new() }; 3];
    ONCE.call_once(|| ());
    MANY[1].call_once(|| ());
    assert_eq!(MANY.each_ref().map(Once::is_completed), [false, true, false]);
}

#[test]
fn text_and_auto_traits_are_those_of_std() {
    crate::begin();
    assert_eq!(format!("{:?}", Once::new()), format!("{:?}", raw::Once::new()));
    assert_eq!(format!("{:#?}", Once::new()), format!("{:#?}", raw::Once::new()));
    assert_same_auto_traits!(Once => raw::Once);
    assert!(implements!(Once: Send) && implements!(Once: Sync));
    let state: fn(&OnceState) -> bool = raw::OnceState::is_poisoned;
    Once::new().call_once_force(|now| assert!(!state(now)));
}
