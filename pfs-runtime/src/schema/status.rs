//! Counters of what was lost, and the epochs that truncate event tables.

use crate::class::{EventKind, Kind};
use crate::slots::Lost;
use core::sync::atomic::{AtomicU32, Ordering};

/// What was lost beside instances and contexts, which count for themselves.
#[derive(Debug)]
pub struct Status {
    /// Waits nested too deep to be recorded.
    pub locker_lost: Lost,
    /// Statements nested too deep to be recorded.
    pub nested_statement_lost: Lost,
    /// Stages nested too deep to be recorded.
    pub nested_stage_lost: Lost,
    /// Transactions within others too many to be recorded.
    pub nested_transaction_lost: Lost,
    /// Records of a long history given up because the ring went round while they were written.
    pub history_long_lost: Lost,
    /// Rows that a reader skipped because they changed at every try.
    pub rows_skipped: Lost,
    /// Classes of plugins that found no place, by [`Kind`].
    classes_lost: [Lost; Kind::ALL.len()],
}

laid_out!(Status {
    locker_lost,
    nested_statement_lost,
    nested_stage_lost,
    nested_transaction_lost,
    history_long_lost,
    rows_skipped,
    classes_lost
});

impl Status {
    pub(crate) const fn new() -> Self {
        Self {
            locker_lost: Lost::new(),
            nested_statement_lost: Lost::new(),
            nested_stage_lost: Lost::new(),
            nested_transaction_lost: Lost::new(),
            history_long_lost: Lost::new(),
            rows_skipped: Lost::new(),
            classes_lost: [const { Lost::new() }; Kind::ALL.len()],
        }
    }

    /// Restarts the counters of events. Classes that found no place have none still.
    pub(super) fn restart(&self) {
        for lost in [
            &self.locker_lost,
            &self.nested_statement_lost,
            &self.nested_stage_lost,
            &self.nested_transaction_lost,
            &self.history_long_lost,
            &self.rows_skipped,
        ] {
            lost.take();
        }
    }

    /// Classes of a kind that plugins brought and that found no place.
    pub fn classes_lost(&self, kind: Kind) -> &Lost {
        &self.classes_lost[kind as usize]
    }

    /// The counter of events of a kind that are nested too deep.
    pub(crate) fn nested_lost(&self, kind: EventKind) -> &Lost {
        match kind {
            EventKind::Wait => &self.locker_lost,
            EventKind::Stage => &self.nested_stage_lost,
            EventKind::Statement => &self.nested_statement_lost,
            EventKind::Transaction => &self.nested_transaction_lost,
        }
    }
}

/// The event tables of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventTable {
    /// What runs now, or ran last.
    Current = 0,
    /// The last events of each context.
    History = 1,
    /// The last events of all.
    HistoryLong = 2,
}

/// An epoch an event table. A record carries the epoch of its table when it was written; truncating begins a new
/// one, and no writer has to be waited for.
#[derive(Debug)]
pub(crate) struct Epochs([[AtomicU32; 3]; EventKind::COUNT]);

laid_out!(Epochs { 0 });

impl Epochs {
    pub(crate) fn new() -> Self {
        Self([const { [const { AtomicU32::new(0) }; 3] }; EventKind::COUNT])
    }

    #[inline]
    pub(crate) fn get(&self, kind: EventKind, table: EventTable) -> u32 {
        self.0[kind as usize][table as usize].load(Ordering::Relaxed)
    }

    pub(crate) fn advance(&self, kind: EventKind, table: EventTable) {
        self.0[kind as usize][table as usize].fetch_add(1, Ordering::Relaxed);
    }
}
