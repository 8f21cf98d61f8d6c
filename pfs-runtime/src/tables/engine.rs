//! The seam to the engine's readers and writers: what they do not offer yet stands here in the shape that the
//! tables use. A table reaches the engine through these names or through the engine's own modules.

use crate::class::{Class, EventKind, Instrument, Kind, Settings};
use crate::config::Consumer;
use crate::model::{Context, NestingType, Operation, Site, Slot};
use crate::schema::{EventTable, Schema};
use crate::stat::{STATEMENT_COUNTERS, StageStat, Stat, StatementStat, WaitStat};
use std::sync::atomic::Ordering;

/// An event, copied out of its record. Times are in raw ticks.
#[derive(Clone, Debug)]
pub(super) struct EventRecord {
    pub(super) thread_id: u64,
    pub(super) event_id: u64,
    pub(super) end_event_id: Option<u64>,
    pub(super) class: &'static Class,
    pub(super) source: Option<Site>,
    pub(super) start: Option<u64>,
    pub(super) end: Option<u64>,
    /// The address of a wait's instance.
    pub(super) object: u64,
    pub(super) operation: Option<Operation>,
    pub(super) bytes: Option<u64>,
    pub(super) nesting: Option<(u64, NestingType)>,
    pub(super) level: u16,
    /// What a stage has completed of its work, and how much it expects.
    pub(super) progress: Option<(u64, u64)>,
}

/// A statement, copied out of its record.
#[derive(Clone, Debug)]
pub(super) struct StatementRecord {
    pub(super) event: EventRecord,
    pub(super) counters: [u64; STATEMENT_COUNTERS],
    /// Cut to the configured length.
    pub(super) text: Option<String>,
    pub(super) current_schema: Option<String>,
    pub(super) errno: u32,
    pub(super) sqlstate: Option<String>,
    pub(super) message: Option<String>,
}

/// A live context, in the life that it was found in.
#[derive(Clone, Debug)]
pub(super) struct ContextView<'s> {
    schema: &'s Schema,
    context: &'static Context,
    state: u64,
    pub(super) thread_id: u64,
    pub(super) class: &'static Class,
    pub(super) parent: Option<u64>,
    pub(super) os_id: Option<u64>,
    pub(super) processlist_id: Option<u64>,
}

impl ContextView<'_> {
    fn same_life<R>(&self, read: Option<R>) -> Option<R> {
        std::sync::atomic::fence(Ordering::Acquire);
        if self.context.state.load(Ordering::Relaxed) == self.state { read } else { None }
    }

    pub(super) fn waits(&self, class: usize) -> Option<WaitStat> {
        self.same_life(self.schema.waits.by_thread(self.schema, self.context, class))
    }

    pub(super) fn stages(&self, class: usize) -> Option<StageStat> {
        self.same_life(self.schema.stages.by_thread(self.schema, self.context, class))
    }

    pub(super) fn statements(&self, class: usize) -> Option<StatementStat> {
        self.same_life(self.schema.statements.by_thread(self.schema, self.context, class))
    }

    /// The events of the current table or the history.
    pub(super) fn events(&self, kind: EventKind, table: EventTable) -> Vec<EventRecord> {
        let _ = (kind, table);
        Vec::new()
    }

    pub(super) fn statement_events(&self, table: EventTable) -> Vec<StatementRecord> {
        let _ = table;
        Vec::new()
    }

    /// The stage that runs, without its prefix and component.
    pub(super) fn state(&self) -> Option<String> {
        None
    }

    /// The text of the statement that runs.
    pub(super) fn info(&self) -> Option<String> {
        None
    }

    pub(super) fn instrumented(&self) -> bool {
        true
    }

    pub(super) fn history(&self) -> bool {
        true
    }
}

pub(super) fn contexts(schema: &Schema) -> impl Iterator<Item = ContextView<'_>> + use<'_> {
    schema.contexts.live().filter_map(move |context| {
        let state = context.state.load(Ordering::Acquire);
        let some = |number: u64| (number != 0).then_some(number);
        // SAFETY: a class is only ever stored from a `&'static Class`.
        let class = unsafe { context.class.load(Ordering::Relaxed).as_ref() }?;
        let view = ContextView {
            schema,
            context,
            state,
            thread_id: context.thread_id.load(Ordering::Relaxed),
            class,
            parent: some(context.parent_thread_id.load(Ordering::Relaxed)),
            os_id: some(context.os_id.load(Ordering::Relaxed)),
            processlist_id: some(context.processlist_id.load(Ordering::Relaxed)),
        };
        view.same_life(Some(()))?;
        Some(view)
    })
}

/// The events of a long history.
pub(super) fn long_history(schema: &Schema, kind: EventKind) -> Vec<EventRecord> {
    let _ = (schema, kind);
    Vec::new()
}

pub(super) fn long_statement_history(schema: &Schema) -> Vec<StatementRecord> {
    let _ = schema;
    Vec::new()
}

/// A live instance.
#[derive(Clone, Debug)]
pub(super) struct InstanceView {
    pub(super) class: &'static Class,
    pub(super) address: u64,
    pub(super) stat: WaitStat,
    pub(super) holder: Option<u64>,
    pub(super) readers: u32,
}

/// The live instances of a kind of lock.
pub(super) fn instances(schema: &Schema, kind: Kind) -> impl Iterator<Item = InstanceView> + use<'_> {
    let live = move |slot: &'static Slot, class: &'static Class| {
        let marks = slot.marks.load(Ordering::Acquire);
        let values = if marks & Slot::RESTART != 0 {
            Some(Default::default())
        } else if marks & Slot::MANY != 0 {
            Some(slot.shared().read())
        } else {
            slot.row.read()
        };
        let holder = slot.holder.load(Ordering::Relaxed);
        Some(InstanceView {
            class,
            address: std::ptr::from_ref(slot).addr() as u64,
            stat: WaitStat::from_values(&schema.whole(values)?),
            holder: (holder != 0).then_some(holder),
            readers: slot.readers.load(Ordering::Relaxed),
        })
    };
    schema.instances(kind).into_iter().flat_map(move |instances| instances.live(live))
}

pub(super) fn set_instrument(schema: &Schema, instrument: &Instrument, settings: Settings) {
    schema.change_settings(|| instrument.set(settings));
}

pub(super) fn set_consumer(schema: &Schema, consumer: Consumer, enabled: bool) {
    schema.set_consumer(consumer, enabled);
}

/// False if the thread is gone.
pub(super) fn set_thread(
    schema: &Schema,
    thread_id: u64,
    instrumented: Option<bool>,
    history: Option<bool>,
) -> bool {
    let _ = (schema, thread_id, instrumented, history);
    false
}

pub(super) fn truncate_instances(schema: &Schema) {
    for instances in [&schema.mutexes, &schema.rwlocks, &schema.conds] {
        instances.truncate();
    }
}

pub(super) fn truncate_events(schema: &Schema, kind: EventKind, table: EventTable) {
    schema.epochs.advance(kind, table);
}
