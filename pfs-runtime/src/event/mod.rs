//! Open events: ids, nesting, the rows of the current tables, and the copies in the histories. What is being
//! waited for, and which statistics it goes to, is not known here.
//!
//! Every function here runs on the thread that owns the context.

mod detail;
mod history;
mod read;
mod record;

pub use detail::{DetailRecord, StatementError};
pub use read::{EventRecord, StatementRecord};

use crate::class::{Class, EventKind, Flags, Word};
use crate::model::{Context, Ending, Frame, Frames, Meta, Nesting, NestingType, Operation, Site};
use crate::schema::EventTable;
use core::sync::atomic::Ordering::Relaxed;

/// What is known of an event when it begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Begin {
    pub(crate) class: &'static Class,
    pub(crate) word: Word,
    /// What the class and the context let the event do.
    pub(crate) flags: Flags,
    pub(crate) site: Site,
    /// Raw ticks, zero if the event is not timed.
    pub(crate) start: u64,
    pub(crate) operation: Option<Operation>,
    /// The address of the instance that is waited for.
    pub(crate) object: u64,
}

impl EventKind {
    const fn nesting(self) -> NestingType {
        match self {
            Self::Wait => NestingType::Wait,
            Self::Stage => NestingType::Stage,
            Self::Statement => NestingType::Statement,
        }
    }

    #[inline]
    pub(crate) fn frames(self, context: &Context) -> &Frames {
        match self {
            Self::Wait => &context.wait_frames,
            Self::Stage => &context.stage_frames,
            Self::Statement => &context.statement_frames,
        }
    }
}

/// Opens an event and makes it the innermost of its context. `None` if too many of its kind are open, which is
/// counted if the event was to be recorded.
#[inline]
pub(crate) fn begin(context: &'static Context, kind: EventKind, begin: &Begin) -> Option<&'static Frame> {
    let frames = kind.frames(context);
    let used = frames.used.load(Relaxed);
    let at = used.trailing_ones();
    if at >= frames.limit.load(Relaxed) {
        return nested_too_deep(context, kind, begin.flags);
    }
    frames.used.store(used | 1 << at, Relaxed);
    let frame = frames.frame(at);
    frame.serial.store(frame.serial.load(Relaxed).wrapping_add(1), Relaxed);
    frame.children.store(0, Relaxed);
    frame.word.store(frame_word(at, begin), Relaxed);
    frame.record.class.store(core::ptr::from_ref(begin.class).cast_mut(), Relaxed);
    let parent = context.top.load(Relaxed);
    frame.parent.store(parent, Relaxed);
    context.top.store(core::ptr::from_ref(frame).cast_mut(), Relaxed);
    let (mut nearest, mut statements) = (0, 0);
    // SAFETY: `top` and `parent` are null or point to frames of this context, which are never unmapped.
    if let Some(parent) = unsafe { parent.as_ref() } {
        parent.children.store(parent.children.load(Relaxed).wrapping_add(1), Relaxed);
        nearest = parent.nearest.load(Relaxed);
        statements = parent.statements.load(Relaxed);
    }
    if begin.flags.any(Flags::CURRENT) {
        let id = publish(context, kind, frame, begin, nearest, statements);
        nearest = Nesting::new(id, kind.nesting()).0;
    } else {
        frame.record.hide();
        frame.record.start.store(begin.start, Relaxed);
    }
    frame.nearest.store(nearest, Relaxed);
    frame.statements.store(statements + u16::from(matches!(kind, EventKind::Statement)), Relaxed);
    Some(frame)
}

#[cold]
fn nested_too_deep(context: &'static Context, kind: EventKind, flags: Flags) -> Option<&'static Frame> {
    if flags.any(Flags::CURRENT)
        && let Some(schema) = context.schema()
    {
        schema.status.nested_lost(kind).add(1);
    }
    None
}

const PLACE: u32 = 56;

#[inline(always)]
fn frame_word(at: u32, begin: &Begin) -> u64 {
    u64::from(at) << PLACE | (begin.word.index() as u64) << 32 | u64::from(begin.flags.0)
}

impl Frame {
    fn place(&self) -> u64 {
        self.word.load(Relaxed) >> PLACE
    }

    /// The class's index and what the event was let do.
    #[inline(always)]
    pub(crate) fn decided(&self) -> (usize, Flags) {
        let word = Word(self.word.load(Relaxed));
        (word.index() & 0x00ff_ffff, word.flags())
    }
}

/// Gives the event an id and its row in the current table.
#[inline]
fn publish(
    context: &'static Context,
    kind: EventKind,
    frame: &Frame,
    begin: &Begin,
    nesting: u64,
    statements: u16,
) -> u64 {
    let id = context.next_event_id.load(Relaxed);
    context.next_event_id.store(id + 1, Relaxed);
    let epoch = context.schema().map_or(0, |schema| schema.epochs.get(kind, EventTable::Current));
    let meta = Meta {
        operation: begin.operation.map_or(0, |operation| operation as u8),
        ending: Ending::Itself,
        level: statements,
        epoch,
    };
    frame.record.write(|record| {
        record.thread_id.store(context.id(), Relaxed);
        record.event_id.store(id, Relaxed);
        record.end_event_id.store(0, Relaxed);
        record.start.store(begin.start, Relaxed);
        record.end.store(0, Relaxed);
        record.source.store(core::ptr::from_ref(begin.site).cast_mut(), Relaxed);
        record.object.store(begin.object, Relaxed);
        record.nesting.store(nesting, Relaxed);
        record.meta.store(meta.pack(), Relaxed);
        record.bytes.store(if matches!(kind, EventKind::Wait) { u64::MAX } else { 0 }, Relaxed);
    });
    id
}

/// Closes an event that ends at `end` raw ticks: its descendants first, then its row and its copies.
#[inline]
pub(crate) fn end(context: &'static Context, kind: EventKind, frame: &'static Frame, end: u64) {
    if frame.children.load(Relaxed) != 0 {
        end_descendants(context, frame);
    }
    close(context, kind, frame, end, Ending::Itself);
}

#[inline]
fn close(context: &'static Context, kind: EventKind, frame: &'static Frame, end: u64, ending: Ending) {
    let (_, flags) = frame.decided();
    if flags.any(Flags::CURRENT) {
        let kept = flags.any(Flags::HISTORY | Flags::HISTORY_LONG);
        let shown = !matches!(kind, EventKind::Stage);
        if kept || shown {
            finish(context, frame, end, ending);
        }
        if kept {
            history::keep(context, kind, frame, flags);
        }
        if !shown {
            // A stage that has ended is not current any more.
            frame.record.hide();
        }
    }
    let frames = kind.frames(context);
    frames.used.store(frames.used.load(Relaxed) & !(1 << frame.place()), Relaxed);
    let parent = frame.parent.load(Relaxed);
    if core::ptr::eq(context.top.load(Relaxed), frame) {
        context.top.store(parent, Relaxed);
    }
    // SAFETY: as in `begin`.
    if let Some(parent) = unsafe { parent.as_ref() } {
        parent.children.store(parent.children.load(Relaxed).wrapping_sub(1), Relaxed);
    }
}

/// Writes the end of an event into its row.
#[inline]
fn finish(context: &'static Context, frame: &Frame, end: u64, ending: Ending) {
    let end_event_id = context.next_event_id.load(Relaxed) - 1;
    frame.record.write(|record| {
        record.end.store(end, Relaxed);
        record.end_event_id.store(end_event_id, Relaxed);
        if ending != Ending::Itself {
            let meta = Meta { ending, ..Meta::unpack(record.meta.load(Relaxed)) };
            record.meta.store(meta.pack(), Relaxed);
        }
    });
}

fn open_frames(context: &'static Context) -> impl Iterator<Item = (EventKind, &'static Frame)> {
    EventKind::ALL.into_iter().flat_map(move |kind| {
        let frames = kind.frames(context);
        let mut used = frames.used.load(Relaxed);
        core::iter::from_fn(move || {
            let at = used.trailing_zeros();
            used &= used.wrapping_sub(1);
            (at < 64).then(|| (kind, frames.frame(at)))
        })
    })
}

/// Ends whatever is open below `ancestor`, innermost first, and counts it.
#[cold]
fn end_descendants(context: &'static Context, ancestor: &'static Frame) {
    while let Some((kind, frame)) =
        open_frames(context).find(|(_, frame)| frame.children.load(Relaxed) == 0 && descends(frame, ancestor))
    {
        crate::probe::end_for(context, kind, frame, Ending::Parent);
    }
}

/// Ends whatever is open in a context that ends, innermost first, and counts it.
pub(crate) fn end_all(context: &'static Context, ending: Ending) {
    while let Some((kind, frame)) = open_frames(context).find(|(_, frame)| frame.children.load(Relaxed) == 0)
    {
        crate::probe::end_for(context, kind, frame, ending);
    }
}

fn descends(frame: &Frame, ancestor: &Frame) -> bool {
    let mut parent = frame.parent.load(Relaxed);
    // SAFETY: as in `begin`.
    while let Some(frame) = unsafe { parent.as_ref() } {
        if core::ptr::eq(frame, ancestor) {
            return true;
        }
        parent = frame.parent.load(Relaxed);
    }
    false
}

/// Closes an event for its parent or its context.
pub(crate) fn end_for(
    context: &'static Context,
    kind: EventKind,
    frame: &'static Frame,
    end: u64,
    ending: Ending,
) {
    close(context, kind, frame, end, ending);
}
