//! OS threads as contexts: registered by their first event or by the type that spawned them, ended when they end.

use super::current::{GONE, aside, attend, current, replace};
use super::door::door;
use super::life::{self, Identity};
use super::{os_thread, session};
use crate::class::Class;
use crate::count;
use crate::event;
use crate::model::Context;
use crate::schema::{Schema, process};
use core::cell::Cell;

/// Ends the thread's context when the thread ends; what threads share that found none is left as it is.
struct Owner(Cell<Option<&'static Context>>);

impl Drop for Owner {
    fn drop(&mut self) {
        // Destructors of other thread-locals may run after this one; their events are raw and register nothing.
        session::detach_all(replace(&GONE));
        if let Some(context) = self.0.take().filter(|context| !context.is_overflow()) {
            life::end(context);
        }
    }
}

thread_local! {
    static OWNER: Owner = const { Owner(Cell::new(None)) };
}

/// Registers the calling OS thread in `schema` and makes the new context its current one. A thread that finds no
/// free context counts into rows that are nobody's.
pub(crate) fn register(
    schema: &'static Schema,
    class: &'static Class,
    parent: Option<u64>,
) -> &'static Context {
    if let Some(door) = door() {
        return door.register(class, parent);
    }
    // Meanwhile a signal handler registers nothing; one that came just before may have done so.
    let registered = aside(|| {
        OWNER.try_with(|owner| {
            owner.0.get().unwrap_or_else(|| {
                let identity =
                    Identity { class, task: None, parent, os_id: os_thread::id(), processlist_id: 0 };
                let context = life::begin(schema, identity).unwrap_or(schema.contexts.overflow());
                owner.0.set(Some(context));
                context
            })
        })
    });
    // Without the thread-local the thread is at its end.
    let context = registered.unwrap_or(&GONE);
    if current().is_unregistered() {
        replace(context);
    }
    current()
}

/// The `THREAD_ID` of the calling OS thread's context. Registers nothing.
pub fn current_id() -> Option<u64> {
    Some(current().id()).filter(|id| *id != 0)
}

/// Ends every event that is open in the calling OS thread's context, and tells how many there were.
pub fn end_open_events() -> usize {
    let context = current();
    if context.is_overflow() || !core::ptr::eq(attend(context), context) {
        return 0;
    }
    context.change_events().map_or(0, |_changing| event::end_all(context, count::ended))
}

/// Registers the calling OS thread under `class`, as the first thing that it does. Before `start` it does nothing;
/// a thread that is registered stays as it is.
pub fn enter(class: &'static Class, parent: Option<u64>) {
    if let Some(schema) = process()
        && current().is_unregistered()
    {
        register(schema, class, parent);
    }
}

/// What a thread that is about to be spawned is registered as.
#[derive(Clone, Copy, Debug)]
pub struct Newcomer(&'static Class);

impl Newcomer {
    /// A thread of that class.
    pub const fn new(class: &'static Class) -> Self {
        Self(class)
    }

    /// What the new thread does first: it is registered, as a child of the calling thread. For any number of threads.
    pub fn entry(self) -> impl Fn() + Copy + Send + Sync + 'static {
        let parent = current_id();
        move || enter(self.0, parent)
    }
}

/// Registers the calling OS thread in a schema that is not the process's, for tests of such a schema.
///
/// The thread's context ends with the thread.
#[doc(hidden)]
pub fn enter_schema(schema: &'static Schema, class: &'static Class) {
    register(schema, class, None);
}
