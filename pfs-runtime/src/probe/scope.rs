//! Stages and statements: events that a guard holds open.

use super::{attended, count, elapsed, now};
use crate::class::{Class, EventKind, Flags, Word};
use crate::context::current;
use crate::event::{self, Begin};
use crate::model::{Context, Detail, Ending, Frame, Site};
use core::marker::PhantomData;
use core::sync::atomic::Ordering::Relaxed;

/// An open stage or statement. Dropping it ends the event; the event ends on the context it began on, and only
/// while that is the calling thread's current one. If it is not, the event stays open until its parent or its
/// context ends it.
#[derive(Debug)]
pub struct Scope {
    kind: EventKind,
    serial: u32,
    context: Option<&'static Context>,
    /// `None` if too many events of the kind are open: then it is counted and not recorded.
    frame: Option<&'static Frame>,
    /// The class's word cut down to what the event may do, for an event without a frame.
    word: Word,
    start: u64,
    /// A context has one writer, so its events do not change threads.
    thread: PhantomData<*const ()>,
}

impl Scope {
    const fn off(kind: EventKind) -> Self {
        Self { kind, serial: 0, context: None, frame: None, word: Word(0), start: 0, thread: PhantomData }
    }

    /// Begins an event. Cost while not started or disabled: one relaxed load and a branch.
    #[inline(always)]
    pub fn begin(kind: EventKind, class: &'static Class, site: Site) -> Self {
        let word = class.word();
        if word.is_off() { Self::off(kind) } else { Self::begin_on(kind, class, word, site) }
    }

    #[inline(never)]
    fn begin_on(kind: EventKind, class: &'static Class, word: Word, site: Site) -> Self {
        let mut context = current();
        let mut flags = context.allow(word.flags());
        if flags.any(Flags::ATTENTION) || context.is_overflow() {
            (context, flags) = attended(context, word.flags());
        }
        if flags.is_none() {
            return Self::off(kind);
        }
        let start = if flags.any(Flags::TIMED) { now(context, flags) } else { 0 };
        Self::begin_at(kind, class, word, site, context, flags, start)
    }

    #[inline(always)]
    fn begin_at(
        kind: EventKind,
        class: &'static Class,
        word: Word,
        site: Site,
        context: &'static Context,
        flags: Flags,
        start: u64,
    ) -> Self {
        let begin = Begin { class, word, flags, site, start, operation: None, object: 0 };
        let frame = if context.is_overflow() { None } else { event::begin(context, kind, &begin) };
        let mut serial = 0;
        if let Some(frame) = frame {
            serial = frame.serial.load(Relaxed);
            if matches!(kind, EventKind::Statement) {
                Detail::of(&frame.record).reset();
            }
        }
        let word = Word((word.index() as u64) << 32 | u64::from(flags.0));
        Self { kind, serial, context: Some(context), frame, word, start, thread: PhantomData }
    }

    /// The frame, if the event is still open in it and may be written by the calling thread.
    #[inline]
    pub(crate) fn open_frame(&self) -> Option<&'static Frame> {
        let (context, frame) = (self.context?, self.frame?);
        (frame.serial.load(Relaxed) == self.serial && core::ptr::eq(current(), context)).then_some(frame)
    }

    /// What the event was let do when it began.
    #[inline]
    pub(crate) fn flags(&self) -> Flags {
        self.word.flags()
    }

    /// Bytes of statement text that the schema keeps.
    pub(crate) fn text_limit(&self) -> usize {
        self.context.and_then(Context::schema).map_or(0, |schema| schema.layout.text_bytes)
    }

    /// Ends this event and begins another of its kind in its place, with one clock reading for both.
    #[inline(never)]
    pub(crate) fn switch(&mut self, class: &'static Class, site: Site) {
        let (word, kind) = (class.word(), self.kind);
        let (Some(context), Some(frame)) = (self.context, self.open_frame()) else {
            *self = Self::begin(kind, class, site);
            return;
        };
        let flags = context.allow(word.flags());
        if flags.is_none() || flags.any(Flags::ATTENTION | Flags::SLOW_CLOCK) || !flags.any(Flags::TIMED) {
            *self = Self::off(kind);
            *self = Self::begin(kind, class, site);
            return;
        }
        let now = now(context, flags);
        self.end_at(context, frame, if self.start == 0 { 0 } else { now });
        let next = Self::begin_at(kind, class, word, site, context, flags, now);
        // The old event has ended; its guard must not end it again.
        core::mem::forget(core::mem::replace(self, next));
    }

    #[inline(never)]
    fn end(&self, context: &'static Context) {
        if self.frame.is_none() {
            return self.end_without_frame(context);
        }
        let Some(frame) = self.open_frame() else { return };
        let end = if self.start == 0 { 0 } else { now(context, self.word.flags()) };
        self.end_at(context, frame, end);
    }

    #[inline(always)]
    fn end_at(&self, context: &'static Context, frame: &'static Frame, end: u64) {
        let flags = self.word.flags();
        if context.needs_attention() {
            attended(context, flags);
        }
        event::end(context, self.kind, frame, end);
        let ticks = (self.start != 0).then(|| elapsed(self.start, end));
        count_scope(context, self.kind, flags, self.word.index(), ticks, frame);
        retire(frame);
    }

    #[cold]
    fn end_without_frame(&self, context: &'static Context) {
        let flags = self.word.flags();
        if context.needs_attention() {
            attended(context, flags);
        }
        let ticks = (self.start != 0).then(|| elapsed(self.start, now(context, flags)));
        match self.kind {
            EventKind::Statement => count::statement(context, flags, self.word.index(), ticks, None),
            _ => count::stage(context, flags, self.word.index(), ticks),
        }
    }
}

impl Drop for Scope {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(context) = self.context {
            self.end(context);
        }
    }
}

/// Lets no guard take the frame for its own any more.
#[inline(always)]
fn retire(frame: &Frame) {
    frame.serial.store(frame.serial.load(Relaxed).wrapping_add(1), Relaxed);
}

#[inline(always)]
fn count_scope(
    context: &'static Context,
    kind: EventKind,
    flags: Flags,
    index: usize,
    ticks: Option<u64>,
    frame: &Frame,
) {
    match kind {
        EventKind::Stage => count::stage(context, flags, index, ticks),
        EventKind::Statement => {
            let detail = Detail::of(&frame.record);
            let counters = detail.is_set().then(|| detail.counters());
            count::statement(context, flags, index, ticks, counters.as_ref());
        }
        EventKind::Wait => {
            count::wait(context, flags, index, ticks.map_or(count::Measure::Counted, count::Measure::Timed));
        }
    }
}

/// Ends and counts an event for its parent or its context, which end before it.
#[cold]
pub(crate) fn end_for(context: &'static Context, kind: EventKind, frame: &'static Frame, ending: Ending) {
    let (index, flags) = frame.decided();
    let start = frame.record.start.load(Relaxed);
    let end = if start == 0 { 0 } else { now(context, flags) };
    event::end_for(context, kind, frame, end, ending);
    let ticks = (start != 0).then(|| elapsed(start, end));
    count_scope(context, kind, flags, index, ticks, frame);
    retire(frame);
}
