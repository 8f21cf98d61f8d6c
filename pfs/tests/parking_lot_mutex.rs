//! `pfs::parking_lot::Mutex` and `FairMutex` have the whole interface of parking_lot's, and its semantics.

#![cfg(feature = "parking_lot")]

use std::fmt::{Debug, Display};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

use pfs::parking_lot::lock_api::{self, ArcMutexGuard, RawMutex as _};

/// Nothing: pfs is not started here. `parking_lot_started.rs` runs the same tests on one that is.
#[allow(dead_code, reason = "not called where these tests are a module")]
fn begin() {}

const SHORT: Duration = Duration::from_millis(1);
/// No test waits so long, unless it fails.
const LONG: Duration = Duration::from_mins(10);

/// Text that was formatted as a field of something else, with its flags.
fn pretty(value: &impl Debug) -> String {
    format!("{value:#?}")
}

macro_rules! tests {
    ($module:ident: $Mutex:ident, $MutexGuard:ident, $MappedMutexGuard:ident, $RawMutex:ident, $const_mutex:ident) => {
        mod $module {
            use super::*;
            use pfs::parking_lot::{$MappedMutexGuard, $Mutex, $MutexGuard, $RawMutex, $const_mutex};

            static STATIC: $Mutex<u32> = $Mutex::new(1);
            static BY_FUNCTION: $Mutex<[u8; 2]> = $const_mutex([1, 2]);
            static FROM_RAW: $Mutex<u32> = $Mutex::from_raw($RawMutex::INIT, 3);
            static CONST_NEW: $Mutex<u32> = $Mutex::const_new($RawMutex::INIT, 4);

            #[test]
            fn every_way_to_make_one() {
                crate::begin();
                *STATIC.lock() += 1;
                assert_eq!(*STATIC.lock(), 2);
                assert_eq!(BY_FUNCTION.lock()[1], 2);
                assert_eq!(*FROM_RAW.lock() + *CONST_NEW.lock(), 7);
                assert_eq!(*$Mutex::<u8>::default().lock(), 0);
                let from: $Mutex<&str> = "text".into();
                assert_eq!(*from.lock(), "text");
                assert_eq!($Mutex::new(String::from("moved")).into_inner(), "moved");
                let of_unsized: &$Mutex<[i32]> = &$Mutex::new([1, 2, 3]);
                of_unsized.lock()[1] = 5;
                assert_eq!(*of_unsized.lock(), [1, 5, 3]);
                let of_a_trait: Arc<$Mutex<dyn Display + Send>> = Arc::new($Mutex::new(6));
                assert_eq!(of_a_trait.lock().to_string(), "6");
            }

            #[test]
            fn a_value_is_dropped_once() {
                crate::begin();
                struct Drops(Arc<AtomicUsize>);
                impl Drop for Drops {
                    fn drop(&mut self) {
                        self.0.fetch_add(1, SeqCst);
                    }
                }
                let drops = Arc::new(AtomicUsize::new(0));
                let lock = $Mutex::new(Drops(drops.clone()));
                drop(lock.lock());
                let value = lock.into_inner();
                assert_eq!(drops.load(SeqCst), 0);
                drop(value);
                drop($Mutex::new(Drops(drops.clone())));
                assert_eq!(drops.load(SeqCst), 2);
            }

            #[test]
            fn it_excludes() {
                crate::begin();
                let mut lock = $Mutex::new(0);
                assert!(!lock.is_locked());
                let mut guard = lock.lock();
                *guard += 1;
                assert!(lock.is_locked());
                assert!(lock.try_lock().is_none());
                assert!(lock.try_lock_for(SHORT).is_none());
                assert!(lock.try_lock_for(Duration::ZERO).is_none());
                assert!(lock.try_lock_until(Instant::now() + SHORT).is_none());
                assert!(lock.try_lock_until(Instant::now()).is_none());
                drop(guard);
                assert!(!lock.is_locked());
                *lock.try_lock().unwrap() += 1;
                *lock.try_lock_for(LONG).unwrap() += 1;
                *lock.try_lock_for(Duration::MAX).unwrap() += 1;
                *lock.try_lock_until(Instant::now() + LONG).unwrap() += 1;
                *lock.get_mut() += 1;
                assert_eq!(lock.into_inner(), 6);
            }

            #[test]
            fn no_increment_is_lost() {
                crate::begin();
                let lock = $Mutex::new(0_u64);
                thread::scope(|scope| {
                    for _ in 0..4 {
                        scope.spawn(|| {
                            for round in 0..1_000 {
                                match round % 3 {
                                    0 => *lock.lock() += 1,
                                    1 => *lock.try_lock_for(LONG).unwrap() += 1,
                                    _ => $MutexGuard::unlock_fair({
                                        let mut guard = lock.lock();
                                        *guard += 1;
                                        guard
                                    }),
                                }
                            }
                        });
                    }
                });
                assert_eq!(lock.into_inner(), 4_000);
            }

            #[test]
            fn a_blocked_thread_goes_on_when_the_lock_is_free() {
                crate::begin();
                let lock = $Mutex::new(0);
                let guard = lock.lock();
                thread::scope(|scope| {
                    let waiters = [
                        scope.spawn(|| *lock.lock() += 1),
                        scope.spawn(|| *lock.try_lock_for(LONG).unwrap() += 1),
                        scope.spawn(|| *lock.try_lock_until(Instant::now() + LONG).unwrap() += 1),
                    ];
                    assert_eq!(*guard, 0);
                    drop(guard);
                    for waiter in waiters {
                        waiter.join().unwrap();
                    }
                });
                assert_eq!(*lock.lock(), 3);
            }

            #[test]
            fn a_panic_unlocks_and_poisons_nothing() {
                crate::begin();
                let lock = $Mutex::new(1);
                let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
                    let mut guard = lock.lock();
                    *guard = 2;
                    panic::resume_unwind(Box::new(()));
                }));
                assert!(outcome.is_err());
                assert!(!lock.is_locked());
                assert_eq!(*lock.lock(), 2);
            }

            #[test]
            fn what_is_forgotten_stays_locked_until_it_is_unlocked_by_force() {
                crate::begin();
                let lock = $Mutex::new(1);
                for fair in [false, true] {
                    std::mem::forget(lock.lock());
                    assert!(lock.is_locked());
                    // SAFETY: the guard was forgotten, and the lock is held.
                    unsafe { if fair { lock.force_unlock_fair() } else { lock.force_unlock() } }
                    assert!(!lock.is_locked());
                }
                std::mem::forget(lock.lock());
                // SAFETY: as above, and this guard is the only one.
                drop(unsafe { lock.make_guard_unchecked() });
                assert!(lock.try_lock().is_some());
                *$MutexGuard::leak(lock.lock()) += 1;
                assert!(lock.try_lock().is_none());
                // SAFETY: nothing changes the value meanwhile.
                assert_eq!(unsafe { *lock.data_ptr() }, 2);
                // SAFETY: it is only looked at.
                assert!(unsafe { lock.raw() }.is_locked());
            }

            #[test]
            fn what_is_unlocked_for_a_while_is_taken_back() {
                crate::begin();
                let lock = $Mutex::new(1);
                let mut guard = lock.lock();
                let inner = $MutexGuard::unlocked(&mut guard, || {
                    assert!(!lock.is_locked());
                    *lock.lock() += 1;
                    "inner"
                });
                assert_eq!((inner, *guard, lock.is_locked()), ("inner", 2, true));
                $MutexGuard::unlocked_fair(&mut guard, || *lock.try_lock().unwrap() += 1);
                assert_eq!((*guard, lock.is_locked()), (3, true));
                let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
                    $MutexGuard::unlocked(&mut guard, || panic::resume_unwind(Box::new(())));
                }));
                assert!(outcome.is_err());
                assert!(lock.is_locked());
                drop(guard);
                assert!(!lock.is_locked());
            }

            #[test]
            fn a_bump_lets_a_waiter_in() {
                crate::begin();
                let lock = $Mutex::new(0);
                let mut guard = lock.lock();
                $MutexGuard::bump(&mut guard);
                assert!(lock.is_locked());
                thread::scope(|scope| {
                    scope.spawn(|| *lock.lock() += 1);
                    while *guard == 0 {
                        $MutexGuard::bump(&mut guard);
                        thread::yield_now();
                    }
                    assert!(lock.try_lock().is_none());
                });
                assert_eq!(*guard, 1);
            }

            #[test]
            fn a_mapped_guard_holds_the_lock() {
                crate::begin();
                let lock = $Mutex::new((1, [2, 3]));
                let guard = $MutexGuard::map(lock.lock(), |value| &mut value.1);
                assert!(lock.is_locked());
                let mut guard = $MappedMutexGuard::map(guard, |array| &mut array[0]);
                *guard = 4;
                assert_eq!((format!("{guard}"), format!("{guard:?}")), ("4".into(), "4".into()));
                drop(guard);
                assert!(!lock.is_locked());

                let guard = $MutexGuard::try_map(lock.lock(), |_| None::<&mut u8>).unwrap_err();
                assert_eq!(*guard, (1, [4, 3]));
                let guard = $MutexGuard::try_map(guard, |value| Some(&mut value.1)).unwrap();
                let guard = $MappedMutexGuard::try_map(guard, |_| None::<&mut u8>).unwrap_err();
                assert!(lock.is_locked());
                $MappedMutexGuard::unlock_fair($MappedMutexGuard::try_map(guard, |a| a.first_mut()).unwrap());
                assert!(!lock.is_locked());

                let (guard, why) =
                    $MutexGuard::try_map_or_err(lock.lock(), |_| Err::<&mut u8, _>("no")).unwrap_err();
                assert_eq!((guard.0, why), (1, "no"));
                let guard =
                    $MutexGuard::try_map_or_err(guard, |value| Ok::<_, ()>(&mut value.1)).ok().unwrap();
                let (guard, why) =
                    $MappedMutexGuard::try_map_or_err(guard, |_| Err::<&mut u8, _>("never")).unwrap_err();
                assert_eq!((guard[0], why), (4, "never"));
                let guard =
                    $MappedMutexGuard::try_map_or_err(guard, |a| Ok::<_, ()>(&mut a[1])).ok().unwrap();
                assert_eq!(*guard, 3);
                assert!(lock.is_locked());
                drop(guard);
                assert!(!lock.is_locked());
            }

            #[test]
            fn a_guard_may_own_its_lock() {
                crate::begin();
                let lock = Arc::new($Mutex::new(1));
                let mut guard: ArcMutexGuard<$RawMutex, i32> = lock.lock_arc();
                *guard += 1;
                assert!(Arc::ptr_eq(&lock, ArcMutexGuard::mutex(&guard)));
                assert!(lock.try_lock_arc().is_none());
                assert!(lock.try_lock_arc_for(SHORT).is_none());
                assert!(lock.try_lock_arc_until(Instant::now() + SHORT).is_none());
                ArcMutexGuard::unlocked(&mut guard, || *lock.try_lock_arc().unwrap() += 1);
                ArcMutexGuard::unlocked_fair(&mut guard, || *lock.try_lock_arc_for(SHORT).unwrap() += 1);
                ArcMutexGuard::bump(&mut guard);
                assert_eq!((*guard, Arc::strong_count(&lock), lock.is_locked()), (4, 2, true));
                drop(guard);
                assert_eq!((Arc::strong_count(&lock), lock.is_locked()), (1, false));
                ArcMutexGuard::unlock_fair(lock.try_lock_arc_until(Instant::now() + LONG).unwrap());
                let back = ArcMutexGuard::into_arc(lock.lock_arc());
                assert!(!back.is_locked());
                drop((back, ArcMutexGuard::into_arc_fair(lock.lock_arc())));
                assert_eq!((Arc::strong_count(&lock), lock.is_locked()), (1, false));
            }

            #[test]
            fn it_is_shown_as_parking_lots_is() {
                crate::begin();
                let (ours, theirs) = ($Mutex::new(vec![1]), ::parking_lot::Mutex::new(vec![1]));
                assert_eq!(format!("{ours:?}"), format!("{theirs:?}"));
                assert_eq!(pretty(&ours), pretty(&theirs));
                let (held, theirs_held) = (ours.lock(), theirs.lock());
                assert_eq!(format!("{ours:?}"), "Mutex { data: <locked> }");
                assert_eq!(pretty(&ours), pretty(&theirs));
                assert_eq!(pretty(&held), pretty(&theirs_held));
                assert_eq!(format!("{:>4}", $Mutex::new(7).lock()), "   7");
                assert!(std::ptr::eq($MutexGuard::mutex(&held), &ours));
            }

            #[test]
            fn code_over_any_raw_mutex_takes_it() {
                crate::begin();
                fn add<R: lock_api::RawMutexTimed>(
                    lock: &lock_api::Mutex<R, u32>,
                    within: R::Duration,
                ) -> u32 {
                    *lock.try_lock_for(within).unwrap() += 1;
                    *lock.lock()
                }
                assert_eq!(add(&$Mutex::new(1), LONG), 2);
                let raw = $RawMutex::INIT;
                raw.lock();
                assert!(!raw.try_lock());
                // SAFETY: it was locked above.
                unsafe { raw.unlock() }
                assert!(raw.try_lock());
            }
        }
    };
}

tests!(mutex: Mutex, MutexGuard, MappedMutexGuard, RawMutex, const_mutex);
tests!(fair_mutex: FairMutex, FairMutexGuard, MappedFairMutexGuard, RawFairMutex, const_fair_mutex);
