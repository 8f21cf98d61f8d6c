//! [`Sender`]: the sending end of a channel.

use core::fmt;
use core::ops::Deref;
use core::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::time::{Duration, Instant};

use ::crossbeam::channel::{self as raw, SendError, SendTimeoutError, TrySendError};
use pfs_runtime::instance::SharedInstance;
use pfs_runtime::model::Operation;
use pfs_runtime::probe::wait;

/// Sends to a channel: crossbeam's `Sender`, instrumented. Two words larger.
///
/// What is not said here is said of crossbeam's, to which it dereferences.
///
/// # Examples
///
/// See [`bounded`](fn@super::bounded).
pub struct Sender<T> {
    pub(super) inner: raw::Sender<T>,
    pub(super) instance: SharedInstance,
}

impl<T> Sender<T> {
    /// Sends `msg`; blocks while the channel is full.
    ///
    /// One event, operation `wait`, if the channel is full; else none.
    ///
    /// # Errors
    ///
    /// `msg`, if there is no receiver any more.
    ///
    /// # Examples
    ///
    /// ```
    /// use pfs::crossbeam::channel::{SendError, bounded};
    ///
    /// let (sender, receiver) = bounded(1);
    /// assert_eq!(sender.send(1), Ok(()));
    /// drop(receiver);
    /// assert_eq!(sender.send(2), Err(SendError(2)));
    /// ```
    #[inline]
    #[track_caller]
    pub fn send(&self, msg: T) -> Result<(), SendError<T>> {
        let now = |msg| match self.inner.try_send(msg) {
            Ok(()) => Ok(Ok(())),
            Err(TrySendError::Disconnected(msg)) => Ok(Err(SendError(msg))),
            Err(TrySendError::Full(msg)) => Err(msg),
        };
        let block = |msg| self.inner.send(msg);
        wait::unless_at_once(&self.instance, Operation::Wait, Location::caller(), msg, now, block)
    }

    /// As [`send`](Self::send), but blocks for about `timeout` at most.
    ///
    /// One event, operation `timed_wait`, if the channel is full; else none.
    ///
    /// # Errors
    ///
    /// `msg`, and whether the time was over or there is no receiver any more.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let (sender, _receiver) = pfs::crossbeam::channel::bounded(0);
    /// assert!(sender.send_timeout(1, Duration::from_millis(1)).unwrap_err().is_timeout());
    /// ```
    #[inline]
    #[track_caller]
    pub fn send_timeout(&self, msg: T, timeout: Duration) -> Result<(), SendTimeoutError<T>> {
        self.send_in_time(Location::caller(), msg, |msg| self.inner.send_timeout(msg, timeout))
    }

    /// As [`send`](Self::send), but blocks until `deadline` at most.
    ///
    /// One event, operation `timed_wait`, if the channel is full; else none.
    ///
    /// # Errors
    ///
    /// `msg`, and whether the time was over or there is no receiver any more.
    ///
    /// # Examples
    ///
    /// ```
    /// let (sender, _receiver) = pfs::crossbeam::channel::bounded(1);
    /// assert!(sender.send_deadline(1, std::time::Instant::now()).is_ok());
    /// ```
    #[inline]
    #[track_caller]
    pub fn send_deadline(&self, msg: T, deadline: Instant) -> Result<(), SendTimeoutError<T>> {
        self.send_in_time(Location::caller(), msg, |msg| self.inner.send_deadline(msg, deadline))
    }

    #[inline]
    fn send_in_time(
        &self,
        site: &'static Location<'static>,
        msg: T,
        block: impl FnOnce(T) -> Result<(), SendTimeoutError<T>>,
    ) -> Result<(), SendTimeoutError<T>> {
        let now = |msg| match self.inner.try_send(msg) {
            Ok(()) => Ok(Ok(())),
            Err(TrySendError::Disconnected(msg)) => Ok(Err(SendTimeoutError::Disconnected(msg))),
            Err(TrySendError::Full(msg)) => Err(msg),
        };
        wait::unless_at_once(&self.instance, Operation::TimedWait, site, msg, now, block)
    }
}

impl<T> Deref for Sender<T> {
    type Target = raw::Sender<T>;

    #[inline]
    fn deref(&self) -> &raw::Sender<T> {
        &self.inner
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone(), instance: self.instance.clone() }
    }
}

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}

impl<T> UnwindSafe for Sender<T> {}
impl<T> RefUnwindSafe for Sender<T> {}
