//! The calling OS thread's context, and what a context has to do before its next event.

use super::thread;
use crate::class::{Flags, builtin};
use crate::count;
use crate::event;
use crate::model::Context;
use crate::schema::process;
use core::cell::Cell;

/// The context of a thread that has not registered: its first event takes it off the hot path.
static UNREGISTERED: Context = Context::placeholder(Flags(Flags::ALL.0 | Flags::ATTENTION.0));

/// The context of a thread that has ended, or of a session that never began: every event is the raw operation.
pub(super) static GONE: Context = Context::placeholder(Flags::NONE);

thread_local! {
    // Constant and without a destructor: reading it costs an instruction or two, and late destructors of other
    // thread-locals may still read it.
    static CURRENT: Cell<&'static Context> = const { Cell::new(&UNREGISTERED) };
}

/// The calling OS thread's context; never none, since placeholders stand for that. Cost: one thread-local load.
#[inline(always)]
pub(crate) fn current() -> &'static Context {
    CURRENT.with(Cell::get)
}

/// Makes `context` the calling OS thread's and gives back the one before.
#[inline(always)]
pub(crate) fn adopt(context: &'static Context) -> &'static Context {
    CURRENT.with(|current| current.replace(context))
}

/// Leaves the calling OS thread as one that has not registered.
pub(super) fn unregistered() -> &'static Context {
    &UNREGISTERED
}

/// Does what the context has to do before its next event: registers a thread that is new, carries out requests.
///
/// Gives the context that the event belongs to.
#[cold]
pub(crate) fn attend(context: &'static Context) -> &'static Context {
    if core::ptr::eq(context, &raw const UNREGISTERED) {
        return match process() {
            Some(schema) => thread::register(schema, &builtin::THREAD_UNNAMED, None),
            None => &GONE,
        };
    }
    if !context.is_overflow()
        && let Some(schema) = context.schema()
    {
        context.requests.attend(|asked| {
            schema.waits.attend(context, asked);
            schema.stages.attend(context, asked);
            schema.statements.attend(context, asked);
            schema.transactions.attend(context, asked);
        });
        event::posted::carry_out(context, count::ended);
    }
    context
}
