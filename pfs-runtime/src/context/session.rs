//! Sessions and tasks as contexts: owned values that are attached to the OS thread that serves them.

use super::current::{GONE, adopt, current, unregistered};
use super::life::{self, Identity};
use super::thread;
use crate::class::{Class, Flags};
use crate::model::Context;
use crate::schema::Schema;
use core::marker::PhantomData;
use core::sync::atomic::Ordering;

/// Stands for the session where detaching changes nothing but the thread's context.
static NOBODY: Context = Context::placeholder(Flags::NONE);

/// The context of a session, owned.
///
/// It may move between OS threads while it is not attached. It ends when it is dropped.
#[derive(Debug)]
pub struct Owned {
    context: &'static Context,
}

impl Owned {
    /// A new context of `schema`; without one, or with no context free, the session's events are the thread's own
    /// raw operations, or nobody's.
    pub fn new(schema: Option<&'static Schema>, class: &'static Class) -> Self {
        let context = schema.map_or(&GONE, |schema| {
            let identity = Identity {
                class,
                parent: thread::current_id(),
                os_id: 0,
                processlist_id: schema.next_processlist_id(),
            };
            life::begin(schema, &identity).unwrap_or(schema.contexts.overflow())
        });
        Self { context }
    }

    /// The `THREAD_ID` of the session's row in `threads`; `None` if it has no row.
    pub fn thread_id(&self) -> Option<u64> {
        Some(self.context.id()).filter(|id| *id != 0)
    }

    /// The `PROCESSLIST_ID` of the session's row; `None` if it has no row.
    pub fn processlist_id(&self) -> Option<u64> {
        Some(self.context.processlist_id.load(Ordering::Relaxed)).filter(|id| *id != 0)
    }

    /// Makes this the calling OS thread's context until the value returned is dropped.
    ///
    /// Cost: two thread-local accesses and a store; no atomic read-modify-write.
    #[inline]
    pub fn attach(&mut self) -> Attached<'_> {
        let context = self.context;
        if context.os_id.load(Ordering::Relaxed) != 0 {
            return Self::attach_slow(context);
        }
        let previous = adopt(context);
        context.os_id.store(previous.os_id.load(Ordering::Relaxed) | Context::ATTACHED, Ordering::Relaxed);
        Attached { context, previous, owned: PhantomData }
    }

    /// Attaches a placeholder, or a session whose earlier attachment was forgotten.
    #[cold]
    fn attach_slow<'a>(context: &'static Context) -> Attached<'a> {
        let previous = current();
        // A session that began before pfs was started leaves the thread as it is. So does one whose earlier
        // attachment was forgotten: on this thread it still is attached, on another two threads would write one row.
        if !core::ptr::eq(context, &raw const GONE) && context.is_overflow() {
            adopt(context);
        }
        Attached { context: &NOBODY, previous, owned: PhantomData }
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        let context = self.context;
        if context.is_overflow() {
            return;
        }
        if context.os_id.load(Ordering::Relaxed) & Context::ATTACHED != 0 {
            if !core::ptr::eq(current(), context) {
                // Attached to another thread by a guard that was forgotten: that thread may be writing. The
                // context stays as it is, taken, until the process ends.
                return;
            }
            adopt(thread::own().unwrap_or(unregistered()));
        }
        life::end(context);
    }
}

/// A session attached to the calling OS thread; dropping it detaches the session.
#[derive(Debug)]
#[must_use = "dropping this detaches the session"]
pub struct Attached<'a> {
    /// The session's context; [`NOBODY`] where it is another's to say what is attached.
    context: &'static Context,
    previous: &'static Context,
    /// Borrows the session, and stays on its thread.
    owned: PhantomData<(&'a mut Owned, *const ())>,
}

impl Drop for Attached<'_> {
    #[inline]
    fn drop(&mut self) {
        adopt(self.previous);
        self.context.os_id.store(0, Ordering::Relaxed);
    }
}
