//! [`InStage`]: a future that is a stage.

use super::spanning::{Spanning, Unwatched};
use crate::class::Class;
use crate::probe::scope;
use core::panic::Location;
use core::pin::Pin;
use core::task::{Context, Poll};

/// A future that is a stage from its first poll until it completes or is dropped; made by
/// [`in_stage`](super::InstrumentFuture::in_stage).
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct InStage<F> {
    spanning: Spanning<scope::Stage, F, Unwatched>,
}

/// Makes a future a stage of `class`.
#[doc(hidden)]
#[inline]
#[track_caller]
pub fn stage<F: Future>(class: &'static Class, future: F) -> InStage<F> {
    InStage { spanning: Spanning::new(class, Location::caller(), future, Unwatched) }
}

impl<F: Future> Future for InStage<F> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: the only field is pinned when this is, and nothing else moves it.
        unsafe { self.map_unchecked_mut(|this| &mut this.spanning) }.poll(cx)
    }
}
