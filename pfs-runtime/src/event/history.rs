//! Copies of ended events: the context's own history and the long one.

use crate::class::{EventKind, Flags};
use crate::model::{Context, Detail, Frame, Meta, Record, Savepoints};
use crate::schema::{EventTable, Schema};
use core::sync::atomic::Ordering::Relaxed;

/// Copies an ended event to the histories that its flags ask for.
#[inline(always)]
pub(crate) fn keep(context: &'static Context, kind: EventKind, frame: &'static Frame, flags: Flags) {
    let Some(schema) = context.schema() else { return };
    let at = kind as usize;
    let layout = &schema.layout.events[at];
    if flags.any(Flags::HISTORY) && context.histories[at].size.load(Relaxed) > 0 {
        let ring = &context.histories[at];
        let record = ring.next_record(layout.record_stride);
        record.write(|record| copy(schema, kind, EventTable::History, frame, record));
    }
    if flags.any(Flags::HISTORY_LONG) {
        let write = |record: &Record| copy(schema, kind, EventTable::HistoryLong, frame, record);
        if !schema.long[at].write(&context.chunks[at], write) {
            schema.status.history_long_lost.add(1);
        }
    }
}

#[inline(always)]
fn copy(schema: &Schema, kind: EventKind, table: EventTable, frame: &Frame, into: &Record) {
    let from = &frame.record;
    let meta = Meta::of_epoch(from.meta.load(Relaxed), schema.epochs.get(kind, table));
    into.thread_id.store(from.thread_id.load(Relaxed), Relaxed);
    into.event_id.store(from.event_id.load(Relaxed), Relaxed);
    into.end_event_id.store(from.end_event_id.load(Relaxed), Relaxed);
    into.class.store(from.class.load(Relaxed), Relaxed);
    into.start.store(from.start.load(Relaxed), Relaxed);
    into.end.store(from.end.load(Relaxed), Relaxed);
    into.source.store(from.source.load(Relaxed), Relaxed);
    into.object.store(from.object.load(Relaxed), Relaxed);
    into.nesting.store(from.nesting.load(Relaxed), Relaxed);
    into.meta.store(meta, Relaxed);
    into.bytes.store(from.bytes.load(Relaxed), Relaxed);
    if matches!(kind, EventKind::Statement) {
        Detail::of(from).copy_to(Detail::of(into));
    } else if matches!(kind, EventKind::Transaction) {
        Savepoints::of(from).copy_to(Savepoints::of(into));
    }
}
