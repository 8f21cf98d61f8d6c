//! Objects that are found by a hash, entered by whoever meets one first, and removed all at once. Nobody waits for anybody.
//! What an object is, and what lies in its slot, is not known here.

use super::index::Index;
use super::{Bitmap, Pins, Tenure};
use crate::atomic::{AtomicU64, Ordering, fence};
use core::cell::Cell;

/// What lies in the slots of a [`Catalog`].
pub trait Contents {
    /// Makes a slot back what zeroed memory is.
    fn clean(&self, slot: u32);
}

/// Slots with objects that come one by one and go all at once. An object that came while all went is gone, too.
#[derive(Debug)]
pub struct Catalog<'a> {
    map: Bitmap,
    index: Index<'a>,
    pins: &'a [Pins],
    /// How often all objects began or ended to go: odd while they go.
    clears: AtomicU64,
}

laid_out!(impl['a] Catalog<'a> as Catalog { map, index, pins, clears });

/// An object, as long as it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its slot.
    pub slot: u32,
    /// The slot's tenure that is the object's.
    pub tenure: Tenure,
}

/// What became of looking for an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It is there.
    At(Entry),
    /// It is not, and no slot is free.
    Full,
    /// All objects went meanwhile, this one with them.
    Gone,
}

/// A slot that is given back should what fills it panic: that is other code.
struct Taken<'m> {
    map: &'m Bitmap,
    slot: u32,
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.map.release(self.slot);
    }
}

impl<'a> Catalog<'a> {
    /// A catalog of nothing. There is a pin for each slot.
    pub fn new(map: Bitmap, index: Index<'a>, pins: &'a [Pins]) -> Self {
        Self { map, index, pins, clears: AtomicU64::new(0) }
    }

    /// The object of this hash whose slot `is_it`; entered, if it is not there, in a slot that `fill` makes.
    pub fn find_or_enter(
        &self,
        hash: u64,
        contents: &impl Contents,
        is_it: impl Fn(u32) -> bool,
        fill: impl FnOnce(u32),
    ) -> Found {
        let clears = self.clears.load(Ordering::Acquire);
        if clears % 2 == 1 {
            return Found::Gone;
        }
        let (mut found, mut entered) = (None, Cell::new(None));
        let slot = self.index.find_or_enter(
            hash,
            |slot| {
                let pins = self.pins(slot);
                found = pins.tenure().filter(|tenure| is_it(slot) && pins.still(*tenure));
                found.is_some()
            },
            || {
                let taken = Taken { map: &self.map, slot: self.map.acquire()? };
                let slot = taken.slot;
                fill(slot);
                core::mem::forget(taken);
                entered.set(Some(self.pins(slot).begin()));
                Some(slot)
            },
            |slot| entered.take().into_iter().for_each(|tenure| self.end(Entry { slot, tenure }, contents)),
        );
        let Some(slot) = slot else { return Found::Full };
        if let Some(tenure) = found {
            return Found::At(Entry { slot, tenure });
        }
        let Some(tenure) = entered.get_mut().take() else { return Found::Full };
        let entry = Entry { slot, tenure };
        // Entered among entries that were being removed, the object could be where nobody finds it. Fence: either the one
        // who removes them finds this one, or it is seen here that they go.
        fence(Ordering::SeqCst);
        if self.clears.load(Ordering::Acquire) != clears {
            self.end(entry, contents);
            return Found::Gone;
        }
        Found::At(entry)
    }

    /// Uses the slot of an object, unless the object is gone.
    pub fn with(&self, entry: Entry, contents: &impl Contents, act: impl FnOnce()) -> bool {
        let pins = self.pins(entry.slot);
        if !pins.pin(entry.tenure) {
            return false;
        }
        act();
        if pins.unpin() {
            self.give_back(entry.slot, contents);
        }
        true
    }

    /// Removes all objects. Who uses one's slot gives that back when done. One caller at a time.
    pub fn clear(&self, contents: &impl Contents) {
        self.clears.fetch_add(1, Ordering::AcqRel);
        fence(Ordering::SeqCst);
        self.index.clear();
        self.entries().for_each(|entry| self.end(entry, contents));
        self.clears.fetch_add(1, Ordering::Release);
    }

    /// The objects that are there.
    pub fn entries(&self) -> impl Iterator<Item = Entry> + use<'a> {
        let pins = self.pins;
        let entry = move |slot| Some(Entry { slot, tenure: pins.get(slot as usize)?.tenure()? });
        self.map.occupied().filter_map(entry)
    }

    /// Whether the object is still there, and what the caller has read of its slot therefore its.
    pub fn still(&self, entry: Entry) -> bool {
        self.pins(entry.slot).still(entry.tenure)
    }

    fn pins(&self, slot: u32) -> &'a Pins {
        &self.pins[slot as usize]
    }

    fn end(&self, entry: Entry, contents: &impl Contents) {
        if self.pins(entry.slot).end(entry.tenure) {
            self.give_back(entry.slot, contents);
        }
    }

    fn give_back(&self, slot: u32, contents: &impl Contents) {
        contents.clean(slot);
        self.map.release(slot);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::atomic::AtomicBool;

    /// Slots that hold numbers, and how often each number was counted.
    struct Numbers {
        catalog: Catalog<'static>,
        slots: Vec<[AtomicU64; 2]>,
    }

    impl Contents for Numbers {
        fn clean(&self, slot: u32) {
            for word in &self.slots[slot as usize] {
                word.store(0, Ordering::Relaxed);
            }
        }
    }

    impl Numbers {
        fn of(slots: u32) -> Self {
            let words = |count| -> &'static [AtomicU64] {
                Vec::leak((0..count).map(|_| AtomicU64::new(0)).collect())
            };
            let pins: Vec<_> = (0..slots).map(|_| Pins::new()).collect();
            Self {
                catalog: Catalog::new(
                    Bitmap::new(words(Bitmap::words(slots)), slots),
                    Index::new(words(Index::entries_for(slots))),
                    pins.leak(),
                ),
                slots: (0..slots).map(|_| [AtomicU64::new(0), AtomicU64::new(0)]).collect(),
            }
        }

        fn find(&self, number: u64) -> Found {
            let place = |slot: u32| &self.slots[slot as usize][0];
            self.catalog.find_or_enter(
                (number % 3) << 32,
                self,
                |slot| place(slot).load(Ordering::Relaxed) == number,
                |slot| place(slot).store(number, Ordering::Relaxed),
            )
        }

        fn count(&self, entry: Entry) -> bool {
            self.catalog.with(entry, self, || {
                self.slots[entry.slot as usize][1].fetch_add(1, Ordering::Relaxed);
            })
        }
    }

    fn at(found: Found) -> Entry {
        match found {
            Found::At(entry) => entry,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn all_objects_go_at_once_and_leave_room() {
        let numbers = Numbers::of(2);
        let (one, two) = (at(numbers.find(1)), at(numbers.find(2)));
        assert_eq!((at(numbers.find(1)), at(numbers.find(2))), (one, two));
        assert_eq!(numbers.find(3), Found::Full);
        assert!(numbers.count(one));
        // One is in use while all go.
        numbers.catalog.with(two, &numbers, || {
            numbers.catalog.clear(&numbers);
            assert_eq!(numbers.catalog.entries().count(), 0);
            assert!(!numbers.count(one) && !numbers.count(two));
            assert_eq!(at(numbers.find(4)).slot, one.slot);
            assert_eq!(numbers.find(5), Found::Full);
        });
        assert_eq!(at(numbers.find(5)).slot, two.slot);
        assert_eq!(numbers.catalog.entries().count(), 2);
    }

    #[test]
    fn what_fails_to_fill_a_slot_leaves_it_free() {
        let numbers = Numbers::of(1);
        let fill = |_| resume_unwind(Box::new(()));
        let enter = || numbers.catalog.find_or_enter(0, &numbers, |_| true, fill);
        assert!(catch_unwind(AssertUnwindSafe(enter)).is_err());
        assert_eq!(numbers.catalog.entries().count(), 0);
        at(numbers.find(1));
    }

    #[test]
    fn nothing_is_entered_twice_or_counted_for_another_while_all_go_again_and_again() {
        const NUMBERS: u64 = 6;
        let numbers = Numbers::of(8);
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for seed in 0..3 {
                let (numbers, stop) = (&numbers, &stop);
                scope.spawn(move || {
                    let mut turn = seed;
                    while !stop.load(Ordering::Relaxed) {
                        turn += 1;
                        let number = turn % NUMBERS + 1;
                        let Found::At(entry) = numbers.find(number) else { continue };
                        numbers.catalog.with(entry, numbers, || {
                            let slot = &numbers.slots[entry.slot as usize];
                            assert_eq!(slot[0].load(Ordering::Relaxed), number);
                        });
                    }
                });
            }
            for _ in 0..20_000 {
                numbers.catalog.clear(&numbers);
            }
            stop.store(true, Ordering::Relaxed);
        });
        for number in 1..=NUMBERS {
            at(numbers.find(number));
        }
        let mut held: Vec<_> = numbers
            .catalog
            .entries()
            .map(|entry| numbers.slots[entry.slot as usize][0].load(Ordering::Relaxed))
            .collect();
        held.sort_unstable();
        assert_eq!(held, (1..=NUMBERS).collect::<Vec<_>>());
        numbers.catalog.clear(&numbers);
        assert_eq!(numbers.catalog.entries().count(), 0);
        assert!((1..=NUMBERS).all(|number| matches!(numbers.find(number), Found::At(_))));
    }
}
