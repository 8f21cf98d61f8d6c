//! Stages and statements of futures: the future alone.

use super::scope::{Scope, ScopeKind};
use crate::class::Class;
use crate::model::Site;
use core::convert::Infallible;
use core::marker::PhantomData;

/// Stands for the event of a future. It may move between threads as one does.
#[derive(Debug)]
pub struct Polled<K: ScopeKind>(PhantomData<fn() -> K>);

/// An event whose future runs, of which there are none.
pub(crate) struct Entered<K: ScopeKind>(Infallible, PhantomData<K>);

impl<K: ScopeKind> Polled<K> {
    /// The event of a future that was not polled yet.
    #[inline(always)]
    pub(crate) fn new(_: &'static Class, _: Site) -> Self {
        Self(PhantomData)
    }

    /// Begins nothing.
    #[inline(always)]
    pub(crate) fn begin(&mut self) -> bool {
        false
    }

    /// A handle on nothing.
    #[inline(always)]
    pub(crate) fn scope(&self) -> Scope<K> {
        Scope::innermost()
    }

    /// No event is open.
    #[inline(always)]
    pub(crate) fn enter(&mut self) -> Option<Entered<K>> {
        None
    }
}

impl<K: ScopeKind> Entered<K> {
    pub(crate) fn scope(&self) -> Scope<K> {
        match self.0 {}
    }

    pub(crate) fn leave(self) {
        match self.0 {}
    }

    pub(crate) fn end(self) {
        match self.0 {}
    }

    pub(crate) fn end_dropped(self) {
        match self.0 {}
    }
}

/// No texts are kept.
#[inline(always)]
pub fn keeps_text(_: &'static Class) -> bool {
    false
}
