//! The set of slots in use, as a tree of bits and counts over memory that the caller owns.
//!
//! # Shape
//!
//! A *leaf* is one word: a bit a slot, set while the slot is in use. An inner node has up to 64 children and two
//! words: `count`, the slots under it that are in use or promised, and `marks`, a bit a child, set when that child
//! was seen full. With 64 slots a leaf, 4,096 slots need one inner level and a million need three. The root is a
//! leaf where 64 slots are enough.
//!
//! # Why a search always ends well
//!
//! To enter a node is to raise its count by one, if that leaves it within the slots under it; to enter a leaf is to
//! set one of its bits. `acquire` enters the root, then one child after another down to a bit. `release` leaves in
//! the opposite order: the bit first, the root last.
//!
//! **Invariant (promise).** At every moment, a node's count is at least the sum over its children (counts of inner
//! ones, set bits of leaves), plus one for each thread that has entered it and not yet one of its children. It holds
//! because entering adds above before below, and leaving takes away below before above.
//!
//! So whoever has entered a node finds, at every moment, a child with room; not to find it takes another thread that
//! took that very room meanwhile, which is that thread's progress: the search is lock-free. Only the root can refuse,
//! and it does so in one load, exactly when as many slots as there are have been entered and not yet left.
//!
//! # Why it is constant time
//!
//! Marks are hints and prove nothing. A search tries unmarked children first, lowest first, and marks the full ones
//! that it meets; `release` takes the marks above its slot away. A mark can be stale (set by a thread that saw the
//! child full just before a release); then it keeps the child out of the first choice until the next release under
//! it, and if every child is marked, the search tries them all. Alone, a search thus makes at most 128 tries a
//! level, whatever the marks say, and in practice one or two.

use crate::atomic::{AtomicU64, Ordering, spin};

/// Children of a node as a power of two. A model has 2 instead of 64, so that few slots make a deep tree.
const FAN_OUT_BITS: u32 = if cfg!(loom) { 1 } else { 6 };

const FAN_OUT: u32 = 1 << FAN_OUT_BITS;

/// Levels of the tallest tree, for `u32::MAX` slots, leaves included.
const MAX_LEVELS: usize = u32::BITS.div_ceil(FAN_OUT_BITS) as usize;

/// Which of a fixed number of slots are in use: taken and given back in constant time at any occupancy, also when
/// full, without a lock and without allocating. The lowest free slot is taken first (exactly so while no two threads
/// are at it), which keeps those in use dense and [`high_water`](Bitmap::high_water) low.
///
/// It lies on words of the caller's, of which all zero means all free; so it can sit in a fresh mapping, whose pages
/// become resident only as slots are used. Copies stand for the same set.
///
/// ```
/// use std::sync::atomic::AtomicU64;
/// use pfs_runtime::slots::Bitmap;
///
/// static WORDS: [AtomicU64; Bitmap::words(2)] = [const { AtomicU64::new(0) }; Bitmap::words(2)];
/// let slots = Bitmap::new(&WORDS, 2);
/// assert_eq!(slots.acquire(), Some(0));
/// assert_eq!(slots.acquire(), Some(1));
/// assert_eq!(slots.acquire(), None);
/// slots.release(0);
/// assert_eq!(slots.acquire(), Some(0));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Bitmap {
    /// The high water mark, then the levels from the root down to the leaves.
    words: &'static [AtomicU64],
    capacity: u32,
    /// Level of the root; leaves are level 0.
    height: u32,
    /// Where each level begins in `words`.
    starts: [u32; MAX_LEVELS],
}

laid_out!(Bitmap { words, capacity, height, starts });

impl Bitmap {
    /// How many words a bitmap of `capacity` slots needs: about one for each 64 slots, none for no slots.
    pub const fn words(capacity: u32) -> usize {
        if capacity == 0 {
            return 0;
        }
        let mut words = 1;
        let mut level = 0;
        while level <= height(capacity) {
            words += nodes(capacity, level) as usize * words_of_node(level) as usize;
            level += 1;
        }
        words
    }

    /// The set of slots on `words`: those in use that the words say, which is none if they are all zero.
    ///
    /// # Panics
    ///
    /// If `words` is shorter than [`Bitmap::words`] of the same capacity.
    pub fn new(words: &'static [AtomicU64], capacity: u32) -> Self {
        let needed = Self::words(capacity);
        assert!(words.len() >= needed, "{capacity} slots need {needed} words, not {}", words.len());
        let height = height(capacity);
        let mut starts = [0; MAX_LEVELS];
        let mut start = 1;
        for level in (0..=height).rev() {
            starts[level as usize] = start;
            start += nodes(capacity, level) * words_of_node(level);
        }
        Bitmap { words: &words[..needed], capacity, height, starts }
    }

    /// How many slots there are, free or not.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// Takes a free slot, or `None` if there is none. What the slot's last owner did before [`release`] is seen by
    /// the new one.
    ///
    /// Costs an atomic update a level (two up to 4,096 slots, four up to 16 million); when full, one load.
    ///
    /// [`release`]: Bitmap::release
    pub fn acquire(&self) -> Option<u32> {
        let slot = self.reserve()?;
        self.show(slot);
        Some(slot)
    }

    /// The same, but the slot is not below the [`high_water`](Bitmap::high_water) yet: for one that may be given back
    /// unused. [`Bitmap::show`] makes up for it.
    pub fn reserve(&self) -> Option<u32> {
        if self.capacity == 0 {
            return None;
        }
        let mut entered = self.enter(self.height, 0)?;
        for level in (1..=self.height).rev() {
            entered = self.enter_child(level, entered);
        }
        Some(entered)
    }

    /// Raises the high water mark above a slot that is in use, if it is not. Cost: one load, as a rule.
    pub fn show(&self, slot: u32) {
        let high_water = &self.words[0];
        // Relaxed: whoever knows of the slot by any path that orders, knows of the mark too; others may learn of both
        // late. The mark never falls, so a load that already shows more is enough.
        if high_water.load(Ordering::Relaxed) <= u64::from(slot) {
            high_water.fetch_max(u64::from(slot) + 1, Ordering::Relaxed);
        }
    }

    /// Gives a slot back. Says whether it was in use; if not (or if there is no such slot), nothing changes.
    ///
    /// Costs an atomic update a level, and another for each level that was full.
    pub fn release(&self, slot: u32) -> bool {
        if slot >= self.capacity {
            return false;
        }
        let bit = 1 << (slot % FAN_OUT);
        // Release: the owner's last writes come before the bit is free, for the next one to see.
        if self.leaf(slot / FAN_OUT).fetch_and(!bit, Ordering::Release) & bit == 0 {
            return false;
        }
        let mut child = slot / FAN_OUT;
        for level in 1..=self.height {
            let node = child / FAN_OUT;
            let bit = 1 << (child % FAN_OUT);
            let marks = self.marks(level, node);
            // Before the promise is given back, so that who takes it up is not misled by this mark.
            if marks.load(Ordering::Relaxed) & bit != 0 {
                marks.fetch_and(!bit, Ordering::Relaxed);
            }
            // Promise: everything below is left already. Release makes that so for whoever enters after.
            self.count_of(level, node).fetch_sub(1, Ordering::Release);
            child = node;
        }
        true
    }

    /// Makes the set what `in_use` says, whatever others had only half done: for one thread alone, in a process where those
    /// others are no more. What is in use stays so.
    pub fn mend(&self, mut in_use: impl FnMut(u32) -> bool) {
        let set = |word: &AtomicU64, value: u64| {
            // Words that are right stay as they are, so that what was never used does not become resident.
            if word.load(Ordering::Relaxed) != value {
                word.store(value, Ordering::Relaxed);
            }
        };
        if self.capacity == 0 {
            return;
        }
        for node in 0..nodes(self.capacity, 0) {
            let leaf = self.leaf(node);
            let mut bits = leaf.load(Ordering::Relaxed);
            for bit in (0..FAN_OUT).filter(|bit| bits >> bit & 1 == 1).collect::<Vec<_>>() {
                if !in_use(node * FAN_OUT + bit) {
                    bits &= !(1 << bit);
                }
            }
            set(leaf, bits);
        }
        for level in 1..=self.height {
            for node in 0..nodes(self.capacity, level) {
                let children = self.size(level, node).div_ceil(span(level - 1));
                let below = (0..children).map(|child| {
                    let child = node * FAN_OUT + child;
                    match level {
                        1 => u64::from(self.leaf(child).load(Ordering::Relaxed).count_ones()),
                        _ => self.count_of(level - 1, child).load(Ordering::Relaxed),
                    }
                });
                set(self.count_of(level, node), below.sum());
                set(self.marks(level, node), 0);
            }
        }
    }

    /// Whether the slot is in use. What its owner did before taking it is seen; what lies in it may be half made.
    pub fn in_use(&self, slot: u32) -> bool {
        slot < self.capacity
            && self.leaf(slot / FAN_OUT).load(Ordering::Acquire) & (1 << (slot % FAN_OUT)) != 0
    }

    /// The slots in use, ascending, each looked at once: one that is taken or given back meanwhile may be there or
    /// not. Reads a word for each 64 slots below the high water mark, and no word above it.
    pub fn occupied(&self) -> impl Iterator<Item = u32> + use<> {
        let bitmap = *self;
        (0..self.high_water().div_ceil(FAN_OUT)).flat_map(move |leaf| {
            let mut bits = bitmap.leaf(leaf).load(Ordering::Acquire);
            core::iter::from_fn(move || {
                let slot = (bits != 0).then(|| leaf * FAN_OUT + bits.trailing_zeros());
                bits &= bits.wrapping_sub(1);
                slot
            })
        })
    }

    /// One more than the highest slot ever used; 0 if none was. Readers look at the slots below it and make nothing
    /// resident that was never used. It never falls.
    pub fn high_water(&self) -> u32 {
        match self.words.first() {
            // `acquire` stores at most the capacity.
            Some(high_water) => u32::try_from(high_water.load(Ordering::Relaxed)).unwrap_or(self.capacity),
            None => 0,
        }
    }

    /// How many slots are in use, those included that another thread is taking or giving back at this moment.
    pub fn count(&self) -> u32 {
        let count = match (self.capacity, self.height) {
            (0, _) => 0,
            (_, 0) => u64::from(self.leaf(0).load(Ordering::Relaxed).count_ones()),
            (_, root) => self.count_of(root, 0).load(Ordering::Relaxed),
        };
        u32::try_from(count).unwrap_or(self.capacity)
    }

    /// Enters a node if it has room: the node's own index then, and for a leaf the slot.
    fn enter(&self, level: u32, node: u32) -> Option<u32> {
        let size = self.size(level, node);
        if level > 0 {
            // Acquire: sees every release that made the room this promise stands on, and what it left below.
            let entered =
                self.count_of(level, node).fetch_update(Ordering::Acquire, Ordering::Relaxed, |count| {
                    (count < u64::from(size)).then_some(count + 1)
                });
            return entered.ok().map(|_| node);
        }
        let leaf = self.leaf(node);
        let slots = low_bits(size);
        let mut bits = leaf.load(Ordering::Relaxed);
        loop {
            let free = !bits & slots;
            if free == 0 {
                return None;
            }
            let lowest = free & free.wrapping_neg();
            // Acquire: sees what the slot's last owner did.
            bits = leaf.fetch_or(lowest, Ordering::Acquire);
            if bits & lowest == 0 {
                return Some(node * FAN_OUT + lowest.trailing_zeros());
            }
        }
    }

    /// Enters a child of an inner node that this thread has entered; by the promise there is always one with room.
    fn enter_child(&self, level: u32, node: u32) -> u32 {
        let first = node * FAN_OUT;
        let children = self.size(level, node).div_ceil(span(level - 1));
        let marks = self.marks(level, node);
        loop {
            let mut unmarked = !marks.load(Ordering::Relaxed) & low_bits(children);
            while unmarked != 0 {
                let child = unmarked.trailing_zeros();
                if let Some(entered) = self.enter(level - 1, first + child) {
                    return entered;
                }
                marks.fetch_or(1 << child, Ordering::Relaxed);
                unmarked &= unmarked - 1;
            }
            // All are marked, and at least one mark is stale.
            for child in 0..children {
                if let Some(entered) = self.enter(level - 1, first + child) {
                    marks.fetch_and(!(1 << child), Ordering::Relaxed);
                    return entered;
                }
            }
            // Others took the room of each child between our looking at the one before and at this one.
            spin();
        }
    }

    fn leaf(&self, index: u32) -> &'static AtomicU64 {
        &self.words[(self.starts[0] + index) as usize]
    }

    fn count_of(&self, level: u32, node: u32) -> &'static AtomicU64 {
        &self.words[(self.starts[level as usize] + 2 * node) as usize]
    }

    fn marks(&self, level: u32, node: u32) -> &'static AtomicU64 {
        &self.words[(self.starts[level as usize] + 2 * node + 1) as usize]
    }

    /// Slots under a node: all that it has room for, but for the last node of its level.
    fn size(&self, level: u32, node: u32) -> u32 {
        let span = span(level);
        // Cannot overflow: the node exists, so a slot under it is less than the capacity.
        span.min(self.capacity - node.saturating_mul(span))
    }
}

/// Slots under a node of this level that is not the last one; `u32::MAX`, more than any tree has, where that is more
/// than fits.
const fn span(level: u32) -> u32 {
    match 1_u32.checked_shl(FAN_OUT_BITS * (level + 1)) {
        Some(span) => span,
        None => u32::MAX,
    }
}

/// Nodes of this level.
const fn nodes(capacity: u32, level: u32) -> u32 {
    capacity.div_ceil(span(level))
}

const fn words_of_node(level: u32) -> u32 {
    if level == 0 { 1 } else { 2 }
}

/// The lowest level that is a single node.
const fn height(capacity: u32) -> u32 {
    let mut level = 0;
    while nodes(capacity, level) > 1 {
        level += 1;
    }
    level
}

/// A word whose lowest `count` bits are set.
const fn low_bits(count: u32) -> u64 {
    match 1_u64.checked_shl(count) {
        Some(bit) => bit - 1,
        None => u64::MAX,
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Barrier;

    use proptest::prelude::*;

    use super::*;
    use crate::slots::Lost;

    fn bitmap(capacity: u32) -> Bitmap {
        let words: Vec<AtomicU64> = (0..Bitmap::words(capacity)).map(|_| AtomicU64::new(0)).collect();
        Bitmap::new(words.leak(), capacity)
    }

    #[test]
    fn words_by_capacity() {
        // One for the high water mark, then leaves, then two for each inner node.
        assert_eq!(Bitmap::words(0), 0);
        assert_eq!(Bitmap::words(1), 2);
        assert_eq!(Bitmap::words(64), 2);
        assert_eq!(Bitmap::words(65), 1 + 2 + 2);
        assert_eq!(Bitmap::words(4096), 1 + 64 + 2);
        assert_eq!(Bitmap::words(4097), 1 + 65 + 2 * 2 + 2);
        assert_eq!(Bitmap::words(1_048_576), 1 + 16_384 + 2 * 256 + 2 * 4 + 2);
        assert_eq!(Bitmap::words(u32::MAX), 1 + (1 << 26) + 2 * ((1 << 20) + (1 << 14) + (1 << 8) + 4 + 1));
    }

    #[test]
    #[should_panic(expected = "65 slots need 5 words, not 4")]
    fn too_few_words_are_refused() {
        let words: Vec<AtomicU64> = (0..4).map(|_| AtomicU64::new(0)).collect();
        Bitmap::new(words.leak(), 65);
    }

    #[test]
    fn no_slots() {
        let slots = bitmap(0);
        assert_eq!(slots.acquire(), None);
        assert!(!slots.release(0));
        assert!(!slots.in_use(0));
        assert_eq!((slots.count(), slots.high_water(), slots.capacity()), (0, 0, 0));
        assert_eq!(slots.occupied().count(), 0);
    }

    #[test]
    fn fills_from_the_lowest_to_the_last_and_then_refuses() {
        for capacity in [1, 2, 63, 64, 65, 127, 128, 4095, 4096, 4097, 8192, 262_143, 262_145] {
            let slots = bitmap(capacity);
            for slot in 0..capacity {
                assert_eq!(slots.acquire(), Some(slot), "of {capacity}");
            }
            assert_eq!(slots.acquire(), None);
            assert_eq!(slots.acquire(), None);
            assert_eq!((slots.count(), slots.high_water()), (capacity, capacity));
            assert!(slots.in_use(capacity - 1));
            assert!(!slots.in_use(capacity));
            assert!(slots.release(capacity - 1));
            assert_eq!(slots.acquire(), Some(capacity - 1));
            for slot in 0..capacity {
                assert!(slots.release(slot));
            }
            assert_eq!((slots.count(), slots.high_water()), (0, capacity));
            assert!(
                slots.words[1..slots.starts[0] as usize]
                    .iter()
                    .step_by(2)
                    .all(|count| count.load(Ordering::Relaxed) == 0)
            );
            assert!(
                slots.words[slots.starts[0] as usize..].iter().all(|leaf| leaf.load(Ordering::Relaxed) == 0)
            );
            assert_eq!(slots.acquire(), Some(0));
        }
    }

    #[test]
    fn what_is_not_in_use_cannot_be_released() {
        let slots = bitmap(100);
        assert!(!slots.release(3));
        assert_eq!(slots.acquire(), Some(0));
        assert!(!slots.release(100));
        assert!(!slots.release(u32::MAX));
        assert!(slots.release(0));
        assert!(!slots.release(0));
        assert_eq!(slots.count(), 0);
        assert_eq!(slots.acquire(), Some(0));
    }

    #[test]
    fn the_lowest_free_slot_comes_first() {
        let slots = bitmap(10_000);
        for _ in 0..10_000 {
            slots.acquire();
        }
        for slot in [9999, 64, 5000, 4095, 63] {
            slots.release(slot);
        }
        for slot in [63, 64, 4095, 5000, 9999] {
            assert_eq!(slots.acquire(), Some(slot));
        }
        assert_eq!(slots.acquire(), None);
    }

    #[test]
    fn a_stale_mark_hides_nothing_when_all_else_is_full() {
        let slots = bitmap(4097);
        for _ in 0..4097 {
            slots.acquire();
        }
        slots.release(70);
        // As if a thread that saw the leaf full before the release, and its parent before that, marked them after.
        slots.marks(1, 0).fetch_or(1 << 1, Ordering::Relaxed);
        slots.marks(2, 0).fetch_or(1, Ordering::Relaxed);
        assert_eq!(slots.acquire(), Some(70));
        assert_eq!(slots.acquire(), None);
    }

    #[test]
    fn occupied_lists_what_is_in_use() {
        let slots = bitmap(300);
        for _ in 0..200 {
            slots.acquire();
        }
        for slot in (0..200).filter(|slot| slot % 3 != 0) {
            slots.release(slot);
        }
        assert_eq!(slots.occupied().collect::<Vec<_>>(), (0..200).step_by(3).collect::<Vec<_>>());
        assert_eq!((slots.count(), slots.high_water()), (67, 200));
    }

    #[test]
    fn what_others_had_half_done_is_mended() {
        for capacity in [10, 100, 5000] {
            let slots = bitmap(capacity);
            let taken: Vec<_> = (0..7).map(|_| slots.acquire().unwrap()).collect();
            // One that took a bit and went no further, one that only made it to the root or a leaf, a mark left behind.
            slots.leaf(0).fetch_or(1 << 8, Ordering::Relaxed);
            if slots.height > 0 {
                slots.count_of(slots.height, 0).fetch_add(3, Ordering::Relaxed);
                slots.marks(1, 0).fetch_or(1, Ordering::Relaxed);
            }
            slots.mend(|slot| slot < 7 && slot != 3);
            assert_eq!(slots.occupied().collect::<Vec<_>>(), [0, 1, 2, 4, 5, 6]);
            assert_eq!((slots.count(), taken.len()), (6, 7));
            let rest: BTreeSet<u32> = (6..capacity).map_while(|_| slots.acquire()).collect();
            assert_eq!(rest.len(), capacity as usize - 6);
            assert!(rest.contains(&3));
            assert_eq!(slots.acquire(), None);
        }
    }

    #[test]
    fn lost_counts_and_restarts() {
        let lost = Lost::new();
        lost.add(1);
        lost.add(2);
        assert_eq!(lost.get(), 3);
        assert_eq!(lost.take(), 3);
        assert_eq!(lost.get(), 0);
    }

    /// Takes `wanted` slots and gives back those at random, `rounds` times; `owners` proves that no slot has two.
    fn churn(slots: Bitmap, owners: &[AtomicU64], seed: u64, wanted: usize, rounds: u32) -> (u64, u64) {
        let (mut taken, mut refused) = (0, 0);
        let mut held = Vec::new();
        let mut random = seed;
        for _ in 0..rounds {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            if held.len() < wanted && !random.is_multiple_of(8) {
                match slots.acquire() {
                    Some(slot) => {
                        assert_eq!(
                            owners[slot as usize].swap(seed, Ordering::Relaxed),
                            0,
                            "{slot} has two owners"
                        );
                        assert!(slots.in_use(slot));
                        assert!(slots.high_water() > slot);
                        held.push(slot);
                        taken += 1;
                    }
                    None => refused += 1,
                }
            } else if !held.is_empty() {
                let slot = held.swap_remove((random >> 32) as usize % held.len());
                assert_eq!(owners[slot as usize].swap(0, Ordering::Relaxed), seed);
                assert!(slots.release(slot));
            }
        }
        for slot in held {
            owners[slot as usize].store(0, Ordering::Relaxed);
            assert!(slots.release(slot));
        }
        (taken, refused)
    }

    /// Four threads that never want more than there are: none may ever be refused, at any occupancy.
    #[test]
    fn nobody_is_refused_while_a_slot_is_free() {
        for (capacity, wanted) in [(4, 1), (64, 16), (68, 17), (128, 32), (4100, 1025), (4100, 40)] {
            let slots = bitmap(capacity);
            let owners: Vec<AtomicU64> = (0..capacity).map(|_| AtomicU64::new(0)).collect();
            let start = Barrier::new(4);
            std::thread::scope(|scope| {
                let threads: Vec<_> = (1..=4)
                    .map(|seed| {
                        let (owners, start) = (&owners, &start);
                        scope.spawn(move || {
                            start.wait();
                            churn(slots, owners, seed * 0x9E37_79B9, wanted, 50_000)
                        })
                    })
                    .collect();
                for thread in threads {
                    let (taken, refused) = thread.join().unwrap();
                    assert!(taken > 0);
                    assert_eq!(refused, 0, "of {capacity}");
                }
            });
            assert_eq!(slots.count(), 0);
            assert_eq!(slots.occupied().count(), 0);
            let all: BTreeSet<u32> = (0..capacity).map_while(|_| slots.acquire()).collect();
            assert_eq!(all.len(), capacity as usize);
            assert_eq!(slots.acquire(), None);
        }
    }

    /// More threads than slots: as many are refused as do not fit, and each is counted.
    #[test]
    fn exactly_those_that_do_not_fit_are_lost() {
        for capacity in [0, 1, 7, 64, 70, 4098] {
            let (slots, lost) = (bitmap(capacity), Lost::new());
            let (each, start) = (capacity / 4 + 25, Barrier::new(4));
            let taken: Vec<u32> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..4)
                    .map(|_| {
                        scope.spawn(|| {
                            start.wait();
                            let tries = (0..each).map(|_| slots.acquire());
                            tries
                                .filter(|slot| {
                                    slot.is_some() || {
                                        lost.add(1);
                                        false
                                    }
                                })
                                .flatten()
                                .collect()
                        })
                    })
                    .collect();
                threads.into_iter().flat_map(|thread| -> Vec<u32> { thread.join().unwrap() }).collect()
            });
            assert_eq!(lost.get(), u64::from(4 * each - capacity));
            assert_eq!(taken.len(), capacity as usize);
            assert_eq!(taken.into_iter().collect::<BTreeSet<_>>(), (0..capacity).collect());
            assert_eq!(slots.high_water(), capacity);
        }
    }

    /// Each promise is kept under overload too: what is not refused is counted, and all of it comes back.
    #[test]
    fn overload_leaves_nothing_behind() {
        for capacity in [3, 66, 4099] {
            let slots = bitmap(capacity);
            let owners: Vec<AtomicU64> = (0..capacity).map(|_| AtomicU64::new(0)).collect();
            std::thread::scope(|scope| {
                for seed in 1..=4_u64 {
                    let owners = &owners;
                    scope.spawn(move || churn(slots, owners, seed, capacity as usize, 50_000));
                }
            });
            assert_eq!(slots.count(), 0);
            assert!(slots.high_water() <= capacity);
            for slot in 0..capacity {
                assert_eq!(slots.acquire(), Some(slot), "of {capacity}");
            }
            assert_eq!(slots.acquire(), None);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// Against a set that is searched from its beginning: many takes, many returns, in runs of any length.
        #[test]
        fn behaves_as_the_set_it_stands_for(
            capacity in prop_oneof![0_u32..70, 120_u32..200, 4090_u32..4200, 8180_u32..8260],
            runs in prop::collection::vec((any::<bool>(), 0_u32..5000, any::<u32>()), 1..12),
        ) {
            let slots = bitmap(capacity);
            let (mut used, mut high_water) = (BTreeSet::new(), 0);
            let mut free: BTreeSet<u32> = (0..capacity).collect();
            for (take, length, at) in runs {
                for step in 0..length {
                    if take {
                        let expected = free.first().copied();
                        prop_assert_eq!(slots.acquire(), expected);
                        let Some(slot) = expected else { break };
                        used.insert(slot);
                        free.remove(&slot);
                        high_water = high_water.max(slot + 1);
                    } else {
                        let slot = at.wrapping_add(step.wrapping_mul(61)) % (capacity + 2);
                        let was_used = used.remove(&slot) && free.insert(slot);
                        prop_assert_eq!(slots.release(slot), was_used);
                    }
                }
                prop_assert_eq!(slots.count() as usize, used.len());
                prop_assert_eq!(slots.high_water(), high_water);
                prop_assert!(slots.occupied().eq(used.iter().copied()));
                prop_assert!((0..capacity + 2).all(|slot| slots.in_use(slot) == used.contains(&slot)));
            }
        }
    }
}
