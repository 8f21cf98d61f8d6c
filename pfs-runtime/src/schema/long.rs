//! The long history of one kind of event: one ring for the whole schema, written in chunks.
//!
//! A record's version holds its position, counted from the start and never back: twice it when the record is whole,
//! one less while it is written. The ring holds the positions from `claimed - size` on and no others, whatever still
//! lies in its memory: a chunk's old records go when it is claimed, and an owner that the ring has overtaken claims
//! another chunk. So of each context the ring holds the last events without a gap.

use super::arena::{Arena, Plan};
use crate::model::{Chunk, Record};
use core::sync::atomic::{AtomicU64, Ordering};

/// Most records that a context claims at once, so that writers rarely touch the shared position.
const CHUNK: u64 = 16;

/// The ring as it is planned.
pub(crate) struct Planned {
    offset: usize,
    stride: usize,
    size: u32,
    contexts: u32,
}

/// The long history of one kind of event.
#[derive(Debug)]
pub struct LongHistory {
    base: *mut u8,
    stride: usize,
    size: u64,
    chunk: u64,
    /// Positions claimed so far. The first is 1, so that version 0 is a record that was never written.
    claimed: AtomicU64,
}

// SAFETY: `base` points into the schema's mapping, which is never unmapped and holds atomics alone.
unsafe impl Send for LongHistory {}
// SAFETY: as above.
unsafe impl Sync for LongHistory {}

impl LongHistory {
    pub(crate) fn plan(
        plan: &mut Plan,
        name: &'static str,
        stride: usize,
        size: u32,
        contexts: u32,
    ) -> Planned {
        plan.report(name, stride, size as usize);
        Planned { offset: plan.bytes(stride, size as usize), stride, size, contexts }
    }

    pub(crate) fn new(arena: &Arena, planned: &Planned) -> Self {
        let size = u64::from(planned.size);
        Self {
            base: arena.address(planned.offset),
            stride: planned.stride,
            size,
            // Records that were claimed and not written yet hold nothing: kept below half the ring.
            chunk: (size / 64).min(size / 2 / u64::from(planned.contexts.max(1))).clamp(1, CHUNK),
            claimed: AtomicU64::new(0),
        }
    }

    /// Whether it has no records at all.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    fn record(&self, at: u64) -> *mut u8 {
        #[expect(clippy::cast_possible_truncation, reason = "below the ring's size, which fits the mapping")]
        self.base.wrapping_add(at as usize * self.stride)
    }

    /// The record that the owner of `chunk` writes next, made odd for it alone; `None` if there are no records,
    /// or the ring went round so fast that another context is writing that one.
    pub(crate) fn claim(&self, chunk: &Chunk) -> Option<&'static Record> {
        if self.size == 0 {
            return None;
        }
        let mut next = chunk.next.load(Ordering::Relaxed);
        let mut at = chunk.at.load(Ordering::Relaxed);
        if next == chunk.end.load(Ordering::Relaxed)
            || !self.holds(next, self.claimed.load(Ordering::Relaxed))
        {
            let claimed = self.claimed.fetch_add(self.chunk, Ordering::Relaxed);
            at = claimed % self.size;
            next = claimed + 1;
            chunk.end.store(next + self.chunk, Ordering::Relaxed);
        }
        chunk.next.store(next + 1, Ordering::Relaxed);
        chunk.at.store(if at + 1 == self.size { 0 } else { at + 1 }, Ordering::Relaxed);
        // SAFETY: `at` is below the size, so the record lies in the mapping, zeroed or written as a `Record`.
        let record = unsafe { &*self.record(at).cast::<Record>() };
        let version = record.version.load(Ordering::Relaxed);
        // Acquire: what another context wrote here before is not reordered into this record.
        (version & 1 == 0
            && version < 2 * next
            && record
                .version
                .compare_exchange(version, 2 * next - 1, Ordering::Acquire, Ordering::Relaxed)
                .is_ok())
        .then_some(record)
    }

    /// Whether the ring holds a position when `claimed` are claimed.
    fn holds(&self, position: u64, claimed: u64) -> bool {
        position + self.size > claimed
    }

    /// Every record that the ring holds, in the order of its memory.
    pub(crate) fn records(&self) -> impl Iterator<Item = &'static Record> + use<'_> {
        let (base, stride) = (self.base, self.stride);
        let claimed = self.claimed.load(Ordering::Relaxed);
        let records = (0..claimed.min(self.size)).map(move |at| {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "below the ring's size, which fits the mapping"
            )]
            let record = base.wrapping_add(at as usize * stride).cast::<Record>();
            // SAFETY: as in `claim`.
            let record: &'static Record = unsafe { &*record };
            record
        });
        records.filter(move |record| self.holds(record.version.load(Ordering::Relaxed).div_ceil(2), claimed))
    }
}
