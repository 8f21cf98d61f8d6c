//! The hot path: how each kind of event begins, is counted and ends. Nothing here knows the types that users hold.
//!
//! What is inlined into user code is the test of the class's word; the rest is settled in functions of this crate,
//! so that a user's build without link-time optimisation runs what was measured. What happens rarely is called last,
//! so that the short way saves no registers for it.
//!
//! # What interrupts a probe
//!
//! A signal handler may come at any instruction and use anything that is instrumented, on the context that is being
//! written. It runs to its end before what it interrupted goes on. So what it finds is one of these:
//!
//! - A row of statistics that is changing ([`crate::stat::Leaf`]): its event of several fields is not counted in that row,
//!   and is lost. In any other row it is counted, and one that is a single field is added in this one too.
//! - Open events that are changing ([`crate::event`]): its event is counted, and has no row in the event tables, as one
//!   that is nested too deep.
//! - A context that does what it was asked for, or is registered just now: it has no context, and its events are the raw
//!   operation.
//! - Anything else: nothing is halfway.

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

/// Lets the context carry out what it was asked for before an event is counted. False if it cannot, because the event
/// interrupts a change of what it counts: then it is not to be counted.
#[inline(always)]
pub(crate) fn attend_first(context: &'static Context) -> bool {
    !context.needs_attention() || has_attended(context)
}

#[cold]
#[inline(never)]
fn has_attended(context: &'static Context) -> bool {
    core::ptr::eq(crate::context::attend(context), context)
}
