//! The word by which an object that lives anywhere finds its slot. What lies in the slot is not known here.
//!
//! # How an object gets its slot
//!
//! At its first use. Threads that come at once wait for nobody, and none goes without: each takes a slot of its own, one
//! of them installs it, and the others give theirs back, of which nothing is left. What is installed is *settled*, that
//! is begun and made known, before anyone uses it: by whoever comes first, be it not who installed it.

use crate::atomic::{AtomicPtr, Ordering};
use core::panic::Location;
use core::ptr::from_ref;

/// A place in the source.
type Site = &'static Location<'static>;

/// One word that is: the slot (no tag); or, tagged in its low bits, the slot that is installed and not settled yet, or the
/// place where the object was made, null if that is not known, while it has no slot yet or found none. A slot is looked for
/// once, at the first use.
#[derive(Debug)]
pub struct Handle<S: 'static>(AtomicPtr<S>);

laid_out!(impl[S: crate::laid_out::Listed + 'static] Handle<S> as Handle { 0 });

/// What a handle says of its slot.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bound<S: 'static> {
    /// It has none and never will.
    No,
    /// None was looked for yet, or it is not settled: [`Handle::bind`] gives it.
    NotYet,
    /// This one.
    To(&'static S),
}

/// What a handle says of its slot, as its word.
pub(crate) struct Peeked<S: 'static>(*mut S);

impl<S> Peeked<S> {
    /// The slot, if the object has one.
    #[inline(always)]
    pub(crate) fn slot(&self) -> Option<&'static S> {
        // SAFETY: an untagged word is only stored by `bind`, from a `&'static S`.
        if self.0.addr() & TAGS == 0 { Some(unsafe { &*self.0 }) } else { None }
    }

    /// Whether the object has one.
    #[inline(always)]
    pub(crate) fn is_slot(&self) -> bool {
        self.0.addr() & TAGS == 0
    }

    /// The address of the slot, of an object that has one.
    #[inline(always)]
    pub(crate) fn address(&self) -> *const S {
        self.0
    }

    /// Whether it has none and never will.
    #[inline(always)]
    pub(crate) fn is_lost(&self) -> bool {
        self.0.addr() & TAGS == LOST
    }
}

/// Where slots come from, for one object.
pub(crate) trait Slots<S: 'static> {
    /// Takes a slot for the object, which was made there if that is known. No one else knows of the slot yet.
    fn take(&self, made_at: Option<Site>) -> Option<&'static S>;

    /// Gives a slot back that was taken for nothing.
    fn give_back(&self, slot: &'static S);

    /// The object has this slot now. Said once.
    fn installed(&self, slot: &'static S);

    /// Begins what lies in the slot of the object, before its first use. Said by several threads at once, and more than
    /// once.
    fn settle(&self, slot: &'static S);

    /// Whether no slot could be taken because each is some object's: not so while one is taken, or given back, just now.
    fn all_installed(&self) -> bool;

    /// The object never gets a slot. Said once.
    fn lost(&self);
}

const TAGS: usize = 0b11;
/// No slot yet.
const UNBOUND: usize = 1;
/// The slot is installed, and not settled yet.
const UNSETTLED: usize = 2;
/// There was no slot.
const LOST: usize = 3;

const _: () = assert!(align_of::<Location<'static>>() > TAGS);

impl<S> Handle<S> {
    const ALIGNED: () = assert!(align_of::<S>() > TAGS);

    /// The word of an object that was made there. Nothing is looked for before its first use.
    #[cfg(not(loom))]
    pub const fn new(made_at: Site) -> Self {
        let () = Self::ALIGNED;
        Self(AtomicPtr::new(from_ref(made_at).cast::<S>().cast_mut().wrapping_byte_add(UNBOUND)))
    }

    /// The word of an object that was made there. Nothing is looked for before its first use.
    #[cfg(loom)]
    pub fn new(made_at: Site) -> Self {
        let () = Self::ALIGNED;
        Self(AtomicPtr::new(from_ref(made_at).cast::<S>().cast_mut().wrapping_byte_add(UNBOUND)))
    }

    /// The word of an object of which nobody knows where it was made.
    #[cfg(not(loom))]
    pub const fn unplaced() -> Self {
        let () = Self::ALIGNED;
        Self(AtomicPtr::new(core::ptr::null_mut::<S>().wrapping_byte_add(UNBOUND)))
    }

    /// What is known of the slot. Cost: one load.
    #[inline(always)]
    pub(crate) fn peek(&self) -> Bound<S> {
        let peeked = self.look();
        match peeked.slot() {
            Some(slot) => Bound::To(slot),
            None if peeked.is_lost() => Bound::No,
            None => Bound::NotYet,
        }
    }

    /// The same in its one word, to be asked step by step: what is known of three ways, compilers take apart again. Cost:
    /// one load.
    #[inline(always)]
    pub(crate) fn look(&self) -> Peeked<S> {
        // Acquire: the slot was prepared and settled by whoever bound it.
        Peeked(self.0.load(Ordering::Acquire))
    }

    /// The object's slot: the one that it has, or one of `slots` now. The slot is settled when this returns. Waits for
    /// nobody.
    ///
    /// `None` of an object that was lost. And, where fewer slots are free than threads look for one just now, for an event
    /// that found none left; then a later one looks again.
    pub(crate) fn bind(&self, slots: &impl Slots<S>) -> Option<&'static S> {
        let mut word = self.0.load(Ordering::Acquire);
        if word.addr() & TAGS == UNBOUND {
            word = match self.install(word, slots) {
                Ok(installed) => installed,
                Err(found) => found,
            };
        }
        match word.addr() & TAGS {
            UNBOUND | LOST => None,
            tag => {
                let installed = word.wrapping_byte_sub(tag);
                // SAFETY: an untagged word, and one of this tag, is only stored from a `&'static S`.
                let slot = unsafe { &*installed };
                if tag == UNSETTLED {
                    slots.settle(slot);
                    // AcqRel: it was prepared by whoever installed it, and is settled for whoever finds it settled. Who
                    // fails finds it settled by another.
                    let _ = self.0.compare_exchange(word, installed, Ordering::AcqRel, Ordering::Acquire);
                }
                Some(slot)
            }
        }
    }

    /// Looks for a slot, or finds that there is none, and says so in the word, which was `unbound`. Gives what the word is
    /// then, or was meanwhile.
    fn install(&self, unbound: *mut S, slots: &impl Slots<S>) -> Result<*mut S, *mut S> {
        let made_at = unbound.wrapping_byte_sub(UNBOUND);
        let replace = |word| self.0.compare_exchange(unbound, word, Ordering::AcqRel, Ordering::Acquire);
        // SAFETY: `new` stored a `&'static Location` under the tag, `unplaced` null.
        let slot = slots.take(unsafe { made_at.cast_const().cast::<Location<'static>>().as_ref() });
        match slot {
            Some(slot) => {
                let installed = from_ref(slot).cast_mut().wrapping_byte_add(UNSETTLED);
                replace(installed).inspect_err(|_| slots.give_back(slot))?;
                slots.installed(slot);
                Ok(installed)
            }
            // A slot that another thread has taken for this object is not installed anywhere yet: so the object is not
            // lost while there is one.
            None if slots.all_installed() => {
                let lost = made_at.wrapping_byte_add(LOST);
                replace(lost)?;
                slots.lost();
                Ok(lost)
            }
            None => Err(self.0.load(Ordering::Acquire)),
        }
    }

    /// The slot of an object, be it settled or not.
    pub(crate) fn installed(&self) -> Option<&'static S> {
        let word = self.0.load(Ordering::Acquire);
        let tag = word.addr() & TAGS;
        // SAFETY: an untagged word, and one of this tag, is only stored from a `&'static S`.
        matches!(tag, 0 | UNSETTLED).then(|| unsafe { &*word.wrapping_byte_sub(tag) })
    }

    /// The slot of an object that no other thread uses any more.
    #[inline]
    pub(crate) fn bound(&mut self) -> Option<&'static S> {
        self.installed()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use core::cell::{Cell, RefCell};

    fn here() -> Site {
        Location::caller()
    }

    /// Slots of which so many can be had, and what was done with them.
    struct Few<'a> {
        free: Cell<usize>,
        full: bool,
        done: RefCell<Vec<&'static str>>,
        made_at: Cell<Option<Site>>,
        /// Done by another thread after this one has taken a slot, or found none.
        meanwhile: Cell<Option<&'a dyn Fn()>>,
    }

    impl Few<'_> {
        fn new(free: usize) -> Self {
            let (done, made_at, meanwhile) = (RefCell::default(), Cell::default(), Cell::default());
            Self { free: Cell::new(free), full: free == 0, done, made_at, meanwhile }
        }

        fn did(&self, what: &'static str) {
            self.done.borrow_mut().push(what);
        }
    }

    impl Slots<u64> for Few<'_> {
        fn take(&self, made_at: Option<Site>) -> Option<&'static u64> {
            self.did("take");
            self.made_at.set(made_at);
            let free = self.free.get().checked_sub(1);
            let slot = free.map(|free| {
                self.free.set(free);
                &*Box::leak(Box::new(7))
            });
            self.meanwhile.take().inspect(|meanwhile| meanwhile());
            slot
        }

        fn give_back(&self, _: &'static u64) {
            self.did("give back");
        }

        fn installed(&self, _: &'static u64) {
            self.did("installed");
        }

        fn settle(&self, _: &'static u64) {
            self.did("settle");
        }

        fn all_installed(&self) -> bool {
            self.full
        }

        fn lost(&self) {
            self.did("lost");
        }
    }

    #[test]
    fn a_slot_is_taken_once() {
        let (made_at, slots) = (here(), Few::new(2));
        let mut handle = Handle::new(made_at);
        assert!(matches!(handle.peek(), Bound::NotYet));
        assert_eq!(handle.bound(), None);
        assert_eq!(handle.bind(&slots), Some(&7));
        assert_eq!(slots.made_at.get(), Some(made_at));
        assert!(matches!(handle.peek(), Bound::To(7)));
        assert_eq!(handle.bind(&slots), Some(&7));
        assert_eq!(handle.bound(), Some(&7));
        assert_eq!(*slots.done.borrow(), ["take", "installed", "settle"]);
    }

    #[test]
    fn an_object_may_not_know_where_it_was_made() {
        let (handle, slots) = (Handle::unplaced(), Few::new(1));
        assert!(matches!(handle.peek(), Bound::<u64>::NotYet));
        assert_eq!(handle.bind(&slots), Some(&7));
        assert_eq!(slots.made_at.get(), None);
        assert!(matches!(handle.peek(), Bound::To(7)));

        let (lost, slots) = (Handle::unplaced(), Few::new(0));
        assert_eq!(lost.bind(&slots), None);
        assert!(matches!(lost.peek(), Bound::No));
    }

    #[test]
    fn where_no_slot_was_none_is_looked_for_again() {
        let (mut handle, slots) = (Handle::new(here()), Few::new(0));
        assert_eq!(handle.bind(&slots), None);
        assert!(matches!(handle.peek(), Bound::No));
        assert_eq!(handle.bind(&slots), None);
        assert_eq!(handle.bound(), None);
        assert_eq!(*slots.done.borrow(), ["take", "lost"]);
    }

    #[test]
    fn who_comes_second_gives_its_slot_back_and_has_the_first_one() {
        let (handle, others, slots) = (Handle::new(here()), Few::new(1), Few::new(1));
        let first = Cell::new(None);
        let bind = || first.set(handle.bind(&others));
        slots.meanwhile.set(Some(&bind));
        let second = handle.bind(&slots).unwrap();
        assert!(core::ptr::eq(first.get().unwrap(), second));
        assert_eq!(*others.done.borrow(), ["take", "installed", "settle"]);
        assert_eq!(*slots.done.borrow(), ["take", "give back"]);
    }

    #[test]
    fn who_finds_none_has_that_of_another_thread_or_looks_again() {
        let (handle, others, slots) = (Handle::new(here()), Few::new(1), Few::new(0));
        let slots = Few { full: false, ..slots };
        // Another thread has the last one in its hand, for this object or another: nothing is lost.
        assert_eq!(handle.bind(&slots), None);
        assert!(matches!(handle.peek(), Bound::NotYet));
        let bind = || assert_eq!(handle.bind(&others), Some(&7));
        slots.meanwhile.set(Some(&bind));
        assert_eq!(handle.bind(&slots), Some(&7));
        assert_eq!(*slots.done.borrow(), ["take", "take"]);
    }

    #[test]
    fn an_object_is_lost_once() {
        for (free, done) in [(0, &["take"][..]), (1, &["take", "give back"])] {
            let (handle, others, slots) = (Handle::new(here()), Few::new(0), Few::new(free));
            let lose = || assert_eq!(handle.bind(&others), None);
            slots.meanwhile.set(Some(&lose));
            assert_eq!(handle.bind(&slots), None);
            assert_eq!(*others.done.borrow(), ["take", "lost"]);
            assert_eq!(*slots.done.borrow(), done);
        }
    }
}

#[cfg(all(test, loom))]
mod loom_models {
    use super::*;
    use crate::atomic::AtomicU64;
    use crate::loom_models::check;
    use crate::slots::{Bitmap, Life, Lost};
    use loom::sync::Arc;
    use loom::thread;

    /// A slot with the life of its objects.
    struct Slot {
        life: Life,
        prepared: AtomicU64,
    }

    /// What [`crate::schema::Instances`] is, for slots of which nothing is shown.
    struct Few {
        map: Bitmap,
        slots: &'static [Slot],
        installed: AtomicU64,
        lost: Lost,
    }

    impl Few {
        fn new(capacity: u32) -> Arc<Self> {
            let words: Vec<_> = (0..Bitmap::words(capacity)).map(|_| AtomicU64::new(0)).collect();
            let slot = |_| Slot { life: Life::new(), prepared: AtomicU64::new(0) };
            Arc::new(Self {
                map: Bitmap::new(words.leak(), capacity),
                slots: (0..capacity).map(slot).collect::<Vec<_>>().leak(),
                installed: AtomicU64::new(0),
                lost: Lost::new(),
            })
        }

        fn index_of(&self, slot: &'static Slot) -> u32 {
            let at = self.slots.iter().position(|other| core::ptr::eq(other, slot)).unwrap();
            u32::try_from(at).unwrap()
        }

        /// A use of the object; whoever finds its slot finds it prepared, and its life begun.
        fn used(&self, handle: &Handle<Slot>) -> bool {
            let slot = match handle.peek() {
                Bound::To(slot) => Some(slot),
                Bound::No => None,
                Bound::NotYet => handle.bind(self),
            };
            if let Some(slot) = slot {
                assert_eq!(slot.prepared.load(Ordering::Relaxed), 7);
                assert!(slot.life.living().is_some());
                assert!(self.map.high_water() > self.index_of(slot));
            }
            slot.is_some()
        }

        /// How many slots are some object's, were ever some object's, and how many objects were lost; all slots but the
        /// objects' are free as they were.
        fn at_rest(&self) -> (u32, usize, u64) {
            let lives = self.slots.iter().filter(|slot| slot.life.is_used()).count();
            assert_eq!(self.installed.load(Ordering::Relaxed), lives as u64);
            (self.map.count(), lives, self.lost.get())
        }
    }

    impl Slots<Slot> for Few {
        fn take(&self, _: Option<Site>) -> Option<&'static Slot> {
            let slot = &self.slots[self.map.reserve()? as usize];
            slot.life.change();
            slot.prepared.store(7, Ordering::Relaxed);
            Some(slot)
        }

        fn give_back(&self, slot: &'static Slot) {
            slot.prepared.store(0, Ordering::Relaxed);
            slot.life.end();
            self.map.release(self.index_of(slot));
        }

        fn installed(&self, _: &'static Slot) {
            self.installed.fetch_add(1, Ordering::Release);
        }

        fn settle(&self, slot: &'static Slot) {
            self.map.show(self.index_of(slot));
            slot.life.begin_once();
        }

        fn all_installed(&self) -> bool {
            self.installed.load(Ordering::Acquire) == u64::from(self.map.capacity())
        }

        fn lost(&self) {
            self.lost.add(1);
        }
    }

    /// So many threads use one object at once; which of them found its slot.
    fn used_at_once<const OTHERS: usize>(slots: &Arc<Few>, handle: &Arc<Handle<Slot>>) -> Vec<bool> {
        let users = [(); OTHERS].map(|()| {
            let (slots, handle) = (slots.clone(), handle.clone());
            thread::spawn(move || slots.used(&handle))
        });
        let mine = slots.used(handle);
        users.into_iter().map(|user| user.join().unwrap()).chain([mine]).collect()
    }

    #[test]
    fn every_use_finds_the_slot_where_there_is_one_for_each() {
        check(2, || {
            let (slots, handle) = (Few::new(3), Arc::new(Handle::new(Location::caller())));
            assert_eq!(used_at_once::<2>(&slots, &handle), [true; 3]);
            assert_eq!(slots.at_rest(), (1, 1, 0));
        });
        check(4, || {
            let (slots, handle) = (Few::new(2), Arc::new(Handle::new(Location::caller())));
            assert_eq!(used_at_once::<1>(&slots, &handle), [true; 2]);
            assert_eq!(slots.at_rest(), (1, 1, 0));
        });
    }

    #[test]
    fn the_only_slot_is_the_objects_in_the_end() {
        check(4, || {
            let (slots, handle) = (Few::new(1), Arc::new(Handle::new(Location::caller())));
            assert!(used_at_once::<1>(&slots, &handle).contains(&true));
            assert_eq!(slots.at_rest(), (1, 1, 0));
            assert!(slots.used(&handle));
        });
    }

    #[test]
    fn an_object_without_a_slot_is_lost_once() {
        check(3, || {
            let (slots, handle) = (Few::new(1), Arc::new(Handle::new(Location::caller())));
            let other = Handle::new(Location::caller());
            assert!(slots.used(&other));
            assert_eq!(used_at_once::<2>(&slots, &handle), [false; 3]);
            assert_eq!(slots.at_rest(), (1, 1, 1));
            assert!(!slots.used(&handle));
        });
    }

    /// One object too many for the slots, each used by two threads: what they take for nothing makes no other object lost.
    #[test]
    fn no_more_objects_are_lost_than_there_are_too_many() {
        check(3, || {
            let slots = Few::new(1);
            let handles = [0, 1].map(|_| Arc::new(Handle::new(Location::caller())));
            let users = [0, 1].map(|which| {
                let (slots, handle) = (slots.clone(), handles[which].clone());
                thread::spawn(move || slots.used(&handle))
            });
            for user in users {
                user.join().unwrap();
            }
            let found = [0, 1].map(|which| slots.used(&handles[which]));
            assert_ne!(found[0], found[1]);
            assert_eq!(slots.at_rest(), (1, 1, 1));
        });
        check(2, || {
            let slots = Few::new(2);
            let handles = [0, 1].map(|_| Arc::new(Handle::new(Location::caller())));
            let users = [0, 0].map(|which| {
                let (slots, handle) = (slots.clone(), handles[which].clone());
                thread::spawn(move || slots.used(&handle))
            });
            slots.used(&handles[1]);
            for user in users {
                user.join().unwrap();
            }
            assert_eq!([0, 1].map(|which| slots.used(&handles[which])), [true; 2]);
            assert_eq!(slots.at_rest(), (2, 2, 0));
        });
    }
}
