//! The hot path: how each kind of event begins, is counted and ends. Nothing here knows the types that users hold.
//!
//! What is inlined into user code is the test of the class's word; the rest is settled in functions of this crate,
//! so that a user's build without link-time optimisation runs what was measured. What happens rarely is called last,
//! so that the short way saves no registers for it.

mod elsewhere;
pub mod first;
pub mod lock;
pub mod held;
pub mod polled;
pub mod scope;
pub mod transaction;
pub mod wait;

use crate::class::{Flags, Word};
use crate::instance::Instance;
use crate::model::Context;

impl Context {
    /// What the context lets events do.
    #[inline(always)]
    pub(crate) fn mask(&self) -> Flags {
        Flags(self.requests.mask())
    }

    /// A class's word, cut down to what the context lets its events do.
    #[inline(always)]
    pub(crate) fn allow(&self, word: Word) -> Word {
        Word(word.0 & (u64::from(self.mask().0) | 0xffff_ffff_0000_0000))
    }

    /// Whether the context has something to do before its next event is counted.
    #[inline(always)]
    pub(crate) fn needs_attention(&self) -> bool {
        self.mask().any(Flags::ATTENTION)
    }
}

/// The context an event belongs to and what it may do, once the context has done what it had to.
#[cold]
#[inline(never)]
pub(crate) fn attended(context: &'static Context, word: Word) -> (&'static Context, Word) {
    let context = if context.needs_attention() { crate::context::attend(context) } else { context };
    let decided = context.allow(word);
    let mut flags = decided.flags().without(Flags::ATTENTION);
    if context.is_overflow() && !flags.is_none() {
        let recorded = Flags::CURRENT | Flags::HISTORY | Flags::HISTORY_LONG;
        flags = flags.without(recorded) | Flags::GLOBAL_ONLY;
    }
    (context, decided.with(flags))
}

/// The same of an event on `instance`, whose class may have to be found first.
#[cold]
#[inline(never)]
pub(crate) fn attended_on(
    context: &'static Context,
    instance: &Instance,
    word: Word,
) -> (&'static Context, Word) {
    attended(context, instance.known(word).1)
}

/// Lets the context carry out what it was asked for before an event is counted.
#[inline(always)]
pub(crate) fn attend_first(context: &'static Context, decided: Word) {
    if context.needs_attention() {
        attended(context, decided);
    }
}
