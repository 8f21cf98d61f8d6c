//! What a fork makes of contexts: in the new process one thread is left, and the others' contexts are nobody's.

use super::current::current;
use super::door::is_plugin;
use super::{life, os_thread};
use crate::model::Context;
#[cfg(unix)]
use crate::schema::Still;
use crate::schema::started;
use core::iter::successors;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};
#[cfg(unix)]
use core::{cell::Cell, mem::ManuallyDrop};

/// In a forked process, the context of the OS thread that forked: null if it had none.
static SURVIVOR: AtomicPtr<Context> = AtomicPtr::new(ptr::null_mut());

/// What the calling OS thread's context is, below all sessions.
fn lowest(context: &'static Context) -> &'static Context {
    successors(Some(context), |context| context.below()).last().unwrap_or(context)
}

/// Sees to it that a fork leaves no lock of the engine held in the new process, and that the engine is off there.
#[cfg(unix)]
pub(crate) fn watch() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        // SAFETY: the functions are there as long as the program, and do nothing that a handler of a fork must not.
        unsafe { libc::pthread_atfork(Some(prepare), Some(in_parent), Some(in_child)) };
    });
}

/// Systems without forks.
#[cfg(not(unix))]
pub(crate) fn watch() {}

#[cfg(unix)]
thread_local! {
    /// The locks that are held while this thread forks. Without a destructor, so that reaching it allocates nothing.
    static STILL: Cell<Option<ManuallyDrop<Still>>> = const { Cell::new(None) };
}

#[cfg(unix)]
extern "C" fn prepare() {
    STILL.set(Some(ManuallyDrop::new(Still::hold())));
}

#[cfg(unix)]
extern "C" fn in_parent() {
    drop(STILL.take().map(ManuallyDrop::into_inner));
}

#[cfg(unix)]
extern "C" fn in_child() {
    in_parent();
    if let Some(schema) = started() {
        let survivor = Some(lowest(current())).filter(|context| context.schema().is_some());
        SURVIVOR
            .store(survivor.map_or(ptr::null_mut(), |context| ptr::from_ref(context).cast_mut()), Relaxed);
        schema.switch_off();
    }
}

/// Goes on in a process that was forked; in one that was not, nothing happens.
pub fn after_fork() {
    // A plugin's program says it, and knows who is left.
    let Some(schema) = started().filter(|schema| schema.is_forked() && !is_plugin()) else { return };
    let survivor = SURVIVOR.load(Relaxed).cast_const();
    let here = current();
    let stays = |context: &'static Context| {
        let owned = context.settings.load(Relaxed) & Context::OWNED != 0;
        let is_live = context.life.living().is_some();
        // What a value owns stays the value's, unless it was attached to a thread that is no more.
        is_live
            && (ptr::eq(context, survivor)
                || owned
                    && (context.below().is_none()
                        || ptr::eq(lowest(context), survivor)
                        || successors(Some(here), |over| over.below()).any(|over| ptr::eq(over, context))))
    };
    schema.go_on(stays, life::forget);
    // SAFETY: null, or a context of the schema's mapping, which is never unmapped.
    if let Some(survivor) = unsafe { survivor.as_ref() }
        && ptr::eq(survivor, lowest(here))
        && survivor.settings.load(Relaxed) & Context::OWNED == 0
    {
        // The thread goes on under another number.
        survivor.os_id.store(os_thread::id(), Relaxed);
    }
}
