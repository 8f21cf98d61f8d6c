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

laid_out!(Ring { size, chunk, claimed });

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

laid_out!(Chunk { next, end, at });

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

#[cfg(all(test, loom))]
mod loom_models {
    use super::*;
    use crate::loom_models::check;
    use crate::sequence::Sequence;
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::thread;

    /// A ring with records of two words. The cell fails the model if two write one record at once.
    struct Records {
        ring: Ring,
        records: Vec<(Sequence, [AtomicU64; 2], UnsafeCell<u64>)>,
    }

    impl Records {
        fn new(size: u64, chunk: u64) -> Arc<Self> {
            let record = |_| (Sequence::new(), [AtomicU64::new(0), AtomicU64::new(0)], UnsafeCell::new(0));
            let ring = Ring { size, chunk, claimed: AtomicU64::new(0) };
            Arc::new(Self { ring, records: (0..size).map(record).collect() })
        }

        /// Writes the events, in order; gives those that were not lost.
        fn write(&self, chunk: &Chunk, events: &[u64]) -> Vec<u64> {
            let written = |event: &u64| {
                let place = self.ring.next(chunk).unwrap();
                let (version, words, cell) = &self.records[usize::try_from(place.at).unwrap()];
                version.write_nth(place.position, || {
                    // SAFETY: loom checks that no other access overlaps or is not ordered.
                    cell.with_mut(|cell| unsafe { *cell = *event });
                    for word in words {
                        word.store(*event, Ordering::Relaxed);
                    }
                })
            };
            events.iter().copied().filter(written).collect()
        }

        /// The events that a reader finds.
        fn read(&self) -> Vec<u64> {
            let claimed = self.ring.claimed();
            let places = self.ring.places(claimed).map(|at| &self.records[usize::try_from(at).unwrap()]);
            let held = places.filter(|(version, ..)| self.ring.holds(version.last(), claimed));
            let read = |(version, words, _): &(Sequence, [AtomicU64; 2], _)| {
                let [one, other] =
                    version.read(|_| [0, 1].map(|at: usize| words[at].load(Ordering::Relaxed)))?;
                assert_eq!(one, other, "one event's words");
                (one != 0).then_some(one)
            };
            held.filter_map(read).collect()
        }
    }

    fn spawn(
        records: &Arc<Records>,
        run: impl FnOnce(&Records) -> Vec<u64> + 'static,
    ) -> thread::JoinHandle<Vec<u64>> {
        let records = records.clone();
        thread::spawn(move || run(&records))
    }

    /// Two writers whose events are told apart by their size, and a reader.
    fn two_writers(size: u64, part: u64, preemptions: usize, events: [&'static [u64]; 2], readers: usize) {
        check(preemptions, move || {
            let records = Records::new(size, part);
            let readers: Vec<_> = (0..readers).map(|_| spawn(&records, Records::read)).collect();
            let other = spawn(&records, move |records| records.write(&Chunk::new(), events[1]));
            let chunk = Chunk::new();
            let mine = records.write(&chunk, events[0]);
            let other = other.join().unwrap();
            for reader in readers {
                let read = reader.join().unwrap();
                assert!(read.iter().all(|event| mine.contains(event) || other.contains(event)), "{read:?}");
            }
            let held = records.read();
            if part == 1 && mine.len() == events[0].len() && other.len() == events[1].len() {
                assert_eq!(held.len() as u64, size, "nothing was lost");
            }
            for written in [&mine, &other] {
                let mut held: Vec<_> = held.iter().copied().filter(|event| written.contains(event)).collect();
                held.sort_unstable();
                assert!(written.ends_with(&held), "of {written:?} the ring holds {held:?}");
            }
            assert_eq!(records.write(&chunk, &[99]), [99], "no one else writes");
            assert!(
                records.read().contains(&99),
                "a writer's last event is held, however far it was overtaken"
            );
        });
    }

    #[test]
    fn a_position_is_given_out_once() {
        check(3, || {
            let ring = Arc::new(Ring { size: 2, chunk: 1, claimed: AtomicU64::new(0) });
            let two = |ring: &Ring| {
                let chunk = Chunk::new();
                [0, 1].map(|_| ring.next(&chunk).unwrap().position)
            };
            let other = thread::spawn({
                let ring = ring.clone();
                move || two(&ring)
            });
            let mut positions = [two(&ring), other.join().unwrap()].concat();
            positions.sort_unstable();
            assert_eq!(positions, [1, 2, 3, 4]);
        });
    }

    #[test]
    fn writers_that_lap_each_other_never_write_one_record_at_once() {
        two_writers(1, 1, 3, [&[1, 2], &[11, 12]], 0);
    }

    #[test]
    fn records_that_are_lapped_are_read_whole() {
        two_writers(1, 1, 3, [&[1], &[11, 12]], 1);
    }

    #[test]
    fn a_writer_that_was_overtaken_leaves_no_gap() {
        two_writers(4, 2, 3, [&[1, 2, 3], &[11, 12, 13]], 0);
    }
}
