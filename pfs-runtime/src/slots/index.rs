//! Which slot holds the object of a key, where slots are only ever taken: a hash table of fixed size over words that the
//! caller owns. What a key is, and what lies in a slot, is not known here.

use super::entries::{Entries, entry, may_be, slot};
use crate::atomic::{AtomicU64, Ordering};

/// An index of slots by the hash of what they hold. Finding and entering take no lock; what is entered stays.
///
/// All-zero memory is an empty index.
#[derive(Clone, Copy, Debug)]
pub struct Index<'a> {
    entries: Entries<'a>,
}

laid_out!(impl['a] Index<'a> as Index { entries });

impl<'a> Index<'a> {
    /// Entries for so many slots: at least twice as many, so that there are always gaps and few steps to one.
    pub const fn entries_for(slots: u32) -> usize {
        Entries::count_for(slots)
    }

    /// The index on these words, of [`Index::entries_for`] its slots.
    ///
    /// # Panics
    ///
    /// If there are some entries and not a power of two of them.
    pub fn new(entries: &'a [AtomicU64]) -> Self {
        Self { entries: Entries::new(entries) }
    }

    /// The slot among those of this hash that `is_it` accepts; if there is none, the one that `take` takes, which is made
    /// before it can be found. `give_back` gets one that was taken for nothing, because another thread entered the same
    /// object first. `None` if there is none to take.
    pub fn find_or_enter(
        &self,
        hash: u64,
        mut is_it: impl FnMut(u32) -> bool,
        take: impl FnOnce() -> Option<u32>,
        give_back: impl FnOnce(u32),
    ) -> Option<u32> {
        let mut take = Some(take);
        let mut mine = None;
        let mut at = self.entries.home(hash);
        // Bounded, though there is always a gap: the loop must end for any words.
        for _ in 0..self.entries.0.len() {
            // Acquire: what is found was made by whoever entered it.
            let mut found = self.entries.0[at].load(Ordering::Acquire);
            if found == 0 {
                if let Some(take) = take.take() {
                    mine = take();
                }
                let entered = entry(hash, mine?);
                match self.entries.0[at].compare_exchange(0, entered, Ordering::AcqRel, Ordering::Acquire) {
                    Ok(_) => return mine,
                    Err(other) => found = other,
                }
            }
            if may_be(found, hash) && is_it(slot(found)) {
                if let Some(mine) = mine {
                    give_back(mine);
                }
                return Some(slot(found));
            }
            at = self.entries.after(at);
        }
        if let Some(mine) = mine {
            give_back(mine);
        }
        None
    }

    /// Removes every entry that is there; of those that come meanwhile any may stay.
    pub fn clear(&self) {
        for entry in self.entries.0 {
            if entry.load(Ordering::Relaxed) != 0 {
                entry.swap(0, Ordering::AcqRel);
            }
        }
    }

    /// The slots that are entered.
    pub fn slots(&self) -> impl Iterator<Item = u32> + use<'a> {
        self.entries.0.iter().map(|entry| entry.load(Ordering::Acquire)).filter(|entry| *entry != 0).map(slot)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicU32;

    /// Slots that hold numbers, of which `found` counts how often each was taken.
    struct Numbers {
        entries: Vec<AtomicU64>,
        slots: Vec<AtomicU64>,
        next: AtomicU32,
        given_back: Mutex<Vec<u32>>,
    }

    impl Numbers {
        fn of(slots: u32) -> Self {
            let words = |count| (0..count).map(|_| AtomicU64::new(0)).collect();
            Self {
                entries: words(Index::entries_for(slots)),
                slots: words(slots as usize),
                next: AtomicU32::new(0),
                given_back: Mutex::default(),
            }
        }

        fn slot_of(&self, number: u64) -> Option<u32> {
            let is_it = |slot: u32| self.slots[slot as usize].load(Ordering::Relaxed) == number;
            let take = || {
                let free = self.given_back.lock().unwrap().pop();
                let slot = free.unwrap_or_else(|| self.next.fetch_add(1, Ordering::Relaxed));
                self.slots.get(slot as usize)?.store(number, Ordering::Relaxed);
                Some(slot)
            };
            let give_back = |slot| self.given_back.lock().unwrap().push(slot);
            // Few hashes, so that chains are long and go round the end.
            Index::new(&self.entries).find_or_enter((number % 3 + 5) << 32, is_it, take, give_back)
        }
    }

    #[test]
    fn an_object_is_entered_once_and_a_full_index_takes_no_more() {
        let numbers = Numbers::of(8);
        for number in 1..=8 {
            assert_eq!(numbers.slot_of(number), Some(u32::try_from(number).unwrap() - 1));
        }
        assert_eq!(numbers.slot_of(9), None);
        for number in 1..=8 {
            assert_eq!(numbers.slot_of(number), Some(u32::try_from(number).unwrap() - 1));
        }
        let mut slots: Vec<_> = Index::new(&numbers.entries).slots().collect();
        slots.sort_unstable();
        assert_eq!(slots, (0..8).collect::<Vec<_>>());
    }

    #[test]
    fn an_index_of_nothing_enters_nothing() {
        let numbers = Numbers::of(0);
        assert_eq!(numbers.slot_of(1), None);
        assert_eq!(Index::new(&numbers.entries).slots().count(), 0);
    }

    #[test]
    fn threads_that_come_at_once_find_the_same() {
        for _ in 0..50 {
            let numbers = Numbers::of(32);
            let found: Vec<Vec<_>> = std::thread::scope(|scope| {
                let find = || (1..=20).map(|number| numbers.slot_of(number)).collect();
                let threads: Vec<_> = (0..4).map(|_| scope.spawn(find)).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            assert!(found.iter().all(|slots| *slots == found[0] && !slots.contains(&None)));
            let mut slots: Vec<_> = Index::new(&numbers.entries).slots().collect();
            slots.sort_unstable();
            slots.dedup();
            assert_eq!(slots.len(), 20);
        }
    }
}
