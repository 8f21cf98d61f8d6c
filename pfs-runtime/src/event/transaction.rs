//! Transactions as open events. They lie beside the chain of events that are nested in each other: one that a statement
//! begins outlives it, and what runs in it may outlive it too.

use super::free_place;
use crate::class::{Class, EventKind, Word};
use crate::model::{
    Characteristics, Context, Frame, FrameWord, Nesting, NestingType, Record, Savepoint, Savepoints, Site,
};
use core::ptr::from_ref;
use core::sync::atomic::Ordering::Relaxed;

impl Savepoints {
    /// Those of a transaction's record, be it in a frame or in a history.
    pub(crate) fn of(record: &Record) -> &'static Self {
        // SAFETY: the layout gives every record of a transaction a frame's size, and its savepoints right behind that,
        // in the mapping.
        unsafe { &*from_ref(record).byte_add(size_of::<Frame>()).cast() }
    }

    pub(super) fn reset(&self) {
        for count in &self.counts {
            count.store(0, Relaxed);
        }
    }

    pub(super) fn copy_to(&self, into: &Self) {
        for (from, into) in self.counts.iter().zip(&into.counts) {
            into.store(from.load(Relaxed), Relaxed);
        }
    }
}

/// Opens a transaction. `None` if too many are open.
pub(crate) fn open(
    context: &'static Context,
    decided: Word,
    start: u64,
    said: Characteristics,
) -> Option<&'static Frame> {
    let frames = &context.transaction_frames;
    let place = free_place(frames)?;
    frames.used.store(frames.used.load(Relaxed) | 1 << place, Relaxed);
    let frame = frames.frame(place);
    frame.word.store(FrameWord::new(EventKind::Transaction, place, decided).0, Relaxed);
    frame.start.store(start, Relaxed);
    // Nothing that ends ends it, but the context.
    frame.parent.store(from_ref(&context.root).cast_mut(), Relaxed);
    frame.nearest.store(around(context), Relaxed);
    // What is said of it is kept in the record, so the transaction that the record still shows goes.
    frame.record.hide();
    frame.record.object.store(said.0, Relaxed);
    Some(frame)
}

/// The recorded statement that is innermost, as what an event shows as its parent.
fn around(context: &'static Context) -> u64 {
    let mut at = context.top.load(Relaxed);
    // SAFETY: `top` and parents of open events are frames or the root of the context, never unmapped; the root has no
    // parent.
    while let Some(frame) = unsafe { at.as_ref() } {
        let nearest = Nesting(frame.nearest.load(Relaxed));
        match nearest.get() {
            None => return 0,
            Some((_, NestingType::Statement)) => return nearest.0,
            Some(_) => at = frame.parent.load(Relaxed),
        }
    }
    0
}

/// Gives an open transaction an id and its row, and makes it the parent of statements that begin from now on.
pub(crate) fn publish(
    context: &'static Context,
    frame: &Frame,
    class: &'static Class,
    site: Site,
    transaction_id: u64,
) {
    let said = frame.record.object.load(Relaxed);
    super::publish(context, EventKind::Transaction, frame, class, site, None, said);
    if transaction_id != 0 {
        frame.record.write(|record| record.bytes.store(transaction_id, Relaxed));
    }
    context.transaction.store(frame.nearest.load(Relaxed), Relaxed);
}

/// Closes a transaction: statements that begin from now on are not its children.
pub(crate) fn close(context: &'static Context, frame: &'static Frame) {
    let frames = &context.transaction_frames;
    let mut used = frames.used.load(Relaxed);
    let mut newest = 0;
    used &= !(1 << FrameWord(frame.word.load(Relaxed)).place());
    let mut others = used;
    while others != 0 {
        let other = frames.frame(others.trailing_zeros());
        // One that is not recorded has for its nearest the statement it began in.
        let nearest = Nesting(other.nearest.load(Relaxed));
        if matches!(nearest.get(), Some((_, NestingType::Transaction))) {
            newest = newest.max(nearest.0);
        }
        others &= others - 1;
    }
    frames.used.store(used, Relaxed);
    frame.serial.store(frame.serial.load(Relaxed) + 1, Relaxed);
    context.transaction.store(newest, Relaxed);
}

/// Says of an open transaction that it was committed.
pub(crate) fn commit(frame: &Frame) {
    say(frame, |record| {
        let said = Characteristics(record.object.load(Relaxed));
        record.object.store(said.committed().0, Relaxed);
    });
}

/// Counts what was done with a savepoint of an open transaction.
pub(crate) fn savepoint(frame: &Frame, done: Savepoint) {
    say(frame, |record| {
        let count = &Savepoints::of(record).counts[done as usize];
        count.store(count.load(Relaxed) + 1, Relaxed);
    });
}

/// Sets the id of an open transaction.
pub(crate) fn set_id(frame: &Frame, id: u64) {
    say(frame, |record| record.bytes.store(id, Relaxed));
}

/// What was said of a transaction in a frame.
pub(crate) fn said(frame: &Frame) -> Characteristics {
    Characteristics(frame.record.object.load(Relaxed))
}

/// Changes the record as a whole where it is visible.
fn say(frame: &Frame, change: impl FnOnce(&Record)) {
    frame.record.write(change);
}
