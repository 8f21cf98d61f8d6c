//! The macros of [`channel`](super). One that is exported has its place at the crate's root; so each stands there under
//! a name that nobody writes, and is called here by its own.

/// Makes a [channel with a bound](fn@crate::crossbeam::channel::bounded) whose ends both wait in the instrument class
/// `wait/synch/cond/<name>`.
///
/// The name is as for [`pfs::mutex!`](crate::mutex!); what follows it is the number of messages that the channel holds.
///
/// ```
/// let (sender, receiver) = pfs::crossbeam::channel::bounded!("kv/jobs", 16);
/// sender.send("compact").unwrap();
/// assert_eq!(receiver.recv(), Ok("compact"));
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __crossbeam_bounded {
    ($($args:tt)*) => {
        $crate::crossbeam::channel::__private::bounded! { [$crate::crossbeam::channel] $($args)* }
    };
}

/// Makes a [channel without a bound](fn@crate::crossbeam::channel::unbounded) whose receivers wait in the instrument class
/// `wait/synch/cond/<name>`.
///
/// ```
/// let (sender, receiver) = pfs::crossbeam::channel::unbounded!("kv/jobs");
/// sender.send("compact").unwrap();
/// assert_eq!(receiver.recv(), Ok("compact"));
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __crossbeam_unbounded {
    ($($args:tt)*) => {
        $crate::crossbeam::channel::__private::unbounded! { [$crate::crossbeam::channel] $($args)* }
    };
}

/// Waits until one of several channel operations can be done, and does it: crossbeam's `select!`, whose selection is a
/// wait of class `wait/synch/cond/crossbeam/select`.
///
/// Without `default` it is one event, operation `wait`; with `default(timeout)` one of operation `timed_wait`; with a
/// mere `default` it never blocks and is none. The event ends before the message of a `send` is evaluated and before
/// the code of the case that was selected runs.
///
/// ```
/// use pfs::crossbeam::channel::{select, unbounded};
///
/// let (numbers, inbox) = unbounded();
/// let (_words, words_inbox) = unbounded::<&str>();
/// numbers.send(7).unwrap();
/// let seen = select! {
///     recv(inbox) -> number => number.unwrap_or(0),
///     recv(words_inbox) -> word => word.map_or(0, str::len),
/// };
/// assert_eq!(seen, 7);
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __crossbeam_select {
    ($($cases:tt)*) => {
        $crate::crossbeam::channel::__private::count_select! {
            [$crate::crossbeam::channel] [select] $($cases)*
        }
    };
}

/// As [`select!`](crate::crossbeam::channel::select), but takes the first operation that can be done, in the order in
/// which they are written.
#[doc(hidden)]
#[macro_export]
macro_rules! __crossbeam_select_biased {
    ($($cases:tt)*) => {
        $crate::crossbeam::channel::__private::count_select! {
            [$crate::crossbeam::channel] [select_biased] $($cases)*
        }
    };
}
