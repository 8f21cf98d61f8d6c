//! Event records as readers get them: copied out whole, checked against their context's life and table's epoch.

use super::DetailRecord;
use crate::class::{Class, EventKind};
use crate::model::{
    Characteristics, Context, Detail, Ending, Frame, FrameWord, Meta, Nesting, NestingType, Operation,
    Record, Savepoints, Site,
};
use crate::schema::{EventTable, Schema};
use core::cmp::Reverse;
use core::sync::atomic::Ordering::{Acquire, Relaxed};

/// An event, copied out of its record.
#[derive(Clone, Copy, Debug)]
pub struct EventRecord {
    /// The context it belongs to.
    pub thread_id: u64,
    /// Its id in that context.
    pub event_id: u64,
    /// The last id given in the context when the event ended; `None` while it is open.
    pub end_event_id: Option<u64>,
    /// Its class.
    pub class: &'static Class,
    /// Where it began in the source.
    pub source: Option<Site>,
    /// Raw ticks; `None` if it is not timed.
    pub start: Option<u64>,
    /// Raw ticks; `None` while it is open or if it is not timed.
    pub end: Option<u64>,
    /// The address of a wait's instance; what a stage has completed of its work.
    pub object: u64,
    /// The bytes of a wait; what a stage estimates of its work.
    pub bytes: Option<u64>,
    /// What a wait was doing.
    pub operation: Option<Operation>,
    /// The nearest recorded event around it.
    pub nesting: Option<(u64, NestingType)>,
    /// Who ended it.
    pub ending: Ending,
    /// How many statements enclose a statement.
    pub level: u16,
}

/// A statement, copied out of its record.
#[derive(Clone, Debug)]
pub struct StatementRecord {
    /// What it is as an event.
    pub event: EventRecord,
    /// What it is as a statement.
    pub detail: DetailRecord,
}

/// A transaction, copied out of its record.
#[derive(Clone, Copy, Debug)]
pub struct TransactionRecord {
    /// What it is as an event.
    pub event: EventRecord,
    /// What was said of it.
    pub said: Characteristics,
    /// Its id, if it has one.
    pub transaction_id: Option<u64>,
    /// How often each was done with a savepoint, by [`crate::model::Savepoint`].
    pub savepoints: [u64; 3],
}

impl EventRecord {
    fn of(record: &Record, epoch: u32) -> Option<Self> {
        let meta = Meta::unpack(record.meta.load(Relaxed));
        if meta.epoch != epoch {
            return None;
        }
        // SAFETY: classes and locations are stored from `&'static` references alone; null is none.
        let (class, source) =
            unsafe { (record.class.load(Relaxed).as_ref()?, record.source.load(Relaxed).as_ref()) };
        let some = |value: u64| Some(value).filter(|value| *value != 0);
        let (start, end) = (some(record.start.load(Relaxed)), some(record.end.load(Relaxed)));
        Some(Self {
            thread_id: record.thread_id.load(Relaxed),
            event_id: record.event_id.load(Relaxed),
            end_event_id: some(record.end_event_id.load(Relaxed)),
            class,
            source,
            start,
            end: start.and(end),
            object: record.object.load(Relaxed),
            bytes: Some(record.bytes.load(Relaxed)).filter(|bytes| *bytes != u64::MAX),
            operation: Operation::from_number(meta.operation),
            nesting: Nesting(record.nesting.load(Relaxed)).get(),
            ending: meta.ending,
            level: meta.level,
        })
    }
}

/// What a table makes of a record.
pub(crate) trait Recorded: Sized + 'static {
    /// Copies the rest of a record beside the event that it is; called while the record is whole.
    fn copy(event: EventRecord, record: &Record, schema: &Schema) -> Self;
    /// What it is as an event.
    fn event(&self) -> &EventRecord;
}

impl Recorded for EventRecord {
    fn copy(event: EventRecord, _: &Record, _: &Schema) -> Self {
        event
    }

    fn event(&self) -> &EventRecord {
        self
    }
}

impl Recorded for StatementRecord {
    fn copy(event: EventRecord, record: &Record, schema: &Schema) -> Self {
        Self { event, detail: Detail::of(record).read(schema.layout.text_bytes) }
    }

    fn event(&self) -> &EventRecord {
        &self.event
    }
}

impl Recorded for TransactionRecord {
    fn copy(event: EventRecord, record: &Record, _: &Schema) -> Self {
        Self {
            event,
            said: Characteristics(event.object),
            transaction_id: event.bytes.filter(|id| *id != 0),
            savepoints: Savepoints::of(record).counts.each_ref().map(|count| count.load(Relaxed)),
        }
    }

    fn event(&self) -> &EventRecord {
        &self.event
    }
}

impl Schema {
    /// The events of a kind in one of its tables.
    pub fn events(&self, kind: EventKind, table: EventTable) -> impl Iterator<Item = EventRecord> {
        self.copied(kind, table)
    }

    /// The statements in one of their tables.
    pub fn statement_events(&self, table: EventTable) -> impl Iterator<Item = StatementRecord> {
        self.copied(EventKind::Statement, table)
    }

    /// The transactions in one of their tables.
    pub fn transaction_events(&self, table: EventTable) -> impl Iterator<Item = TransactionRecord> {
        self.copied(EventKind::Transaction, table)
    }

    /// The name of the innermost stage that is open in a context, recorded or not. In a context that nothing runs in just
    /// now it is the one that began last, which a future of its holds open.
    pub(crate) fn stage_of(&self, context: &'static Context) -> Option<&'static str> {
        let frame = innermost_stage(context).or_else(|| last_stage(context))?;
        let word = FrameWord(frame.word.load(Relaxed));
        let instrument = self.instruments().of_event(EventKind::Stage).nth(word.decided().index())?;
        Some(instrument.name())
    }

    /// The records of a kind in one of its tables.
    pub(crate) fn copied<R: Recorded>(
        &self,
        kind: EventKind,
        table: EventTable,
    ) -> Box<dyn Iterator<Item = R> + '_> {
        if table == EventTable::HistoryLong {
            return Box::new(
                self.long[kind as usize].records().filter_map(move |record| self.copy(kind, table, record)),
            );
        }
        Box::new(self.contexts.live().flat_map(move |context| self.copied_of(context, kind, table)))
    }

    /// The records of a kind in a context's part of the current table or the history.
    pub(crate) fn copied_of<R: Recorded>(
        &self,
        context: &'static Context,
        kind: EventKind,
        table: EventTable,
    ) -> Vec<R> {
        of_life(context, || match table {
            EventTable::Current => still_shown(
                context_frames(context, kind).filter_map(|record| self.copy(kind, table, record)).collect(),
            ),
            EventTable::History => {
                let ring = &context.histories[kind as usize];
                let stride = self.layout.events[kind as usize].record_stride;
                let filled = ring.filled.load(Acquire);
                (0..filled).filter_map(|at| self.copy(kind, table, ring.record(at, stride))).collect()
            }
            EventTable::HistoryLong => Vec::new(),
        })
    }

    fn copy<R: Recorded>(&self, kind: EventKind, table: EventTable, record: &Record) -> Option<R> {
        let epoch = self.epochs.get(kind, table);
        let copy = |record: &Record| EventRecord::of(record, epoch).map(|event| R::copy(event, record, self));
        record.read(copy).unwrap_or_else(|_| {
            self.status.rows_skipped.add(1);
            None
        })
    }

    /// Empties one of the event tables of a kind. Events that are open go on and are seen again when they end.
    pub fn truncate_events(&self, kind: EventKind, table: EventTable) {
        self.epochs.advance(kind, table);
    }
}

fn innermost_stage(context: &'static Context) -> Option<&'static Frame> {
    let mut top = context.top.load(Acquire);
    // The chain is read while its owner changes it; one longer than any real chain is left.
    for _ in 0..256 {
        // SAFETY: `top` and `parent` are null or point to frames of the schema's mapping, never unmapped.
        let frame = unsafe { top.as_ref() }?;
        if frame.kind() == EventKind::Stage {
            return Some(frame);
        }
        top = frame.parent.load(Relaxed);
    }
    None
}

fn last_stage(context: &'static Context) -> Option<&'static Frame> {
    let frames = &context.stage_frames;
    let used = frames.used.load(Acquire);
    let open = (0..frames.limit.load(Relaxed)).filter(|at| used >> at & 1 == 1);
    open.map(|at| frames.frame(at)).max_by_key(|frame| frame.start.load(Relaxed))
}

fn context_frames(context: &'static Context, kind: EventKind) -> impl Iterator<Item = &'static Record> {
    let frames = kind.frames(context);
    (0..frames.limit.load(Relaxed)).map(|at| &frames.frame(at).record)
}

/// What the current table shows of a context: the events that are open, or if there is none the one that ended last.
fn still_shown<R: Recorded>(mut rows: Vec<R>) -> Vec<R> {
    if rows.iter().any(|row| row.event().end_event_id.is_none()) {
        rows.retain(|row| row.event().end_event_id.is_none());
        rows.sort_by_key(|row| row.event().event_id);
        return rows;
    }
    // Of those that ended with the same id the outermost did last, having the lowest id.
    let ended = |row: &R| (row.event().end_event_id, Reverse(row.event().event_id));
    rows.into_iter().max_by_key(ended).into_iter().collect()
}

/// The rows that `read` finds in a context, if it is in the same life afterwards.
fn of_life<R>(context: &Context, read: impl FnOnce() -> Vec<R>) -> Vec<R> {
    let rows = context.life.living().and_then(|living| context.life.same(living, read()));
    rows.unwrap_or_default()
}
