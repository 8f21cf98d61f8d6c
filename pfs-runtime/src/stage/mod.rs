//! Stages: the steps of a statement, as guards. The attribute `#[stage]` puts such a guard first in a function.

use crate::class::Class;
use crate::probe::scope::{self, Scope};
use core::panic::Location;

/// What is a stage: `#[derive(Stage)]` gives an enum a class a variant, and a [`StageClass`] is one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no stage",
    label = "expected a `StageClass`, which `stage_class!` makes, or a type with `#[derive(Stage)]`"
)]
pub trait Stage {
    /// The class of this value.
    fn class(&self) -> StageClass;

    /// Begins a stage of this value's class, which ends when the guard is dropped.
    ///
    /// Cost while not started or disabled: one relaxed load and a branch.
    #[inline]
    #[track_caller]
    fn begin(&self) -> StageGuard {
        begin(self.class().class)
    }
}

/// An open stage; dropping it ends the stage.
///
/// Stages nest: what is open around it is its parent, and is current again when it ends.
#[derive(Debug)]
#[must_use = "dropping this ends the stage"]
pub struct StageGuard {
    scope: Scope<scope::Stage>,
}

/// A named stage, made by `stage_class!`, or of a value that derives [`Stage`].
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

impl Stage for StageClass {
    #[inline]
    fn class(&self) -> StageClass {
        *self
    }
}

impl<S: Stage + ?Sized> Stage for &S {
    #[inline]
    fn class(&self) -> StageClass {
        S::class(self)
    }
}

impl StageGuard {
    /// Ends this stage and begins `next` in its place, with one clock reading for both.
    #[inline]
    #[track_caller]
    pub fn switch(&mut self, next: impl Stage) {
        self.scope.switch(next.class().class, Location::caller());
    }
}

/// Begins a stage of `class`.
#[doc(hidden)]
#[inline]
#[track_caller]
pub fn begin(class: &'static Class) -> StageGuard {
    StageGuard { scope: Scope::begin(class, Location::caller()) }
}
