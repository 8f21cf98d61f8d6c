//! [`Select`]: waiting for any of several channel operations.

use core::cell::RefCell;
use core::fmt;
use core::panic::Location;
use std::time::{Duration, Instant};

use ::crossbeam::channel::{
    self as raw, ReadyTimeoutError, SelectTimeoutError, SelectedOperation, TryReadyError, TrySelectError,
};
use pfs_runtime::instance::Instance;
use pfs_runtime::model::Operation;
use pfs_runtime::probe::wait::{self, OpenWait};

use super::super::class;

/// All selections are one instance: what they wait for are the channels.
static SELECT: Instance = Instance::new(&class::SELECT, Location::caller());

/// Waits for any of several operations on channels: crossbeam's `Select`, instrumented.
///
/// Operations are added on crossbeam's own ends, which ours dereference to: `select.recv(&receiver)` takes either.
///
/// # Examples
///
/// ```
/// use pfs::crossbeam::channel::{Select, unbounded};
///
/// let channels = [unbounded(), unbounded()];
/// channels[1].0.send("second").unwrap();
///
/// let mut select = Select::new();
/// for (_, receiver) in &channels {
///     select.recv(receiver);
/// }
/// let selected = select.select();
/// let index = selected.index();
/// assert_eq!((index, selected.recv(&channels[index].1)), (1, Ok("second")));
/// ```
#[derive(Clone, Default)]
pub struct Select<'a>(raw::Select<'a>);

impl<'a> Select<'a> {
    /// With no operation. Among several that are ready one is taken at random.
    pub fn new() -> Self {
        Self(raw::Select::new())
    }

    /// With no operation. Among several that are ready the first that was added is taken.
    pub fn new_biased() -> Self {
        Self(raw::Select::new_biased())
    }

    /// Adds a send and gives its index.
    pub fn send<T>(&mut self, s: &'a raw::Sender<T>) -> usize {
        self.0.send(s)
    }

    /// Adds a receive and gives its index.
    pub fn recv<T>(&mut self, r: &'a raw::Receiver<T>) -> usize {
        self.0.recv(r)
    }

    /// Removes the operation of that index.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn remove(&mut self, index: usize) {
        self.0.remove(index);
    }

    /// Selects an operation that is ready. Never blocks, no event.
    ///
    /// # Errors
    ///
    /// If none is ready.
    pub fn try_select(&mut self) -> Result<SelectedOperation<'a>, TrySelectError> {
        self.0.try_select()
    }

    /// Selects an operation that is ready; blocks until one is. What is selected must be completed.
    ///
    /// One event, operation `wait`.
    ///
    /// # Panics
    ///
    /// If there is no operation.
    #[track_caller]
    pub fn select(&mut self) -> SelectedOperation<'a> {
        self.wait(Operation::Wait, |select| select.try_select().ok(), raw::Select::select)
    }

    /// As [`select`](Self::select), but for about `timeout` at most.
    ///
    /// One event, operation `timed_wait`.
    ///
    /// # Errors
    ///
    /// If the time was over.
    #[track_caller]
    pub fn select_timeout(&mut self, timeout: Duration) -> Result<SelectedOperation<'a>, SelectTimeoutError> {
        let now = |select: &mut raw::Select<'a>| select.try_select().ok().map(Ok);
        self.wait(Operation::TimedWait, now, |select| select.select_timeout(timeout))
    }

    /// As [`select`](Self::select), but until `deadline` at most.
    ///
    /// One event, operation `timed_wait`.
    ///
    /// # Errors
    ///
    /// If the time was over.
    #[track_caller]
    pub fn select_deadline(
        &mut self,
        deadline: Instant,
    ) -> Result<SelectedOperation<'a>, SelectTimeoutError> {
        let now = |select: &mut raw::Select<'a>| select.try_select().ok().map(Ok);
        self.wait(Operation::TimedWait, now, |select| select.select_deadline(deadline))
    }

    /// The index of an operation that is ready. Never blocks, no event.
    ///
    /// # Errors
    ///
    /// If none is ready.
    pub fn try_ready(&mut self) -> Result<usize, TryReadyError> {
        self.0.try_ready()
    }

    /// The index of an operation that is ready; blocks until one is.
    ///
    /// One event, operation `wait`.
    ///
    /// # Panics
    ///
    /// If there is no operation.
    #[track_caller]
    pub fn ready(&mut self) -> usize {
        self.wait(Operation::Wait, |select| select.try_ready().ok(), raw::Select::ready)
    }

    /// As [`ready`](Self::ready), but for about `timeout` at most.
    ///
    /// One event, operation `timed_wait`.
    ///
    /// # Errors
    ///
    /// If the time was over.
    #[track_caller]
    pub fn ready_timeout(&mut self, timeout: Duration) -> Result<usize, ReadyTimeoutError> {
        let now = |select: &mut raw::Select<'a>| select.try_ready().ok().map(Ok);
        self.wait(Operation::TimedWait, now, |select| select.ready_timeout(timeout))
    }

    /// As [`ready`](Self::ready), but until `deadline` at most.
    ///
    /// One event, operation `timed_wait`.
    ///
    /// # Errors
    ///
    /// If the time was over.
    #[track_caller]
    pub fn ready_deadline(&mut self, deadline: Instant) -> Result<usize, ReadyTimeoutError> {
        let now = |select: &mut raw::Select<'a>| select.try_ready().ok().map(Ok);
        self.wait(Operation::TimedWait, now, |select| select.ready_deadline(deadline))
    }

    /// One event: `now` tries without waiting, `block` waits.
    #[track_caller]
    fn wait<R>(
        &mut self,
        operation: Operation,
        now: impl FnOnce(&mut raw::Select<'a>) -> Option<R>,
        block: impl FnOnce(&mut raw::Select<'a>) -> R,
    ) -> R {
        let select = RefCell::new(&mut self.0);
        let (now, block) = (|| now(&mut select.borrow_mut()), || block(&mut select.borrow_mut()));
        wait::try_first(&SELECT, operation, Location::caller(), now, block)
    }
}

impl fmt::Debug for Select<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// The wait of a `select!`, for the macro: it ends before the code of the case that was selected.
#[doc(hidden)]
pub struct Selecting(OpenWait);

impl Selecting {
    /// Begins a selection that blocks until an operation is ready.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn begin() -> Self {
        Self(OpenWait::begin(&SELECT, Operation::Wait, Location::caller()))
    }

    /// Begins a selection that blocks for a time at most.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn begin_in_time() -> Self {
        Self(OpenWait::begin(&SELECT, Operation::TimedWait, Location::caller()))
    }

    /// Ends it.
    #[inline]
    pub fn end(self) {
        self.0.end(true);
    }
}
