//! `pfs::sync::RwLock` has the whole stable interface of `std::sync::RwLock`, and its semantics.

#[path = "std_api/mod.rs"]
mod std_api;

use std::fmt::{Debug, Display};
use std::panic::{self, AssertUnwindSafe};
use std::sync as raw;

use pfs_runtime::sync::{
    Arc, LockResult, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError, TryLockResult,
};
use pfs_runtime::thread;
use std_api::{Changed, Neither, OnlySend, OnlySync, Pinned, Torn, assert_same_auto_traits, implements};

/// Nothing: pfs is not started here. `std_api_started.rs` runs the same tests on one that is.
#[allow(dead_code, reason = "not called where these tests are a module")]
fn begin() {}

/// Poisons `lock` by a panic of a writer.
fn poison<T: ?Sized>(lock: &RwLock<T>) {
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        let _held = lock.write();
        panic::resume_unwind(Box::new("poison"));
    }));
    assert!(outcome.is_err());
    assert!(lock.is_poisoned());
}

#[test]
fn readers_share_and_a_writer_excludes() {
    crate::begin();
    let lock = RwLock::new(1);
    {
        let (one, other) = (lock.read().unwrap(), lock.try_read().unwrap());
        assert_eq!(*one + *other, 2);
        assert!(matches!(lock.try_write(), Err(TryLockError::WouldBlock)));
    }
    {
        let mut writer = lock.write().unwrap();
        *writer += 1;
        assert_eq!(*writer, 2);
        assert!(matches!(lock.try_read(), Err(TryLockError::WouldBlock)));
        assert!(matches!(lock.try_write(), Err(TryLockError::WouldBlock)));
    }
    *lock.try_write().unwrap() += 1;
    assert_eq!(*lock.read().unwrap(), 3);
}

#[test]
fn many_threads_read_what_was_written_whole() {
    crate::begin();
    const ROUNDS: u64 = 2_000;
    let lock = RwLock::new((0_u64, 0_u64));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..ROUNDS {
                    let mut pair = lock.write().unwrap();
                    pair.0 += 1;
                    pair.1 += 1;
                }
            });
            scope.spawn(|| {
                for _ in 0..ROUNDS {
                    let pair = lock.read().unwrap();
                    assert_eq!(pair.0, pair.1);
                }
            });
        }
    });
    assert_eq!(lock.into_inner().unwrap(), (2 * ROUNDS, 2 * ROUNDS));
}

#[test]
fn a_blocked_writer_goes_on_when_the_reader_leaves() {
    crate::begin();
    let lock = RwLock::new(0);
    let reader = lock.read().unwrap();
    thread::scope(|scope| {
        let writer = scope.spawn(|| *lock.write().unwrap() = 1);
        assert_eq!(*reader, 0);
        drop(reader);
        writer.join().unwrap();
    });
    assert_eq!(*lock.read().unwrap(), 1);
}

#[test]
fn a_downgrade_keeps_writers_out_and_lets_readers_in() {
    crate::begin();
    let lock = RwLock::new(1);
    let mut writer = lock.write().unwrap();
    *writer = 2;
    let reader = RwLockWriteGuard::downgrade(writer);
    assert_eq!(*reader, 2);
    assert_eq!(*lock.try_read().unwrap(), 2);
    assert!(matches!(lock.try_write(), Err(TryLockError::WouldBlock)));
    drop(reader);
    assert_eq!(*lock.try_write().unwrap(), 2);
}

#[test]
fn a_downgrade_wakes_blocked_readers() {
    crate::begin();
    let lock = RwLock::new(0);
    let mut writer = lock.write().unwrap();
    thread::scope(|scope| {
        let readers: Vec<_> = (0..3).map(|_| scope.spawn(|| *lock.read().unwrap())).collect();
        *writer = 5;
        let reader = RwLockWriteGuard::downgrade(writer);
        for other in readers {
            assert_eq!(other.join().unwrap(), 5);
        }
        drop(reader);
    });
}

#[test]
fn a_panic_of_a_writer_poisons_and_a_readers_does_not() {
    crate::begin();
    let lock = RwLock::new(vec![1]);
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        let _held = lock.read();
        panic::resume_unwind(Box::new(()));
    }));
    assert!(outcome.is_err());
    assert!(!lock.is_poisoned());

    poison(&lock);
    assert_eq!(*lock.read().unwrap_err().into_inner(), [1]);
    lock.write().unwrap_err().into_inner().push(2);
    match lock.try_read() {
        Err(TryLockError::Poisoned(error)) => assert_eq!(**error.get_ref(), [1, 2]),
        other => panic!("expected poison, found {other:?}"),
    }
    match lock.try_write() {
        Err(TryLockError::Poisoned(mut error)) => error.get_mut().push(3),
        other => panic!("expected poison, found {other:?}"),
    }
    lock.clear_poison();
    assert!(!lock.is_poisoned());
    assert_eq!(*lock.read().unwrap(), [1, 2, 3]);
}

#[test]
fn a_downgraded_guard_does_not_poison() {
    crate::begin();
    let lock = RwLock::new(0);
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        let _reader = RwLockWriteGuard::downgrade(lock.write().unwrap());
        panic::resume_unwind(Box::new(()));
    }));
    let std_lock = raw::RwLock::new(0);
    let std_outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        let _reader = raw::RwLockWriteGuard::downgrade(std_lock.write().unwrap());
        panic::resume_unwind(Box::new(()));
    }));
    assert!(outcome.is_err() && std_outcome.is_err());
    assert_eq!(lock.is_poisoned(), std_lock.is_poisoned());
}

#[test]
fn the_value_comes_out_with_the_poison() {
    crate::begin();
    let mut lock = RwLock::new(String::from("a"));
    lock.get_mut().unwrap().push('b');
    poison(&lock);
    lock.get_mut().unwrap_err().get_mut().push('c');
    assert_eq!(lock.into_inner().unwrap_err().into_inner(), "abc");
    assert_eq!(RwLock::new(5).into_inner().unwrap(), 5);
}

#[test]
fn question_mark_converts_poison_into_a_try_error() {
    crate::begin();
    fn both<'a>(one: &'a RwLock<i32>, other: &'a RwLock<i32>) -> TryLockResult<RwLockReadGuard<'a, i32>> {
        drop(one.read()?);
        other.try_read()
    }
    let (sound, sick) = (RwLock::new(1), RwLock::new(2));
    poison(&sick);
    assert_eq!(*both(&sound, &sound).unwrap(), 1);
    assert!(matches!(both(&sick, &sound), Err(TryLockError::Poisoned(_))));
}

#[test]
#[expect(clippy::declare_interior_mutable_const, reason = "std's locks can be such constants")]
fn default_from_and_const() {
    crate::begin();
    const EMPTY: RwLock<[u8; 2]> = RwLock::new([0; 2]);
    static ONE: RwLock<[u8; 2]> = EMPTY;
    static MANY: [RwLock<i32>; 3] = [const { RwLock::new(7) }; 3];

    ONE.write().unwrap()[1] = 9;
    assert_eq!(*ONE.read().unwrap(), [0, 9]);
    assert_eq!(MANY.iter().map(|lock| *lock.read().unwrap()).sum::<i32>(), 21);
    assert_eq!(*RwLock::<String>::default().read().unwrap(), "");
    let from: RwLock<&str> = "text".into();
    assert_eq!(*from.read().unwrap(), "text");
    let locks: Vec<RwLock<i32>> = [1, 2].into_iter().map(RwLock::new).collect();
    let guards: Vec<_> = locks.iter().map(RwLock::read).map(LockResult::unwrap).collect();
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
    let (ours, theirs) = (RwLock::new(Some(1)), raw::RwLock::new(Some(1)));
    assert_eq!(text(&ours), text(&theirs));
    {
        let (our_guard, their_guard) = (ours.read().unwrap(), theirs.read().unwrap());
        assert_eq!(text(&ours), text(&theirs));
        assert_eq!(text(&our_guard), text(&their_guard));
    }
    {
        let (our_guard, their_guard) = (ours.write().unwrap(), theirs.write().unwrap());
        assert_eq!(text(&ours), text(&theirs));
        assert_eq!(text(&our_guard), text(&their_guard));
    }
    poison(&ours);
    let _ = panic::catch_unwind(AssertUnwindSafe(|| {
        let _held = theirs.write();
        panic::resume_unwind(Box::new(()));
    }));
    assert_eq!(text(&ours), text(&theirs));
    assert_eq!(text(&ours.read()), text(&theirs.read()));
    assert_eq!(text(&ours.write()), text(&theirs.write()));

    let lock = RwLock::new(12);
    assert_eq!(shown(lock.read().unwrap()), "  12|");
    assert_eq!(shown(lock.write().unwrap()), "  12|");
}

#[test]
fn a_lock_unsizes_as_its_value_does() {
    crate::begin();
    let lock: Arc<RwLock<dyn Debug + Send + Sync>> = Arc::new(RwLock::new(5));
    assert_eq!(format!("{:?}", lock.read().unwrap()), "5");
    let boxed: Box<RwLock<[i32]>> = Box::new(RwLock::new([1, 2]));
    boxed.write().unwrap()[0] = 3;
    let mut sized = RwLock::new([9]);
    assert_eq!(*boxed.try_read().unwrap(), [3, 2]);
    assert_eq!(*RwLockWriteGuard::downgrade(boxed.try_write().unwrap()), [3, 2]);
    let changed: &mut RwLock<[i32]> = &mut sized;
    changed.get_mut().unwrap()[0] = 4;
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
                RwLock<$value> => raw::RwLock<$value>,
                RwLockReadGuard<'static, $value> => raw::RwLockReadGuard<'static, $value>,
                RwLockWriteGuard<'static, $value> => raw::RwLockWriteGuard<'static, $value>,
            );
        )+};
    }
    compare!(i32, Neither, OnlySend, OnlySync, Pinned, Torn, Changed, dyn Debug, [String]);

    assert!(!implements!(RwLock<OnlySend>: Sync));
    assert!(implements!(RwLock<OnlySend>: Send));
    assert!(!implements!(RwLockReadGuard<'static, u8>: Send));
    assert!(implements!(RwLockReadGuard<'static, u8>: Sync));
}

/// Variance and drop check: that these compile is the test. What must not compile stands in `sync`'s own doctests.
#[test]
#[expect(clippy::needless_late_init, reason = "the order of drops is what is tested")]
fn lifetimes_are_those_of_std() {
    crate::begin();
    // Only reads: covariant in its value.
    fn shorten_value<'short>(
        guard: RwLockReadGuard<'short, &'static str>,
    ) -> RwLockReadGuard<'short, &'short str> {
        guard
    }
    fn shorten_guard<'short, 'long: 'short>(
        guard: RwLockWriteGuard<'long, &'static str>,
    ) -> RwLockWriteGuard<'short, &'static str> {
        guard
    }
    let lock = RwLock::new("text");
    assert_eq!(*shorten_value(lock.read().unwrap()), "text");
    assert_eq!(*shorten_guard(lock.write().unwrap()), "text");

    // Dropped after what it borrows, which only a type without `Drop` of its own may be.
    let late: RwLock<&String>;
    let text = String::from("short-lived");
    late = RwLock::new(&text);
    assert_eq!(late.read().unwrap().len(), 11);
}

#[test]
fn a_forgotten_guard_keeps_the_lock() {
    crate::begin();
    let lock = RwLock::new(1);
    std::mem::forget(lock.read().unwrap());
    assert!(lock.try_read().is_ok());
    assert!(matches!(lock.try_write(), Err(TryLockError::WouldBlock)));
    let other = RwLock::new(1);
    std::mem::forget(other.write().unwrap());
    assert!(matches!(other.try_read(), Err(TryLockError::WouldBlock)));
}
