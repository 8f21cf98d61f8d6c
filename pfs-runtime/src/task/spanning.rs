//! A future with the event of its life.

use crate::class::Class;
use crate::model::Site;
use crate::probe::polled::Polled;
use crate::probe::scope::{Scope, ScopeKind};
use core::mem::ManuallyDrop;
use core::pin::Pin;
use core::task::{Context, Poll};

/// What is said of an event by what its future does.
#[doc(hidden)]
pub trait Watch<K: ScopeKind, R> {
    /// At the first poll.
    #[inline(always)]
    fn began(&mut self, _event: Scope<K>) {}

    /// At the end, if the future completes.
    #[inline(always)]
    fn returned(&mut self, _returned: &R, _event: Scope<K>) {}
}

/// Nothing is said.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Unwatched;

impl<K: ScopeKind, R> Watch<K, R> for Unwatched {}

/// A future and its event, which is open from the first poll until the future completes or is dropped.
///
/// The future is pinned when this is; `watch` is not.
#[derive(Debug)]
pub(super) struct Spanning<K: ScopeKind, F, W> {
    event: Polled<K>,
    watch: W,
    /// Dropped by our own `drop`, within the event.
    future: ManuallyDrop<F>,
}

impl<K: ScopeKind, F, W> Spanning<K, F, W> {
    #[inline(always)]
    pub(super) fn new(class: &'static Class, site: Site, future: F, watch: W) -> Self {
        Self::begun(Polled::new(class, site), future, watch)
    }

    /// With an event that was begun.
    #[inline(always)]
    pub(super) fn begun(event: Polled<K>, future: F, watch: W) -> Self {
        Self { event, watch, future: ManuallyDrop::new(future) }
    }
}

/// Cost of a poll where there is no event: two branches.
impl<K: ScopeKind, F: Future, W: Watch<K, F::Output>> Future for Spanning<K, F, W> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: nothing is moved out of what is pinned: `future` alone is, and is pinned again below.
        let this = unsafe { self.get_unchecked_mut() };
        // SAFETY: `self` was pinned, and `future` is dropped where it is.
        let future = unsafe { Pin::new_unchecked(&mut *this.future) };
        let is_first = this.event.begin();
        let Some(entered) = this.event.enter() else { return future.poll(cx) };
        if is_first {
            this.watch.began(entered.scope());
        }
        let polled = future.poll(cx);
        if let Poll::Ready(value) = &polled {
            this.watch.returned(value, entered.scope());
            entered.end();
        } else {
            entered.leave();
        }
        polled
    }
}

impl<K: ScopeKind, F, W> Drop for Spanning<K, F, W> {
    #[inline]
    fn drop(&mut self) {
        let entered = self.event.enter();
        // SAFETY: it is dropped here alone, and not used again.
        unsafe { ManuallyDrop::drop(&mut self.future) };
        if let Some(entered) = entered {
            entered.end_dropped();
        }
    }
}
