//! Stages and statements: events that a guard holds open.

use super::elsewhere::{self, Failure};
use super::{attend_first, attended};
use crate::class::{Class, EventKind, Flags, Word};
use crate::clock::ticks;
use crate::context::{at_hand, current};
use crate::count;
use crate::event::{self, Changing};
use crate::model::{Context, Detail, Ending, Frame, FrameWord, Site};
use crate::schema::elapsed;
use core::marker::PhantomData;
use core::sync::atomic::Ordering::Relaxed;

/// A kind of event that is held open by a guard. Its functions stand in this crate once, out of line.
///
/// They are `extern "C"`, which no unwinding leaves, so that user code needs no landing pads for them.
pub trait ScopeKind {
    #[doc(hidden)]
    const KIND: EventKind;
    #[doc(hidden)]
    extern "C" fn begin(context: &'static Context, class: &'static Class, word: Word, site: Site) -> Open;
    #[doc(hidden)]
    extern "C" fn end(context: &'static Context, open: Open);
    #[doc(hidden)]
    extern "C" fn end_dropped(context: &'static Context, open: Open);
}

/// Stages.
#[derive(Clone, Copy, Debug)]
pub enum Stage {}
/// Statements.
#[derive(Clone, Copy, Debug)]
pub enum Statement {}

macro_rules! kinds {
    ($($kind:ident),*) => {$(
        impl ScopeKind for $kind {
            const KIND: EventKind = EventKind::$kind;

            #[inline(never)]
            extern "C" fn begin(context: &'static Context, class: &'static Class, word: Word, site: Site) -> Open {
                begin(EventKind::$kind, context, class, word, site)
            }

            #[inline(never)]
            extern "C" fn end(context: &'static Context, open: Open) {
                end(EventKind::$kind, context, open);
            }

            extern "C" fn end_dropped(context: &'static Context, open: Open) {
                end_dropped(EventKind::$kind, context, open);
            }
        }
    )*};
}
kinds!(Stage, Statement);

/// What is known of an event by who began it: two words, so that they are passed in registers.
///
/// `at` is null for nothing; the frame, with `extra` its serial; or, tagged, the class of an event that found no
/// frame, with `extra` its begin.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Open {
    at: *const (),
    extra: u64,
}

const UNFRAMED: usize = 1;
const _: () = assert!(align_of::<Frame>() > UNFRAMED && align_of::<Class>() > UNFRAMED);

impl Open {
    pub(super) const NOTHING: Self = Self { at: core::ptr::null(), extra: 0 };

    #[inline(always)]
    pub(super) fn is_nothing(self) -> bool {
        self.at.is_null()
    }

    #[inline(always)]
    fn framed(frame: &'static Frame) -> Self {
        Self { at: core::ptr::from_ref(frame).cast(), extra: frame.serial.load(Relaxed) }
    }

    fn unframed(class: &'static Class, start: u64) -> Self {
        Self { at: core::ptr::from_ref(class).cast::<()>().wrapping_byte_add(UNFRAMED), extra: start }
    }

    #[inline(always)]
    fn is_unframed(self) -> bool {
        self.at.addr() & UNFRAMED != 0
    }

    /// The frame that the event began in and its serial, whatever that frame holds now.
    pub(super) fn framed_event(self) -> Option<(&'static Frame, u64)> {
        let framed = !self.is_nothing() && !self.is_unframed();
        // SAFETY: an untagged address that is not null was made of a `&'static Frame`.
        framed.then(|| (unsafe { &*self.at.cast::<Frame>() }, self.extra))
    }

    /// The frame, if the event is still open in it, whosever its context is: not to be written.
    fn elsewhere(self) -> Option<&'static Frame> {
        self.framed_event()
            .filter(|(frame, serial)| frame.serial.load(Relaxed) == *serial)
            .map(|(frame, _)| frame)
    }

    /// The class of an event that found no frame.
    #[inline(always)]
    fn unframed_class(self) -> Option<&'static Class> {
        // SAFETY: `Open::unframed` made a tagged address of a `&'static Class`.
        self.is_unframed().then(|| unsafe { &*self.at.wrapping_byte_sub(UNFRAMED).cast::<Class>() })
    }

    /// The frame, if the event is the innermost one of the context. Not for what holds nothing.
    #[inline(always)]
    fn innermost(self, context: &Context) -> Option<&'static Frame> {
        if !core::ptr::eq(context.top.load(Relaxed).cast(), self.at) {
            return None;
        }
        // SAFETY: what is innermost is the root or a frame of its context, never unmapped; in a context that stands for
        // none it is null, which callers do not ask for.
        let frame = unsafe { &*self.at.cast::<Frame>() };
        (frame.serial.load(Relaxed) == self.extra).then_some(frame)
    }

    /// The frame, if the event is still open in it and its context is the calling thread's: a context has one
    /// writer.
    #[inline(always)]
    pub(super) fn frame(self, context: &Context) -> Option<&'static Frame> {
        let within = self.at.addr().wrapping_sub(core::ptr::from_ref(context).addr()) as u64;
        if self.is_unframed() || within >= context.extent.load(Relaxed) {
            return None;
        }
        // SAFETY: an untagged address was made of a `&'static Frame`; null is not within any context.
        let frame = unsafe { &*self.at.cast::<Frame>() };
        (frame.serial.load(Relaxed) == self.extra).then_some(frame)
    }
}

/// [`Open::frame`] in a plugin, which has not the context itself at hand.
#[cold]
#[inline(never)]
extern "C" fn frame_of_current(open: Open) -> Option<&'static Frame> {
    open.frame(current())
}

/// An open stage or statement, as a handle: who began it ends it.
///
/// An event ends on the context it began on, and only while that is the calling thread's current one. If it is not, the
/// event stays open until its parent or its context ends it.
#[derive(Clone, Copy, Debug)]
pub struct Scope<K: ScopeKind> {
    open: Open,
    kind: PhantomData<K>,
}

impl<K: ScopeKind> Scope<K> {
    #[inline(always)]
    pub(super) fn of(open: Open) -> Self {
        Self { open, kind: PhantomData }
    }

    /// Begins an event. Cost while not started or disabled: one relaxed load and a branch.
    #[inline(always)]
    pub(crate) fn begin(class: &'static Class, site: Site) -> Self {
        let word = class.word();
        Self::of(if word.is_off() { Open::NOTHING } else { K::begin(at_hand(), class, word, site) })
    }

    /// Ends the event.
    #[inline(always)]
    pub(crate) fn end(&mut self) {
        if self.is_begun() {
            K::end(at_hand(), self.open);
        }
    }

    /// The innermost event of the kind that is open in the calling thread's context. It stays another's to end.
    pub(crate) fn innermost() -> Self {
        let frame = event::open_around(current()).find(|frame| frame.kind() == K::KIND);
        Self::of(frame.map_or(Open::NOTHING, Open::framed))
    }

    /// Whether there is anything to say something of. Cost: a branch.
    #[inline(always)]
    pub(crate) fn is_begun(&self) -> bool {
        !self.open.is_nothing()
    }

    /// The frame, if the event is still open and may be written by the calling thread.
    #[inline]
    fn frame(&self) -> Option<&'static Frame> {
        if !self.is_begun() {
            return None;
        }
        match self.open.frame(at_hand()) {
            Some(frame) => Some(frame),
            None => frame_of_current(self.open),
        }
    }

    /// Lets `change` write the frame, if the event is still open and may be written by the calling thread.
    #[inline]
    fn change(&self, change: impl FnOnce(&'static Frame)) {
        let context = at_hand();
        let found = if self.is_begun() { self.open.frame(context) } else { None };
        let (context, frame) = match found {
            Some(frame) => (context, Some(frame)),
            None => (current(), self.frame()),
        };
        if let Some(frame) = frame
            && let Some(_changing) = context.change_events()
        {
            change(frame);
        }
    }

    /// What the event was let do when it began; nothing if it is not open in a frame.
    #[inline]
    fn flags(&self) -> Flags {
        self.frame().map_or(Flags::NONE, |frame| frame.decided().flags())
    }
}

impl Scope<Stage> {
    /// Ends this stage and begins another in its place, with one clock reading for both.
    #[inline]
    pub(crate) fn switch(&mut self, class: &'static Class, site: Site) {
        let word = class.word();
        // Where nothing is open and nothing begins, nothing is to be done.
        if self.is_begun() || !word.is_off() {
            self.open = switch(at_hand(), self.open, class, word, site);
        }
    }

    /// Changes how much of the stage's work is done, and how much there is, by what `change` makes of both.
    pub(crate) fn work(&self, change: impl FnOnce(u64, u64) -> (u64, u64)) {
        self.change(|frame| {
            if frame.decided().flags().any(Flags::CURRENT) {
                let record = &frame.record;
                let (completed, estimated) = change(record.object.load(Relaxed), record.bytes.load(Relaxed));
                record.write(|record| {
                    record.object.store(completed, Relaxed);
                    record.bytes.store(estimated, Relaxed);
                });
            }
        });
    }
}

/// What is said of a statement while it runs. What is said of one that is off, or that its context has ended already,
/// is dropped.
impl Scope<Statement> {
    /// Whether anything is made of the statement's text.
    #[inline]
    pub(crate) fn wants_text(&self) -> bool {
        self.flags().any(Flags::TEXT | Flags::DIGEST)
    }

    /// Whether the statement has a row in the current table.
    pub(crate) fn is_shown(&self) -> bool {
        match self.frame() {
            Some(frame) => frame.decided().flags().any(Flags::CURRENT),
            None => self.open.elsewhere().is_some_and(|frame| frame.decided().flags().any(Flags::CURRENT)),
        }
    }

    #[inline]
    fn with(&self, act: impl FnOnce(&'static Detail)) {
        self.change(|frame| Detail::change(frame, act));
    }

    /// Adds to a counter.
    #[inline]
    pub(crate) fn add(&self, counter: usize, by: u64) {
        self.add_unframed(counter, by);
        self.with(|detail| detail.add_counter(counter, by));
    }

    /// Adds one to a counter and sets the error, if it has a message; both at once in the row.
    pub(crate) fn fail(&self, counter: usize, errno: i32, sqlstate: &str, message: Option<&str>) {
        self.add_unframed(counter, 1);
        if self.frame().is_none() {
            if self.open.elsewhere().is_some() {
                elsewhere::say(self.open, Failure::new(errno, sqlstate, message));
            }
            return;
        }
        self.with(|detail| {
            detail.add_counter(counter, 1);
            if let Some(message) = message {
                detail.set_error(|error| error.set(errno, sqlstate, message));
            }
        });
    }

    /// Sets the text, cut to what the schema keeps, and the digest that it makes.
    pub(crate) fn set_text(&self, text: &[u8]) {
        let (flags, context) = (self.flags(), current());
        let Some(schema) = context.schema() else { return };
        let digested = flags.any(Flags::DIGEST).then(|| {
            let frame = self.frame();
            let detail = frame.map(|frame| Detail::of(&frame.record));
            let start = frame.map_or(0, |frame| frame.start.load(Relaxed));
            event::digest::of(context, schema, detail, start, text)
        });
        self.with(|detail| {
            if flags.any(Flags::TEXT) {
                detail.set_text(text, schema.layout.text_bytes);
            }
            if let Some(id) = digested {
                detail.set_digest(id);
            }
        });
    }

    /// Sets the schema that the statement runs in.
    pub(crate) fn set_schema(&self, name: &str) {
        self.with(|detail| detail.set_schema(name));
    }

    /// Makes it a statement of another class, to which alone it is counted. If that is disabled, it is not counted at
    /// all.
    pub(crate) fn refine(&mut self, class: &'static Class) {
        if self.open.is_unframed() {
            self.open = Open::unframed(class, self.open.extra);
        } else {
            self.change(|frame| refine(frame, class));
        }
    }

    /// Adds to a counter of a statement that found no frame, which would keep it until the statement ends.
    fn add_unframed(&self, counter: usize, by: u64) {
        let Some(class) = self.open.unframed_class() else { return };
        let (context, decided) = attended(at_hand(), class.word());
        if !decided.flags().is_none() {
            count::statement_counter(context, decided, counter, by);
        }
    }
}

fn refine(frame: &'static Frame, class: &'static Class) {
    let held = FrameWord(frame.word.load(Relaxed));
    let (before, next) = (held.decided().flags(), class.word());
    let flags = if next.is_off() {
        frame.record.hide();
        Flags::UNUSUAL_END
    } else if next.flags().any(Flags::TIMED) {
        before
    } else {
        before.without(Flags::TIMED)
    };
    frame.word.store(held.with(next.with(flags)).0, Relaxed);
    let untimed = !flags.any(Flags::TIMED);
    if untimed {
        frame.start.store(0, Relaxed);
    }
    if flags.any(Flags::CURRENT) {
        frame.record.write(|record| {
            record.class.store(core::ptr::from_ref(class).cast_mut(), Relaxed);
            if untimed {
                record.start.store(0, Relaxed);
            }
        });
    }
}

#[inline(always)]
fn begin(kind: EventKind, context: &'static Context, class: &'static Class, word: Word, site: Site) -> Open {
    let decided = context.allow(word);
    let flags = decided.flags();
    if flags.any(Flags::LONG_WAY) {
        return begin_long_way(kind, class, word, site);
    }
    if !flags.any(Flags::COUNT) {
        return Open::NOTHING;
    }
    let start = if flags.any(Flags::TIMED) { ticks() } else { 0 };
    begin_at(kind, class, context, decided, site, start)
}

#[cold]
#[inline(never)]
extern "C" fn begin_long_way(kind: EventKind, class: &'static Class, word: Word, site: Site) -> Open {
    let (context, decided) = attended(at_hand(), word);
    let flags = decided.flags();
    if flags.is_none() {
        return Open::NOTHING;
    }
    let start = if flags.any(Flags::TIMED) { context.now(flags) } else { 0 };
    if context.is_overflow() {
        return Open::unframed(class, start);
    }
    begin_at(kind, class, context, decided, site, start)
}

#[inline(always)]
fn begin_at(
    kind: EventKind,
    class: &'static Class,
    context: &'static Context,
    decided: Word,
    site: Site,
    start: u64,
) -> Open {
    let Some(changing) = context.change_events() else {
        return begin_unframed(kind, class, context, decided, start);
    };
    let Some(frame) = event::open(context, kind, decided, start) else {
        drop(changing);
        return begin_unframed(kind, class, context, decided, start);
    };
    if decided.flags().any(Flags::CURRENT) {
        event::publish(context, kind, frame, class, site, None, 0);
    } else if matches!(kind, EventKind::Statement) {
        // What is said of it is kept beside the record, so the event that the record still shows goes.
        frame.record.hide();
        Detail::of(&frame.record).reset();
    }
    Open::framed(frame)
}

#[cold]
#[inline(never)]
extern "C" fn begin_unframed(
    kind: EventKind,
    class: &'static Class,
    context: &'static Context,
    decided: Word,
    start: u64,
) -> Open {
    event::nested_too_deep(context, kind, decided.flags());
    Open::unframed(class, start)
}

/// Ends an event. What is not usual is called last, and does all that is left to do, so that nothing is saved for it.
#[inline(always)]
fn end(kind: EventKind, context: &'static Context, open: Open) {
    let Some(changing) = context.change_events() else {
        return end_not_innermost(kind, context, open);
    };
    let Some(frame) = open.innermost(context) else {
        drop(changing);
        return end_not_innermost(kind, context, open);
    };
    let (word, start) = (FrameWord(frame.word.load(Relaxed)), frame.start.load(Relaxed));
    let (decided, flags) = (word.decided(), word.decided().flags());
    let kept = Flags::HISTORY | Flags::HISTORY_LONG;
    let unusual = kept | Flags::GLOBAL_ONLY | Flags::SLOW_CLOCK | Flags::UNUSUAL_END;
    let end = ticks();
    if !(flags & (unusual | Flags::TIMED)).only(Flags::TIMED) || context.needs_attention() {
        drop(changing);
        return end_long_way(kind, context, frame, end);
    }
    if flags.any(Flags::CURRENT) {
        event::finish_shown(context, kind, frame, end, Ending::Itself);
    }
    event::close_innermost(context, kind, frame, word);
    let ticks = Some(elapsed(start, end));
    if matches!(kind, EventKind::Statement) && Detail::of(&frame.record).has_more() {
        // Within the change: what more there is to count is still in the frame.
        return count::framed(kind, context, frame, decided, ticks);
    }
    drop(changing);
    // There are guards of stages and statements alone.
    match kind {
        EventKind::Statement => count::statement(context, decided, ticks, None),
        _ => count::stage(context, decided, ticks),
    }
}

/// Ends an event within which others are open, or one that is not open in the context.
#[inline(never)]
extern "C" fn end_not_innermost(kind: EventKind, context: &'static Context, open: Open) {
    if let Some(frame) = open.frame(context) {
        return end_long_way(kind, context, frame, ticks());
    }
    let context = current();
    match open.frame(context) {
        Some(frame) => end_long_way(kind, context, frame, ticks()),
        None => end_unframed(kind, open),
    }
}

#[inline(never)]
extern "C" fn end_long_way(kind: EventKind, context: &'static Context, frame: &'static Frame, cycles: u64) {
    end_by(kind, context, frame, cycles, Ending::Itself);
}

/// Ends an event of the calling thread's context, or one that found no frame, because its future is dropped.
#[cold]
fn end_dropped(kind: EventKind, context: &'static Context, open: Open) {
    match open.frame(context) {
        Some(frame) => end_by(kind, context, frame, ticks(), Ending::Drop),
        None => end_unframed(kind, open),
    }
}

#[inline(always)]
fn end_by(kind: EventKind, context: &'static Context, frame: &'static Frame, cycles: u64, ending: Ending) {
    let (decided, start) = (frame.decided(), frame.start.load(Relaxed));
    let end = match decided.flags() {
        _ if start == 0 => 0,
        flags if flags.any(Flags::SLOW_CLOCK) => context.now(flags),
        _ => cycles,
    };
    end_at(kind, context, frame, decided, start, end, ending);
}

#[inline(always)]
fn end_at(
    kind: EventKind,
    context: &'static Context,
    frame: &'static Frame,
    decided: Word,
    start: u64,
    end: u64,
    ending: Ending,
) {
    let serial = frame.serial.load(Relaxed);
    let attended = attend_first(context);
    let Some(changing) = context.change_events().filter(|_| attended) else { return };
    if frame.serial.load(Relaxed) != serial {
        // Another thread had ended what this is nested in, which ended and counted it.
        return;
    }
    if !core::ptr::eq(context.top.load(Relaxed), frame) || decided.flags().any(Flags::UNUSUAL_END) {
        event::end_descendants(context, frame, end, count::ended);
        if !decided.flags().any(Flags::COUNT) {
            return event::close(context, kind, frame);
        }
    }
    if decided.flags().any(Flags::CURRENT) {
        event::finish(context, kind, frame, decided.flags(), end, ending);
    }
    event::close(context, kind, frame);
    // Within the change: what was said of a statement is still in its frame.
    count::framed(kind, context, frame, decided, (start != 0).then(|| elapsed(start, end)));
    drop(changing);
}

/// Counts an event that found no frame. One whose guard is stale was counted by whoever ended it.
#[cold]
#[inline(never)]
extern "C" fn end_unframed(kind: EventKind, open: Open) {
    let Some(class) = open.unframed_class() else { return };
    let (context, decided) = attended(at_hand(), class.word());
    if decided.flags().is_none() {
        return;
    }
    let ticks = (open.extra != 0).then(|| elapsed(open.extra, context.now(decided.flags())));
    // There are guards of stages and statements alone.
    if kind == EventKind::Statement {
        count::statement(context, decided, ticks, None);
    } else {
        count::stage(context, decided, ticks);
    }
}

/// Ends a stage and begins the next in its place.
///
/// This and what it leaves the rest to have the same arguments, no more than there are registers for: so one ends in a
/// jump to the other.
#[inline(never)]
extern "C" fn switch(
    context: &'static Context,
    open: Open,
    class: &'static Class,
    word: Word,
    site: Site,
) -> Open {
    if switch_in_place(context, open, word, Flags::COUNT | Flags::TIMED).is_some() {
        return open;
    }
    switch_shown(context, open, class, word, site)
}

/// The same where both stages are shown in the current table, and kept in no history.
#[inline(never)]
extern "C" fn switch_shown(
    context: &'static Context,
    open: Open,
    class: &'static Class,
    word: Word,
    site: Site,
) -> Open {
    let usual = Flags::COUNT | Flags::TIMED | Flags::CURRENT;
    let Some((frame, _changing)) = switch_in_place(context, open, word, usual) else {
        return switch_framed(context, open, class, word, site);
    };
    event::publish_next(context, frame, class, site);
    open
}

/// Counts the stage that is innermost and begins the next in its frame, where nothing around it changes, if `usual` and
/// no more was decided of both. The guard stays the frame's: it has no other.
#[inline(always)]
fn switch_in_place(
    context: &'static Context,
    open: Open,
    word: Word,
    usual: Flags,
) -> Option<(&'static Frame, Changing<'static>)> {
    let changing = context.change_events()?;
    let frame = if open.at.is_null() { None } else { open.innermost(context) }?;
    let held = FrameWord(frame.word.load(Relaxed));
    let (before, decided) = (held.decided(), context.allow(word));
    if !before.flags().only(usual) || !decided.flags().only(usual) {
        return None;
    }
    let (start, now) = (frame.start.load(Relaxed), ticks());
    frame.start.store(now, Relaxed);
    frame.word.store(held.with(decided).0, Relaxed);
    count::stage(context, before, Some(elapsed(start, now)));
    Some((frame, changing))
}

/// The same where the stage is open in a frame, be it innermost or not, and kept or not.
#[inline(never)]
extern "C" fn switch_framed(
    context: &'static Context,
    open: Open,
    class: &'static Class,
    word: Word,
    site: Site,
) -> Open {
    let decided = context.allow(word);
    let flags = decided.flags();
    let simple = flags.any(Flags::TIMED) && !flags.any(Flags::LONG_WAY);
    let (true, Some(frame)) = (simple, open.frame(context)) else {
        return switch_long_way(open, class, word, site);
    };
    let now = ticks();
    let (before, start) = (frame.decided(), frame.start.load(Relaxed));
    end_at(EventKind::Stage, context, frame, before, start, now, Ending::Itself);
    begin_at(EventKind::Stage, class, context, decided, site, now)
}

#[cold]
#[inline(never)]
extern "C" fn switch_long_way(open: Open, class: &'static Class, word: Word, site: Site) -> Open {
    if !open.at.is_null() {
        Stage::end(current(), open);
    }
    if word.is_off() { Open::NOTHING } else { Stage::begin(current(), class, word, site) }
}
