//! Sessions and tasks as contexts: owned values that are attached to the OS thread that serves them.
//!
//! What tells one from the other is that a session has a number among the sessions.

use super::current::{GONE, NOBODY, adopt, at_hand, current, nobody, replace};
use super::life::{self, Identity};
use super::thread;
use crate::class::Class;
use crate::model::Context;
use crate::schema::{Membership, Schema, Who};
use core::marker::PhantomData;
use core::sync::atomic::Ordering;

/// The context of a session or task, owned.
///
/// It may move between OS threads while it is not attached. It ends when it is dropped.
#[derive(Debug)]
pub struct Owned {
    context: &'static Context,
}

laid_out!(Owned { context });

impl Owned {
    /// A new session's context of `schema`; without one, or with no context free, the session's events are the
    /// thread's own raw operations, or nobody's.
    pub fn new(schema: Option<&'static Schema>, class: &'static Class) -> Self {
        let context = schema.map_or(&GONE, |schema| {
            begin(schema, class, None, thread::current_id(), schema.next_processlist_id())
        });
        Self { context }
    }

    /// The context of a task of `schema`, which is no connection of whose it is.
    pub(crate) fn task(schema: Option<&'static Schema>, class: &'static Class, origin: Origin) -> Self {
        let Some(schema) = schema else { return Self { context: &GONE } };
        let task = origin.task.unwrap_or_else(|| Membership::of_background(schema));
        Self { context: begin(schema, class, Some(task), origin.parent, 0) }
    }

    /// The `THREAD_ID` of the session's row in `threads`; `None` if it has no row.
    pub fn thread_id(&self) -> Option<u64> {
        Some(self.context.id()).filter(|id| *id != 0)
    }

    /// The `PROCESSLIST_ID` of the session's row; `None` if it has no row.
    pub fn processlist_id(&self) -> Option<u64> {
        Some(self.context.processlist_id.load(Ordering::Relaxed)).filter(|id| *id != 0)
    }

    /// Makes the session somebody's. What it has counted stays with whose it was.
    pub fn change_actor(&mut self, who: Who<'_>) {
        let context = self.context;
        if !context.is_overflow()
            && context.below().is_none()
            && let Some(schema) = context.schema()
        {
            schema.change_actor(context, who);
        }
    }

    /// Makes this the calling OS thread's context until the value returned is dropped.
    ///
    /// Cost: three thread-local accesses and two stores, detaching included; no atomic read-modify-write.
    #[inline]
    pub fn attach(&mut self) -> Attached<'_> {
        Attached { attachment: self.attach_unguarded(), owned: PhantomData }
    }

    /// The same for who detaches it, on the same thread and before anything else becomes of the session.
    #[inline]
    pub(crate) fn attach_unguarded(&mut self) -> Attachment {
        let context = self.context;
        // Acquire: a thread that ended while the session was attached to it has written its last.
        if !core::ptr::eq(context.attached.load(Ordering::Acquire), &raw const NOBODY) {
            return Self::attach_slow(context);
        }
        let previous = replace(context);
        context.attached.store(core::ptr::from_ref(previous).cast_mut(), Ordering::Relaxed);
        Attachment { context, previous }
    }

    /// Attaches a placeholder, a session whose earlier attachment was forgotten, or any in a plugin.
    #[cold]
    fn attach_slow(context: &'static Context) -> Attachment {
        if core::ptr::eq(context.attached.load(Ordering::Relaxed), nobody()) {
            let previous = adopt(context);
            context.attached.store(core::ptr::from_ref(previous).cast_mut(), Ordering::Relaxed);
            return Attachment { context, previous };
        }
        let previous = current();
        // A session that began before pfs was started leaves the thread as it is. So does one whose earlier
        // attachment was forgotten: on this thread it still is attached, on another two threads would write one row.
        if context.schema().is_some() && context.is_overflow() {
            adopt(context);
        }
        Attachment { context: &NOBODY, previous }
    }
}

/// What brought a task forth.
#[derive(Debug)]
pub(crate) struct Origin {
    /// The id of its context.
    parent: Option<u64>,
    /// Whose that was, and the task is; `None` for the background's.
    task: Option<Membership>,
}

impl Origin {
    /// The calling thread's context, for a task of `schema`.
    pub(crate) fn here(schema: Option<&'static Schema>) -> Self {
        let context = current();
        let is_of = |of: &'static Schema| schema.is_some_and(|schema| core::ptr::eq(of, schema));
        let task = context.schema().is_some_and(is_of) && !context.is_overflow();
        Self { parent: thread::current_id(), task: task.then(|| Membership::of(context)) }
    }
}

fn begin(
    schema: &'static Schema,
    class: &'static Class,
    task: Option<Membership>,
    parent: Option<u64>,
    processlist_id: u64,
) -> &'static Context {
    let identity = Identity { class, task, parent, os_id: 0, processlist_id };
    life::begin(schema, identity).unwrap_or(schema.contexts.overflow_of_sessions())
}

/// Whether what runs in the context of the calling thread is no session's and no task's, and may become a task.
pub(crate) fn wants_a_task(context: &'static Context) -> bool {
    let stands_for_them = |schema: &Schema| core::ptr::eq(context, schema.contexts.overflow_of_sessions());
    let owned = context.below().is_some() || context.schema().is_some_and(stands_for_them);
    !owned && !context.is_gone()
}

/// `THREAD_ID` and `PROCESSLIST_ID` of the session that is attached to the calling OS thread, the innermost if there
/// are several.
pub fn running() -> Option<(u64, u64)> {
    core::iter::successors(Some(current()), |context| context.below())
        .map(|context| (context.id(), context.processlist_id.load(Ordering::Relaxed)))
        .find(|(_, processlist_id)| *processlist_id != 0)
}

impl Drop for Owned {
    fn drop(&mut self) {
        let context = self.context;
        // Attached, by a guard that was forgotten, to another thread: that thread may be writing. The context then
        // stays as it is, taken, until the process ends.
        if !context.is_overflow() && (context.below().is_none() || detach(context)) {
            life::end(context);
        }
    }
}

/// Detaches a session from the calling OS thread, wherever among the sessions attached to it; false if it is none of
/// them.
fn detach(context: &'static Context) -> bool {
    let Some(below) = context.below() else { return false };
    if core::ptr::eq(current(), context) {
        adopt(below);
    } else {
        let over = core::iter::successors(Some(current()), |over| over.below())
            .find(|over| over.below().is_some_and(|under| core::ptr::eq(under, context)));
        let Some(over) = over else { return false };
        over.attached.store(core::ptr::from_ref(below).cast_mut(), Ordering::Relaxed);
    }
    context.attached.store(core::ptr::from_ref(nobody()).cast_mut(), Ordering::Relaxed);
    true
}

/// Detaches all sessions that are attached to the calling OS thread, which ends and writes no more; `innermost` was its
/// context.
pub(super) fn detach_all(innermost: &'static Context) {
    let mut context = innermost;
    while let Some(below) = context.below() {
        context.attached.store(core::ptr::from_ref(nobody()).cast_mut(), Ordering::Release);
        context = below;
    }
}

/// A session attached to the calling OS thread; dropping it detaches the session. Sessions may be detached in any
/// order: the thread's context is the one that was attached last of those that still are.
#[derive(Debug)]
#[must_use = "dropping this detaches the session"]
pub struct Attached<'a> {
    attachment: Attachment,
    /// Borrows the session, and stays on its thread.
    owned: PhantomData<(&'a mut Owned, *const ())>,
}

/// What has to be known to detach a session.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Attachment {
    /// The session's context; [`NOBODY`] where none has to be detached.
    context: &'static Context,
    /// The context that was the thread's before, for [`NOBODY`]; a session's own says it while it is attached.
    previous: &'static Context,
}

/// Detaches a session that is not the innermost, or stands for none. It takes the parts of the guard, and does not
/// unwind, so that the guard need not lie in memory.
#[cold]
#[inline(never)]
extern "C" fn detach_slow(context: &'static Context, previous: &'static Context) {
    if context.schema().is_none() {
        // It stands for none. At the thread's end its own context is another's, or soon will be.
        if !current().is_gone() {
            adopt(previous);
        }
    } else {
        detach(context);
    }
}

impl Drop for Attached<'_> {
    #[inline]
    fn drop(&mut self) {
        self.attachment.detach();
    }
}

impl Attachment {
    /// Detaches the session from the calling OS thread.
    #[inline]
    pub(crate) fn detach(self) {
        if core::ptr::eq(at_hand(), self.context) {
            // SAFETY: the session is attached, so `attach` stored a `&'static Context` here, or `detach` did.
            replace(unsafe { &*self.context.attached.load(Ordering::Relaxed) });
            self.context.attached.store((&raw const NOBODY).cast_mut(), Ordering::Relaxed);
        } else {
            detach_slow(self.context, self.previous);
        }
    }
}
