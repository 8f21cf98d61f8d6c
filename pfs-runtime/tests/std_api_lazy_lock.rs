//! `pfs::sync::LazyLock` has the whole stable interface of `std::sync::LazyLock`, and its semantics.

#[path = "std_api/mod.rs"]
mod std_api;

use std::cell::Cell;
use std::fmt::Debug;
use std::panic::{self, AssertUnwindSafe};
use std::rc::Rc;
use std::sync as raw;
use std::sync::atomic::{AtomicU32, Ordering};

use pfs_runtime::sync::{LazyLock, Mutex};
use pfs_runtime::thread;
use std_api::{Changed, Neither, OnlySend, OnlySync, Pinned, Torn, assert_same_auto_traits, implements};

/// Nothing: pfs is not started here. `std_api_started.rs` runs the same tests on one that is.
#[allow(dead_code, reason = "not called where these tests are a module")]
fn begin() {}

const POISONED: &str = "LazyLock instance has previously been poisoned";

/// What a panic said.
fn message<T>(outcome: thread::Result<T>) -> String {
    let payload = outcome.err().unwrap();
    payload.downcast_ref::<&str>().copied().unwrap_or_default().to_owned()
}

#[test]
fn one_of_many_threads_makes_the_value() {
    crate::begin();
    static MADE: AtomicU32 = AtomicU32::new(0);
    static LAZY: LazyLock<Vec<u32>> = LazyLock::new(|| {
        MADE.fetch_add(1, Ordering::Relaxed);
        thread::yield_now();
        vec![1, 2, 3]
    });
    assert!(LazyLock::get(&LAZY).is_none());
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(LAZY.iter().sum::<u32>(), 6));
        }
    });
    assert_eq!(MADE.load(Ordering::Relaxed), 1);
    assert!(LazyLock::get(&LAZY).is_some());
}

/// The types that a user may have written down.
#[test]
fn statics_structs_and_closures_are_written_as_with_std() {
    crate::begin();
    fn make() -> u8 {
        7
    }
    static CLOSURE: LazyLock<String> = LazyLock::new(|| "closure".to_owned());
    static FUNCTION: LazyLock<u8, fn() -> u8> = LazyLock::new(make);
    static NESTED: LazyLock<Mutex<Vec<u8>>> = LazyLock::new(Mutex::default);
    struct Holds<F> {
        lazy: LazyLock<usize, F>,
        boxed: LazyLock<String, Box<dyn FnOnce() -> String + Send>>,
    }
    NESTED.lock().unwrap().push(*FUNCTION);
    assert_eq!((CLOSURE.as_str(), &NESTED.lock().unwrap()[..]), ("closure", &[7][..]));

    let text = String::from("captured");
    let length = text.len();
    let holds = Holds { lazy: LazyLock::new(move || length), boxed: LazyLock::new(Box::new(move || text)) };
    assert_eq!((*holds.lazy, holds.boxed.as_str()), (8, "captured"));
    assert_eq!(*LazyLock::<u32>::default(), 0);
    assert_eq!(LazyLock::<String>::default().as_str(), "");
}

#[test]
fn every_way_to_the_value() {
    crate::begin();
    let mut lazy = LazyLock::new(|| 1);
    assert_eq!(LazyLock::get(&lazy), None);
    assert_eq!(LazyLock::get_mut(&mut lazy), None);
    assert_eq!(LazyLock::force(&lazy), &1);
    *lazy += 1;
    *LazyLock::get_mut(&mut lazy).unwrap() += 1;
    *LazyLock::force_mut(&mut lazy) += 1;
    assert_eq!((*lazy, LazyLock::get(&lazy)), (4, Some(&4)));

    let mut made_by_change = LazyLock::new(|| 10);
    *made_by_change += 1;
    assert_eq!(*made_by_change, 11);
    let mut made_by_force = LazyLock::new(|| 20);
    assert_eq!(LazyLock::force_mut(&mut made_by_force), &mut 20);
    assert_eq!(LazyLock::force(&made_by_force), &20);
}

#[test]
fn a_panic_poisons_for_good() {
    crate::begin();
    let runs = Cell::new(0);
    let mut lazy: LazyLock<u8, _> = LazyLock::new(|| {
        runs.set(runs.get() + 1);
        panic::resume_unwind(Box::new("failed"))
    });
    assert_eq!(message(panic::catch_unwind(AssertUnwindSafe(|| *lazy))), "failed");
    assert_eq!(message(panic::catch_unwind(AssertUnwindSafe(|| *lazy))), POISONED);
    assert_eq!(message(panic::catch_unwind(AssertUnwindSafe(|| *LazyLock::force(&lazy)))), POISONED);
    assert_eq!(message(panic::catch_unwind(AssertUnwindSafe(|| *LazyLock::force_mut(&mut lazy)))), POISONED);
    assert_eq!(LazyLock::get(&lazy), None);
    assert_eq!(LazyLock::get_mut(&mut lazy), None);
    drop(lazy);
    assert_eq!(runs.get(), 1);

    // Also where it was asked for by the only reference.
    let mut alone: LazyLock<u8, _> = LazyLock::new(|| panic::resume_unwind(Box::new("failed")));
    assert_eq!(message(panic::catch_unwind(AssertUnwindSafe(|| *LazyLock::force_mut(&mut alone)))), "failed");
    assert_eq!(message(panic::catch_unwind(AssertUnwindSafe(|| *alone))), POISONED);
    assert_eq!(message(panic::catch_unwind(AssertUnwindSafe(|| *LazyLock::force_mut(&mut alone)))), POISONED);
}

#[test]
fn a_waiting_use_panics_if_the_making_one_does() {
    crate::begin();
    let inside = raw::Barrier::new(2);
    let lazy: LazyLock<u8, _> = LazyLock::new(|| {
        inside.wait();
        panic::resume_unwind(Box::new("failed"))
    });
    thread::scope(|scope| {
        let making = scope.spawn(|| *lazy);
        inside.wait();
        assert_eq!(message(panic::catch_unwind(AssertUnwindSafe(|| *lazy))), POISONED);
        assert_eq!(message(making.join()), "failed");
    });
}

#[test]
fn closure_and_value_are_dropped_once() {
    crate::begin();
    let shared = Rc::new(());
    let count = || Rc::strong_count(&shared) - 1;
    let lazy = |shared: Rc<()>| LazyLock::new(move || [Rc::clone(&shared), shared]);
    let unused = lazy(Rc::clone(&shared));
    assert_eq!(count(), 1);
    drop(unused);
    assert_eq!(count(), 0);
    let used = lazy(Rc::clone(&shared));
    assert_eq!(used.len(), 2);
    assert_eq!(count(), 2);
    drop(used);
    assert_eq!(count(), 0);
    let held = Rc::clone(&shared);
    let poisoned: LazyLock<u8, _> = LazyLock::new(move || {
        drop(held);
        panic::resume_unwind(Box::new(()))
    });
    assert!(panic::catch_unwind(AssertUnwindSafe(|| *poisoned)).is_err());
    assert_eq!(count(), 0);
    drop(poisoned);
    assert_eq!(count(), 0);
}

#[test]
fn text_is_that_of_std() {
    crate::begin();
    fn text(value: &impl Debug) -> [String; 2] {
        [format!("{value:?}"), format!("{value:#?}")]
    }
    let (ours, theirs) = (LazyLock::new(|| Some(1)), raw::LazyLock::new(|| Some(1)));
    assert_eq!(text(&ours), text(&theirs));
    assert_eq!(*ours, *theirs);
    assert_eq!(text(&ours), text(&theirs));
    // Only the value has to be shown.
    let closure = || 1;
    assert_eq!(text(&LazyLock::new(closure)), text(&raw::LazyLock::new(closure)));
}

#[test]
fn auto_traits_are_those_of_std() {
    crate::begin();
    macro_rules! compare {
        ($($value:ty),+) => {$(
            assert_same_auto_traits!(
                LazyLock<$value> => raw::LazyLock<$value>,
                LazyLock<$value, fn() -> $value> => raw::LazyLock<$value, fn() -> $value>,
                LazyLock<i32, $value> => raw::LazyLock<i32, $value>,
            );
        )+};
    }
    compare!(i32, Neither, OnlySend, OnlySync, Pinned, Torn, Changed);
    assert!(implements!(LazyLock<i32, OnlySend>: Sync) && !implements!(LazyLock<i32, OnlySync>: Sync));
}
