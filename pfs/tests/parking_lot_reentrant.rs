//! `pfs::parking_lot::ReentrantMutex` has the whole interface of parking_lot's, and its semantics.

#![cfg(feature = "parking_lot")]

use std::cell::{Cell, RefCell};
use std::fmt::{Debug, Display};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use pfs::parking_lot::lock_api::{ArcReentrantMutexGuard, GetThreadId, RawMutex as _};
use pfs::parking_lot::{
    MappedReentrantMutexGuard, RawMutex, RawThreadId, ReentrantMutex, ReentrantMutexGuard,
    const_reentrant_mutex,
};

/// Nothing: pfs is not started here. `parking_lot_started.rs` runs the same tests on one that is.
#[allow(dead_code, reason = "not called where these tests are a module")]
fn begin() {}

const SHORT: Duration = Duration::from_millis(1);
/// No test waits so long, unless it fails.
const LONG: Duration = Duration::from_mins(10);

fn soon() -> Instant {
    Instant::now() + SHORT
}

fn late() -> Instant {
    Instant::now() + LONG
}

/// Whether another thread could have the mutex now.
fn is_free<T: Sync + Send + ?Sized>(lock: &ReentrantMutex<T>) -> bool {
    thread::scope(|scope| scope.spawn(|| lock.try_lock().is_some()).join().unwrap())
}

static STATIC: ReentrantMutex<u32> = ReentrantMutex::new(1);
static BY_FUNCTION: ReentrantMutex<u32> = const_reentrant_mutex(2);
static FROM_RAW: ReentrantMutex<u32> = ReentrantMutex::from_raw(RawMutex::INIT, RawThreadId::INIT, 3);
static CONST_NEW: ReentrantMutex<u32> = ReentrantMutex::const_new(RawMutex::INIT, RawThreadId::INIT, 4);

#[test]
fn every_way_to_make_one() {
    crate::begin();
    assert_eq!(*STATIC.lock() + *BY_FUNCTION.lock() + *FROM_RAW.lock() + *CONST_NEW.lock(), 10);
    assert_eq!(*ReentrantMutex::<u8>::default().lock(), 0);
    let from: ReentrantMutex<&str> = "text".into();
    assert_eq!(*from.lock(), "text");
    let mut lock = ReentrantMutex::new(String::from("moved"));
    lock.get_mut().push('!');
    assert_eq!(lock.into_inner(), "moved!");
    let of_unsized: &ReentrantMutex<[i32]> = &ReentrantMutex::new([1, 2, 3]);
    assert_eq!(of_unsized.lock().len(), 3);
    let of_a_trait: Arc<ReentrantMutex<dyn Display + Send + Sync>> = Arc::new(ReentrantMutex::new(6));
    assert_eq!(of_a_trait.lock_arc().to_string(), "6");
    assert_eq!(ReentrantMutex::new("7").lock().to_string(), "7");
}

#[test]
fn its_owner_has_it_as_often_as_it_likes() {
    crate::begin();
    let lock = ReentrantMutex::new(1);
    assert!(!lock.is_locked() && !lock.is_owned_by_current_thread());
    let guards = [
        lock.lock(),
        lock.lock(),
        lock.try_lock().unwrap(),
        lock.try_lock_for(SHORT).unwrap(),
        lock.try_lock_until(soon()).unwrap(),
    ];
    assert!(lock.is_locked() && lock.is_owned_by_current_thread());
    for guard in guards {
        assert!(!is_free(&lock));
        assert_eq!(*guard, 1);
        drop(guard);
    }
    assert!(is_free(&lock) && !lock.is_locked() && !lock.is_owned_by_current_thread());
}

#[test]
fn others_are_kept_out() {
    crate::begin();
    let lock = ReentrantMutex::new(1);
    let held = lock.lock();
    thread::scope(|scope| {
        scope.spawn(|| {
            assert!(lock.is_locked() && !lock.is_owned_by_current_thread());
            assert!(lock.try_lock().is_none());
            assert!(lock.try_lock_for(SHORT).is_none());
            assert!(lock.try_lock_until(soon()).is_none());
        });
    });
    thread::scope(|scope| {
        let waiters = [
            scope.spawn(|| *lock.lock()),
            scope.spawn(|| *lock.try_lock_for(LONG).unwrap()),
            scope.spawn(|| *lock.try_lock_until(late()).unwrap()),
        ];
        drop(held);
        for waiter in waiters {
            assert_eq!(waiter.join().unwrap(), 1);
        }
    });
}

#[test]
fn no_change_is_lost() {
    crate::begin();
    let lock = ReentrantMutex::new(RefCell::new(0));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..1_000 {
                    let outer = lock.lock();
                    let before = *outer.borrow();
                    *lock.lock().borrow_mut() += 1;
                    assert_eq!(*outer.borrow(), before + 1);
                }
            });
        }
    });
    assert_eq!(lock.into_inner().into_inner(), 4_000);
}

#[test]
fn a_panic_unlocks_and_poisons_nothing() {
    crate::begin();
    let lock = ReentrantMutex::new(1);
    let outer = lock.lock();
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        let _inner = lock.lock();
        panic::resume_unwind(Box::new(()));
    }));
    assert!(outcome.is_err());
    assert!(!is_free(&lock));
    drop(outer);
    assert!(is_free(&lock));
}

#[test]
fn what_is_unlocked_for_a_while_is_taken_back() {
    crate::begin();
    let lock = ReentrantMutex::new(1);
    let mut guard = lock.lock();
    assert!(ReentrantMutexGuard::unlocked(&mut guard, || is_free(&lock)));
    assert!(ReentrantMutexGuard::unlocked_fair(&mut guard, || is_free(&lock)));
    assert!(!is_free(&lock));
    let mut inner = lock.lock();
    // Only one of two acquisitions is undone.
    assert!(!ReentrantMutexGuard::unlocked(&mut inner, || is_free(&lock)));
    ReentrantMutexGuard::bump(&mut inner);
    assert!(!is_free(&lock));
    ReentrantMutexGuard::unlock_fair(inner);
    assert!(!is_free(&lock));
    ReentrantMutexGuard::unlock_fair(guard);
    assert!(is_free(&lock));
}

#[test]
fn a_bump_lets_a_waiter_in() {
    crate::begin();
    let lock = ReentrantMutex::new(Cell::new(0));
    let mut guard = lock.lock();
    thread::scope(|scope| {
        scope.spawn(|| lock.lock().set(1));
        while guard.get() == 0 {
            ReentrantMutexGuard::bump(&mut guard);
            thread::yield_now();
        }
    });
    assert!(lock.is_owned_by_current_thread());
}

#[test]
fn what_is_forgotten_stays_locked_until_it_is_unlocked_by_force() {
    crate::begin();
    let lock = Arc::new(ReentrantMutex::new(1));
    std::mem::forget(lock.lock());
    std::mem::forget(lock.lock());
    // SAFETY: the guard was forgotten.
    unsafe { lock.force_unlock() }
    assert!(!is_free(&lock));
    // SAFETY: the guard was forgotten.
    unsafe { lock.force_unlock_fair() }
    assert!(is_free(&lock));
    std::mem::forget((lock.lock(), lock.lock()));
    // SAFETY: the guards were forgotten.
    let guards = unsafe { (lock.make_guard_unchecked(), lock.make_arc_guard_unchecked()) };
    assert_eq!((*guards.0, *guards.1, is_free(&lock)), (1, 1, false));
    drop(guards);
    assert_eq!((Arc::strong_count(&lock), is_free(&lock)), (1, true));
    // SAFETY: nobody changes the value.
    assert_eq!(unsafe { *lock.data_ptr() }, 1);
    // SAFETY: it is only looked at.
    assert!(!unsafe { lock.raw() }.is_locked());
}

#[test]
fn a_mapped_guard_holds_the_mutex() {
    crate::begin();
    let lock = ReentrantMutex::new((1, [2, 3]));
    let guard = ReentrantMutexGuard::try_map(lock.lock(), |_| None::<&u8>).unwrap_err();
    let (guard, why) = ReentrantMutexGuard::try_map_or_err(guard, |_| Err::<&u8, _>("no")).unwrap_err();
    assert_eq!(why, "no");
    let guard = ReentrantMutexGuard::map(guard, |value| &value.1);
    let guard = MappedReentrantMutexGuard::try_map(guard, |_| None::<&u8>).unwrap_err();
    let (guard, why) =
        MappedReentrantMutexGuard::try_map_or_err(guard, |_| Err::<&u8, _>("never")).unwrap_err();
    assert_eq!(why, "never");
    let guard = MappedReentrantMutexGuard::map(guard, |array| &array[0]);
    assert_eq!((format!("{guard}"), format!("{guard:?}")), ("2".into(), "2".into()));
    assert!(!is_free(&lock));
    MappedReentrantMutexGuard::unlock_fair(guard);
    assert!(is_free(&lock));
    let guard = ReentrantMutexGuard::try_map(lock.lock(), |value| Some(&value.1)).unwrap();
    drop(MappedReentrantMutexGuard::try_map(guard, |array| array.first()).unwrap());
    let guard = ReentrantMutexGuard::try_map_or_err(lock.lock(), |value| Ok::<_, ()>(&value.1)).ok().unwrap();
    let guard = MappedReentrantMutexGuard::try_map_or_err(guard, |array| Ok::<_, ()>(&array[1]));
    assert_eq!(*guard.ok().unwrap(), 3);
    assert!(is_free(&lock));
}

#[test]
fn a_guard_may_own_its_mutex() {
    crate::begin();
    let lock = Arc::new(ReentrantMutex::new(1));
    let mut guard: ArcReentrantMutexGuard<RawMutex, RawThreadId, i32> = lock.lock_arc();
    let others = [
        lock.try_lock_arc().unwrap(),
        lock.try_lock_arc_for(SHORT).unwrap(),
        lock.try_lock_arc_until(soon()).unwrap(),
    ];
    assert_eq!((*guard, *others[2], Arc::strong_count(&lock)), (1, 1, 5));
    drop(others);
    assert_eq!((Arc::strong_count(&lock), is_free(&lock)), (2, false));
    assert_eq!(Arc::strong_count(ArcReentrantMutexGuard::remutex(&guard)), 2);
    assert!(ArcReentrantMutexGuard::unlocked(&mut guard, || is_free(&lock)));
    assert!(ArcReentrantMutexGuard::unlocked_fair(&mut guard, || is_free(&lock)));
    ArcReentrantMutexGuard::bump(&mut guard);
    thread::scope(|scope| {
        scope.spawn(|| {
            assert!(lock.try_lock_arc().is_none());
            assert!(lock.try_lock_arc_for(SHORT).is_none());
            assert!(lock.try_lock_arc_until(soon()).is_none());
        });
    });
    ArcReentrantMutexGuard::unlock_fair(guard);
    drop(ArcReentrantMutexGuard::into_arc(lock.lock_arc()));
    drop(ArcReentrantMutexGuard::into_arc_fair(lock.lock_arc()));
    assert_eq!((Arc::strong_count(&lock), is_free(&lock)), (1, true));
    // The last owner drops the value, once.
    let value = Arc::new(());
    let guard = Arc::new(ReentrantMutex::new(value.clone())).lock_arc();
    assert_eq!(Arc::strong_count(&guard), 2);
    drop(guard);
    assert_eq!(Arc::strong_count(&value), 1);
}

#[test]
fn it_is_shown_as_parking_lots_is() {
    crate::begin();
    fn shown(value: &impl Debug) -> String {
        format!("{value:?} {value:#?}")
    }
    let (ours, theirs) = (ReentrantMutex::new(vec![1]), ::parking_lot::ReentrantMutex::new(vec![1]));
    assert_eq!(shown(&ours), shown(&theirs));
    let held = (ours.lock(), theirs.lock());
    assert_eq!(shown(&ours), shown(&theirs));
    assert_eq!(shown(&held.0), shown(&held.1));
    let by_another = thread::scope(|scope| scope.spawn(|| format!("{ours:?}")).join().unwrap());
    assert_eq!(by_another, "ReentrantMutex { data: <locked> }");
    assert!(ReentrantMutexGuard::remutex(&held.0).is_owned_by_current_thread());
}

#[cfg(feature = "serde")]
#[test]
fn its_value_is_what_is_serialized() {
    use serde::de::IntoDeserializer;
    use serde::de::value::{Error, U8Deserializer};
    use serde::{Deserialize, Serialize};

    struct Serialized(ReentrantMutex<u8>);
    impl Display for Serialized {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            self.0.serialize(f)
        }
    }

    crate::begin();
    let seven: U8Deserializer<Error> = 7_u8.into_deserializer();
    let lock = ReentrantMutex::deserialize(seven).unwrap();
    assert_eq!(*lock.lock(), 7);
    assert_eq!(Serialized(lock).to_string(), "7");
}
