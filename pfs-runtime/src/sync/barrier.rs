//! [`Barrier`]: std's, with each arrival an event of class `wait/synch/cond/…`.

use core::fmt;
use core::panic::{Location, RefUnwindSafe};
use std::sync::{self as raw, BarrierWaitResult};

use crate::class::{Class, fresh};
use crate::instance::Instance;
use crate::model::Operation;
use crate::probe::wait;

/// Lets threads wait for each other: [`std::sync::Barrier`], instrumented.
///
/// The interface is std's. Each [`wait`](Self::wait) is one event, the leader's too, which did not wait. Two words
/// larger than std's.
///
/// # Cost
///
/// Before pfs is started, or with the instrument disabled, a wait costs one relaxed load and a branch more than
/// std's. No call allocates.
///
/// # Examples
///
/// ```
/// # use pfs_runtime as pfs;
/// use pfs::sync::Barrier;
/// use pfs::thread;
///
/// static ALL_HERE: Barrier = Barrier::new(3);
///
/// let leaders = thread::scope(|scope| {
///     let threads = [(); 3].map(|()| scope.spawn(|| ALL_HERE.wait().is_leader()));
///     threads.map(|thread| usize::from(thread.join().unwrap())).iter().sum::<usize>()
/// });
/// assert_eq!(leaders, 1);
/// ```
pub struct Barrier {
    instance: Instance,
    inner: raw::Barrier,
}

/// Makes a barrier of class `class`, for the macros.
#[doc(hidden)]
#[must_use]
#[inline]
#[track_caller]
pub const fn with_class(class: &'static Class, n: usize) -> Barrier {
    Barrier { instance: Instance::new(class, Location::caller()), inner: raw::Barrier::new(n) }
}

/// The handle of a barrier, for what names it.
#[doc(hidden)]
#[must_use]
#[inline]
pub const fn instance(barrier: &Barrier) -> &Instance {
    &barrier.instance
}

impl Barrier {
    /// Makes a barrier for `n` threads, of class `wait/synch/cond/std/barrier`, which remembers its caller. With 0 it
    /// is as with 1.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// assert!(pfs::sync::Barrier::new(1).wait().is_leader());
    /// ```
    #[must_use]
    #[inline]
    #[track_caller]
    pub const fn new(n: usize) -> Self {
        with_class(&fresh::BARRIER, n)
    }

    /// Blocks until all threads are here. One of them, the last, is told that it is the leader.
    ///
    /// One event, operation `wait`. The leader's did not wait: it does not count in `COUNT_WAITED`.
    ///
    /// # Examples
    ///
    /// See [`Barrier`].
    #[track_caller]
    pub fn wait(&self) -> BarrierWaitResult {
        let waited = |result: &BarrierWaitResult| !result.is_leader();
        wait::wait_on(&self.instance, Operation::Wait, Location::caller(), || self.inner.wait(), waited)
    }
}

impl fmt::Debug for Barrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}

// It holds no value that a panic could leave unsound.
impl RefUnwindSafe for Barrier {}
