//! The macros that make a named lock of this module where they stand: those of the crate, by the same names, and two
//! more.
//!
//! A macro that is exported has its place at the crate's root, where `mutex!` is `pfs::sync`'s; so each stands there under
//! a name that nobody writes and is called here by its own.

/// Makes a [`Mutex`](crate::parking_lot::Mutex) of the instrument class `wait/synch/mutex/<name>`.
///
/// As [`pfs::mutex!`](crate::mutex!) in all else: an expression, also in constants.
///
/// ```
/// use pfs::parking_lot::Mutex;
///
/// static JOBS: Mutex<Vec<u64>> = pfs::parking_lot::mutex!("kv/JOBS", Vec::new());
/// JOBS.lock().push(7);
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __parking_lot_mutex {
    ($($args:tt)*) => {
        $crate::__private::mutex! { [$crate::parking_lot] $($args)* }
    };
}

/// Makes a [`FairMutex`](crate::parking_lot::FairMutex) of the instrument class `wait/synch/mutex/<name>`.
///
/// As [`mutex!`](crate::parking_lot::mutex!) in all else.
///
/// ```
/// let turns = pfs::parking_lot::fair_mutex!("kv/turns", 0);
/// *turns.lock() += 1;
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __parking_lot_fair_mutex {
    ($($args:tt)*) => {
        $crate::parking_lot::__private::fair_mutex! { [$crate::parking_lot] $($args)* }
    };
}

/// Makes a [`ReentrantMutex`](crate::parking_lot::ReentrantMutex) of the instrument class `wait/synch/mutex/<name>`.
///
/// As [`mutex!`](crate::parking_lot::mutex!) in all else.
///
/// ```
/// let limit = pfs::parking_lot::reentrant_mutex!("kv/limit", 10);
/// let held = limit.lock();
/// assert_eq!(*limit.lock(), *held);
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __parking_lot_reentrant_mutex {
    ($($args:tt)*) => {
        $crate::parking_lot::__private::reentrant_mutex! { [$crate::parking_lot] $($args)* }
    };
}

/// Makes a [`RwLock`](crate::parking_lot::RwLock) of the instrument class `wait/synch/rwlock/<name>`.
///
/// As [`mutex!`](crate::parking_lot::mutex!) in all else.
///
/// ```
/// use pfs::parking_lot::RwLock;
///
/// static LIMIT: RwLock<u32> = pfs::parking_lot::rwlock!("kv/LIMIT", 10);
/// assert_eq!(*LIMIT.read(), 10);
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __parking_lot_rwlock {
    ($($args:tt)*) => {
        $crate::__private::rwlock! { [$crate::parking_lot] $($args)* }
    };
}

/// Makes a [`Condvar`](crate::parking_lot::Condvar) of the instrument class `wait/synch/cond/<name>`.
///
/// As [`mutex!`](crate::parking_lot::mutex!) in all else; it holds no value.
///
/// ```
/// let flushed = pfs::parking_lot::condvar!("kv/COND_flushed");
/// assert_eq!(flushed.notify_all(), 0);
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __parking_lot_condvar {
    ($($args:tt)*) => {
        $crate::__private::condvar! { [$crate::parking_lot] $($args)* }
    };
}

/// Makes a [`Once`](crate::parking_lot::Once) of the instrument class `wait/synch/cond/<name>`.
///
/// As [`mutex!`](crate::parking_lot::mutex!) in all else; it holds no value.
///
/// ```
/// use pfs::parking_lot::Once;
///
/// static READY: Once = pfs::parking_lot::once!("kv/READY");
/// READY.call_once(|| ());
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __parking_lot_once {
    ($($args:tt)*) => {
        $crate::__private::once! { [$crate::parking_lot] $($args)* }
    };
}

#[doc(inline)]
pub use crate::{
    __parking_lot_condvar as condvar, __parking_lot_fair_mutex as fair_mutex, __parking_lot_mutex as mutex,
    __parking_lot_once as once, __parking_lot_reentrant_mutex as reentrant_mutex,
    __parking_lot_rwlock as rwlock,
};
