//! [`InStatement`]: a future that is a statement; and what `#[statement]` makes of a function that is or returns one.

use super::spanning::{Spanning, Unwatched, Watch};
use crate::class::Class;
use crate::probe::polled::Polled;
pub use crate::probe::polled::keeps_text;
use crate::probe::scope::{self, Scope};
use crate::statement::{OpenStatement, StatementText};
use core::panic::Location;
use core::pin::Pin;
use core::task::{Context, Poll};

/// A future that is a statement from its first poll until it completes or is dropped; made by
/// [`in_statement`](super::InstrumentFuture::in_statement).
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct InStatement<F, W = Unwatched> {
    spanning: Spanning<scope::Statement, F, W>,
}

/// What was returned is looked at.
#[doc(hidden)]
#[derive(Debug)]
pub struct Look<L>(L);

impl<R, L: FnMut(&R, &mut OpenStatement)> Watch<scope::Statement, R> for Look<L> {
    #[inline(always)]
    fn returned(&mut self, returned: &R, statement: Scope<scope::Statement>) {
        (self.0)(returned, &mut OpenStatement::of(statement));
    }
}

/// There is a text that was made before; what was returned is looked at.
#[doc(hidden)]
#[derive(Debug)]
pub struct Texted<L> {
    text: Option<Box<[u8]>>,
    look: L,
}

impl<R, L: FnMut(&R, &mut OpenStatement)> Watch<scope::Statement, R> for Texted<L> {
    fn began(&mut self, statement: Scope<scope::Statement>) {
        if let Some(text) = self.text.take() {
            OpenStatement::of(statement).text(text);
        }
    }

    #[inline(always)]
    fn returned(&mut self, returned: &R, statement: Scope<scope::Statement>) {
        (self.look)(returned, &mut OpenStatement::of(statement));
    }
}

/// Makes a future a statement of `class`.
#[doc(hidden)]
#[inline]
#[track_caller]
pub fn statement<F: Future>(class: &'static Class, future: F) -> InStatement<F> {
    InStatement { spanning: Spanning::new(class, Location::caller(), future, Unwatched) }
}

/// The same; `look` is called with what the future returns, before the statement ends.
#[doc(hidden)]
#[inline]
#[track_caller]
pub fn watched<R, F, L>(class: &'static Class, future: F, look: L) -> InStatement<F, Look<L>>
where
    F: Future<Output = R>,
    L: FnMut(&R, &mut OpenStatement),
{
    InStatement { spanning: Spanning::new(class, Location::caller(), future, Look(look)) }
}

/// The same with a text, where there is one.
#[doc(hidden)]
#[inline]
#[track_caller]
pub fn texted<R, F, L>(
    class: &'static Class,
    text: Option<Box<[u8]>>,
    future: F,
    look: L,
) -> InStatement<F, Texted<L>>
where
    F: Future<Output = R>,
    L: FnMut(&R, &mut OpenStatement),
{
    let watch = Texted { text, look };
    InStatement { spanning: Spanning::new(class, Location::caller(), future, watch) }
}

/// A copy of a text, for when its statement begins. It is made only where texts of `class` are kept.
#[doc(hidden)]
pub fn kept_text(text: &(impl StatementText + ?Sized)) -> Box<[u8]> {
    text.bytes().into()
}

/// A statement that was begun in a poll, for a future that is polled at once.
#[doc(hidden)]
#[derive(Debug)]
pub struct Begun {
    event: Polled<scope::Statement>,
}

/// A statement's handle that is part of its future's state, to say the text by.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Lent {
    scope: Scope<scope::Statement>,
}

// SAFETY: a scope is two words that name an event; what is said by it is dropped unless the event is one of the calling
// thread's context.
unsafe impl Send for Lent {}
// SAFETY: as above.
unsafe impl Sync for Lent {}

/// Begins a statement of `class`, in a poll.
#[doc(hidden)]
#[inline]
#[track_caller]
pub fn begun(class: &'static Class) -> Begun {
    let mut event = Polled::new(class, Location::caller());
    event.begin();
    Begun { event }
}

impl Begun {
    /// The handle for the future.
    #[inline]
    pub fn lent(&self) -> Lent {
        Lent { scope: self.event.scope() }
    }

    /// Gives the statement the future that it is about; as [`watched`].
    #[inline]
    pub fn watched<R, F, L>(self, future: F, look: L) -> InStatement<F, Look<L>>
    where
        F: Future<Output = R>,
        L: FnMut(&R, &mut OpenStatement),
    {
        InStatement { spanning: Spanning::begun(self.event, future, Look(look)) }
    }
}

impl Lent {
    /// Whether the statement's text would be kept.
    #[inline]
    pub fn wants_text(self) -> bool {
        self.scope.wants_text()
    }

    /// Sets the statement's text.
    #[inline]
    pub fn text(self, text: impl AsRef<[u8]>) {
        OpenStatement::of(self.scope).text(text);
    }
}

impl<F: Future, W: Watch<scope::Statement, F::Output>> Future for InStatement<F, W> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: the only field is pinned when this is, and nothing else moves it.
        unsafe { self.map_unchecked_mut(|this| &mut this.spanning) }.poll(cx)
    }
}
