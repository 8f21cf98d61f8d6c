//! Adding an event to its statistics: the context's row, or a row that is nobody's.
//!
//! A context's row is written by its owner, and by what interrupts the owner. An event that finds the row changing, because
//! it interrupts that change, is not counted: it is one of those lost.

use crate::class::{EventKind, Flags, Word};
use crate::event;
use crate::model::{Characteristics, Context, Detail, Frame, Slot};
use crate::schema::Ended;
use crate::schema::summary::shard;
use crate::stat::{Leaf, STAGE_FIELDS, STATEMENT_COUNTERS, STATEMENT_FIELDS, Shared, WAIT_FIELDS};
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

/// What is known of a wait that ended.
#[derive(Clone, Copy, Debug)]
#[repr(C, u64)]
pub(crate) enum Measure {
    /// Nothing but that it happened.
    Counted,
    /// It succeeded at once and was not timed.
    Immediate,
    /// It succeeded, or failed, at once and took so many ticks.
    Timed(u64),
    /// It did not succeed at once and took so many ticks.
    Waited(u64),
}

#[inline(always)]
fn row<const N: usize>(rows: &AtomicPtr<Leaf<N>>, index: usize) -> &'static Leaf<N> {
    // SAFETY: rows are null only in placeholders, whose masks let no event get here; else they are the context's
    // own, one a class, in a mapping that is never unmapped, and a class's index is below their number.
    unsafe { &*rows.load(Relaxed).add(index) }
}

impl Measure {
    /// Whether the row has counted the like before and may be added to right away.
    #[inline(always)]
    fn is_usual_for(self, row: &Leaf<WAIT_FIELDS>) -> bool {
        match self {
            Self::Counted => row.has_counted(),
            Self::Immediate => row.has_immediate(),
            Self::Timed(_) | Self::Waited(_) => row.is_at_rest(),
        }
    }

    /// Whether it is one field of a row.
    fn is_one_step(self) -> bool {
        matches!(self, Self::Counted | Self::Immediate)
    }

    #[inline(always)]
    pub(crate) fn add(self, row: &Leaf<WAIT_FIELDS>) {
        match self {
            Self::Counted => row.add_counted(),
            Self::Immediate => row.add_immediate(),
            Self::Timed(ticks) => row.add_timed(ticks),
            Self::Waited(ticks) => row.add_waited(ticks),
        }
    }

    fn add_shared(self, row: &Shared<WAIT_FIELDS>) {
        match self {
            Self::Counted => row.add_counted(),
            Self::Immediate => row.add_immediate(),
            Self::Timed(ticks) => row.add_timed(ticks),
            Self::Waited(ticks) => row.add_waited(ticks),
        }
    }
}

/// Counts a wait in the context's own row, where that is usual. False if nothing was done, and [`rare_wait`] is to be
/// called.
#[inline(always)]
pub(crate) fn own_wait(context: &'static Context, index: usize, measure: Measure) -> bool {
    let row = row(&context.waits, index);
    let usual = measure.is_usual_for(row);
    if usual {
        measure.add(row);
    }
    usual
}

/// Counts a wait wherever was decided; false if it was lost.
#[inline(always)]
pub(crate) fn wait(context: &'static Context, decided: Word, measure: Measure) -> bool {
    if decided.flags().any(Flags::GLOBAL_ONLY) {
        shared_wait(context, decided, measure);
        true
    } else {
        own_wait(context, decided.index(), measure) || rare_wait(context, decided.index(), measure)
    }
}

#[cold]
#[inline(never)]
extern "C" fn shared_wait(context: &'static Context, decided: Word, measure: Measure) {
    if let Some(schema) = context.schema() {
        measure.add_shared(schema.waits.shared(decided.index(), shard()));
    }
}

/// Counts a stage wherever was decided.
#[inline(always)]
pub(crate) fn stage(context: &'static Context, decided: Word, ticks: Option<u64>) {
    if decided.flags().any(Flags::GLOBAL_ONLY) {
        return shared_stage(context, decided, ticks);
    }
    let row: &Leaf<STAGE_FIELDS> = row(&context.stages, decided.index());
    if is_usual_for(row, ticks) {
        row.add_event(ticks);
    } else {
        rare_stage(context, decided.index(), ticks);
    }
}

#[cold]
#[inline(never)]
#[expect(
    improper_ctypes_definitions,
    reason = "called by this crate alone; `extern` says that it does not unwind"
)]
extern "C" fn shared_stage(context: &'static Context, decided: Word, ticks: Option<u64>) {
    if let Some(schema) = context.schema() {
        schema.stages.shared(decided.index(), shard()).add_event(ticks);
    }
}

/// Counts a statement wherever was decided; `detail` if there is more to count of it.
#[inline(always)]
pub(crate) fn statement(
    context: &'static Context,
    decided: Word,
    ticks: Option<u64>,
    detail: Option<(&Detail, u64)>,
) {
    if detail.is_some() || decided.flags().any(Flags::GLOBAL_ONLY) {
        return detailed_statement(context, decided, ticks, detail);
    }
    let row: &Leaf<STATEMENT_FIELDS> = row(&context.statements, decided.index());
    if is_usual_for(row, ticks) {
        row.add_event(ticks);
    } else if !rare_statement(context, decided.index(), ticks) {
        return;
    }
    if let (Some(ticks), true) = (ticks, decided.flags().any(Flags::DIGEST)) {
        // Last, so that nothing is saved for it.
        time_of_statement(context, ticks);
    }
}

/// Counts a timed statement in the histogram of all.
#[inline(never)]
extern "C" fn time_of_statement(context: &'static Context, ticks: u64) {
    if let Some(schema) = context.schema() {
        // Each context has its shard, so that two rarely count in one line.
        schema.digests.count_time(ticks, context.id());
    }
}

#[inline(never)]
#[expect(
    improper_ctypes_definitions,
    reason = "called by this crate alone; `extern` says that it does not unwind"
)]
extern "C" fn detailed_statement(
    context: &'static Context,
    decided: Word,
    ticks: Option<u64>,
    detail: Option<(&Detail, u64)>,
) {
    let counters = detail.map_or([0; STATEMENT_COUNTERS], |(detail, _)| detail.counters());
    if decided.flags().any(Flags::GLOBAL_ONLY) {
        if let Some(schema) = context.schema() {
            schema.statements.shared(decided.index(), shard()).add_statement(ticks, &counters);
        }
    } else if !rare(context, EventKind::Statement, &context.statements, decided.index(), false, |row| {
        row.add_statement(ticks, &counters);
    }) {
        return;
    }
    if let (Some(ticks), true) = (ticks, decided.flags().any(Flags::DIGEST)) {
        time_of_statement(context, ticks);
    }
    if let (Some((detail, start)), Some(schema)) = (detail, context.schema()) {
        let at = ticks.map_or_else(|| schema.clock().now(), |ticks| start.wrapping_add(ticks));
        event::digest::count(context, schema, &Ended { ticks, at, counters: &counters, detail });
    }
}

/// Adds to a counter of a statement that is counted at its end without it.
pub(crate) fn statement_counter(context: &'static Context, decided: Word, counter: usize, by: u64) {
    if decided.flags().any(Flags::GLOBAL_ONLY) {
        if let Some(schema) = context.schema() {
            schema.statements.shared(decided.index(), shard()).add_counter(counter, by);
        }
    } else {
        rare(context, EventKind::Statement, &context.statements, decided.index(), false, |row| {
            row.add_counter(counter, by);
        });
    }
}

/// Counts a transaction wherever was decided, those that only read apart.
pub(crate) fn transaction(
    context: &'static Context,
    decided: Word,
    said: Characteristics,
    ticks: Option<u64>,
) {
    let row_at = decided.index() * EventKind::Transaction.rows_a_class() + usize::from(said.is_read_only());
    if decided.flags().any(Flags::GLOBAL_ONLY) {
        if let Some(schema) = context.schema() {
            schema.transactions.shared(row_at, shard()).add_event(ticks);
        }
        return;
    }
    rare(context, EventKind::Transaction, &context.transactions, row_at, ticks.is_none(), |row| {
        row.add_event(ticks);
    });
}

/// Whether the row has counted the like before and may be added to right away.
#[inline(always)]
fn is_usual_for<const N: usize>(row: &Leaf<N>, ticks: Option<u64>) -> bool {
    if ticks.is_some() { row.is_at_rest() } else { row.has_counted() }
}

/// Counts a wait in the context's own row that may be the first there, or interrupt another; false if it was lost.
#[cold]
#[inline(never)]
pub(crate) extern "C" fn rare_wait(context: &'static Context, index: usize, measure: Measure) -> bool {
    rare(context, EventKind::Wait, &context.waits, index, measure.is_one_step(), |row| measure.add(row))
}

/// The same of stages and statements. They do not unwind, so that they can be called last.
macro_rules! rare {
    ($($rare:ident $kind:ident $rows:ident)*) => {$(
        #[cold]
        #[inline(never)]
        #[expect(
            improper_ctypes_definitions,
            reason = "called by this crate alone; `extern` says that it does not unwind"
        )]
        extern "C" fn $rare(context: &'static Context, index: usize, ticks: Option<u64>) -> bool {
            rare(context, EventKind::$kind, &context.$rows, index, ticks.is_none(), |row| row.add_event(ticks))
        }
    )*};
}
rare! { rare_stage Stage stages rare_statement Statement statements }

/// Adds to a context's own row that may be the first time, or interrupt a change of the row: then it is lost, unless it is
/// one step. False if it is.
fn rare<const N: usize>(
    context: &'static Context,
    kind: EventKind,
    rows: &AtomicPtr<Leaf<N>>,
    index: usize,
    one_step: bool,
    add: impl FnOnce(&Leaf<N>),
) -> bool {
    let (Some(schema), row) = (context.schema(), row(rows, index)) else { return false };
    if !one_step && row.is_changing() {
        event::lost(context, kind);
        return false;
    }
    schema.touch(context, kind, index);
    add(row);
    true
}

/// Counts a wait on an instance, be it one that several threads count at once or not.
pub(crate) fn instance(slot: &Slot, measure: Measure) {
    if slot.marks.is_many() {
        measure.add_shared(slot.shared());
        return;
    }
    if let Some(views) = slot.views() {
        views.carry_out();
    }
    measure.add(&slot.row);
}

/// Counts an event that was open in a frame, unless it became one of a class that is disabled.
pub(crate) fn ended(
    kind: EventKind,
    context: &'static Context,
    frame: &'static Frame,
    decided: Word,
    ticks: Option<u64>,
) {
    if decided.flags().any(Flags::COUNT) {
        framed(kind, context, frame, decided, ticks);
    }
}

/// Counts an event that was open in a frame.
#[inline(always)]
pub(crate) fn framed(
    kind: EventKind,
    context: &'static Context,
    frame: &'static Frame,
    decided: Word,
    ticks: Option<u64>,
) {
    match kind {
        EventKind::Stage => stage(context, decided, ticks),
        EventKind::Statement => {
            let detail = Detail::of(&frame.record);
            let more = detail.has_more().then(|| (detail, frame.start.load(Relaxed)));
            statement(context, decided, ticks, more);
        }
        EventKind::Transaction => transaction(context, decided, event::transaction::said(frame), ticks),
        EventKind::Wait => {
            let measure = ticks.map_or(Measure::Counted, Measure::Waited);
            wait(context, decided, measure);
        }
    }
}
