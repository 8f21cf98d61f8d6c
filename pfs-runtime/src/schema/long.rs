//! The long history of one kind of event: one ring for the whole schema, written in chunks.
//!
//! A record's version is its position: who comes to a place too late, when a later position was written there, writes
//! nothing.

use super::arena::{Arena, Plan};
use crate::model::Record;
use crate::slots::{Chunk, Ring};

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
    ring: Ring,
}

laid_out!(LongHistory { base, stride, ring });

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
        Self {
            base: arena.address(planned.offset),
            stride: planned.stride,
            ring: Ring::new(planned.size, planned.contexts),
        }
    }

    fn record(base: *mut u8, stride: usize, at: u64) -> &'static Record {
        #[expect(clippy::cast_possible_truncation, reason = "below the ring's size, which fits the mapping")]
        let offset = at as usize * stride;
        // SAFETY: callers pass a place of the ring, so the record lies in the mapping, zeroed or written as a
        // `Record`.
        unsafe { &*base.wrapping_add(offset).cast() }
    }

    /// Lets `write` write the next record of the owner of `chunk`. Tells whether it did, or had nothing to do because
    /// there are no records: not, if the ring went round so fast that another context is writing that one.
    #[inline]
    pub(crate) fn write(&self, chunk: &Chunk, write: impl FnOnce(&Record)) -> bool {
        let Some(place) = self.ring.next(chunk) else { return true };
        let record = Self::record(self.base, self.stride, place.at);
        record.version.write_nth(place.position, || write(record))
    }

    /// Ends the changes of records whose writers are no more.
    pub(super) fn mend(&self) {
        for at in self.ring.places(self.ring.claimed()) {
            Self::record(self.base, self.stride, at).version.mend();
        }
    }

    /// Every record that the ring holds, in the order of its memory.
    pub(crate) fn records(&self) -> impl Iterator<Item = &'static Record> + use<'_> {
        let claimed = self.ring.claimed();
        self.ring
            .places(claimed)
            .map(|at| Self::record(self.base, self.stride, at))
            .filter(move |record| self.ring.holds(record.version.last(), claimed))
    }
}
