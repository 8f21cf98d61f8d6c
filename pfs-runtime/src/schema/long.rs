//! The long history of one kind of event: one ring for the whole schema, written in chunks.

use super::arena::{Arena, Plan};
use crate::model::{Chunk, Record};
use core::sync::atomic::{AtomicU64, Ordering};

/// Records that a context claims at once, so that writers rarely touch the shared position.
const CHUNK: u64 = 16;

/// The ring as it is planned.
pub(crate) struct Planned {
    offset: usize,
    stride: usize,
    size: u32,
}

/// The long history of one kind of event.
#[derive(Debug)]
pub struct LongHistory {
    base: *mut u8,
    stride: usize,
    size: u64,
    chunk: u64,
    claimed: AtomicU64,
}

// SAFETY: `base` points into the schema's mapping, which is never unmapped and holds atomics alone.
unsafe impl Send for LongHistory {}
// SAFETY: as above.
unsafe impl Sync for LongHistory {}

impl LongHistory {
    pub(crate) fn plan(plan: &mut Plan, name: &'static str, stride: usize, size: u32) -> Planned {
        plan.report(name, stride, size as usize);
        Planned { offset: plan.bytes(stride, size as usize), stride, size }
    }

    pub(crate) fn new(arena: &Arena, planned: &Planned) -> Self {
        let size = u64::from(planned.size);
        Self {
            base: arena.address(planned.offset),
            stride: planned.stride,
            size,
            chunk: (size / 64).clamp(1, CHUNK),
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
        let (mut next, mut end) = (chunk.next.load(Ordering::Relaxed), chunk.end.load(Ordering::Relaxed));
        if next == end {
            next = self.claimed.fetch_add(self.chunk, Ordering::Relaxed) % self.size;
            end = next + self.chunk;
            chunk.end.store(end, Ordering::Relaxed);
        }
        chunk.next.store(next + 1, Ordering::Relaxed);
        let at = if next < self.size { next } else { next - self.size };
        // SAFETY: `at` is below the size, so the record lies in the mapping, zeroed or written as a `Record`.
        let record = unsafe { &*self.record(at).cast::<Record>() };
        let version = record.version.load(Ordering::Relaxed);
        // Acquire: what another context wrote here before is not reordered into this record.
        (version & 1 == 0
            && record
                .version
                .compare_exchange(version, version + 1, Ordering::Acquire, Ordering::Relaxed)
                .is_ok())
        .then_some(record)
    }

    /// Every record that was ever claimed, in the order of the ring.
    pub(crate) fn records(&self) -> impl Iterator<Item = &'static Record> + use<> {
        let (base, stride) = (self.base, self.stride);
        let used = self.claimed.load(Ordering::Relaxed).min(self.size);
        (0..used).map(move |at| {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "below the ring's size, which fits the mapping"
            )]
            let record = base.wrapping_add(at as usize * stride).cast::<Record>();
            // SAFETY: as in `claim`.
            unsafe { &*record }
        })
    }
}
