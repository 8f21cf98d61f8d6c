//! [`SyncSender`]: the sending end of a channel with a bound.

use core::fmt;
use core::panic::Location;
use std::sync::mpsc::{self as raw, SendError, TrySendError};

use crate::instance::SharedInstance;
use crate::model::Operation;
use crate::probe::wait;

/// Sends to a channel with a bound: [`std::sync::mpsc::SyncSender`], instrumented. Two words larger than std's.
///
/// # Examples
///
/// See [`sync_channel`](super::sync_channel).
pub struct SyncSender<T> {
    inner: raw::SyncSender<T>,
    instance: SharedInstance,
}

impl<T> SyncSender<T> {
    pub(super) fn new(inner: raw::SyncSender<T>, instance: SharedInstance) -> Self {
        Self { inner, instance }
    }

    /// Sends `t`; blocks while the channel is full.
    ///
    /// One event, operation `wait`, if the channel is full; else none.
    ///
    /// # Errors
    ///
    /// `t`, if there is no receiver any more.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::mpsc::{SendError, sync_channel};
    ///
    /// let (sender, receiver) = sync_channel(1);
    /// sender.send("hello").unwrap();
    /// assert_eq!(receiver.recv(), Ok("hello"));
    /// drop(receiver);
    /// assert_eq!(sender.send("anyone?"), Err(SendError("anyone?")));
    /// ```
    #[inline]
    #[track_caller]
    pub fn send(&self, t: T) -> Result<(), SendError<T>> {
        let now = |t| match self.inner.try_send(t) {
            Ok(()) => Ok(Ok(())),
            Err(TrySendError::Disconnected(t)) => Ok(Err(SendError(t))),
            Err(TrySendError::Full(t)) => Err(t),
        };
        let block = |t| self.inner.send(t);
        wait::unless_at_once(&self.instance, Operation::Wait, Location::caller(), t, now, block)
    }

    /// Sends `t` if it can at once. Never blocks, no event.
    ///
    /// # Errors
    ///
    /// `t`, if the channel is full or there is no receiver any more.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::mpsc::{TrySendError, sync_channel};
    ///
    /// let (sender, _receiver) = sync_channel(1);
    /// assert_eq!(sender.try_send(1), Ok(()));
    /// assert_eq!(sender.try_send(2), Err(TrySendError::Full(2)));
    /// ```
    #[inline]
    pub fn try_send(&self, t: T) -> Result<(), TrySendError<T>> {
        self.inner.try_send(t)
    }
}

impl<T> Clone for SyncSender<T> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone(), instance: self.instance.clone() }
    }
}

impl<T> fmt::Debug for SyncSender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}
