//! Stages: the steps of a statement, as guards. The attribute `#[stage]` puts such a guard first in a function.

use crate::class::Class;
use crate::probe::scope::{Scope, Stage};
use core::panic::Location;

/// An open stage; dropping it ends the stage.
///
/// Stages nest: what is open around it is its parent, and is current again when it ends.
#[derive(Debug)]
#[must_use = "dropping this ends the stage"]
pub struct StageGuard {
    scope: Scope<Stage>,
}

/// A named stage, made by `stage_class!`.
#[derive(Clone, Copy, Debug)]
pub struct StageClass {
    class: &'static Class,
}

impl StageClass {
    /// For `stage_class!`.
    #[doc(hidden)]
    pub const fn new(class: &'static Class) -> Self {
        Self { class }
    }

    /// Begins the stage. Cost while not started or disabled: one relaxed load and a branch.
    #[inline]
    #[track_caller]
    pub fn begin(self) -> StageGuard {
        begin(self.class)
    }
}

impl StageGuard {
    /// Ends this stage and begins `next` in its place, with one clock reading for both.
    #[inline]
    #[track_caller]
    pub fn switch(&mut self, next: StageClass) {
        self.scope.switch(next.class, Location::caller());
    }
}

/// Begins a stage of `class`.
#[doc(hidden)]
#[inline]
#[track_caller]
pub fn begin(class: &'static Class) -> StageGuard {
    StageGuard { scope: Scope::begin(class, Location::caller()) }
}
