//! [`Parker`]: a thread's waiting for a token.

use core::fmt;
use core::panic::Location;
use std::time::{Duration, Instant};

use ::crossbeam::sync::{self as raw, Unparker};
use pfs_runtime::model::Operation;
use pfs_runtime::probe::wait;

use super::super::class;

/// Blocks a thread until its token is there: crossbeam's `Parker`, with each park a wait of class
/// `wait/synch/cond/crossbeam/park`. Of the same size.
///
/// # Examples
///
/// ```
/// use pfs::crossbeam::sync::Parker;
///
/// let parker = Parker::new();
/// let unparker = parker.unparker().clone();
/// pfs::thread::spawn(move || unparker.unpark());
/// parker.park();
/// ```
#[derive(Default)]
pub struct Parker(raw::Parker);

impl Parker {
    /// With no token yet.
    #[must_use]
    pub fn new() -> Self {
        Self(raw::Parker::new())
    }

    /// Blocks until the token is there, and takes it.
    ///
    /// One event, operation `wait`.
    #[inline]
    #[track_caller]
    pub fn park(&self) {
        wait::wait(&class::PARK, Operation::Wait, Location::caller(), || self.0.park());
    }

    /// As [`park`](Self::park), but for about `timeout` at most.
    ///
    /// One event, operation `timed_wait`.
    #[inline]
    #[track_caller]
    pub fn park_timeout(&self, timeout: Duration) {
        wait::wait(&class::PARK, Operation::TimedWait, Location::caller(), || self.0.park_timeout(timeout));
    }

    /// As [`park`](Self::park), but until `deadline` at most.
    ///
    /// One event, operation `timed_wait`.
    #[inline]
    #[track_caller]
    pub fn park_deadline(&self, deadline: Instant) {
        wait::wait(&class::PARK, Operation::TimedWait, Location::caller(), || self.0.park_deadline(deadline));
    }

    /// What makes the token available.
    pub fn unparker(&self) -> &Unparker {
        self.0.unparker()
    }

    /// Converts it into a pointer, to be given to [`from_raw`](Self::from_raw).
    pub fn into_raw(this: Self) -> *const () {
        raw::Parker::into_raw(this.0)
    }

    /// Converts a pointer back.
    ///
    /// # Safety
    ///
    /// The pointer comes from [`into_raw`](Self::into_raw), of this type or crossbeam's, and is used once.
    pub unsafe fn from_raw(ptr: *const ()) -> Self {
        // SAFETY: the caller's promise is the one that crossbeam asks for.
        Self(unsafe { raw::Parker::from_raw(ptr) })
    }
}

impl fmt::Debug for Parker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}
