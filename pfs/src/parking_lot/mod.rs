//! `parking_lot` with its locks instrumented: [`Mutex`], [`FairMutex`], [`ReentrantMutex`], [`RwLock`], [`Condvar`] and
//! [`Once`] are ours, the rest is parking_lot's own. Feature `parking_lot`.
//!
//! Replacing `parking_lot::` by `pfs::parking_lot::` is a complete change. The mutexes, the rwlock and all their guards
//! are `lock_api`'s types around raw locks of ours, so that their interface is parking_lot's to the letter: fair, timed,
//! recursive and upgradable ways, mapped guards, guards that own an `Arc`, `const` constructors, and what parking_lot's
//! features `send_guard`, `serde`, `owning_ref` and `deadlock_detection` change. Inside is parking_lot's own raw lock,
//! which does all the locking: fairness, wake-ups, time-outs and deadlocks are its.
//!
//! ```
//! use pfs::parking_lot::{Condvar, Mutex, RwLock, RwLockUpgradableReadGuard};
//! use pfs::prelude::*;
//!
//! #[instrument_mutex("kv/LOCK_index")]
//! static INDEX: Mutex<Vec<u32>> = Mutex::new(Vec::new());
//!
//! struct Shard {
//!     limits: RwLock<u32>,
//!     flushed: Condvar,
//! }
//!
//! let shard = Shard {
//!     limits: pfs::parking_lot::rwlock!("kv/Shard::limits", 10),
//!     flushed: pfs::parking_lot::condvar!("kv/Shard::flushed"),
//! };
//! INDEX.lock().push(7);
//! let limits = shard.limits.upgradable_read();
//! if *limits < 20 {
//!     *RwLockUpgradableReadGuard::upgrade(limits) = 20;
//! }
//! assert_eq!(shard.flushed.notify_all(), 0);
//! ```
//!
//! # What is an event
//!
//! Each acquisition is one, and each attempt that fails, with the column `OPERATION`:
//!
//! | method | operation |
//! |---|---|
//! | `lock`, and what `unlocked` takes back | `lock` |
//! | `try_lock`, `try_lock_for`, `try_lock_until` | `try_lock` |
//! | `read`, `read_recursive` | `read_lock` |
//! | `try_read…` | `try_read_lock` |
//! | `write` | `write_lock` |
//! | `try_write…` | `try_write_lock` |
//! | `upgradable_read` | `shared_exclusive_lock` |
//! | `try_upgradable_read…` | `try_shared_exclusive_lock` |
//! | `upgrade` | `exclusive_lock` |
//! | `try_upgrade…` | `try_exclusive_lock` |
//! | [`Condvar`]'s `wait` and `wait_while`; [`Once`] | `wait` |
//! | [`Condvar`]'s other waits | `timed_wait` |
//!
//! Guards that own an `Arc` are acquired by methods of the same names and are counted alike. An acquisition in a limited
//! time that does not succeed at once has waited, be it in vain or not. A thread that locks a [`ReentrantMutex`] it holds
//! acquires it once more, at once. To downgrade, to notify, to ask `is_locked` and to `bump` is no event. `Debug` of a
//! lock tries it, as parking_lot's does, so that it is one.
//!
//! `SOURCE` is where the method was called, as long as `lock_api` hands that on. It does not where a guard takes a lock
//! back, and where a [`ReentrantMutex`] is acquired that the thread does not hold yet: there it is a line of `lock_api`.
//!
//! # Who holds a lock
//!
//! In `rwlock_instances` an upgradable reader is a reader, and is the writer from the moment its upgrade succeeds. While
//! a lock is given up, by `bump`, by `unlocked` or to a [`Condvar`], it is not shown as held. Guards keep nothing of
//! their own for this, so that an instrument which is switched on or off while readers hold a lock may show fewer of
//! them than there are until they have left; never more.
//!
//! # Where a lock was made
//!
//! A lock made with `new` has the class `…/pfs/unnamed`. `lock_api` does not say where it was called from when it makes
//! one, so that a `Mutex`, `FairMutex` or `RwLock` without a name is shown as made where it was first used while pfs was
//! started. The other types, and all that a macro names, know where they were made.

mod condvar;
mod macros;
mod once;
mod raw_mutex;
mod raw_rwlock;
mod reentrant;
mod visit;

use ::parking_lot as raw;
pub use raw::lock_api;

pub use self::condvar::Condvar;
#[doc(inline)]
pub use self::macros::{condvar, fair_mutex, mutex, once, reentrant_mutex, rwlock};
pub use self::once::Once;
pub use self::raw_mutex::InstrumentedRawMutex;
pub use self::raw_rwlock::RawRwLock;
pub use self::reentrant::{
    MappedReentrantMutexGuard, ReentrantMutex, ReentrantMutexGuard, const_reentrant_mutex,
};
// The names above and below shadow parking_lot's, so that this stays complete when parking_lot grows.
pub use ::parking_lot::*;

/// The raw mutex of parking_lot, instrumented. Two words larger than parking_lot's.
pub type RawMutex = InstrumentedRawMutex<raw::RawMutex>;

/// The raw fair mutex of parking_lot, instrumented. Two words larger than parking_lot's.
pub type RawFairMutex = InstrumentedRawMutex<raw::RawFairMutex>;

/// A mutual exclusion lock around a `T`: [`parking_lot::Mutex`](raw::Mutex), instrumented.
///
/// Two words larger than parking_lot's, and as much padding as those need. A panic does not poison it.
///
/// # Cost
///
/// Before pfs is started, or with the instrument disabled, an acquisition costs one relaxed load and a branch more than
/// parking_lot's, and a release another. No call allocates.
///
/// # Examples
///
/// ```
/// use pfs::parking_lot::{Mutex, MutexGuard};
///
/// static HITS: Mutex<(u64, u64)> = Mutex::new((0, 0));
///
/// std::thread::scope(|scope| {
///     for _ in 0..4 {
///         scope.spawn(|| HITS.lock().0 += 1);
///     }
/// });
/// *MutexGuard::map(HITS.lock(), |hits| &mut hits.1) += 1;
/// assert_eq!(*HITS.lock(), (4, 1));
/// ```
pub type Mutex<T> = lock_api::Mutex<RawMutex, T>;

/// Holds a [`Mutex`].
pub type MutexGuard<'a, T> = lock_api::MutexGuard<'a, RawMutex, T>;

/// Holds a [`Mutex`] and shows a part of its value.
pub type MappedMutexGuard<'a, T> = lock_api::MappedMutexGuard<'a, RawMutex, T>;

/// Makes an unlocked mutex of class `wait/synch/mutex/pfs/unnamed`.
///
/// ```
/// use pfs::parking_lot::{Mutex, const_mutex};
///
/// static HITS: Mutex<u64> = const_mutex(0);
/// assert_eq!(*HITS.lock(), 0);
/// ```
pub const fn const_mutex<T>(val: T) -> Mutex<T> {
    Mutex::new(val)
}

/// A mutual exclusion lock that is always handed to who waits longest: [`parking_lot::FairMutex`](raw::FairMutex),
/// instrumented.
///
/// In all else as [`Mutex`]; parking_lot has no condvar for it.
///
/// # Examples
///
/// ```
/// use pfs::parking_lot::FairMutex;
///
/// let turns = FairMutex::new(Vec::new());
/// std::thread::scope(|scope| {
///     for turn in 0..3 {
///         let turns = &turns;
///         scope.spawn(move || turns.lock().push(turn));
///     }
/// });
/// assert_eq!(turns.into_inner().len(), 3);
/// ```
pub type FairMutex<T> = lock_api::Mutex<RawFairMutex, T>;

/// Holds a [`FairMutex`].
pub type FairMutexGuard<'a, T> = lock_api::MutexGuard<'a, RawFairMutex, T>;

/// Holds a [`FairMutex`] and shows a part of its value.
pub type MappedFairMutexGuard<'a, T> = lock_api::MappedMutexGuard<'a, RawFairMutex, T>;

/// Makes an unlocked fair mutex of class `wait/synch/mutex/pfs/unnamed`.
///
/// ```
/// use pfs::parking_lot::{FairMutex, const_fair_mutex};
///
/// static TURNS: FairMutex<u64> = const_fair_mutex(0);
/// assert_eq!(*TURNS.lock(), 0);
/// ```
pub const fn const_fair_mutex<T>(val: T) -> FairMutex<T> {
    FairMutex::new(val)
}

/// A reader-writer lock around a `T`: [`parking_lot::RwLock`](raw::RwLock), instrumented.
///
/// Two words larger than parking_lot's. A panic does not poison it.
///
/// # Cost
///
/// Before pfs is started, or with the instrument disabled, an acquisition costs one relaxed load and a branch more than
/// parking_lot's, and a release another. No call allocates.
///
/// # Examples
///
/// ```
/// use pfs::parking_lot::{RwLock, RwLockWriteGuard};
///
/// static LIMITS: RwLock<[u32; 2]> = RwLock::new([10, 20]);
///
/// let mut limits = LIMITS.write();
/// limits[0] = 15;
/// let limits = RwLockWriteGuard::downgrade(limits);
/// assert_eq!(*limits, *LIMITS.read());
/// ```
pub type RwLock<T> = lock_api::RwLock<RawRwLock, T>;

/// Holds a [`RwLock`] with other readers.
pub type RwLockReadGuard<'a, T> = lock_api::RwLockReadGuard<'a, RawRwLock, T>;

/// Holds a [`RwLock`] exclusively.
pub type RwLockWriteGuard<'a, T> = lock_api::RwLockWriteGuard<'a, RawRwLock, T>;

/// Holds a [`RwLock`] with other readers, and can become its writer before any other does.
pub type RwLockUpgradableReadGuard<'a, T> = lock_api::RwLockUpgradableReadGuard<'a, RawRwLock, T>;

/// Holds a [`RwLock`] with other readers and shows a part of its value.
pub type MappedRwLockReadGuard<'a, T> = lock_api::MappedRwLockReadGuard<'a, RawRwLock, T>;

/// Holds a [`RwLock`] exclusively and shows a part of its value.
pub type MappedRwLockWriteGuard<'a, T> = lock_api::MappedRwLockWriteGuard<'a, RawRwLock, T>;

/// Makes an unlocked reader-writer lock of class `wait/synch/rwlock/pfs/unnamed`.
///
/// ```
/// use pfs::parking_lot::{RwLock, const_rwlock};
///
/// static LIMIT: RwLock<u64> = const_rwlock(10);
/// assert_eq!(*LIMIT.read(), 10);
/// ```
pub const fn const_rwlock<T>(val: T) -> RwLock<T> {
    RwLock::new(val)
}

/// What the macros of this module generate calls to. Not for users, and not stable.
#[doc(hidden)]
pub mod __private {
    use core::panic::Location;

    use pfs_runtime::class::Class;

    use super::{FairMutex, Mutex, RawFairMutex, RawMutex, RawRwLock, RwLock};

    pub use super::condvar::with_class as condvar;
    pub use super::once::with_class as once;
    pub use super::reentrant::with_class as reentrant_mutex;
    pub use crate::__private::{class, name};
    pub use pfs_macros::{fair_mutex, reentrant_mutex};

    #[track_caller]
    pub const fn mutex<T>(class: &'static Class, value: T) -> Mutex<T> {
        Mutex::from_raw(RawMutex::with_class(class, Location::caller()), value)
    }

    #[track_caller]
    pub const fn fair_mutex<T>(class: &'static Class, value: T) -> FairMutex<T> {
        FairMutex::from_raw(RawFairMutex::with_class(class, Location::caller()), value)
    }

    #[track_caller]
    pub const fn rwlock<T>(class: &'static Class, value: T) -> RwLock<T> {
        RwLock::from_raw(RawRwLock::with_class(class, Location::caller()), value)
    }
}
