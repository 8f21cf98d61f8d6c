//! [`InSession`] and [`InTask`]: futures with a context of their own, attached at every poll.

use crate::context::task::Task;
use crate::session::Session;
use crate::thread::ThreadClass;
use core::borrow::BorrowMut;
use core::mem::ManuallyDrop;
use core::pin::Pin;
use core::task::{Context, Poll};

/// A future that serves a session; made by [`in_session`](super::InstrumentFuture::in_session).
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct InSession<F, S: BorrowMut<Session> = Session> {
    /// `None` when the future has completed.
    session: Option<S>,
    /// Dropped by our own `drop`, within the session.
    future: ManuallyDrop<F>,
}

impl<F, S: BorrowMut<Session>> InSession<F, S> {
    pub(super) fn new(future: F, session: S) -> Self {
        Self { session: Some(session), future: ManuallyDrop::new(future) }
    }
}

impl<F: Future, S: BorrowMut<Session>> Future for InSession<F, S> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: nothing is moved out of what is pinned: `future` alone is, and is pinned again below.
        let this = unsafe { self.get_unchecked_mut() };
        // SAFETY: `self` was pinned, and `future` is dropped where it is.
        let future = unsafe { Pin::new_unchecked(&mut *this.future) };
        let attached = this.session.as_mut().map(|session| session.borrow_mut().attach());
        let polled = future.poll(cx);
        drop(attached);
        if polled.is_ready() {
            this.session = None;
        }
        polled
    }
}

impl<F, S: BorrowMut<Session>> Drop for InSession<F, S> {
    fn drop(&mut self) {
        let _attached = self.session.as_mut().map(|session| session.borrow_mut().attach());
        // SAFETY: it is dropped here alone, and not used again.
        unsafe { ManuallyDrop::drop(&mut self.future) };
    }
}

/// A future that is a task; made by [`in_task`](super::InstrumentFuture::in_task).
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct InTask<F> {
    task: Task,
    /// Dropped by our own `drop`, within the task.
    future: ManuallyDrop<F>,
}

impl<F> InTask<F> {
    pub(super) fn new(future: F, class: ThreadClass) -> Self {
        Self { task: Task::new(class.class()), future: ManuallyDrop::new(future) }
    }
}

impl<F: Future> Future for InTask<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: nothing is moved out of what is pinned: `future` alone is, and is pinned again below.
        let this = unsafe { self.get_unchecked_mut() };
        // SAFETY: `self` was pinned, and `future` is dropped where it is.
        let future = unsafe { Pin::new_unchecked(&mut *this.future) };
        let attached = this.task.attach();
        let polled = future.poll(cx);
        drop(attached);
        if polled.is_ready() {
            this.task.end();
        }
        polled
    }
}

impl<F> Drop for InTask<F> {
    fn drop(&mut self) {
        let _attached = self.task.attach_again();
        // SAFETY: it is dropped here alone, and not used again.
        unsafe { ManuallyDrop::drop(&mut self.future) };
    }
}
