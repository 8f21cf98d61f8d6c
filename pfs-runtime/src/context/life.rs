//! The begin and the end of a context, whoever owns it.

use super::current::nobody;
use crate::class::{Class, EventKind, Flags};
use crate::count;
use crate::event::{end_all, posted};
use crate::model::Context;
use crate::schema::{Membership, Schema};
use core::sync::atomic::Ordering::Relaxed;

/// Who a new context is.
#[derive(Debug)]
pub(super) struct Identity {
    pub(super) class: &'static Class,
    /// Whose it is, if it is a task; else it is a connection in the background.
    pub(super) task: Option<Membership>,
    pub(super) parent: Option<u64>,
    pub(super) os_id: u64,
    pub(super) processlist_id: u64,
}

/// Takes a free context and makes it `identity`'s. `None` if there is none, which is counted.
pub(super) fn begin(schema: &'static Schema, identity: Identity) -> Option<&'static Context> {
    let context = schema.contexts.acquire()?;
    context.life.change();
    place(schema, context);
    context.top.store(core::ptr::from_ref(&context.root).cast_mut(), Relaxed);
    context.next_event_id.store(1, Relaxed);
    context.transaction.store(0, Relaxed);
    context.changing.store(0, Relaxed);
    context.thread_id.store(schema.next_thread_id(), Relaxed);
    context.class.store(core::ptr::from_ref(identity.class).cast_mut(), Relaxed);
    context.parent_thread_id.store(identity.parent.unwrap_or(0), Relaxed);
    context.os_id.store(identity.os_id, Relaxed);
    let is_task = identity.task.is_some();
    match identity.task {
        Some(task) => context.join(task),
        None => schema.join_background(context),
    }
    context.attached.store(core::ptr::from_ref(nobody()).cast_mut(), Relaxed);
    context.processlist_id.store(identity.processlist_id, Relaxed);
    context.since.store(schema.clock().now(), Relaxed);
    // No OS thread is a task, or has a number among the sessions.
    let is_owned = is_task || identity.processlist_id != 0;
    let settings = settings_of(identity.class) | if is_owned { Context::OWNED } else { 0 };
    context.settings.store(settings, Relaxed);
    context.requests.reset(Context::allowed(settings).0);
    context.life.begin();
    Some(context)
}

/// What a context of the class begins with.
fn settings_of(class: &Class) -> u32 {
    let without = class.word().flags();
    let mut settings = Context::INSTRUMENTED | Context::HISTORY;
    if without.any(Flags::UNINSTRUMENTED) {
        settings &= !Context::INSTRUMENTED;
    }
    if without.any(Flags::NO_HISTORY) {
        settings &= !Context::HISTORY;
    }
    settings
}

/// Writes where the context's arrays lie. They never move, so that a reader who looks at an earlier life sees the
/// same places.
fn place(schema: &'static Schema, context: &'static Context) {
    let base = core::ptr::from_ref(context).cast_mut().cast::<u8>();
    context.extent.store(schema.layout.stride as u64, Relaxed);
    context.owner.store(core::ptr::from_ref(schema).cast_mut().cast(), Relaxed);
    context.waits.store(schema.waits.rows_of(context), Relaxed);
    context.stages.store(schema.stages.rows_of(context), Relaxed);
    context.statements.store(schema.statements.rows_of(context), Relaxed);
    context.transactions.store(schema.transactions.rows_of(context), Relaxed);
    for kind in EventKind::ALL {
        let (at, frames) = (kind as usize, kind.frames(context));
        let layout = &schema.layout.events[at];
        frames.base.store(base.wrapping_add(layout.frames).cast(), Relaxed);
        frames.limit.store(layout.frame_limit, Relaxed);
        frames.stride.store(u32::try_from(layout.frame_stride).unwrap_or(u32::MAX), Relaxed);
        frames.used.store(0, Relaxed);
        context.histories[at].base.store(base.wrapping_add(layout.history), Relaxed);
        context.histories[at].size.store(layout.history_size, Relaxed);
    }
}

/// Ends a context: its open events, then its rows, which are folded into what ended contexts left.
///
/// The caller owns the context, and no thread has it as its current one any more.
pub(super) fn end(context: &'static Context) {
    let Some(schema) = context.schema() else { return };
    posted::carry_out(context, count::ended);
    end_all(context, count::ended);
    context.life.change();
    hide_events(context);
    schema.retire(context);
}

/// Makes what a context holds, but its rows of statistics, that of one that never was, whatever its owner, who is no more,
/// had half done. For one thread alone.
pub(super) fn forget(context: &'static Context) {
    context.life.change();
    for frames in EventKind::ALL.map(|kind| kind.frames(context)) {
        let used = frames.used.load(Relaxed);
        for at in 0..frames.limit.load(Relaxed) {
            let frame = frames.frame(at);
            frame.record.version.mend();
            posted::forget(context, frame);
            if used >> at & 1 == 1 {
                // Whoever still has a handle on it finds another event.
                frame.serial.fetch_add(1, Relaxed);
            }
        }
    }
    for (at, ring) in context.histories.iter().enumerate() {
        let stride = context.schema().map_or(0, |schema| schema.layout.events[at].record_stride);
        for at in 0..ring.size.load(Relaxed) {
            ring.record(at, stride).version.mend();
        }
        ring.filled.store(ring.size.load(Relaxed), Relaxed);
    }
    hide_events(context);
    context.attached.store(core::ptr::from_ref(nobody()).cast_mut(), Relaxed);
    context.settings.store(0, Relaxed);
    context.digesting.store(0, Relaxed);
}

/// Takes the context's events out of the current and history tables.
fn hide_events(context: &'static Context) {
    for frames in EventKind::ALL.map(|kind| kind.frames(context)) {
        for at in 0..frames.limit.load(Relaxed) {
            let frame = frames.frame(at);
            // A frame that was never used is not written, so that it does not become resident.
            if frame.record.version.last() != 0 {
                frame.record.hide();
            }
        }
    }
    for (at, ring) in context.histories.iter().enumerate() {
        let stride = context.schema().map_or(0, |schema| schema.layout.events[at].record_stride);
        for at in 0..ring.filled.load(Relaxed) {
            ring.record(at, stride).hide();
        }
        ring.filled.store(0, Relaxed);
        ring.next.store(0, Relaxed);
    }
    for chunk in &context.chunks {
        chunk.give_up();
    }
}
