//! `crossbeam-channel` with its waits instrumented: [`Sender`], [`Receiver`], [`Select`] and [`select!`](select) are
//! ours, the rest is crossbeam's own.
//!
//! Replacing `crossbeam_channel::` by `pfs::crossbeam::channel::` is a complete change.
//!
//! # What is an event
//!
//! - Receiving that may block ([`recv`](Receiver::recv), `recv_timeout`, `recv_deadline`, the blocking iterators): one
//!   event a call, whatever comes of it. Where a message is there at once, it counts in `COUNT_STAR` and not in
//!   `COUNT_WAITED`.
//! - Sending that may block ([`send`](Sender::send), `send_timeout`, `send_deadline`): one event if the channel is full.
//!   A channel with no buffer is full unless a receiver waits.
//! - Selecting that may block: one event of class `wait/synch/cond/crossbeam/select` a call of a [`Select`]'s `select…`
//!   or `ready…`, which waited if nothing was ready at once; and one a [`select!`](select) or [`select_biased!`] without
//!   `default` or with `default(timeout)`, which always counts as waited, because what it expands to does not try
//!   first. What is received or sent then is no further event.
//! - Nothing else: neither what never blocks nor making, cloning or dropping an end.
//!
//! A channel that [`bounded!`] or [`unbounded!`] names is one instance of the class of that name, for both ends. Those
//! of any other are of class `wait/synch/cond/crossbeam/recv` at the one end and `…/send` at the other, each end an
//! instance of its class. An instance is bound at its first wait.
//!
//! # The channel inside
//!
//! [`Sender`] and [`Receiver`] dereference to crossbeam's own, which is what other crates and [`Select`] take: `&sender`
//! is one, and `(*sender).clone()` an end whose waits are not counted.

mod iter;
mod macros;
mod receiver;
mod select;
mod sender;

use core::panic::Location;
use std::time::{Duration, Instant};

use ::crossbeam::channel as raw;
use pfs_runtime::class::Class;
use pfs_runtime::instance::{Instance, SharedInstance};

use super::class;

pub use self::iter::{IntoIter, Iter, TryIter};
pub use self::receiver::Receiver;
pub use self::select::Select;
pub use self::sender::Sender;
#[doc(inline)]
pub use crate::{
    __crossbeam_bounded as bounded, __crossbeam_select as select, __crossbeam_select_biased as select_biased,
    __crossbeam_unbounded as unbounded,
};
// The names above shadow crossbeam's, so that this stays complete when crossbeam grows.
pub use ::crossbeam::channel::*;

/// Makes a channel that holds any number of messages; sending never blocks.
///
/// [`unbounded!`] makes one of a class of its own.
///
/// ```
/// let (sender, receiver) = pfs::crossbeam::channel::unbounded();
/// sender.send(1).unwrap();
/// assert_eq!(receiver.recv(), Ok(1));
/// ```
#[track_caller]
pub fn unbounded<T>() -> (Sender<T>, Receiver<T>) {
    ends(raw::unbounded(), Location::caller())
}

/// Makes a channel that holds up to `cap` messages; sending blocks while it is full. With 0, each send blocks until its
/// message is received.
///
/// [`bounded!`] makes one of a class of its own.
///
/// ```
/// let (sender, receiver) = pfs::crossbeam::channel::bounded(1);
/// sender.send(1).unwrap();
/// assert!(sender.try_send(2).is_err());
/// assert_eq!(receiver.recv(), Ok(1));
/// ```
#[track_caller]
pub fn bounded<T>(cap: usize) -> (Sender<T>, Receiver<T>) {
    ends(raw::bounded(cap), Location::caller())
}

/// A receiver to which one message, the moment, is sent after `duration`.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// let (start, pause) = (Instant::now(), Duration::from_millis(2));
/// let moment = pfs::crossbeam::channel::after(pause).recv().unwrap();
/// assert!(moment >= start + pause);
/// ```
#[track_caller]
pub fn after(duration: Duration) -> Receiver<Instant> {
    receiver(raw::after(duration))
}

/// A receiver to which one message is sent at the moment `when`.
///
/// ```
/// use std::time::Instant;
///
/// let when = Instant::now();
/// assert_eq!(pfs::crossbeam::channel::at(when).recv(), Ok(when));
/// ```
#[track_caller]
pub fn at(when: Instant) -> Receiver<Instant> {
    receiver(raw::at(when))
}

/// A receiver to which a message, the moment, is sent every `duration`.
///
/// ```
/// let ticker = pfs::crossbeam::channel::tick(std::time::Duration::from_millis(1));
/// assert!(ticker.recv().unwrap() < ticker.recv().unwrap());
/// ```
#[track_caller]
pub fn tick(duration: Duration) -> Receiver<Instant> {
    receiver(raw::tick(duration))
}

/// A receiver to which nothing is ever sent. All of them are one instance.
///
/// ```
/// let nothing = pfs::crossbeam::channel::never::<u8>();
/// assert!(nothing.try_recv().unwrap_err().is_empty());
/// ```
pub const fn never<T>() -> Receiver<T> {
    static NEVER: Instance = Instance::new(&class::RECV, Location::caller());
    Receiver { inner: raw::never(), instance: SharedInstance::of(&NEVER) }
}

/// Both ends of a channel without a name.
fn ends<T>(
    (sender, receiver): (raw::Sender<T>, raw::Receiver<T>),
    made_at: &'static Location<'static>,
) -> (Sender<T>, Receiver<T>) {
    let [sending, receiving] = [&class::SEND, &class::RECV].map(|class| SharedInstance::new(class, made_at));
    (Sender { inner: sender, instance: sending }, Receiver { inner: receiver, instance: receiving })
}

/// Both ends of a channel that has a name.
fn ends_of<T>(
    class: &'static Class,
    (sender, receiver): (raw::Sender<T>, raw::Receiver<T>),
    made_at: &'static Location<'static>,
) -> (Sender<T>, Receiver<T>) {
    let instance = SharedInstance::new(class, made_at);
    (Sender { inner: sender, instance: instance.clone() }, Receiver { inner: receiver, instance })
}

/// The one end of a channel that a clock sends to.
#[track_caller]
fn receiver<T>(inner: raw::Receiver<T>) -> Receiver<T> {
    Receiver { inner, instance: SharedInstance::new(&class::RECV, Location::caller()) }
}

/// What the macros generate calls to. Not for users, and not stable.
#[doc(hidden)]
pub mod __private {
    use core::panic::Location;

    use super::{Receiver, Sender, raw};

    pub use super::select::Selecting;
    pub use ::crossbeam::channel::{select, select_biased};
    pub use pfs_macros::{bounded, select as count_select, unbounded};
    pub use pfs_runtime::class::Class;
    pub use pfs_runtime::{class, name};

    /// For `bounded!`.
    #[track_caller]
    pub fn bounded_of<T>(class: &'static Class, cap: usize) -> (Sender<T>, Receiver<T>) {
        super::ends_of(class, raw::bounded(cap), Location::caller())
    }

    /// For `unbounded!`.
    #[track_caller]
    pub fn unbounded_of<T>(class: &'static Class) -> (Sender<T>, Receiver<T>) {
        super::ends_of(class, raw::unbounded(), Location::caller())
    }
}
