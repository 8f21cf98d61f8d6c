//! The waits that a thread does alone: sleeping and parking.

use core::panic::Location;
use std::time::Duration;

use crate::class::builtin;
use crate::model::Operation;
use crate::probe::wait;

/// Puts the thread to sleep for at least `dur`: [`std::thread::sleep`].
///
/// One event of class `wait/synch/cond/std/sleep`, operation `timed_wait`.
///
/// # Examples
///
/// ```
/// # use pfs_runtime as pfs;
/// use std::time::{Duration, Instant};
///
/// let start = Instant::now();
/// pfs::thread::sleep(Duration::from_millis(2));
/// assert!(start.elapsed() >= Duration::from_millis(2));
/// ```
#[inline]
#[track_caller]
pub fn sleep(dur: Duration) {
    wait::wait(&builtin::SLEEP, Operation::TimedWait, Location::caller(), || std::thread::sleep(dur));
}

/// [`sleep`] with milliseconds.
#[track_caller]
#[deprecated(since = "0.1.0", note = "replaced by `sleep`, as in std")]
pub fn sleep_ms(ms: u32) {
    sleep(Duration::from_millis(u64::from(ms)));
}

/// Blocks until the thread's token is there, and takes it: [`std::thread::park`]. It may return without it.
///
/// One event of class `wait/synch/cond/std/park`, operation `wait`.
///
/// # Examples
///
/// ```
/// # use pfs_runtime as pfs;
/// use pfs::thread;
///
/// thread::current().unpark();
/// thread::park(); // the token is there: returns at once
/// ```
#[inline]
#[track_caller]
pub fn park() {
    wait::wait(&builtin::PARK, Operation::Wait, Location::caller(), std::thread::park);
}

/// As [`park`], but for about `dur` at most: [`std::thread::park_timeout`].
///
/// One event of class `wait/synch/cond/std/park`, operation `timed_wait`.
///
/// # Examples
///
/// ```
/// # use pfs_runtime as pfs;
/// pfs::thread::park_timeout(std::time::Duration::from_millis(1));
/// ```
#[inline]
#[track_caller]
pub fn park_timeout(dur: Duration) {
    wait::wait(&builtin::PARK, Operation::TimedWait, Location::caller(), || std::thread::park_timeout(dur));
}

/// [`park_timeout`] with milliseconds.
#[track_caller]
#[deprecated(since = "0.1.0", note = "replaced by `park_timeout`, as in std")]
pub fn park_timeout_ms(ms: u32) {
    park_timeout(Duration::from_millis(u64::from(ms)));
}
