//! Which slot holds the object of a key: a hash table of fixed size over words that the caller owns. What a key is, and
//! what lies in a slot, is not known here.

use super::entries::{Entries, entry, may_be, slot};
use crate::atomic::{AtomicU64, Ordering};
use crate::sequence::Sequence;

/// A directory of slots by the hash of what they hold.
///
/// Finding takes no lock and is never in anyone's way. Entering and leaving are for one thread at a time, whose callers
/// share a lock; a find that meets one of them looks again. An entry that leaves closes its gap, so that a directory never
/// degrades however many come and go, and one that is at most half full finds in a few steps.
///
/// All-zero memory is an empty directory.
#[derive(Clone, Copy, Debug)]
pub struct Directory<'a> {
    sequence: &'a Sequence,
    entries: Entries<'a>,
}

laid_out!(impl['a] Directory<'a> as Directory { sequence, entries });

impl<'a> Directory<'a> {
    /// Entries for so many slots: at least twice as many, so that there are always gaps.
    pub const fn entries_for(slots: u32) -> usize {
        Entries::count_for(slots)
    }

    /// The directory on these words, of [`Directory::entries_for`] its slots.
    ///
    /// # Panics
    ///
    /// If there are some entries and not a power of two of them.
    pub fn new(sequence: &'a Sequence, entries: &'a [AtomicU64]) -> Self {
        Self { sequence, entries: Entries::new(entries) }
    }

    /// The slot among those of this hash that `is_it` accepts. It may be called for a slot that changes hands meanwhile,
    /// and more than once for the same.
    ///
    /// # Errors
    ///
    /// If entries came and went at every try: under the lock it is found, or not.
    pub fn find(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Result<Option<u32>, Moved> {
        self.sequence.read(|_| self.look(hash, &mut is_it)).ok_or(Moved)
    }

    /// The same for the holder of the lock.
    pub fn find_locked(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        self.look(hash, &mut is_it)
    }

    fn look(&self, hash: u64, is_it: &mut impl FnMut(u32) -> bool) -> Option<u32> {
        let mut at = self.entries.home(hash);
        // Bounded: words that change while they are read could make a chain without an end.
        for _ in 0..self.entries.0.len() {
            let entry = self.entries.0[at].load(Ordering::Relaxed);
            if entry == 0 {
                return None;
            }
            if may_be(entry, hash) && is_it(slot(entry)) {
                return Some(slot(entry));
            }
            at = self.entries.after(at);
        }
        None
    }

    /// Enters a slot that is not entered. Only the holder of the lock may call this.
    pub fn enter(&self, hash: u64, slot: u32) {
        let mut at = self.entries.home(hash);
        while self.entries.0[at].load(Ordering::Relaxed) != 0 {
            at = self.entries.after(at);
        }
        self.sequence.write(|| {
            self.entries.0[at].store(entry(hash, slot), Ordering::Relaxed);
        });
    }

    /// Takes a slot out that was entered with this hash. Only the holder of the lock may call this.
    pub fn leave(&self, hash: u64, slot: u32) {
        let entry = entry(hash, slot);
        let mut gap = self.entries.home(hash);
        loop {
            match self.entries.0[gap].load(Ordering::Relaxed) {
                0 => return,
                found if found == entry => break,
                _ => gap = self.entries.after(gap),
            }
        }
        self.sequence.write(|| {
            let mut at = self.entries.after(gap);
            loop {
                let entry = self.entries.0[at].load(Ordering::Relaxed);
                if entry == 0 {
                    break;
                }
                let home = self.entries.home(entry);
                // An entry moves into the gap if that is on the way from its home to where it is.
                if self.entries.steps(home, gap) <= self.entries.steps(home, at) {
                    self.entries.0[gap].store(entry, Ordering::Relaxed);
                    gap = at;
                }
                at = self.entries.after(at);
            }
            self.entries.0[gap].store(0, Ordering::Relaxed);
        });
    }
}

/// Entries came and went at every try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved;

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    struct Words {
        sequence: Sequence,
        entries: Vec<AtomicU64>,
    }

    impl Words {
        fn of(slots: u32) -> Self {
            let entries = (0..Directory::entries_for(slots)).map(|_| AtomicU64::new(0)).collect();
            Self { sequence: Sequence::new(), entries }
        }

        fn directory(&self) -> Directory<'_> {
            Directory::new(&self.sequence, &self.entries)
        }
    }

    /// Hashes whose tags share their last bits, so that chains are long and go round the end.
    fn hash(key: u64) -> u64 {
        (key % 3 + 5 + ((key / 3) << 8)) << 32 | key
    }

    #[test]
    fn a_directory_of_nothing_finds_nothing() {
        let words = Words::of(0);
        assert_eq!(words.directory().find(7, |_| true), Ok(None));
    }

    #[test]
    fn what_is_entered_is_found_until_it_leaves() {
        let words = Words::of(8);
        let directory = words.directory();
        let mut model = HashMap::new();
        // Keys come and go in an order of no pattern, never more than eight at once.
        let mut random = 12_345_u64;
        for _ in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let key = random >> 40 & 31;
            if let Some(slot) = model.remove(&key) {
                directory.leave(hash(key), slot);
            } else if model.len() < 8 {
                let slot = (0..8).find(|slot| !model.values().any(|used| used == slot)).unwrap();
                directory.enter(hash(key), slot);
                model.insert(key, slot);
            }
            for key in 0..32 {
                let is_it = |slot| model.get(&key) == Some(&slot);
                assert_eq!(directory.find(hash(key), is_it), Ok(model.get(&key).copied()));
            }
        }
        for (key, slot) in model {
            directory.leave(hash(key), slot);
        }
        assert!(words.entries.iter().all(|entry| entry.load(Ordering::Relaxed) == 0));
    }

    #[test]
    fn what_stays_is_always_found_while_others_come_and_go() {
        let words = Words::of(8);
        let directory = words.directory();
        directory.enter(hash(0), 0);
        directory.enter(hash(3), 1);
        let (lock, stop) = (Mutex::new(()), AtomicBool::new(false));
        std::thread::scope(|scope| {
            for first in [2, 5] {
                let (lock, stop) = (&lock, &stop);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        for slot in first..first + 3 {
                            let _held = lock.lock().unwrap();
                            directory.enter(hash(u64::from(slot) * 3), slot);
                        }
                        for slot in first..first + 3 {
                            let _held = lock.lock().unwrap();
                            directory.leave(hash(u64::from(slot) * 3), slot);
                        }
                    }
                });
            }
            let mut found = 0;
            while found < 20_000 {
                for (key, slot) in [(0, 0), (3, 1)] {
                    if let Ok(answer) = directory.find(hash(key), |slot| slot < 2) {
                        assert_eq!(answer, Some(slot));
                        found += 1;
                    }
                }
            }
            stop.store(true, Ordering::Relaxed);
        });
    }
}
