//! Open events: ids, nesting, the rows of the current tables, and the copies in the histories. What is being
//! waited for, and which statistics it goes to, is not known here.
//!
//! Every function here runs on the thread that owns the context. Those that change what is open, a record or the ids are
//! called within `Context::change_events`, which keeps what interrupts them out.

mod changing;
mod detail;
pub(crate) mod digest;
mod history;
mod over;
pub(crate) mod posted;
mod read;
mod record;
pub(crate) mod transaction;

pub(crate) use changing::Changing;
pub use detail::{DetailRecord, StatementError};
use history::keep;
pub(crate) use over::Over;
pub(crate) use read::Recorded;
pub use read::{EventRecord, StatementRecord, TransactionRecord};

use crate::class::{Class, EventKind, Flags, Word};
use crate::model::{
    Context, Detail, Ending, Frame, FrameWord, Frames, Meta, Nesting, NestingType, Operation, Savepoints,
    Site,
};
use crate::schema::{EventTable, elapsed};
use core::sync::atomic::Ordering::Relaxed;

impl EventKind {
    const fn nesting(self) -> NestingType {
        match self {
            Self::Wait => NestingType::Wait,
            Self::Stage => NestingType::Stage,
            Self::Statement => NestingType::Statement,
            Self::Transaction => NestingType::Transaction,
        }
    }

    #[inline(always)]
    pub(crate) fn frames(self, context: &Context) -> &Frames {
        match self {
            Self::Wait => &context.wait_frames,
            Self::Stage => &context.stage_frames,
            Self::Statement => &context.statement_frames,
            Self::Transaction => &context.transaction_frames,
        }
    }
}

/// Counts an event that ended, with its ticks if it was timed. What is counted, and where, is not known here.
pub(crate) type Count = fn(EventKind, &'static Context, &'static Frame, Word, Option<u64>);

/// Opens an event and makes it the innermost of its context. `None` if too many of its kind are open.
///
/// `decided` is the class's word, cut down to what the event may do; `start` is in raw ticks, zero if the event is
/// not timed.
#[inline(always)]
pub(crate) fn open(
    context: &'static Context,
    kind: EventKind,
    decided: Word,
    start: u64,
) -> Option<&'static Frame> {
    let frames = kind.frames(context);
    let place = free_place(frames)?;
    frames.used.store(frames.used.load(Relaxed) | 1 << place, Relaxed);
    let frame = frames.frame(place);
    frame.word.store(FrameWord::new(kind, place, decided).0, Relaxed);
    frame.start.store(start, Relaxed);
    let parent = context.top.load(Relaxed);
    frame.parent.store(parent, Relaxed);
    // SAFETY: `top` of a context that was placed points to its root or to one of its frames, never unmapped.
    let mut nearest = unsafe { &*parent }.nearest.load(Relaxed);
    if matches!(kind, EventKind::Statement) {
        // Of the event around it and the transaction it runs in, its parent is the one that began last: ids rise, and
        // lie above the kinds.
        nearest = nearest.max(context.transaction.load(Relaxed));
    }
    frame.nearest.store(nearest, Relaxed);
    context.top.store(core::ptr::from_ref(frame).cast_mut(), Relaxed);
    Some(frame)
}

/// The place of the first frame that holds no event. `None` if all do.
#[inline(always)]
fn free_place(frames: &Frames) -> Option<u32> {
    let place = frames.used.load(Relaxed).trailing_ones();
    (place < frames.limit.load(Relaxed)).then_some(place)
}

/// Counts an event that was to be recorded and found too many of its kind open, or events changing.
#[cold]
pub(crate) fn nested_too_deep(context: &'static Context, kind: EventKind, flags: Flags) {
    if flags.any(Flags::CURRENT) {
        lost(context, kind);
    }
}

/// Counts an event as lost.
#[cold]
pub(crate) fn lost(context: &'static Context, kind: EventKind) {
    if let Some(schema) = context.schema() {
        schema.status.nested_lost(kind).add(1);
    }
}

/// Gives an open event an id and its row in the current table. `object` is the address of the instance waited for.
#[inline]
pub(crate) fn publish(
    context: &'static Context,
    kind: EventKind,
    frame: &Frame,
    class: &'static Class,
    site: Site,
    operation: Option<Operation>,
    object: u64,
) {
    let id = context.next_event_id.load(Relaxed);
    context.next_event_id.store(id + 1, Relaxed);
    let meta = Meta {
        operation: operation.map_or(0, |operation| operation as u8),
        ending: Ending::Itself,
        level: if matches!(kind, EventKind::Statement) { enclosing_statements(frame) } else { 0 },
        epoch: context.schema().map_or(0, |schema| schema.epochs.get(kind, EventTable::Current)),
    };
    frame.record.write(|record| {
        if matches!(kind, EventKind::Statement) {
            // Within the write: a reader finds neither the last statement without what was said of it, nor this one
            // with that.
            Detail::of(record).reset();
        } else if matches!(kind, EventKind::Transaction) {
            Savepoints::of(record).reset();
        }
        record.thread_id.store(context.id(), Relaxed);
        record.event_id.store(id, Relaxed);
        record.end_event_id.store(0, Relaxed);
        record.class.store(core::ptr::from_ref(class).cast_mut(), Relaxed);
        record.start.store(frame.start.load(Relaxed), Relaxed);
        record.end.store(0, Relaxed);
        record.source.store(core::ptr::from_ref(site).cast_mut(), Relaxed);
        record.object.store(object, Relaxed);
        record.nesting.store(frame.nearest.load(Relaxed), Relaxed);
        record.meta.store(meta.pack(), Relaxed);
        record.bytes.store(if matches!(kind, EventKind::Wait) { u64::MAX } else { 0 }, Relaxed);
    });
    frame.nearest.store(Nesting::new(id, kind.nesting()).0, Relaxed);
}

/// The open events of a context, innermost first, as far as they are around each other.
pub(crate) fn open_around(context: &'static Context) -> impl Iterator<Item = &'static Frame> {
    // SAFETY: `top` is null in a placeholder, else it points to the root or to a frame of its context, never unmapped.
    let top = unsafe { context.top.load(Relaxed).as_ref() };
    // The root has no parent and is no event.
    let innermost = top.filter(|frame| !frame.parent.load(Relaxed).is_null());
    innermost.into_iter().chain(innermost.into_iter().flat_map(ancestors))
}

fn enclosing_statements(frame: &Frame) -> u16 {
    let statements = ancestors(frame).filter(|frame| frame.kind() == EventKind::Statement).count();
    u16::try_from(statements).unwrap_or(u16::MAX)
}

/// The open events around an event, innermost first.
fn ancestors(frame: &Frame) -> impl Iterator<Item = &'static Frame> {
    let mut parent = frame.parent.load(Relaxed);
    core::iter::from_fn(move || {
        // SAFETY: a parent is null or points to a frame or the root of the same context, never unmapped.
        let frame = unsafe { parent.as_ref() }?;
        parent = frame.parent.load(Relaxed);
        // The root has no parent and is no event.
        (!parent.is_null()).then_some(frame)
    })
}

impl Frame {
    /// The class's index and what the event may do.
    #[inline(always)]
    pub(crate) fn decided(&self) -> Word {
        FrameWord(self.word.load(Relaxed)).decided()
    }

    pub(crate) fn kind(&self) -> EventKind {
        FrameWord(self.word.load(Relaxed)).kind()
    }
}

/// Shows another stage in the frame of one that ended when it began: what is around it is the same.
#[inline(always)]
pub(crate) fn publish_next(context: &'static Context, frame: &Frame, class: &'static Class, site: Site) {
    // SAFETY: the parent of an event that is open is the root of its context or one of its frames, never unmapped.
    let around = unsafe { &*frame.parent.load(Relaxed) }.nearest.load(Relaxed);
    frame.nearest.store(around, Relaxed);
    publish(context, EventKind::Stage, frame, class, site, None, 0);
}

/// Writes the end of a recorded event into its row and its copies.
#[inline(always)]
pub(crate) fn finish(
    context: &'static Context,
    kind: EventKind,
    frame: &'static Frame,
    flags: Flags,
    end: u64,
    ending: Ending,
) {
    if flags.any(Flags::HISTORY | Flags::HISTORY_LONG) {
        finish_kept(context, kind, frame, flags, end, ending);
    } else {
        finish_shown(context, kind, frame, end, ending);
    }
}

#[inline(never)]
fn finish_kept(
    context: &'static Context,
    kind: EventKind,
    frame: &'static Frame,
    flags: Flags,
    end: u64,
    ending: Ending,
) {
    write_end(context, frame, end, ending);
    keep(context, kind, frame, flags);
    if matches!(kind, EventKind::Stage) {
        frame.record.hide();
    }
}

/// Writes the end of a recorded event that no history keeps into its row.
#[inline(always)]
pub(crate) fn finish_shown(
    context: &'static Context,
    kind: EventKind,
    frame: &'static Frame,
    end: u64,
    ending: Ending,
) {
    if matches!(kind, EventKind::Stage) {
        // A stage that has ended is not current any more.
        frame.record.hide();
    } else {
        write_end(context, frame, end, ending);
    }
}

#[inline(always)]
fn write_end(context: &'static Context, frame: &'static Frame, end: u64, ending: Ending) {
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

/// Closes an event: its frame is free, and what was around it is innermost again. No guard takes the frame for its
/// own any more.
#[inline(always)]
pub(crate) fn close(context: &'static Context, kind: EventKind, frame: &'static Frame) {
    if matches!(kind, EventKind::Transaction) {
        return transaction::close(context, frame);
    }
    let frames = kind.frames(context);
    let place = FrameWord(frame.word.load(Relaxed)).place();
    frames.used.store(frames.used.load(Relaxed) & !(1 << place), Relaxed);
    frame.serial.store(frame.serial.load(Relaxed) + 1, Relaxed);
    if core::ptr::eq(context.top.load(Relaxed), frame) {
        context.top.store(frame.parent.load(Relaxed), Relaxed);
    }
}

/// Closes the innermost event, no transaction, whose frame holds `word`.
#[inline(always)]
pub(crate) fn close_innermost(
    context: &'static Context,
    kind: EventKind,
    frame: &'static Frame,
    word: FrameWord,
) {
    let frames = kind.frames(context);
    frames.used.store(frames.used.load(Relaxed) & !(1 << word.place()), Relaxed);
    frame.serial.store(frame.serial.load(Relaxed) + 1, Relaxed);
    context.top.store(frame.parent.load(Relaxed), Relaxed);
}

/// Says which instance an open wait is for, where that was not known when it began.
pub(crate) fn set_object(frame: &Frame, object: u64) {
    frame.record.write(|record| record.object.store(object, Relaxed));
}

/// Takes an open event back, within which nothing began: it leaves the current table, and its id is no event's.
#[cold]
pub(crate) fn withdraw(context: &'static Context, kind: EventKind, frame: &'static Frame) {
    frame.record.hide();
    close(context, kind, frame);
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

/// Ends whatever is open within an event that ends before it, innermost first, and counts it. All end when that event
/// does, at `end` raw ticks, so that their times lie within its own; 0 if it is not timed.
#[cold]
#[inline(never)]
pub(crate) fn end_descendants(context: &'static Context, ancestor: &'static Frame, end: u64, count: Count) {
    let within = |frame: &Frame| ancestors(frame).any(|around| core::ptr::eq(around, ancestor));
    end_each(context, end, Ending::Parent, within, count);
}

/// Ends whatever is open in a context that ends, or is to have nothing open, innermost first, and counts it. Tells how
/// many there were.
pub(crate) fn end_all(context: &'static Context, count: Count) -> usize {
    end_each(context, 0, Ending::Context, |_| true, count)
}

fn end_each(
    context: &'static Context,
    end: u64,
    ending: Ending,
    ends: impl Fn(&Frame) -> bool,
    count: Count,
) -> usize {
    let mut ended = 0;
    let depth = |frame: &Frame| ancestors(frame).count();
    while let Some((kind, frame)) =
        open_frames(context).filter(|(_, frame)| ends(frame)).max_by_key(|(_, frame)| depth(frame))
    {
        end_for(context, kind, frame, end, ending, count);
        ended += 1;
    }
    ended
}

/// Ends and counts an event for its parent or its context, which end before it: at `end` raw ticks, or now if that is 0.
fn end_for(
    context: &'static Context,
    kind: EventKind,
    frame: &'static Frame,
    end: u64,
    ending: Ending,
    count: Count,
) {
    let (decided, start) = (frame.decided(), frame.start.load(Relaxed));
    let end = match (start, end) {
        (0, _) => 0,
        (_, 0) => context.now(decided.flags()),
        (_, end) => end,
    };
    if decided.flags().any(Flags::CURRENT) {
        finish(context, kind, frame, decided.flags(), end, ending);
    }
    close(context, kind, frame);
    count(kind, context, frame, decided, (start != 0).then(|| elapsed(start, end)));
}
