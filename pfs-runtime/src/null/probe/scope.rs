//! Stages and statements: guards that hold nothing open.

use crate::class::Class;
use crate::model::Site;
use core::marker::PhantomData;

/// A kind of event that is held open by a guard.
pub trait ScopeKind {}

/// Stages.
#[derive(Clone, Copy, Debug)]
pub enum Stage {}
/// Statements.
#[derive(Clone, Copy, Debug)]
pub enum Statement {}

impl ScopeKind for Stage {}
impl ScopeKind for Statement {}

/// Stands for an open stage or statement. It stays on its thread as one does.
#[derive(Clone, Copy, Debug)]
pub struct Scope<K: ScopeKind>(PhantomData<(K, *const ())>);

impl<K: ScopeKind> Scope<K> {
    /// Begins nothing.
    #[inline(always)]
    pub(crate) fn begin(_: &'static Class, _: Site) -> Self {
        Self(PhantomData)
    }

    /// Ends nothing.
    #[inline(always)]
    pub(crate) fn end(&mut self) {}

    /// Finds nothing.
    #[inline(always)]
    pub(crate) fn innermost() -> Self {
        Self(PhantomData)
    }

    #[inline(always)]
    pub(crate) fn is_begun(&self) -> bool {
        false
    }
}

impl Scope<Stage> {
    /// Ends nothing and begins nothing.
    #[inline(always)]
    pub(crate) fn switch(&mut self, _: &'static Class, _: Site) {}

    #[inline(always)]
    pub(crate) fn work(&self, _: impl FnOnce(u64, u64) -> (u64, u64)) {}
}

/// What is said of a statement is dropped.
impl Scope<Statement> {
    #[inline(always)]
    pub(crate) fn refine(&mut self, _: &'static Class) {}

    #[inline(always)]
    pub(crate) fn wants_text(&self) -> bool {
        false
    }

    #[inline(always)]
    pub(crate) fn is_shown(&self) -> bool {
        false
    }

    #[inline(always)]
    pub(crate) fn add(&self, _: usize, _: u64) {}

    #[inline(always)]
    pub(crate) fn fail(&self, _: usize, _: i32, _: &str, _: Option<&str>) {}

    #[inline(always)]
    pub(crate) fn set_text(&self, _: &[u8]) {}

    #[inline(always)]
    pub(crate) fn set_schema(&self, _: &str) {}
}
