//! What must be the same in a program and a plugin, because each looks at memory that the other has laid out.

use crate::class::{Class, Instrument, Instruments};
use crate::clock::Clock;
use crate::model::{Context, Detail, Frame, Record, Savepoints, Slot};
use crate::schema::{Contexts, Instances, LongHistory, Schema, Status, Summary, layout::ContextLayout};
use crate::stat::{STAGE_FIELDS, STATEMENT_FIELDS, WAIT_FIELDS};
use core::mem::offset_of;
use std::time::Instant;

/// Sources and compiler: with the same ones, the same words mean the same.
pub(super) const BUILD: &str = env!("BUILD_OF_PFS");

/// Size and alignment of each type, and where some of its fields lie.
macro_rules! laid_out {
    ($($type:ty { $($field:ident),* })*) => {
        &[$(size_of::<$type>(), align_of::<$type>(), $(offset_of!($type, $field),)*)*]
    };
}

const SHARED: &[usize] = laid_out! {
    Context { requests, waits, stages, statements, transactions, top, owner, transaction, histories, life, attached, root }
    Frame { record, word, serial, posted }
    Record { version, event_id, meta, bytes }
    Detail { counters }
    Savepoints { counts }
    Slot { marks, holder, life, class, owner, row }
    Class {}
    Instrument {}
    Instruments {}
    Schema { layout, contexts, waits, stages, statements, transactions, mutexes, rwlocks, conds, long, epochs, status }
    ContextLayout { stride, rows, events, text_bytes }
    Contexts {}
    Summary<WAIT_FIELDS> {}
    Summary<STAGE_FIELDS> {}
    Summary<STATEMENT_FIELDS> {}
    Instances {}
    LongHistory {}
    Status { locker_lost, rows_skipped }
    Clock {}
    Instant {}
};

/// A hash of how that is laid out here.
pub(super) const LAYOUT: u64 = {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut at = 0;
    while at < SHARED.len() {
        hash = (hash ^ SHARED[at] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        at += 1;
    }
    hash
};
