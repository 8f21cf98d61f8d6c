//! The door between a program and a plugin: how a plugin comes to the contexts that the program has for its threads.
//!
//! A plugin has thread-locals of its own, so what it has at hand for a context is a placeholder that holds this. The
//! functions are the program's. What a plugin is and how it joins is not known here.

use super::current::{GONE, NOBODY, adopt, current};
use super::thread;
use crate::class::Class;
use crate::model::Context;
use crate::schema::process;
use core::ptr::{from_ref, null_mut};
use core::sync::atomic::{AtomicPtr, Ordering};

/// What the program does for a plugin on the calling thread.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Door {
    current: extern "C" fn() -> &'static Context,
    adopt: extern "C" fn(&'static Context) -> &'static Context,
    register: extern "C" fn(&'static Class, u64) -> &'static Context,
    nobody: &'static Context,
}

laid_out!(Door { current, adopt, register, nobody });
laid_out!(fn extern "C" fn() -> &'static Context, Context);
laid_out!(fn extern "C" fn(&'static Context) -> &'static Context, Context);
laid_out!(fn extern "C" fn(&'static Class, u64) -> &'static Context, Class, Context);

/// The door that this program opens to its plugins.
pub(crate) static DOOR: Door = Door {
    current: current_of_program,
    adopt: adopt_in_program,
    register: register_in_program,
    nobody: &NOBODY,
};

/// The door that was opened to this library, if it is a plugin.
static OPENED: AtomicPtr<Door> = AtomicPtr::new(null_mut());

/// Opens the door of a program to this library, for all threads: from now on, what a thread has at hand stands for the
/// context that it has in the program. It is the same on all of them, because nothing was started here.
pub(crate) fn open(door: &'static Door) {
    OPENED.store(from_ref(door).cast_mut(), Ordering::Release);
}

/// Whether the door of a program was opened to this library.
pub(crate) fn is_plugin() -> bool {
    door().is_some()
}

/// The door to the program, if this is a plugin of one.
pub(super) fn door() -> Option<&'static Door> {
    // SAFETY: only `open` stores here, from a `&'static Door`.
    unsafe { OPENED.load(Ordering::Acquire).as_ref() }
}

extern "C" fn current_of_program() -> &'static Context {
    current()
}

extern "C" fn adopt_in_program(context: &'static Context) -> &'static Context {
    adopt(context)
}

/// `parent` is zero for none.
extern "C" fn register_in_program(class: &'static Class, parent: u64) -> &'static Context {
    let parent = Some(parent).filter(|parent| *parent != 0);
    process().map_or(&GONE, |schema| thread::register(schema, class, parent))
}

impl Door {
    /// The program's context of the calling thread, or its placeholder.
    #[cold]
    pub(super) fn current(&self) -> &'static Context {
        (self.current)()
    }

    /// Makes `context` the calling thread's and gives back the one before.
    #[cold]
    pub(super) fn adopt(&self, context: &'static Context) -> &'static Context {
        (self.adopt)(context)
    }

    /// Registers the calling thread under `class`.
    #[cold]
    pub(super) fn register(&self, class: &'static Class, parent: Option<u64>) -> &'static Context {
        (self.register)(class, parent.unwrap_or(0))
    }

    /// What says of the program's sessions that they are not attached.
    pub(super) fn nobody(&self) -> &'static Context {
        self.nobody
    }
}
