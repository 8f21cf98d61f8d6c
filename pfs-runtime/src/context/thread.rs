//! OS threads as contexts: registered by their first event or by the type that spawned them, ended when they end.

use super::current::{GONE, current, replace};
use super::door::door;
use super::life::{self, Identity};
use super::os_thread;
use crate::class::Class;
use crate::model::Context;
use crate::schema::{Schema, process};
use core::cell::Cell;

/// Ends the thread's context when the thread ends.
struct Owner(Cell<Option<&'static Context>>);

impl Drop for Owner {
    fn drop(&mut self) {
        // Destructors of other thread-locals may run after this one; their events are raw and register nothing.
        replace(&GONE);
        if let Some(context) = self.0.take() {
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
    let registered = OWNER.try_with(|owner| {
        let identity = Identity { class, task: None, parent, os_id: os_thread::id(), processlist_id: 0 };
        let context = life::begin(schema, identity);
        owner.0.set(context);
        context.unwrap_or(schema.contexts.overflow())
    });
    // The thread-local was destroyed: the thread is at its end.
    let context = registered.unwrap_or(&GONE);
    replace(context);
    context
}

/// The `THREAD_ID` of the calling OS thread's context. Registers nothing.
pub fn current_id() -> Option<u64> {
    Some(current().id()).filter(|id| *id != 0)
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
