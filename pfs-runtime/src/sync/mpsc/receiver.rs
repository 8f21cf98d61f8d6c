//! [`Receiver`]: the receiving end of a channel, and its iterators.

use core::fmt;
use core::panic::Location;
use std::sync::mpsc::{self as raw, RecvError, RecvTimeoutError, TryRecvError};
use std::time::Duration;

use crate::instance::SharedInstance;
use crate::model::Operation;
use crate::probe::wait;

/// Receives from a channel: [`std::sync::mpsc::Receiver`], instrumented. Two words larger than std's.
///
/// # Examples
///
/// See [`channel`](super::channel).
pub struct Receiver<T> {
    inner: raw::Receiver<T>,
    instance: SharedInstance,
}

impl<T> Receiver<T> {
    pub(super) fn new(inner: raw::Receiver<T>, instance: SharedInstance) -> Self {
        Self { inner, instance }
    }

    /// Receives a message if there is one. Never blocks, no event.
    ///
    /// # Errors
    ///
    /// Whether there is none now, or there never will be one: all senders are gone.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::mpsc::{TryRecvError, channel};
    ///
    /// let (sender, receiver) = channel::<u8>();
    /// assert_eq!(receiver.try_recv(), Err(TryRecvError::Empty));
    /// drop(sender);
    /// assert_eq!(receiver.try_recv(), Err(TryRecvError::Disconnected));
    /// ```
    #[inline]
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        self.inner.try_recv()
    }

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
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::mpsc::{RecvError, channel};
    ///
    /// let (sender, receiver) = channel();
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
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::mpsc::{RecvTimeoutError, channel};
    /// use std::time::Duration;
    ///
    /// let (_sender, receiver) = channel::<u8>();
    /// assert_eq!(receiver.recv_timeout(Duration::from_millis(1)), Err(RecvTimeoutError::Timeout));
    /// ```
    #[inline]
    #[track_caller]
    pub fn recv_timeout(&self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        let now = || match self.inner.try_recv() {
            Ok(message) => Some(Ok(message)),
            Err(TryRecvError::Disconnected) => Some(Err(RecvTimeoutError::Disconnected)),
            Err(TryRecvError::Empty) => None,
        };
        let block = || self.inner.recv_timeout(timeout);
        wait::try_first(&self.instance, Operation::TimedWait, Location::caller(), now, block)
    }

    /// Iterates over messages, by [`recv`](Self::recv), until all senders are gone. One event a step, the last
    /// too.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// let (sender, receiver) = pfs::sync::mpsc::channel();
    /// pfs::thread::spawn(move || (1..=3).try_for_each(|number| sender.send(number)));
    /// assert_eq!(receiver.iter().collect::<Vec<_>>(), [1, 2, 3]);
    /// ```
    #[inline]
    pub fn iter(&self) -> Iter<'_, T> {
        Iter { rx: self }
    }

    /// Iterates over the messages that are there. Never blocks, no event.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// let (sender, receiver) = pfs::sync::mpsc::channel();
    /// sender.send('a').unwrap();
    /// sender.send('b').unwrap();
    /// assert_eq!(receiver.try_iter().collect::<String>(), "ab");
    /// ```
    #[inline]
    pub fn try_iter(&self) -> TryIter<'_, T> {
        TryIter { rx: self }
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}

/// Receives by blocking; made by [`Receiver::iter`].
#[derive(Debug)]
pub struct Iter<'a, T: 'a> {
    rx: &'a Receiver<T>,
}

impl<T> Iterator for Iter<'_, T> {
    type Item = T;

    #[inline]
    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.rx.recv().ok()
    }
}

/// Receives what is there; made by [`Receiver::try_iter`].
#[derive(Debug)]
pub struct TryIter<'a, T: 'a> {
    rx: &'a Receiver<T>,
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.rx.try_recv().ok()
    }
}

/// Receives by blocking, from a receiver that it owns.
#[derive(Debug)]
pub struct IntoIter<T> {
    rx: Receiver<T>,
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    #[inline]
    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.rx.recv().ok()
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
        IntoIter { rx: self }
    }
}
