//! Models of the bitmap, the directory, the index and the catalog. Under `cfg(loom)` a node has two children, so 2 slots are a leaf, 4 a tree of two levels, 8
//! one of three.

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

use super::{Bitmap, Catalog, Contents, Directory, Entry, Found, Index, Lost, Pins};
use crate::atomic::{AtomicU64, Ordering};
use crate::sequence::Sequence;

fn bitmap(capacity: u32, taken: u32) -> Bitmap {
    let words: Vec<AtomicU64> = (0..Bitmap::words(capacity)).map(|_| AtomicU64::new(0)).collect();
    let slots = Bitmap::new(words.leak(), capacity);
    for slot in 0..taken {
        assert_eq!(slots.acquire(), Some(slot));
    }
    slots
}

/// With every promise given back, each slot can be had once more, in order, and then none.
fn assert_all_free(slots: Bitmap) {
    assert_eq!(slots.count(), 0);
    assert_eq!(slots.occupied().count(), 0);
    for slot in 0..slots.capacity() {
        assert_eq!(slots.acquire(), Some(slot));
    }
    assert_eq!(slots.acquire(), None);
}

/// Two threads, as many slots: each gets one, not the same one, and the high water mark covers both.
fn each_gets_its_own(capacity: u32, taken: u32) {
    let slots = bitmap(capacity, taken);
    let other = thread::spawn(move || slots.acquire());
    let mine = slots.acquire().expect("there are two for two");
    assert!(slots.in_use(mine));
    assert!(slots.high_water() > mine);
    let other = other.join().unwrap().expect("there are two for two");
    assert_ne!(mine, other);
    assert_eq!(slots.count(), taken + 2);
    assert_eq!(slots.high_water(), mine.max(other) + 1);
    assert!(slots.occupied().any(|slot| slot == mine) && slots.occupied().any(|slot| slot == other));
    for slot in 0..capacity {
        slots.release(slot);
    }
    assert_all_free(slots);
}

#[test]
fn two_threads_in_a_leaf() {
    loom::model(|| each_gets_its_own(2, 0));
}

#[test]
fn two_threads_in_two_leaves() {
    loom::model(|| {
        each_gets_its_own(4, 1);
    });
}

#[test]
fn two_threads_in_a_deep_tree() {
    loom::model(|| each_gets_its_own(6, 3));
}

/// Two threads, one slot left: one of them is refused and counted.
#[test]
fn the_last_slot_goes_to_one() {
    loom::model(|| {
        let slots = bitmap(3, 2);
        let lost = Arc::new(Lost::new());
        let take = move |lost: &Lost| {
            let slot = slots.acquire();
            if slot.is_none() {
                lost.add(1);
            }
            slot
        };
        let other = thread::spawn({
            let lost = lost.clone();
            move || take(&lost)
        });
        let mine = take(&lost);
        let other = other.join().unwrap();
        assert_eq!(mine.or(other), Some(2));
        assert_ne!(mine.is_some(), other.is_some());
        assert_eq!(lost.get(), 1);
        assert_eq!(slots.count(), 3);
    });
}

/// One slot is free and its place moves: the thread that frees another first and the one that takes what is there are
/// both served, whatever marks they leave to each other.
fn served_while_the_room_moves(capacity: u32) {
    let slots = bitmap(capacity, capacity - 1);
    let other = thread::spawn(move || {
        assert!(slots.release(0));
        slots.acquire().expect("one was given back for one")
    });
    let mine = slots.acquire().expect("one was free");
    let other = other.join().unwrap();
    assert_ne!(mine, other);
    assert_eq!(slots.count(), capacity);
    assert_eq!(slots.acquire(), None);
    for slot in 0..capacity {
        assert!(slots.release(slot));
    }
    assert_all_free(slots);
}

#[test]
fn served_while_the_room_moves_between_leaves() {
    loom::model(|| served_while_the_room_moves(4));
}

#[test]
fn served_while_the_room_moves_between_subtrees() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = None;
    model.check(|| served_while_the_room_moves(6));
}

/// Three threads around one free slot of a full tree: two that give back before they take, one that takes and gives
/// back.
#[test]
fn three_threads_at_the_brim() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let slots = bitmap(4, 3);
        let swap = move |slot| {
            assert!(slots.release(slot));
            slots.acquire().expect("one was given back for one")
        };
        let first = thread::spawn(move || swap(0));
        let second = thread::spawn(move || swap(2));
        let mine = slots.acquire().expect("one was free");
        assert!(slots.release(mine));
        let (first, second) = (first.join().unwrap(), second.join().unwrap());
        assert_ne!(first, second);
        assert_eq!(slots.count(), 3);
        assert!(slots.acquire().is_some());
        assert_eq!(slots.acquire(), None);
    });
}

/// A slot's owner has what lies in it to itself and sees what the last owner left; the cell fails the model if two
/// accesses are not ordered.
fn owners_follow_each_other(capacity: u32) {
    let slots = bitmap(capacity, capacity - 1);
    let record = Arc::new(UnsafeCell::new(0_u32));
    let visit = move |record: &UnsafeCell<u32>| match slots.acquire() {
        Some(slot) => {
            assert_eq!(slot, capacity - 1);
            // SAFETY: the slot is this thread's until it is released, and the record is the slot's.
            record.with_mut(|record| unsafe { *record += 1 });
            assert!(slots.release(slot));
            1
        }
        None => 0,
    };
    let other = thread::spawn({
        let record = record.clone();
        move || visit(&record)
    });
    let visits = visit(&record) + other.join().unwrap();
    assert!(visits >= 1);
    // SAFETY: the other thread has ended.
    assert_eq!(record.with(|record| unsafe { *record }), visits);
    assert_eq!(slots.count(), capacity - 1);
}

#[test]
fn owners_of_a_slot_follow_each_other() {
    loom::model(|| owners_follow_each_other(1));
    loom::model(|| owners_follow_each_other(3));
}

/// Of two threads that give the same slot back, one does.
#[test]
fn a_slot_is_given_back_once() {
    loom::model(|| {
        let slots = bitmap(3, 3);
        let other = thread::spawn(move || slots.release(1));
        let mine = slots.release(1);
        assert_ne!(mine, other.join().unwrap());
        assert_eq!(slots.count(), 2);
        assert_eq!(slots.acquire(), Some(1));
        assert_eq!(slots.acquire(), None);
    });
}

/// What stays is found at every try that is not disturbed, while an entry of the same chain comes and goes before it.
#[test]
fn an_entry_that_stays_is_found_while_others_come_and_go() {
    const HASH: u64 = 1 << 32;
    loom::model(|| {
        let sequence: &Sequence = Box::leak(Box::new(Sequence::new()));
        let entries: Vec<_> = (0..Directory::entries_for(2)).map(|_| AtomicU64::new(0)).collect();
        let directory = Directory::new(sequence, entries.leak());
        directory.enter(HASH, 0);
        directory.enter(HASH, 1);
        let changes = thread::spawn(move || {
            directory.leave(HASH, 0);
            directory.enter(HASH, 0);
        });
        if let Ok(found) = directory.find(HASH, |slot| slot == 1) {
            assert_eq!(found, Some(1));
        }
        changes.join().unwrap();
        assert_eq!(directory.find(HASH, |slot| slot == 0), Ok(Some(0)));
    });
}

/// Three threads enter two objects of one hash, of which two threads enter the same: each object has one slot, whoever
/// finds it finds it made, and a slot that was taken for nothing is free again.
#[test]
fn an_object_is_entered_once_by_all_that_come_at_once() {
    crate::loom_models::check(3, || {
        let entries: &'static [AtomicU64] =
            vec![AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0)].leak();
        let numbers: &'static [AtomicU64] = vec![AtomicU64::new(0), AtomicU64::new(0)].leak();
        let free = bitmap(2, 0);
        let slot_of = move |number: u64| {
            let take = || {
                let slot = free.acquire()?;
                numbers[slot as usize].store(number, Ordering::Relaxed);
                Some(slot)
            };
            let is_it = |slot: u32| {
                let found = numbers[slot as usize].load(Ordering::Relaxed);
                assert_ne!(found, 0, "it is made before it is found");
                found == number
            };
            Index::new(entries).find_or_enter(7 << 32, is_it, take, |slot| {
                free.release(slot);
            })
        };
        let threads = [1, 2].map(|number| thread::spawn(move || slot_of(number)));
        let mine = slot_of(1);
        let found = threads.map(|thread| thread.join().unwrap());
        // With two slots for two objects, one that is taken for nothing may be missed by the other object for a moment.
        assert_eq!(mine.or(slot_of(1)), slot_of(1));
        if let (Some(mine), Some(other)) = (mine, found[0]) {
            assert_eq!(mine, other);
        }
        let [one, two] = [slot_of(1), slot_of(2)];
        assert!(one.is_some() && two.is_some() && one != two);
    });
}

/// A catalog of numbers, all of one hash, and how often each slot's number was counted.
struct Numbers {
    catalog: Catalog<'static>,
    slots: [[AtomicU64; 2]; 2],
}

impl Contents for Numbers {
    fn clean(&self, slot: u32) {
        for word in &self.slots[slot as usize] {
            word.store(0, Ordering::Relaxed);
        }
    }
}

impl Numbers {
    fn new() -> &'static Self {
        let words =
            |count| -> &'static [AtomicU64] { Vec::leak((0..count).map(|_| AtomicU64::new(0)).collect()) };
        let catalog = Catalog::new(
            Bitmap::new(words(Bitmap::words(2)), 2),
            Index::new(words(Index::entries_for(2))),
            Vec::leak((0..2).map(|_| Pins::new()).collect()),
        );
        let slots = core::array::from_fn(|_| core::array::from_fn(|_| AtomicU64::new(0)));
        Box::leak(Box::new(Self { catalog, slots }))
    }

    fn find(&self, number: u64) -> Found {
        let place = |slot: u32| &self.slots[slot as usize][0];
        self.catalog.find_or_enter(
            7 << 32,
            self,
            |slot| place(slot).load(Ordering::Relaxed) == number,
            |slot| place(slot).store(number, Ordering::Relaxed),
        )
    }

    /// Counts one of the number, if it is there; what is counted is the number's.
    fn use_it(&self, number: u64) -> Found {
        let found = self.find(number);
        if let Found::At(entry) = found {
            self.catalog.with(entry, self, || {
                let [held, count] = &self.slots[entry.slot as usize];
                assert_eq!(held.load(Ordering::Relaxed), number);
                count.fetch_add(1, Ordering::Relaxed);
            });
        }
        found
    }

    /// The numbers that are there with their counts, each read as a whole.
    fn all(&self) -> Vec<(u64, u64)> {
        let read = |entry: Entry| {
            let [held, count] = &self.slots[entry.slot as usize];
            let read = (held.load(Ordering::Relaxed), count.load(Ordering::Relaxed));
            self.catalog.still(entry).then_some(read)
        };
        self.catalog.entries().filter_map(read).collect()
    }

    /// With everything at rest: the number is there once at most, and every slot can be had.
    fn assert_in_order(&self, number: u64) {
        let first = self.find(number);
        assert!(matches!(first, Found::At(_)));
        assert_eq!(self.find(number), first);
        assert_eq!(self.all().iter().filter(|(held, _)| *held == number).count(), 1);
        self.catalog.clear(self);
        assert_eq!(self.all(), []);
        let found = [8, 9].map(|other| self.find(other));
        assert!(found.iter().all(|found| matches!(found, Found::At(_))), "{found:?} {:?}", self.catalog);
        assert_eq!(self.find(10), Found::Full);
    }
}

/// Two threads use the same number that nobody entered before: both count it, and it is there once.
#[test]
fn what_two_threads_enter_at_once_is_there_once() {
    crate::loom_models::check(3, || {
        let numbers = Numbers::new();
        let other = thread::spawn(move || numbers.use_it(1));
        let mine = numbers.use_it(1);
        assert_eq!(other.join().unwrap(), mine);
        assert_eq!(numbers.all(), [(1, 2)]);
        numbers.assert_in_order(1);
    });
}

/// A number is used while all go: it is counted before or after, or is gone, and never for another.
#[test]
fn what_is_used_while_all_go_is_counted_or_gone() {
    crate::loom_models::check(3, || {
        let numbers = Numbers::new();
        numbers.use_it(1);
        let other = thread::spawn(move || numbers.use_it(1));
        numbers.catalog.clear(numbers);
        let all = numbers.all();
        assert!([vec![], vec![(1, 0)], vec![(1, 1)]].contains(&all), "{all:?}");
        other.join().unwrap();
        let all = numbers.all();
        assert!([vec![], vec![(1, 1)]].contains(&all), "{all:?}");
        numbers.assert_in_order(1);
    });
}

/// A number is entered behind another while all go, with a reader beside: it is not left where nobody finds it.
#[test]
fn what_is_entered_while_all_go_can_be_found() {
    crate::loom_models::check(3, || {
        let numbers = Numbers::new();
        numbers.use_it(2);
        let other = thread::spawn(move || numbers.use_it(1));
        numbers.catalog.clear(numbers);
        other.join().unwrap();
        numbers.assert_in_order(1);
    });
}
