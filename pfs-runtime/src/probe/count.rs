//! Adding an event to its statistics: the context's row, or a row that is nobody's.

use super::attended;
use crate::class::Flags;
use crate::model::{Context, Slot};
use crate::schema::summary::shard;
use crate::stat::{Leaf, STAGE_FIELDS, STATEMENT_COUNTERS, STATEMENT_FIELDS, Shared, WAIT_FIELDS};
use core::sync::atomic::{
    AtomicPtr,
    Ordering::{Acquire, Relaxed, Release},
};

/// What is known of a wait that ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum Measure {
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
    #[inline(always)]
    fn add(self, row: &Leaf<WAIT_FIELDS>) -> bool {
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

/// Counts a wait in the context's own row.
#[inline(always)]
pub(super) fn own_wait(context: &'static Context, index: usize, measure: Measure) {
    if measure.add(row(&context.waits, index)) {
        touch(context, index, |schema| &schema.waits);
    }
}

/// Counts a wait wherever its flags say.
pub(super) fn wait(context: &'static Context, flags: Flags, index: usize, measure: Measure) {
    if context.needs_attention() {
        attended(context, flags);
    }
    if flags.any(Flags::GLOBAL_ONLY) {
        if let Some(schema) = context.schema() {
            measure.add_shared(schema.waits.shared(index, shard()));
        }
    } else {
        own_wait(context, index, measure);
    }
}

/// Counts a stage wherever its flags say.
#[inline]
pub(super) fn stage(context: &'static Context, flags: Flags, index: usize, ticks: Option<u64>) {
    if flags.any(Flags::GLOBAL_ONLY) {
        if let Some(schema) = context.schema() {
            let row = schema.stages.shared(index, shard());
            match ticks {
                Some(ticks) => row.add_timed(ticks),
                None => row.add_counted(),
            }
        }
        return;
    }
    let row: &Leaf<STAGE_FIELDS> = row(&context.stages, index);
    let first = match ticks {
        Some(ticks) => row.add_timed(ticks),
        None => row.add_counted(),
    };
    if first {
        touch(context, index, |schema| &schema.stages);
    }
}

/// Counts a statement wherever its flags say; `counters` if any were set.
#[inline]
pub(super) fn statement(
    context: &'static Context,
    flags: Flags,
    index: usize,
    ticks: Option<u64>,
    counters: Option<&[u64; STATEMENT_COUNTERS]>,
) {
    const ZERO: &[u64; STATEMENT_COUNTERS] = &[0; STATEMENT_COUNTERS];
    if flags.any(Flags::GLOBAL_ONLY) {
        if let Some(schema) = context.schema() {
            schema.statements.shared(index, shard()).add_statement(ticks, counters.unwrap_or(ZERO));
        }
        return;
    }
    let row: &Leaf<STATEMENT_FIELDS> = row(&context.statements, index);
    let first = match (ticks, counters) {
        (Some(ticks), None) => row.add_timed(ticks),
        (None, None) => row.add_counted(),
        (ticks, Some(counters)) => row.add_statement(ticks, counters),
    };
    if first {
        touch(context, index, |schema| &schema.statements);
    }
}

/// Remembers that a context's row holds something.
#[cold]
#[inline(never)]
fn touch<const N: usize>(
    context: &'static Context,
    index: usize,
    summary: impl FnOnce(&'static crate::schema::Schema) -> &'static crate::schema::Summary<N>,
) {
    if let Some(schema) = context.schema() {
        summary(schema).leaves(context).touch(index);
    }
}

/// Counts a wait on an instance. An exclusive lock's row is written by its holder alone.
#[inline(always)]
pub(super) fn instance(slot: &Slot, measure: Measure) {
    if slot.marks.load(Acquire) == 0 {
        measure.add(&slot.row);
    } else {
        marked_instance(slot, measure);
    }
}

#[cold]
#[inline(never)]
fn marked_instance(slot: &Slot, measure: Measure) {
    let marks = slot.marks.load(Acquire);
    if marks & Slot::MANY != 0 {
        measure.add_shared(slot.shared());
        return;
    }
    slot.row.clear();
    slot.marks.fetch_and(!Slot::RESTART, Release);
    measure.add(&slot.row);
}
