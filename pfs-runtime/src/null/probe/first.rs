//! What the first thread to come does for all: the type under it sees to that.

use crate::instance::Instance;
use crate::model::Site;

/// Stands before something that is made once.
#[derive(Debug)]
pub struct First(());

#[expect(clippy::new_without_default, reason = "the signatures are those of the engine")]
impl First {
    /// In front of anything.
    #[must_use]
    #[inline(always)]
    pub const fn new() -> Self {
        Self(())
    }

    /// Gives what `make` makes.
    #[inline(always)]
    pub fn make<R>(&self, _: &Instance, _: Site, make: impl Fn() -> R) -> R {
        make()
    }

    /// Runs `make`.
    #[inline(always)]
    pub fn make_alone(&mut self, make: impl FnOnce()) {
        make();
    }
}
