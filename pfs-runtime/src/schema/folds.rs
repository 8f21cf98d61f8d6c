//! The fold lock: held by whoever moves counts from one place to another, and who may end a context while it is held.

use super::Schema;
use super::lock::Held;
use crate::class::Flags;
use crate::model::Context;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

/// The fold lock, held.
#[derive(Debug)]
pub(crate) struct Folds<'a> {
    schema: &'a Schema,
    _held: Held<'a>,
}

impl Schema {
    /// Takes the fold lock. Not to be called by a thread that holds it.
    pub(crate) fn folds(&self) -> Folds<'_> {
        Folds { schema: self, _held: self.folds.hold() }
    }

    /// Moves all that a context counted to where ended contexts leave it, and gives the context back. The caller owns it,
    /// and has said that its life changes.
    ///
    /// What interrupts the holder of the fold lock (an allocator or a signal handler that ends a session) leaves that to
    /// it.
    pub(crate) fn retire(&self, context: &'static Context) {
        if self.folds.is_held_here() {
            context.settings.fetch_or(Context::TO_RETIRE, Relaxed);
            self.to_retire.store(true, Relaxed);
            return;
        }
        let _folds = self.folds();
        self.retire_held(context);
    }

    /// The same for the holder of the fold lock.
    fn retire_held(&self, context: &'static Context) {
        self.fold(context);
        self.free(context);
    }

    /// Gives a context back whose rows are as those of one that never counted. The caller holds the fold lock.
    pub(crate) fn free(&self, context: &'static Context) {
        context.disconnect();
        context.requests.reset(Flags::NONE.0);
        context.life.end();
        self.contexts.release(context);
    }
}

impl Drop for Folds<'_> {
    fn drop(&mut self) {
        // What comes after this look waits for the next holder.
        if self.schema.to_retire.load(Acquire) && self.schema.to_retire.swap(false, AcqRel) {
            for context in self.schema.contexts.used() {
                if context.settings.load(Relaxed) & Context::TO_RETIRE != 0 {
                    context.settings.store(0, Relaxed);
                    self.schema.retire_held(context);
                }
            }
        }
    }
}
