//! `std::sync::mpsc` with its waits instrumented: [`Receiver`] and [`SyncSender`] are ours, the rest is std's own.
//!
//! Replacing `std::sync::mpsc` by `pfs::sync::mpsc` is a complete change. Ours are wrappers, not channels: order,
//! blocking, waking and disconnection are those of the channel inside.
//!
//! # What is an event
//!
//! - Receiving that may block, [`recv`](Receiver::recv), [`recv_timeout`](Receiver::recv_timeout) and the blocking
//!   iterators: one event a call, whatever comes of it. Where a message is there at once, it counts in `COUNT_STAR` and
//!   not in `COUNT_WAITED`.
//! - [`SyncSender::send`]: one event if the channel is full. A channel with no buffer is full unless its receiver waits.
//! - Nothing else: neither what never blocks ([`Sender::send`], `try_send`, `try_recv`, `try_iter`), nor making,
//!   cloning or dropping an end.
//!
//! The events of a channel that a macro names have the class of that name at both ends, and the channel is one
//! instance. Those of any other are of class `wait/synch/cond/std/mpsc_recv` at the one end and `…/mpsc_send` at the
//! other, each end an instance of its class. An instance is bound at its first wait.

mod receiver;
mod sync_sender;

use core::panic::Location;
use std::sync::mpsc as raw;

use crate::class::{Class, builtin};
use crate::instance::SharedInstance;

pub use self::receiver::{IntoIter, Iter, Receiver, TryIter};
pub use self::sync_sender::SyncSender;
// The names above shadow std's, so that this stays complete when std grows.
pub use std::sync::mpsc::*;

/// Makes a channel whose sends never block: [`std::sync::mpsc::channel`], with an instrumented receiver.
///
/// # Examples
///
/// ```
/// # use pfs_runtime as pfs;
/// let (sender, receiver) = pfs::sync::mpsc::channel();
/// let worker = pfs::thread::spawn(move || receiver.iter().sum::<u32>());
/// for number in 1..=4 {
///     sender.send(number).unwrap();
/// }
/// drop(sender);
/// assert_eq!(worker.join().unwrap(), 10);
/// ```
#[must_use]
#[track_caller]
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    channel_of(&builtin::MPSC_RECV)
}

/// Makes a channel that holds up to `bound` messages: [`std::sync::mpsc::sync_channel`], instrumented. Sending to a
/// full one blocks; with a bound of 0, each send blocks until its message is received.
///
/// # Examples
///
/// ```
/// # use pfs_runtime as pfs;
/// let (sender, receiver) = pfs::sync::mpsc::sync_channel(1);
/// let producer = pfs::thread::spawn(move || (0..3).try_for_each(|number| sender.send(number)));
/// assert_eq!(receiver.iter().collect::<Vec<_>>(), [0, 1, 2]);
/// assert!(producer.join().unwrap().is_ok());
/// ```
#[must_use]
#[track_caller]
pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    let (sender, receiver) = raw::sync_channel(bound);
    let made_at = Location::caller();
    let [receiving, sending] =
        [&builtin::MPSC_RECV, &builtin::MPSC_SEND].map(|class| SharedInstance::new(class, made_at));
    (SyncSender::new(sender, sending), Receiver::new(receiver, receiving))
}

/// Makes a channel whose sends never block, of class `class`, for the macros.
#[doc(hidden)]
#[must_use]
#[track_caller]
pub fn channel_of<T>(class: &'static Class) -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = raw::channel();
    (sender, Receiver::new(receiver, SharedInstance::new(class, Location::caller())))
}

/// Makes a channel that holds up to `bound` messages, of class `class` at both ends, for the macros.
#[doc(hidden)]
#[must_use]
#[track_caller]
pub fn sync_channel_of<T>(class: &'static Class, bound: usize) -> (SyncSender<T>, Receiver<T>) {
    let (sender, receiver) = raw::sync_channel(bound);
    let instance = SharedInstance::new(class, Location::caller());
    (SyncSender::new(sender, instance.clone()), Receiver::new(receiver, instance))
}
