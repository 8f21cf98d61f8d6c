//! The types of `pfs::parking_lot` have the automatic traits and the sizes that parking_lot's lead to expect.

#![cfg(all(feature = "engine", feature = "parking_lot"))]

#[path = "../../pfs-runtime/tests/std_api/mod.rs"]
mod std_api;

use std::panic::{RefUnwindSafe, UnwindSafe};

use pfs::parking_lot as ours;
use pfs::parking_lot::lock_api::{self, RawMutex as _, RawRwLock as _};
use std_api::{Changed, Neither, OnlySend, OnlySync, Pinned, Torn, assert_same_auto_traits, implements};

/// Parking_lot's own types of the same names.
mod theirs {
    pub(crate) use ::parking_lot::*;
}

/// The guards that own an `Arc`, which parking_lot gives no names of their own.
macro_rules! arc_guard {
    ($whose:ident, $T:ty) => {
        (
            lock_api::ArcMutexGuard<$whose::RawMutex, $T>,
            lock_api::ArcReentrantMutexGuard<$whose::RawMutex, $whose::RawThreadId, $T>,
            lock_api::ArcRwLockReadGuard<$whose::RawRwLock, $T>,
            lock_api::ArcRwLockWriteGuard<$whose::RawRwLock, $T>,
            lock_api::ArcRwLockUpgradableReadGuard<$whose::RawRwLock, $T>,
        )
    };
}

macro_rules! same_over {
    ($($T:ty),+) => {$(
        assert_same_auto_traits! {
            ours::Mutex<$T> => theirs::Mutex<$T>,
            ours::MutexGuard<'static, $T> => theirs::MutexGuard<'static, $T>,
            ours::MappedMutexGuard<'static, $T> => theirs::MappedMutexGuard<'static, $T>,
            ours::FairMutex<$T> => theirs::FairMutex<$T>,
            ours::FairMutexGuard<'static, $T> => theirs::FairMutexGuard<'static, $T>,
            ours::MappedFairMutexGuard<'static, $T> => theirs::MappedFairMutexGuard<'static, $T>,
            ours::ReentrantMutex<$T> => theirs::ReentrantMutex<$T>,
            ours::ReentrantMutexGuard<'static, $T> => theirs::ReentrantMutexGuard<'static, $T>,
            ours::MappedReentrantMutexGuard<'static, $T> => theirs::MappedReentrantMutexGuard<'static, $T>,
            ours::RwLock<$T> => theirs::RwLock<$T>,
            ours::RwLockReadGuard<'static, $T> => theirs::RwLockReadGuard<'static, $T>,
            ours::RwLockWriteGuard<'static, $T> => theirs::RwLockWriteGuard<'static, $T>,
            ours::RwLockUpgradableReadGuard<'static, $T> => theirs::RwLockUpgradableReadGuard<'static, $T>,
            ours::MappedRwLockReadGuard<'static, $T> => theirs::MappedRwLockReadGuard<'static, $T>,
            ours::MappedRwLockWriteGuard<'static, $T> => theirs::MappedRwLockWriteGuard<'static, $T>,
            arc_guard!(ours, $T) => arc_guard!(theirs, $T),
            lock_api::ArcMutexGuard<ours::RawMutex, $T> => lock_api::ArcMutexGuard<theirs::RawMutex, $T>,
            lock_api::ArcRwLockReadGuard<ours::RawRwLock, $T> =>
                lock_api::ArcRwLockReadGuard<theirs::RawRwLock, $T>,
            lock_api::ArcRwLockWriteGuard<ours::RawRwLock, $T> =>
                lock_api::ArcRwLockWriteGuard<theirs::RawRwLock, $T>,
        }
    )+};
}

#[test]
fn automatic_traits_are_parking_lots() {
    same_over!(u8, Neither, OnlySend, OnlySync, Pinned, Torn, Changed, str, [Neither]);
    assert_same_auto_traits! {
        ours::RawMutex => theirs::RawMutex,
        ours::RawFairMutex => theirs::RawFairMutex,
        ours::RawRwLock => theirs::RawRwLock,
        ours::Condvar => theirs::Condvar,
        ours::Once => theirs::Once,
    }
    // The probe sees both answers.
    assert!(implements!(ours::Mutex<OnlySend>: Sync) && !implements!(ours::RwLock<OnlySend>: Sync));
    assert!(implements!(ours::RawMutex: UnwindSafe + RefUnwindSafe));
    assert!(!implements!(ours::Mutex<u8>: RefUnwindSafe));
}

#[test]
fn guards_may_leave_their_thread_where_parking_lots_may() {
    assert_eq!(
        implements!(ours::MutexGuard<'static, u8>: Send),
        implements!(<theirs::RawMutex as lock_api::RawMutex>::GuardMarker: Send),
    );
    assert!(!implements!(ours::ReentrantMutexGuard<'static, u8>: Send));
}

#[test]
fn two_words_are_added_or_none() {
    let two = if pfs::COMPILED_IN { 2 * size_of::<usize>() } else { 0 };
    let padded = |size: usize| size.next_multiple_of(align_of::<usize>());
    let expected = |theirs: usize| if two == 0 { theirs } else { padded(theirs) + two };
    assert_eq!(size_of::<ours::RawMutex>(), expected(size_of::<theirs::RawMutex>()));
    assert_eq!(size_of::<ours::RawFairMutex>(), expected(size_of::<theirs::RawFairMutex>()));
    assert_eq!(size_of::<ours::RawRwLock>(), expected(size_of::<theirs::RawRwLock>()));
    assert_eq!(size_of::<ours::Condvar>(), expected(size_of::<theirs::Condvar>()));
    assert_eq!(size_of::<ours::Once>(), expected(size_of::<theirs::Once>()));
    assert_eq!(size_of::<ours::Mutex<usize>>(), expected(size_of::<theirs::Mutex<usize>>()));
    assert_eq!(size_of::<ours::RwLock<usize>>(), expected(size_of::<theirs::RwLock<usize>>()));
    assert_eq!(size_of::<ours::MutexGuard<'static, u8>>(), size_of::<theirs::MutexGuard<'static, u8>>());
    // What is made by a constant is unlocked.
    let raw = (ours::RawMutex::INIT, ours::RawRwLock::INIT);
    assert!(!raw.0.is_locked() && !raw.1.is_locked());
}

/// A value may be dropped after what it borrows, where nothing looks at it then.
#[test]
fn a_lock_may_hold_what_does_not_outlive_it() {
    let (mutex, rwlock, reentrant);
    let text = String::from("alive");
    mutex = ours::Mutex::new(&text);
    rwlock = ours::RwLock::new(&text);
    reentrant = ours::ReentrantMutex::new(&text);
    assert_eq!(mutex.lock().len() + rwlock.read().len() + reentrant.lock().len(), 15);
}
