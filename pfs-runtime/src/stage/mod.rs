//! Stages: the steps of a statement, as guards. The attribute `#[stage]` puts such a guard first in a function.

use crate::class::Class;
use crate::probe::scope::{self, Scope};
use core::ops::{Deref, DerefMut};
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

/// A stage that was begun; dropping it ends the stage. What can be said of it until then are the methods of
/// [`OpenStage`], which it dereferences to.
///
/// Stages nest: what is open around it is its parent, and is current again when it ends.
#[derive(Debug)]
#[must_use = "dropping this ends the stage"]
pub struct StageGuard {
    stage: OpenStage,
}

/// A stage that is open.
///
/// What is said of one that is off, that has ended already, or that has no row because `events_stages_current` is off,
/// is dropped.
#[derive(Debug)]
pub struct OpenStage {
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

    pub(crate) const fn class(self) -> &'static Class {
        self.class
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
        self.stage.scope.switch(next.class().class, Location::caller());
    }
}

impl OpenStage {
    #[inline(always)]
    pub(crate) fn of(scope: Scope<scope::Stage>) -> Self {
        Self { scope }
    }

    /// Says how many units of work are done and how many are expected: `WORK_COMPLETED` and `WORK_ESTIMATED`. The estimate
    /// may change, and may be passed.
    ///
    /// ```
    /// use pfs::stage::StageClass;
    ///
    /// static COPYING: StageClass = pfs::stage_class!("kv/copying");
    ///
    /// let mut stage = COPYING.begin();
    /// stage.progress(0, 2);
    /// for _block in 0..2 {
    ///     stage.advance(1);
    /// }
    /// ```
    pub fn progress(&mut self, completed: u64, estimated: u64) {
        self.scope.work(|_, _| (completed, estimated));
    }

    /// Adds to the units of work that are done.
    pub fn advance(&mut self, completed: u64) {
        self.scope.work(|before, estimated| (before.saturating_add(completed), estimated));
    }
}

/// The stage that runs now: the innermost one that is open in the calling thread's context, be it of a guard, a function
/// or a future. Where none runs, what is said of it is dropped.
///
/// Cost: a look at each event around the caller, up to the stage.
///
/// ```
/// use pfs::prelude::*;
///
/// #[stage("kv/copying")]
/// fn copy(blocks: u64) {
///     for block in 0..blocks {
///         pfs::stage::current().progress(block, blocks);
///     }
/// }
///
/// copy(3);
/// ```
pub fn current() -> OpenStage {
    OpenStage::of(Scope::innermost())
}

impl Deref for StageGuard {
    type Target = OpenStage;

    #[inline(always)]
    fn deref(&self) -> &OpenStage {
        &self.stage
    }
}

impl DerefMut for StageGuard {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut OpenStage {
        &mut self.stage
    }
}

// Over the null engine too, where there is nothing to end: what holds a guard, a future across an `.await` above all, is
// refused and linted there as it is with the engine.
impl Drop for StageGuard {
    #[inline(always)]
    fn drop(&mut self) {
        self.stage.scope.end();
    }
}

/// Begins a stage of `class`.
#[doc(hidden)]
#[inline]
#[track_caller]
pub fn begin(class: &'static Class) -> StageGuard {
    StageGuard { stage: OpenStage::of(Scope::begin(class, Location::caller())) }
}

/// Begins a stage that is a call, whose guard nobody but the attribute's code sees.
#[cfg(feature = "engine")]
#[doc(hidden)]
#[inline(always)]
#[track_caller]
pub fn call(class: &'static Class) -> StageGuard {
    begin(class)
}

/// Begins nothing. What would be dropped in vain is not dropped: that alone would change what a compiler makes of the
/// function.
#[cfg(not(feature = "engine"))]
#[doc(hidden)]
#[inline(always)]
pub fn call(class: &'static Class) -> core::mem::ManuallyDrop<StageGuard> {
    core::mem::ManuallyDrop::new(begin(class))
}
