//! `pfs::sync::OnceLock` has the whole stable interface of `std::sync::OnceLock`, and its semantics.

#[path = "std_api/mod.rs"]
mod std_api;

use std::fmt::Debug;
use std::panic::{self, AssertUnwindSafe};
use std::sync as raw;
use std::sync::atomic::{AtomicU32, Ordering};

use pfs_runtime::sync::OnceLock;
use pfs_runtime::thread;
use std_api::{Changed, Neither, OnlySend, OnlySync, Pinned, Torn, assert_same_auto_traits, implements};

/// Nothing: pfs is not started here. `std_api_started.rs` runs the same tests on one that is.
#[allow(dead_code, reason = "not called where these tests are a module")]
fn begin() {}

#[test]
fn one_of_many_threads_makes_the_value() {
    crate::begin();
    const THREADS: u32 = 8;
    static CELL: OnceLock<String> = OnceLock::new();
    static MADE: AtomicU32 = AtomicU32::new(0);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|index| {
                scope.spawn(move || {
                    let value = CELL.get_or_init(|| {
                        MADE.fetch_add(1, Ordering::Relaxed);
                        index.to_string()
                    });
                    std::ptr::from_ref(value).addr()
                })
            })
            .collect();
        let first = std::ptr::from_ref(CELL.wait()).addr();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), first);
        }
    });
    assert_eq!(MADE.load(Ordering::Relaxed), 1);
    assert!(CELL.get().unwrap().parse::<u32>().unwrap() < THREADS);
}

#[test]
fn a_value_is_set_once_and_given_back_after() {
    crate::begin();
    let cell = OnceLock::new();
    assert_eq!(cell.get(), None);
    assert_eq!(cell.set(String::from("first")), Ok(()));
    assert_eq!(cell.set(String::from("second")), Err(String::from("second")));
    assert_eq!(cell.get_or_init(|| unreachable!("it is set")), "first");
    assert_eq!(cell.wait(), "first");

    // Set while another thread makes one: either is kept, and the other given back.
    let (cell, making) = (OnceLock::new(), raw::Barrier::new(2));
    thread::scope(|scope| {
        scope.spawn(|| {
            cell.get_or_init(|| {
                making.wait();
                1
            });
        });
        making.wait();
        assert_eq!(cell.set(2), Err(2));
    });
    assert_eq!(cell.into_inner(), Some(1));
}

#[test]
fn a_value_is_changed_taken_and_made_again() {
    crate::begin();
    let mut cell = OnceLock::new();
    assert_eq!(cell.get_mut(), None);
    assert_eq!(cell.take(), None);
    cell.set(vec![1]).unwrap();
    cell.get_mut().unwrap().push(2);
    assert_eq!(cell.take(), Some(vec![1, 2]));
    assert_eq!(cell.get(), None);
    assert_eq!(cell.get_or_init(|| vec![3]), &[3]);
    assert_eq!(cell.into_inner(), Some(vec![3]));
    assert_eq!(OnceLock::<u8>::new().into_inner(), None);
}

#[test]
fn a_closure_that_panics_leaves_it_empty() {
    crate::begin();
    let cell = OnceLock::new();
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        cell.get_or_init(|| panic::resume_unwind(Box::new("failed")));
    }));
    assert!(outcome.is_err());
    assert_eq!(cell.get(), None);
    thread::scope(|scope| {
        let waiter = scope.spawn(|| *cell.wait());
        assert_eq!(cell.get_or_init(|| 5), &5);
        assert_eq!(waiter.join().unwrap(), 5);
    });
}

#[test]
fn each_value_is_dropped_once() {
    crate::begin();
    struct Counted<'a>(&'a AtomicU32);
    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let drops = AtomicU32::new(0);
    let dropped = || drops.load(Ordering::Relaxed);
    drop(OnceLock::<Counted<'_>>::new());
    assert_eq!(dropped(), 0);
    let cell = OnceLock::from(Counted(&drops));
    drop(cell.set(Counted(&drops)));
    assert_eq!(dropped(), 1);
    drop(cell);
    assert_eq!(dropped(), 2);
    let mut cell = OnceLock::from(Counted(&drops));
    drop(cell.take());
    assert_eq!(dropped(), 3);
    drop(cell);
    assert_eq!(dropped(), 3);
    drop(OnceLock::from(Counted(&drops)).into_inner());
    assert_eq!(dropped(), 4);
}

#[test]
fn made_in_const_by_default_from_a_value_and_by_clone() {
    crate::begin();
    static EMPTY: OnceLock<u8> = OnceLock::new();
    static MANY: [OnceLock<String>; 2] = [const { OnceLock::new() }; 2];
    assert_eq!(EMPTY.set(1), Ok(()));
    assert_eq!(MANY[1].get_or_init(|| "made".to_owned()), "made");
    assert_eq!(MANY[0].get(), None);
    assert_eq!(OnceLock::<String>::default().get(), None);
    let from: OnceLock<&str> = "text".into();
    assert_eq!(from.clone().get(), Some(&"text"));
    assert_eq!(OnceLock::<u8>::new().clone().get(), None);
    let copy = from.clone();
    drop(from);
    assert_eq!(copy.into_inner(), Some("text"));
}

#[test]
fn cells_compare_by_their_values() {
    crate::begin();
    fn same<T: Eq>(left: &OnceLock<T>, right: &OnceLock<T>) -> bool {
        left == right
    }
    assert!(same(&OnceLock::from(1), &OnceLock::from(1)));
    assert!(!same(&OnceLock::from(1), &OnceLock::from(2)));
    assert!(!same(&OnceLock::from(1), &OnceLock::new()));
    assert!(same(&OnceLock::<u8>::new(), &OnceLock::new()));
    assert!(OnceLock::from(f32::NAN) != OnceLock::from(f32::NAN));
}

#[test]
fn text_and_auto_traits_are_those_of_std() {
    crate::begin();
    fn text(value: impl Debug) -> [String; 2] {
        [format!("{value:?}"), format!("{value:#?}")]
    }
    assert_eq!(text(OnceLock::from(Some(1))), text(raw::OnceLock::from(Some(1))));
    assert_eq!(text(OnceLock::<u8>::new()), text(raw::OnceLock::<u8>::new()));

    macro_rules! compare {
        ($($value:ty),+) => {$(
            assert_same_auto_traits!(OnceLock<$value> => raw::OnceLock<$value>);
            assert_eq!(implements!(OnceLock<$value>: PartialEq), implements!(raw::OnceLock<$value>: PartialEq));
            assert_eq!(implements!(OnceLock<$value>: Eq), implements!(raw::OnceLock<$value>: Eq));
        )+};
    }
    compare!(i32, f32, Neither, OnlySend, OnlySync, Pinned, Torn, Changed);
    assert!(implements!(OnceLock<OnlySend>: Send) && !implements!(OnceLock<OnlySend>: Sync));
}

/// Drop check: that this compiles is the test. What must not compile stands in `sync`'s own doctests.
#[test]
#[expect(clippy::needless_late_init, reason = "the order of drops is what is tested")]
fn lifetimes_are_those_of_std() {
    crate::begin();
    // Dropped after what it borrows, which only a type without `Drop` of its own may be.
    let late: OnceLock<&String>;
    let text = String::from("short-lived");
    late = OnceLock::from(&text);
    assert_eq!(late.get().unwrap().len(), 11);

    // A cell may hold what refers to the cell.
    struct Node<'a>(OnceLock<&'a Self>);
    let node = Node(OnceLock::new());
    assert!(node.0.set(&node).is_ok());
    assert!(std::ptr::eq(*node.0.get().unwrap(), &raw const node));
}
