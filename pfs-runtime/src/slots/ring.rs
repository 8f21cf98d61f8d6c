//! The places of a ring that many threads write: who writes which one next, and which ones it still holds. What lies in
//! a place is not known here.
//!
//! Positions are counted from 1, round and round and never back. The ring holds the last `size` that were given out and
//! no others, whatever still lies in its memory: what lies at a chunk's places goes when the chunk is given out, and a
//! writer that the ring has overtaken gets another chunk. So of each writer the ring holds the last positions without a
//! gap.

use crate::atomic::{AtomicU64, Ordering};

/// Most places that a writer is given at once, so that writers rarely touch the position that they share.
const CHUNK: u64 = 16;

/// Gives out the places of a ring, a chunk at a time.
#[derive(Debug)]
pub struct Ring {
    size: u64,
    chunk: u64,
    /// Positions given out so far.
    claimed: AtomicU64,
}

/// The part of a ring that one writer fills now. All-zero memory is none yet.
#[derive(Debug)]
#[repr(C)]
pub struct Chunk {
    /// The position to be written next.
    next: AtomicU64,
    /// The end of the part.
    end: AtomicU64,
    /// Where in the ring `next` lies.
    at: AtomicU64,
}

/// A place that is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The position that is written there.
    pub position: u64,
    /// Where in the ring that is.
    pub at: u64,
}

impl Ring {
    /// A ring of `size` places for so many `writers`.
    pub fn new(size: u32, writers: u32) -> Self {
        let size = u64::from(size);
        // Places that were given out and not written yet hold nothing: kept below half the ring.
        let chunk = (size / 64).min(size / 2 / u64::from(writers.max(1))).clamp(1, CHUNK);
        Self { size, chunk, claimed: AtomicU64::new(0) }
    }

    /// Whether it has no places at all.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The place that the owner of `chunk` writes next; `None` if there are none. If the ring goes round meanwhile,
    /// another writer may be at the same place.
    ///
    /// Cost: four loads and two stores, and an atomic addition once a chunk.
    #[inline]
    pub fn next(&self, chunk: &Chunk) -> Option<Place> {
        if self.is_empty() {
            return None;
        }
        let mut position = chunk.next.load(Ordering::Relaxed);
        let mut at = chunk.at.load(Ordering::Relaxed);
        if position == chunk.end.load(Ordering::Relaxed) || !self.holds(position, self.claimed()) {
            let claimed = self.claimed.fetch_add(self.chunk, Ordering::Relaxed);
            at = claimed % self.size;
            position = claimed + 1;
            chunk.end.store(position + self.chunk, Ordering::Relaxed);
        }
        chunk.next.store(position + 1, Ordering::Relaxed);
        chunk.at.store(if at + 1 == self.size { 0 } else { at + 1 }, Ordering::Relaxed);
        Some(Place { position, at })
    }

    /// Positions given out so far.
    #[inline]
    pub fn claimed(&self) -> u64 {
        self.claimed.load(Ordering::Relaxed)
    }

    /// Whether the ring holds a position when `claimed` are given out.
    #[inline]
    pub fn holds(&self, position: u64, claimed: u64) -> bool {
        position + self.size > claimed
    }

    /// The places that anything may lie at when `claimed` positions are given out.
    pub fn places(&self, claimed: u64) -> core::ops::Range<u64> {
        0..claimed.min(self.size)
    }
}

impl Chunk {
    /// No part yet.
    #[cfg(not(loom))]
    pub const fn new() -> Self {
        Self { next: AtomicU64::new(0), end: AtomicU64::new(0), at: AtomicU64::new(0) }
    }

    /// No part yet.
    #[cfg(loom)]
    pub fn new() -> Self {
        Self { next: AtomicU64::new(0), end: AtomicU64::new(0), at: AtomicU64::new(0) }
    }

    /// Gives up what is left of the part, which then holds nothing.
    pub fn give_up(&self) {
        self.next.store(0, Ordering::Relaxed);
        self.end.store(0, Ordering::Relaxed);
    }
}

impl Default for Chunk {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn places_come_in_order_and_round_and_round() {
        let (ring, chunk) = (Ring::new(100, 1), Chunk::new());
        for position in 1..=250 {
            assert_eq!(ring.next(&chunk), Some(Place { position, at: (position - 1) % 100 }));
        }
        assert_eq!(ring.places(ring.claimed()), 0..100);
        assert_eq!([150, 151].map(|position| ring.holds(position, ring.claimed())), [false, true]);
    }

    #[test]
    fn a_writer_keeps_its_chunk_until_the_ring_overtakes_it() {
        let (ring, one, other) = (Ring::new(1024, 2), Chunk::new(), Chunk::new());
        let next = |chunk| ring.next(chunk).unwrap().position;
        assert_eq!([next(&one), next(&other), next(&one)], [1, 17, 2]);
        assert_eq!(ring.places(ring.claimed()), 0..32);
        one.give_up();
        assert_eq!([next(&one), next(&other)], [33, 18]);
        for position in (19..=32).chain(49..=1057) {
            assert_eq!(next(&other), position);
        }
        // The 1072 that are given out have left the positions up to 48 behind: those were the first one's.
        assert_eq!(next(&one), 1073);
    }

    #[test]
    fn few_places_are_given_out_in_small_parts() {
        assert_eq!(
            [(1, 1), (64, 1), (6400, 1), (6400, 1000)].map(|(size, writers)| Ring::new(size, writers).chunk),
            [1, 1, 16, 3]
        );
        assert_eq!(Ring::new(0, 4).next(&Chunk::new()), None);
    }
}
