//! The hot path: how each kind of event begins, is counted and ends. Nothing here knows the types that users hold.
//!
//! What is inlined into user code is the test of the class's word and the choice between not measuring, counting and
//! timing; what is counted is settled in functions of this crate. Everything that records an event, or does something
//! first, is out of line.

mod count;
pub mod lock;
pub mod scope;
pub mod wait;

pub(crate) use scope::end_for;

use crate::class::Flags;
use crate::clock::ticks;
use crate::model::Context;

/// Raw ticks now, by the clock that the class's flags ask for.
#[inline(always)]
pub(crate) fn now(context: &Context, flags: Flags) -> u64 {
    if flags.any(Flags::SLOW_CLOCK) { slow_now(context) } else { ticks() }
}

#[cold]
fn slow_now(context: &Context) -> u64 {
    context.schema().map_or(0, |schema| schema.clock().now())
}

/// Ticks between two readings; a clock that stepped back measured nothing.
#[inline(always)]
pub(crate) fn elapsed(start: u64, end: u64) -> u64 {
    end.saturating_sub(start)
}

impl Context {
    /// What the context lets the events of a class do.
    #[inline(always)]
    pub(crate) fn allow(&self, flags: Flags) -> Flags {
        flags & Flags(self.requests.mask())
    }

    /// Whether the context has something to do before its next event is counted.
    #[inline(always)]
    pub(crate) fn needs_attention(&self) -> bool {
        Flags(self.requests.mask()).any(Flags::ATTENTION)
    }
}

/// The context an event of these flags belongs to and what it may do, once the context has done what it had to.
#[cold]
pub(crate) fn attended(context: &'static Context, flags: Flags) -> (&'static Context, Flags) {
    let context =
        if context.allow(flags).any(Flags::ATTENTION) { crate::context::attend(context) } else { context };
    let mut flags = context.allow(flags).without(Flags::ATTENTION);
    if context.is_overflow() && !flags.is_none() {
        let recorded = Flags::CURRENT | Flags::HISTORY | Flags::HISTORY_LONG;
        flags = flags.without(recorded) | Flags::GLOBAL_ONLY;
    }
    (context, flags)
}
