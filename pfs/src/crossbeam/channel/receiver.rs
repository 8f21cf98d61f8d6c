//! [`Receiver`]: the receiving end of a channel.

use core::fmt;
use core::ops::Deref;
use core::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::time::{Duration, Instant};

use ::crossbeam::channel::{self as raw, RecvError, RecvTimeoutError, TryRecvError};
use pfs_runtime::instance::SharedInstance;
use pfs_runtime::model::Operation;
use pfs_runtime::probe::wait;

use super::iter::{IntoIter, Iter, TryIter};

/// Receives from a channel: crossbeam's `Receiver`, instrumented. Two words larger.
///
/// What is not said here is said of crossbeam's, to which it dereferences.
///
/// # Examples
///
/// See [`unbounded`](fn@super::unbounded).
pub struct Receiver<T> {
    pub(super) inner: raw::Receiver<T>,
    pub(super) instance: SharedInstance,
}

impl<T> Receiver<T> {
    /// Receives a message; blocks until there is one, or all senders are gone.
    ///
    /// One event, operation `wait`.
    ///
    /// # Errors
    ///
    /// If the channel is empty and all senders are gone.
    ///
    /// # Examples
    ///
    /// ```
    /// use pfs::crossbeam::channel::{RecvError, unbounded};
    ///
    /// let (sender, receiver) = unbounded();
    /// pfs::thread::spawn(move || sender.send("from afar").unwrap());
    /// assert_eq!(receiver.recv(), Ok("from afar"));
    /// assert_eq!(receiver.recv(), Err(RecvError));
    /// ```
    #[inline]
    #[track_caller]
    pub fn recv(&self) -> Result<T, RecvError> {
        let now = || match self.inner.try_recv() {
            Ok(message) => Some(Ok(message)),
            Err(TryRecvError::Disconnected) => Some(Err(RecvError)),
            Err(TryRecvError::Empty) => None,
        };
        let block = || self.inner.recv();
        wait::try_first(&self.instance, Operation::Wait, Location::caller(), now, block)
    }

    /// As [`recv`](Self::recv), but for about `timeout` at most.
    ///
    /// One event, operation `timed_wait`.
    ///
    /// # Errors
    ///
    /// Whether the time was over or all senders are gone.
    ///
    /// # Examples
    ///
    /// ```
    /// let (_sender, receiver) = pfs::crossbeam::channel::unbounded::<u8>();
    /// assert!(receiver.recv_timeout(std::time::Duration::from_millis(1)).unwrap_err().is_timeout());
    /// ```
    #[inline]
    #[track_caller]
    pub fn recv_timeout(&self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        self.recv_in_time(Location::caller(), || self.inner.recv_timeout(timeout))
    }

    /// As [`recv`](Self::recv), but until `deadline` at most.
    ///
    /// One event, operation `timed_wait`.
    ///
    /// # Errors
    ///
    /// Whether the time was over or all senders are gone.
    ///
    /// # Examples
    ///
    /// ```
    /// let (_sender, receiver) = pfs::crossbeam::channel::unbounded::<u8>();
    /// assert!(receiver.recv_deadline(std::time::Instant::now()).unwrap_err().is_timeout());
    /// ```
    #[inline]
    #[track_caller]
    pub fn recv_deadline(&self, deadline: Instant) -> Result<T, RecvTimeoutError> {
        self.recv_in_time(Location::caller(), || self.inner.recv_deadline(deadline))
    }

    #[inline]
    fn recv_in_time(
        &self,
        site: &'static Location<'static>,
        block: impl FnOnce() -> Result<T, RecvTimeoutError>,
    ) -> Result<T, RecvTimeoutError> {
        let now = || match self.inner.try_recv() {
            Ok(message) => Some(Ok(message)),
            Err(TryRecvError::Disconnected) => Some(Err(RecvTimeoutError::Disconnected)),
            Err(TryRecvError::Empty) => None,
        };
        wait::try_first(&self.instance, Operation::TimedWait, site, now, block)
    }

    /// Iterates over messages, by [`recv`](Self::recv), until all senders are gone. One event a step, the last
    /// too.
    ///
    /// # Examples
    ///
    /// ```
    /// let (sender, receiver) = pfs::crossbeam::channel::unbounded();
    /// pfs::thread::spawn(move || (1..=3).try_for_each(|number| sender.send(number)));
    /// assert_eq!(receiver.iter().collect::<Vec<_>>(), [1, 2, 3]);
    /// ```
    #[inline]
    pub fn iter(&self) -> Iter<'_, T> {
        Iter { receiver: self }
    }

    /// Iterates over the messages that are there. Never blocks, no event.
    ///
    /// # Examples
    ///
    /// ```
    /// let (sender, receiver) = pfs::crossbeam::channel::unbounded();
    /// sender.send('a').unwrap();
    /// sender.send('b').unwrap();
    /// assert_eq!(receiver.try_iter().collect::<String>(), "ab");
    /// ```
    #[inline]
    pub fn try_iter(&self) -> TryIter<'_, T> {
        TryIter { receiver: self }
    }
}

impl<T> Deref for Receiver<T> {
    type Target = raw::Receiver<T>;

    #[inline]
    fn deref(&self) -> &raw::Receiver<T> {
        &self.inner
    }
}

impl<T> Clone for Receiver<T> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone(), instance: self.instance.clone() }
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}

impl<'a, T> IntoIterator for &'a Receiver<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    #[inline]
    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T> IntoIterator for Receiver<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    #[inline]
    fn into_iter(self) -> IntoIter<T> {
        IntoIter { receiver: self }
    }
}

impl<T> UnwindSafe for Receiver<T> {}
impl<T> RefUnwindSafe for Receiver<T> {}
