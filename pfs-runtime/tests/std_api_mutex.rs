//! `pfs::sync::Mutex` has the whole stable interface of `std::sync::Mutex`, and its semantics.

#[path = "std_api/mod.rs"]
mod std_api;

use std::cell::Cell;
use std::fmt::{Debug, Display};
use std::panic::{self, AssertUnwindSafe};
use std::sync as raw;

use pfs_runtime::sync::{
    Arc, LazyLock, LockResult, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError, TryLockResult,
};
use pfs_runtime::thread;
use std_api::{Changed, Neither, OnlySend, OnlySync, Pinned, Torn, assert_same_auto_traits, implements};

/// Nothing: pfs is not started here. `std_api_started.rs` runs the same tests on one that is.
#[allow(dead_code, reason = "not called where these tests are a module")]
fn begin() {}

/// Poisons `lock` by a panic of a holder.
fn poison<T: ?Sized>(lock: &Mutex<T>) {
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        let _held = lock.lock();
        panic::resume_unwind(Box::new("poison"));
    }));
    assert!(outcome.is_err());
    assert!(lock.is_poisoned());
}

#[test]
fn lock_gives_the_value_and_excludes() {
    crate::begin();
    let lock = Mutex::new(1);
    let mut held = lock.lock().unwrap();
    *held += 1;
    assert_eq!(*held, 2);
    assert!(matches!(lock.try_lock(), Err(TryLockError::WouldBlock)));
    drop(held);
    assert_eq!(*lock.try_lock().unwrap(), 2);
}

#[test]
fn every_increment_of_many_threads_counts() {
    crate::begin();
    const THREADS: u64 = 4;
    const ROUNDS: u64 = 5_000;
    let lock = Arc::new(Mutex::new(0_u64));
    let threads: Vec<_> = (0..THREADS)
        .map(|_| {
            let lock = Arc::clone(&lock);
            thread::spawn(move || (0..ROUNDS).for_each(|_| *lock.lock().unwrap() += 1))
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(*lock.lock().unwrap(), THREADS * ROUNDS);
}

#[test]
fn a_blocked_lock_goes_on_when_the_holder_leaves() {
    crate::begin();
    let lock = Mutex::new(Vec::new());
    let mut held = lock.lock().unwrap();
    thread::scope(|scope| {
        let blocked = scope.spawn(|| lock.lock().unwrap().push("second"));
        held.push("first");
        drop(held);
        blocked.join().unwrap();
    });
    assert_eq!(lock.into_inner().unwrap(), ["first", "second"]);
}

#[test]
fn a_panic_of_a_holder_poisons() {
    crate::begin();
    let lock = Mutex::new(vec![1]);
    assert!(!lock.is_poisoned());
    poison(&lock);

    let error: PoisonError<MutexGuard<'_, Vec<i32>>> = lock.lock().unwrap_err();
    assert_eq!(**error.get_ref(), [1]);
    error.into_inner().push(2);
    assert!(lock.is_poisoned());

    match lock.try_lock() {
        Err(TryLockError::Poisoned(mut error)) => error.get_mut().push(3),
        other => panic!("expected poison, found {other:?}"),
    }
    lock.clear_poison();
    assert!(!lock.is_poisoned());
    assert_eq!(*lock.lock().unwrap(), [1, 2, 3]);
}

#[test]
fn a_held_poisoned_lock_would_block() {
    crate::begin();
    let lock = Mutex::new(());
    poison(&lock);
    let held = lock.lock().unwrap_err().into_inner();
    assert!(matches!(lock.try_lock(), Err(TryLockError::WouldBlock)));
    drop(held);
}

#[test]
fn a_guard_taken_while_panicking_does_not_poison() {
    crate::begin();
    struct LocksOnDrop<'a>(&'a Mutex<i32>);
    impl Drop for LocksOnDrop<'_> {
        fn drop(&mut self) {
            *self.0.lock().unwrap() += 1;
        }
    }
    let lock = Mutex::new(0);
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        let _locks = LocksOnDrop(&lock);
        panic::resume_unwind(Box::new(()));
    }));
    assert!(outcome.is_err());
    assert!(!lock.is_poisoned());
    assert_eq!(*lock.lock().unwrap(), 1);
}

#[test]
fn the_value_comes_out_with_the_poison() {
    crate::begin();
    let mut lock = Mutex::new(String::from("a"));
    lock.get_mut().unwrap().push('b');
    poison(&lock);
    lock.get_mut().unwrap_err().get_mut().push('c');
    assert_eq!(lock.into_inner().unwrap_err().into_inner(), "abc");
    assert_eq!(Mutex::new(5).into_inner().unwrap(), 5);
}

#[test]
fn question_mark_converts_poison_into_a_try_error() {
    crate::begin();
    fn both<'a>(one: &'a Mutex<i32>, other: &'a Mutex<i32>) -> TryLockResult<MutexGuard<'a, i32>> {
        drop(one.lock()?);
        other.try_lock()
    }
    let (sound, sick) = (Mutex::new(1), Mutex::new(2));
    poison(&sick);
    assert_eq!(*both(&sound, &sound).unwrap(), 1);
    assert!(matches!(both(&sick, &sound), Err(TryLockError::Poisoned(_))));
}

#[test]
#[expect(clippy::declare_interior_mutable_const, reason = "std's locks can be such constants")]
fn default_from_and_const() {
    crate::begin();
    #[derive(Default, Debug)]
    struct Holds {
        lock: Mutex<u8>,
    }

    const EMPTY: Mutex<[u8; 2]> = Mutex::new([0; 2]);
    static ONE: Mutex<[u8; 2]> = EMPTY;
    static MANY: [Mutex<i32>; 3] = [const { Mutex::new(7) }; 3];
    static LAZY: LazyLock<Mutex<Vec<i32>>> = LazyLock::new(|| Mutex::new(vec![1]));
    static ONCE: OnceLock<Mutex<i32>> = OnceLock::new();
    std::thread_local!(static LOCAL: Mutex<i32> = const { Mutex::new(8) });

    ONE.lock().unwrap()[1] = 9;
    assert_eq!(*ONE.lock().unwrap(), [0, 9]);
    assert_eq!(MANY.iter().map(|lock| *lock.lock().unwrap()).sum::<i32>(), 21);
    LAZY.lock().unwrap().push(2);
    assert_eq!(*LAZY.lock().unwrap(), [1, 2]);
    assert_eq!(*ONCE.get_or_init(|| Mutex::from(3)).lock().unwrap(), 3);
    assert_eq!(LOCAL.with(|lock| *lock.lock().unwrap()), 8);
    assert_eq!(*Mutex::<String>::default().lock().unwrap(), "");
    let from: Mutex<&str> = "text".into();
    assert_eq!(*from.lock().unwrap(), "text");
    assert_eq!(*Holds::default().lock.lock().unwrap(), 0);
}

#[test]
fn constructor_and_methods_are_function_values() {
    crate::begin();
    let locks: Vec<Mutex<i32>> = [1, 2].into_iter().map(Mutex::new).collect();
    let guards: Vec<MutexGuard<'_, i32>> = locks.iter().map(Mutex::lock).map(LockResult::unwrap).collect();
    assert_eq!(guards.iter().map(|guard| **guard).sum::<i32>(), 3);
}

#[test]
fn text_is_that_of_std() {
    crate::begin();
    fn text<T: Debug + ?Sized>(value: &T) -> [String; 2] {
        [format!("{value:?}"), format!("{value:#?}")]
    }
    fn shown(value: impl Display) -> String {
        format!("{value:>4}|")
    }
    let (ours, theirs) = (Mutex::new(Some(1)), raw::Mutex::new(Some(1)));
    assert_eq!(text(&ours), text(&theirs));
    {
        let (our_guard, their_guard) = (ours.lock().unwrap(), theirs.lock().unwrap());
        assert_eq!(text(&ours), text(&theirs));
        assert_eq!(text(&our_guard), text(&their_guard));
    }
    poison(&ours);
    let _ = panic::catch_unwind(AssertUnwindSafe(|| {
        let _held = theirs.lock();
        panic::resume_unwind(Box::new(()));
    }));
    assert_eq!(text(&ours), text(&theirs));
    assert_eq!(text(&ours.lock()), text(&theirs.lock()));
    assert_eq!(ours.lock().unwrap_err().to_string(), theirs.lock().unwrap_err().to_string());

    assert_eq!(shown(Mutex::new(12).lock().unwrap()), "  12|");
}

#[test]
fn a_lock_unsizes_as_its_value_does() {
    crate::begin();
    let lock: Arc<Mutex<dyn Debug + Send>> = Arc::new(Mutex::new(5));
    assert_eq!(format!("{:?}", lock.lock().unwrap()), "5");
    let boxed: Box<Mutex<[i32]>> = Box::new(Mutex::new([1, 2]));
    boxed.lock().unwrap()[0] = 3;
    let (borrowed, mut sized): (&Mutex<[i32]>, Mutex<[i32; 1]>) = (&boxed, Mutex::new([9]));
    assert_eq!(*borrowed.try_lock().unwrap(), [3, 2]);
    let changed: &mut Mutex<[i32]> = &mut sized;
    changed.get_mut().unwrap()[0] = 4;
    assert!(!changed.is_poisoned());
    poison(changed);
    changed.clear_poison();
    assert_eq!(sized.into_inner().unwrap(), [4]);
}

#[test]
fn auto_traits_are_those_of_std() {
    crate::begin();
    macro_rules! compare {
        ($($value:ty),+) => {$(
            assert_same_auto_traits!(
                Mutex<$value> => raw::Mutex<$value>,
                MutexGuard<'static, $value> => raw::MutexGuard<'static, $value>,
            );
        )+};
    }
    compare!(i32, Neither, OnlySend, OnlySync, Pinned, Torn, Changed, dyn Debug, [String]);

    // The comparison itself can tell.
    assert!(implements!(Mutex<OnlySend>: Sync));
    assert!(!implements!(Mutex<Neither>: Sync));
    assert!(!implements!(MutexGuard<'static, u8>: Send));
    assert!(implements!(MutexGuard<'static, u8>: Sync));
    assert!(!implements!(MutexGuard<'static, OnlySend>: Sync));
}

/// Variance and drop check: that these compile is the test. What must not compile stands in `sync`'s own doctests.
#[test]
#[expect(clippy::needless_late_init, reason = "the order of drops is what is tested")]
fn lifetimes_are_those_of_std() {
    crate::begin();
    fn shorten_guard<'short, 'long: 'short>(
        guard: MutexGuard<'long, &'static str>,
    ) -> MutexGuard<'short, &'static str> {
        guard
    }
    let lock = Mutex::new("text");
    assert_eq!(*shorten_guard(lock.lock().unwrap()), "text");

    // Dropped after what it borrows, which only a type without `Drop` of its own may be.
    let late: Mutex<&String>;
    let text = String::from("short-lived");
    late = Mutex::new(&text);
    assert_eq!(late.lock().unwrap().len(), 11);
    let late_cell: Mutex<Cell<Option<&String>>>;
    let other = String::from("other");
    late_cell = Mutex::new(Cell::new(None));
    late_cell.lock().unwrap().set(Some(&other));
}

#[test]
fn a_forgotten_guard_keeps_the_lock() {
    crate::begin();
    let lock = Mutex::new(1);
    std::mem::forget(lock.lock().unwrap());
    assert!(matches!(lock.try_lock(), Err(TryLockError::WouldBlock)));
    assert_eq!(lock.into_inner().unwrap(), 1);
}

#[test]
fn the_value_is_dropped_once() {
    crate::begin();
    let value = Arc::new(());
    let lock = Mutex::new(Arc::clone(&value));
    drop(lock.lock().unwrap());
    assert_eq!(Arc::strong_count(&value), 2);
    drop(lock);
    assert_eq!(Arc::strong_count(&value), 1);
    let out = Mutex::new(Arc::clone(&value)).into_inner().unwrap();
    assert_eq!(Arc::strong_count(&value), 2);
    drop(out);
}
