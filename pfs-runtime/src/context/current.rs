//! The calling OS thread's context, and what a context has to do before its next event.

use super::door::{Door, door};
use super::thread;
use crate::class::{Flags, builtin};
use crate::count;
use crate::event;
use crate::model::Context;
use crate::schema::process;
use core::cell::Cell;
use core::sync::atomic::{Ordering, compiler_fence};

/// The context of a thread that has not registered: its first event takes it off the hot path. In a plugin, what stands
/// for the program's context on every thread.
static UNREGISTERED: Context = Context::placeholder(Flags(Flags::ALL.0 | Flags::ATTENTION.0));

/// The context of a thread that has ended or is being registered, or of a session that never began: every event is the raw
/// operation.
pub(super) static GONE: Context = Context::placeholder(Flags::NONE);

thread_local! {
    // Constant and without a destructor: reading it costs an instruction or two, and late destructors of other
    // thread-locals may still read it.
    static CURRENT: Cell<&'static Context> = const { Cell::new(&UNREGISTERED) };
}

/// What the calling OS thread has at hand for its context: the context; or, in a plugin, what stands for it and takes
/// every event the long way, where [`attend`] gives the context itself. For the hot path. Cost: one thread-local load.
#[inline(always)]
pub(crate) fn at_hand() -> &'static Context {
    CURRENT.with(Cell::get)
}

/// Makes `context` what is at hand and gives back what was before. Not in a plugin.
#[inline(always)]
pub(super) fn replace(context: &'static Context) -> &'static Context {
    CURRENT.with(|current| current.replace(context))
}

/// The calling OS thread's context; never none, since placeholders stand for that. Cost: one thread-local load, and a
/// load and a branch for plugins.
#[inline]
pub(crate) fn current() -> &'static Context {
    resolved(at_hand())
}

#[inline]
fn resolved(context: &'static Context) -> &'static Context {
    if core::ptr::eq(context, &raw const UNREGISTERED) { of_program() } else { context }
}

/// The calling OS thread's context where this stands for none, or for what is another program's to say.
#[cold]
fn of_program() -> &'static Context {
    door().map_or(&UNREGISTERED, Door::current)
}

/// Makes `context` the calling OS thread's and gives back the one before.
pub(super) fn adopt(context: &'static Context) -> &'static Context {
    match door() {
        Some(door) => door.adopt(context),
        None => replace(context),
    }
}

/// Stands, in place of what is below it, for that a session is attached to no thread; and for the session where
/// detaching changes nothing but the thread's context.
pub(super) static NOBODY: Context = Context::placeholder(Flags::ALL);

/// The program's [`NOBODY`]. A session that is not attached says so by that, so that in the program one comparison tells
/// that it may be attached in the short way, which is none in a plugin.
pub(super) fn nobody() -> &'static Context {
    door().map_or(&NOBODY, Door::nobody)
}

/// Programs and plugins have placeholders of their own, which are told by what they are and not by where they lie.
impl Context {
    /// Whether this stands for a thread that has not registered.
    pub(super) fn is_unregistered(&self) -> bool {
        self.schema().is_none() && Flags(self.requests.mask()).any(Flags::ATTENTION)
    }

    /// Whether this stands for a thread that has ended, or for a session that never began.
    pub(super) fn is_gone(&self) -> bool {
        self.schema().is_none() && Flags(self.requests.mask()).is_none()
    }
}

/// Does what the context has to do before its next event: registers a thread that is new, carries out requests.
///
/// Gives the context that the event belongs to: [`GONE`] for one that interrupts a change of what would have to be changed.
#[cold]
pub(crate) fn attend(context: &'static Context) -> &'static Context {
    let context = resolved(context);
    if context.is_unregistered() {
        return match process() {
            Some(schema) => thread::register(schema, &builtin::THREAD_UNNAMED, None),
            None => &GONE,
        };
    }
    let asked = Flags(context.requests.mask()).any(Flags::ATTENTION);
    if asked
        && !context.is_overflow()
        && let Some(schema) = context.schema()
    {
        if context.events_change() || schema.rows_change(context) {
            return &GONE;
        }
        aside(|| {
            context.requests.attend(|asked| schema.attend(context, asked));
            event::posted::carry_out(context, count::ended);
        });
    }
    context
}

/// Runs `change` of the thread's context so that the events of what interrupts it are the raw operation.
pub(super) fn aside<R>(change: impl FnOnce() -> R) -> R {
    let context = adopt(&GONE);
    compiler_fence(Ordering::SeqCst);
    let result = change();
    compiler_fence(Ordering::SeqCst);
    adopt(context);
    result
}
