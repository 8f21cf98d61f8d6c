//! Waits that are over when they are recorded, as most acquisitions of a lock are. Nothing was nested in one and
//! nothing ended it but itself: so its row is written once and whole, in a frame that is not opened for it.

use super::{free_place, keep, nested_too_deep};
use crate::class::{Class, EventKind, Flags};
use crate::model::{Context, Ending, Frame, Meta, Site};
use crate::schema::EventTable;
use core::ptr::from_ref;
use core::sync::atomic::Ordering::Relaxed;

/// A wait that is over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Over {
    pub(crate) class: &'static Class,
    pub(crate) site: Site,
    /// The number of an [`crate::model::Operation`].
    pub(crate) operation: u8,
    /// The address of the instance waited for.
    pub(crate) object: u64,
    /// Raw ticks; zero if the wait is not timed.
    pub(crate) start: u64,
    /// Raw ticks; zero if the wait is not timed.
    pub(crate) end: u64,
}

impl Over {
    /// Records the wait, if a frame is free and events are not changing just now, and keeps it in the histories that `flags`
    /// ask for.
    pub(crate) fn record(self, context: &'static Context, flags: Flags) {
        let (frames, changing) = (&context.wait_frames, context.change_events());
        match free_place(frames) {
            Some(place) if changing.is_some() => self.keep(context, flags, frames.frame(place)),
            _ => nested_too_deep(context, EventKind::Wait, flags),
        }
    }

    /// Records the wait in a frame that is free, and keeps it in the histories that `flags` ask for.
    #[inline(always)]
    pub(crate) fn keep(self, context: &'static Context, flags: Flags, frame: &'static Frame) {
        self.show(context, frame);
        if flags.any(Flags::HISTORY | Flags::HISTORY_LONG) {
            keep(context, EventKind::Wait, frame, flags);
        }
    }

    /// Records the wait in a frame that is free. What is looked up is looked up where it is stored, so that few words
    /// are held in registers at once.
    #[inline(always)]
    pub(crate) fn show(self, context: &'static Context, frame: &'static Frame) {
        frame.record.write(|record| {
            let id = context.next_event_id.load(Relaxed);
            context.next_event_id.store(id + 1, Relaxed);
            record.event_id.store(id, Relaxed);
            record.end_event_id.store(id, Relaxed);
            record.thread_id.store(context.id(), Relaxed);
            record.class.store(from_ref(self.class).cast_mut(), Relaxed);
            record.start.store(self.start, Relaxed);
            record.end.store(self.end, Relaxed);
            record.source.store(from_ref(self.site).cast_mut(), Relaxed);
            record.object.store(self.object, Relaxed);
            // SAFETY: `top` of a context that was placed points to its root or to one of its frames, never unmapped.
            record.nesting.store(unsafe { &*context.top.load(Relaxed) }.nearest.load(Relaxed), Relaxed);
            let epoch =
                context.schema().map_or(0, |schema| schema.epochs.get(EventKind::Wait, EventTable::Current));
            let meta = Meta { operation: self.operation, ending: Ending::Itself, level: 0, epoch };
            record.meta.store(meta.pack(), Relaxed);
            record.bytes.store(u64::MAX, Relaxed);
        });
    }
}
