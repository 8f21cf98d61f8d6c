//! Statistics: the rows that hold them, how they are written, read whole, merged and restarted.
//!
//! Nothing here knows who owns a row or what is counted in it. Every kind of event has rows of the same first
//! four fields, so that folding, truncating and summing are written once for all kinds.

mod actual;
#[cfg(not(loom))]
mod histogram;
mod leaf;
mod leaves;
mod level;
#[cfg(all(test, loom))]
mod loom_models;
mod marks;
mod posted;
mod request;
mod shared;
mod sink;
mod total;
mod views;

pub use actual::{StageStat, Stat, StatementStat, WaitStat};
#[cfg(not(loom))]
pub use histogram::{BUCKETS, Bounds, Counts, Histogram};
pub use leaf::{Leaf, Values};
pub use leaves::{Fold, Leaves, Sinks};
pub use level::Level;
pub use marks::Marks;
pub use posted::{End, Posted};
pub use request::{Request, Requests};
pub use shared::Shared;
pub use sink::Sink;
pub use total::{Moves, total};
pub use views::{Kept, View, Views};

/// Fields of a stage's row: count, sum, minimum, maximum.
pub const STAGE_FIELDS: usize = 4;
/// Fields of a wait's row: those of a stage, then acquisitions that waited, the time they waited, and
/// acquisitions that succeeded at once without being timed. With the sequence number it fills a cache line.
pub const WAIT_FIELDS: usize = 7;
/// Fields of a statement's row: those of a stage, then its counters.
pub const STATEMENT_FIELDS: usize = 4 + STATEMENT_COUNTERS;
/// Counters of a statement, in the order of the columns `LOCK_TIME` … `COUNT_SECONDARY` of the statement tables.
pub const STATEMENT_COUNTERS: usize = 23;

pub(crate) const COUNT: usize = 0;
pub(crate) const SUM: usize = 1;
/// The complement of the minimum, so that all-zero memory is a row that has seen nothing, and merging is a maximum.
pub(crate) const MIN: usize = 2;
pub(crate) const MAX: usize = 3;
pub(crate) const WAITED: usize = 4;
pub(crate) const SUM_WAITED: usize = 5;
pub(crate) const IMMEDIATE: usize = 6;
pub(crate) const COUNTERS: usize = 4;

/// Adds one row's values to another's.
pub(crate) fn merge<const N: usize>(into: &mut Values<N>, from: &Values<N>) {
    for field in 0..N {
        into[field] = merged(field, into[field], from[field]);
    }
}

/// The value of a field after two rows were put together.
#[inline(always)]
pub(crate) fn merged(field: usize, a: u64, b: u64) -> u64 {
    match field {
        MIN | MAX => a.max(b),
        _ => a.wrapping_add(b),
    }
}
