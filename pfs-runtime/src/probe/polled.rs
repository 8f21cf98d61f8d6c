//! Stages and statements of futures: open from the first poll until the future completes or is dropped, wherever it is
//! polled in between.
//!
//! What is open in a context is a tree of frames, with the innermost of them at hand. Futures of one context take
//! turns: while one is polled, the innermost is one within its event; between polls, one outside. So each has the right
//! parents, and what is open in one that is not polled just now stays open. A frame is only made the innermost after a
//! look at its serial, so that what ended meanwhile is never taken for what it was.
//!
//! What interrupts this, a signal handler, begins and ends its own events in between and leaves the innermost one as it
//! was.
//!
//! A context has one writer. An event that began in one context and is polled while the thread has another is left
//! alone; what happens in the poll belongs to the context that the thread has.

use super::elsewhere::{self, Failure};
use super::scope::{Open, Scope, ScopeKind};
use crate::class::{Class, Flags, Word, builtin};
use crate::context::current;
use crate::context::session::{Attachment, Origin, Owned, wants_a_task};
use crate::event::posted::{self, How};
use crate::model::{Context, Frame, Site};
use crate::schema::process;
use core::marker::PhantomData;
use core::mem::forget;
use core::sync::atomic::Ordering::Relaxed;

/// The event of a future.
#[derive(Debug)]
pub struct Polled<K: ScopeKind> {
    state: State,
    kind: PhantomData<K>,
}

#[derive(Debug)]
enum State {
    /// The future was not polled yet.
    ToBegin(&'static Class, Site),
    Open(Event),
    /// There is no event, or not any more.
    Nothing,
}

/// An event that was begun.
#[derive(Debug)]
struct Event {
    open: Open,
    /// The context that it began in.
    home: &'static Context,
    /// Between polls: what is innermost within the event. In a poll: what is innermost around it. In a task of the
    /// event's own, where there is nothing around it, nothing.
    other: Place,
    /// The context that was opened for the event, which began where there was no session or task.
    task: Option<Owned>,
    /// In a poll: how that is attached.
    attachment: Option<Attachment>,
}

// SAFETY: the pointers in `open` and `other` are to statics and to frames, which hold atomics alone and are never
// unmapped. A frame is written only while it is found to be one of the calling thread's context.
unsafe impl Send for Event {}
// SAFETY: as above; a shared reference gives access to nothing.
unsafe impl Sync for Event {}

/// A frame, and the event in it.
#[derive(Clone, Copy, Debug)]
struct Place {
    frame: *const Frame,
    serial: u64,
}

impl Place {
    const NONE: Self = Self { frame: core::ptr::null(), serial: 0 };

    /// The innermost of a context that is not a placeholder.
    fn innermost(context: &'static Context) -> Self {
        let frame = context.top.load(Relaxed);
        // SAFETY: `top` of a context that was placed points to its root or to one of its frames, never unmapped.
        Self { frame, serial: unsafe { &*frame }.serial.load(Relaxed) }
    }

    /// The frame, if the event is still open in it.
    fn still_open(self) -> Option<&'static Frame> {
        // SAFETY: null, or as above.
        unsafe { self.frame.as_ref() }.filter(|frame| frame.serial.load(Relaxed) == self.serial)
    }
}

fn set_innermost(context: &'static Context, frame: &Frame) {
    context.top.store(core::ptr::from_ref(frame).cast_mut(), Relaxed);
}

/// Whether texts of statements of a class are kept, or make a digest.
#[inline]
pub fn keeps_text(class: &'static Class) -> bool {
    class.word().flags().any(Flags::TEXT | Flags::DIGEST)
}

impl<K: ScopeKind> Polled<K> {
    /// The event of a future that was not polled yet.
    #[inline(always)]
    pub(crate) fn new(class: &'static Class, site: Site) -> Self {
        Self { state: State::ToBegin(class, site), kind: PhantomData }
    }

    /// Begins the event if that was not tried yet; true if it was not. A poll has to follow at once.
    ///
    /// Cost while not started or disabled: one relaxed load and a branch.
    #[inline]
    pub(crate) fn begin(&mut self) -> bool {
        let State::ToBegin(class, site) = self.state else { return false };
        let word = class.word();
        self.state = if word.is_off() { State::Nothing } else { begin(K::begin, class, word, site) };
        true
    }

    /// The event as a handle; of nothing if it was not begun.
    #[inline]
    pub(crate) fn scope(&self) -> Scope<K> {
        Scope::of(if let State::Open(event) = &self.state { event.open } else { Open::NOTHING })
    }

    /// Makes the thread's what is the event's, until [`Entered::leave`]; `None` if no event is open.
    #[inline]
    pub(crate) fn enter(&mut self) -> Option<Entered<'_, K>> {
        let State::Open(event) = &mut self.state else { return None };
        let turned = event.enter();
        Some(Entered { polled: self, turned, on_this_thread: PhantomData })
    }
}

/// An event whose future runs. Dropping it, as a panic does, ends the event.
pub(crate) struct Entered<'a, K: ScopeKind> {
    polled: &'a mut Polled<K>,
    /// Whether what is innermost in the event's context was changed.
    turned: bool,
    on_this_thread: PhantomData<*const ()>,
}

impl<K: ScopeKind> Entered<'_, K> {
    /// The event as a handle.
    pub(crate) fn scope(&self) -> Scope<K> {
        self.polled.scope()
    }

    /// Makes the thread's again what was before. The event stays open.
    #[inline]
    pub(crate) fn leave(self) {
        if let State::Open(event) = &mut self.polled.state {
            event.leave(self.turned);
        }
        forget(self);
    }

    /// Ends the event of a future that completed.
    #[inline]
    pub(crate) fn end(self) {
        drop(self);
    }

    /// Ends the event of a future that is dropped before it completed.
    pub(crate) fn end_dropped(self) {
        end(&mut self.polled.state, self.turned, K::end_dropped, true);
        forget(self);
    }
}

impl<K: ScopeKind> Drop for Entered<'_, K> {
    #[inline]
    fn drop(&mut self) {
        end(&mut self.polled.state, self.turned, K::end, false);
    }
}

#[inline(never)]
fn begin(
    begin: extern "C" fn(&'static Context, &'static Class, Word, Site) -> Open,
    class: &'static Class,
    word: Word,
    site: Site,
) -> State {
    let before = current();
    let mut task = wants_a_task(before).then(|| {
        let schema = before.schema().or_else(process);
        Owned::task(schema, &builtin::TASK_UNNAMED, Origin::here(schema))
    });
    let attachment = task.as_mut().map(Owned::attach_unguarded);
    let open = begin(current(), class, word, site);
    let context = current();
    if task.is_none()
        && let Some(frame) = open.frame(context)
    {
        // SAFETY: the parent of an open frame is the root of its context or one of its frames, never unmapped.
        let around = unsafe { &*frame.parent.load(Relaxed) };
        // In one step, whatever interrupts this.
        around.word.fetch_or(u64::from(Flags::UNUSUAL_END.0), Relaxed);
        set_innermost(context, around);
    }
    if let Some(attachment) = attachment {
        attachment.detach();
    }
    if open.is_nothing() {
        return State::Nothing;
    }
    State::Open(Event { open, home: context, other: Place::NONE, task, attachment: None })
}

impl Event {
    /// True if the event is in the thread's context, and what is innermost there now is within it.
    #[inline(never)]
    fn enter(&mut self) -> bool {
        if let Some(task) = &mut self.task {
            self.attachment = Some(task.attach_unguarded());
            return false;
        }
        let context = current();
        let Some(frame) = self.open.frame(context) else { return false };
        let within = self.other.still_open().unwrap_or(frame);
        self.other = Place::innermost(context);
        set_innermost(context, within);
        true
    }

    #[inline(never)]
    fn leave(&mut self, turned: bool) {
        if turned {
            // The code that ran may have left another session attached. That is then the thread's, and this one perhaps
            // not any more.
            self.other = if core::ptr::eq(current(), self.home) {
                let within = Place::innermost(self.home);
                self.turn_back();
                within
            } else {
                Place::NONE
            };
        }
        self.detach();
    }

    /// Makes what is around the event the innermost again.
    fn turn_back(&self) {
        if let Some(around) = self.other.still_open() {
            set_innermost(self.home, around);
        } else if let Some(frame) = self.open.frame(self.home) {
            // It ended in the poll, and was not the event's parent, or this would have ended too.
            // SAFETY: the parent of an open frame is the root of its context or one of its frames, never unmapped.
            set_innermost(self.home, unsafe { &*frame.parent.load(Relaxed) });
        }
    }

    fn detach(&self) {
        if let Some(attachment) = self.attachment {
            attachment.detach();
        }
    }
}

#[inline(never)]
fn end(state: &mut State, turned: bool, end: extern "C" fn(&'static Context, Open), is_dropped: bool) {
    let State::Open(event) = core::mem::replace(state, State::Nothing) else { return };
    let context = current();
    if core::ptr::eq(context, event.home) {
        end(context, event.open);
        if turned {
            event.turn_back();
        }
    } else {
        match event.open.framed_event() {
            Some((frame, serial)) => {
                let failure = elsewhere::take(event.open);
                let text = failure.as_ref().and_then(Failure::shown);
                let how = match failure {
                    _ if is_dropped => How::Dropped,
                    Some(_) => How::Failed(text.as_ref()),
                    None => How::Itself,
                };
                posted::post(event.home, frame, serial, how);
            }
            None => end(context, event.open),
        }
    }
    event.detach();
}
