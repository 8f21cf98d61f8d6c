//! What the first thread to come does for all, where the type under it does not say who that is: the others wait.

use super::wait::MaybeWait;
use crate::instance::Instance;
use crate::model::{Operation, Site};
use std::sync::Once;

/// Stands before something that is made once, and panics or blocks as [`Once`] does, and knows who makes it.
#[derive(Debug)]
pub struct First(Once);

#[expect(clippy::new_without_default, reason = "made in constants")]
impl First {
    /// Nobody came yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(Once::new())
    }

    /// Gives what `make` makes, or made when it was called first. To be called where it is not made yet.
    ///
    /// If another thread makes it, or a panic kept it from being made, this is one wait on `instance`; else none.
    #[cold]
    pub fn make<R>(&self, instance: &Instance, site: Site, make: impl Fn() -> R) -> R {
        let wait = MaybeWait::begin(instance, Operation::Wait, site);
        self.0.call_once_force(|state| {
            if !state.is_poisoned() {
                wait.cancel();
            }
            make();
        });
        drop(wait);
        make()
    }

    /// Runs `make`, which no other thread can come upon, if it is not made yet. No event.
    #[cold]
    pub fn make_alone(&mut self, make: impl FnOnce()) {
        self.0.call_once_force(|_| make());
    }
}
