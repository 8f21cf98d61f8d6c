//! The word by which an object that lives anywhere finds its slot. What lies in the slot is not known here.

use crate::atomic::{AtomicPtr, Ordering};
use core::panic::Location;
use core::ptr::from_ref;

/// A place in the source.
type Site = &'static Location<'static>;

/// One word that is: the slot (no tag); or, tagged in its low bits, the place where the object was made, null if that is
/// not known, while it has no slot yet, is being given one, or found none. A slot is looked for once, at the first use.
#[derive(Debug)]
pub struct Handle<S: 'static>(AtomicPtr<S>);

/// What a handle says of its slot.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bound<S: 'static> {
    /// It has none and never will, or another thread is getting it one just now.
    No,
    /// None was looked for yet.
    NotYet,
    /// This one.
    To(&'static S),
}

const TAGS: usize = 0b11;
/// No slot yet.
const UNBOUND: usize = 1;
/// A thread is getting the slot; the others go on without.
const BINDING: usize = 2;
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
        // Acquire: the slot was prepared by whoever bound it.
        let word = self.0.load(Ordering::Acquire);
        match word.addr() & TAGS {
            // SAFETY: an untagged word is only stored by `bind`, from a `&'static S`.
            0 => Bound::To(unsafe { &*word }),
            UNBOUND => Bound::NotYet,
            _ => Bound::No,
        }
    }

    /// Gives the object the slot that `take` takes, if it has none yet; `take` is called at most once in its life, with
    /// the place where the object was made if that is known. One thread binds; the others' events go without the slot
    /// until it has.
    pub(crate) fn bind(&self, take: impl FnOnce(Option<Site>) -> Option<&'static S>) -> Option<&'static S> {
        let unbound = self.0.load(Ordering::Relaxed);
        if unbound.addr() & TAGS != UNBOUND {
            return None;
        }
        let made_at = unbound.wrapping_byte_sub(UNBOUND);
        let binding = made_at.wrapping_byte_add(BINDING);
        self.0.compare_exchange(unbound, binding, Ordering::Relaxed, Ordering::Relaxed).ok()?;
        // SAFETY: `new` stored a `&'static Location` under the tag, `unplaced` null.
        let slot = take(unsafe { made_at.cast_const().cast::<Location<'static>>().as_ref() });
        let word = slot.map_or(made_at.wrapping_byte_add(LOST), |slot| from_ref(slot).cast_mut());
        self.0.store(word, Ordering::Release);
        slot
    }

    /// The slot of an object that no other thread uses any more.
    #[inline]
    pub(crate) fn bound(&mut self) -> Option<&'static S> {
        match self.peek() {
            Bound::To(slot) => Some(slot),
            Bound::No | Bound::NotYet => None,
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn here() -> Site {
        Location::caller()
    }

    #[test]
    fn a_slot_is_taken_once() {
        static SLOT: u64 = 7;
        let (made_at, mut handle) = (here(), Handle::new(here()));
        assert!(matches!(handle.peek(), Bound::NotYet));
        assert_eq!(handle.bound(), None);
        let handle_of_one = Handle::new(made_at);
        let taken = handle_of_one.bind(|site| {
            assert_eq!(site, Some(made_at));
            // Meanwhile, others go without.
            assert!(matches!(handle_of_one.peek(), Bound::No));
            assert_eq!(handle_of_one.bind(|_| panic!("two threads bind")), None);
            Some(&SLOT)
        });
        assert_eq!(taken, Some(&SLOT));
        assert!(matches!(handle_of_one.peek(), Bound::To(7)));
        assert_eq!(handle_of_one.bind(|_| panic!("it has a slot")), None);
        assert_eq!(handle.bind(|_| Some(&SLOT)), Some(&SLOT));
        assert_eq!(handle.bound(), Some(&SLOT));
    }

    #[test]
    fn an_object_may_not_know_where_it_was_made() {
        static SLOT: u64 = 7;
        let (placeless, lost) = (Handle::unplaced(), Handle::<u64>::unplaced());
        assert!(matches!(placeless.peek(), Bound::<u64>::NotYet));
        let taken = placeless.bind(|site| {
            assert_eq!(site, None);
            assert!(matches!(placeless.peek(), Bound::No));
            Some(&SLOT)
        });
        assert_eq!(taken, Some(&SLOT));
        assert!(matches!(placeless.peek(), Bound::To(7)));
        assert_eq!(lost.bind(|_| None), None);
        assert!(matches!(lost.peek(), Bound::No));
        assert_eq!(lost.bind(|_| panic!("looked for again")), None);
    }

    #[test]
    fn where_no_slot_was_none_is_looked_for_again() {
        let mut handle = Handle::<u64>::new(here());
        assert_eq!(handle.bind(|_| None), None);
        assert!(matches!(handle.peek(), Bound::No));
        assert_eq!(handle.bind(|_| panic!("looked for again")), None);
        assert_eq!(handle.bound(), None);
    }
}

#[cfg(all(test, loom))]
mod loom_models {
    use super::*;
    use crate::atomic::AtomicU64;
    use crate::loom_models::check;
    use loom::sync::Arc;
    use loom::thread;

    /// A slot that says whose it is, and how often a slot was looked for.
    struct Slots {
        free: Option<&'static AtomicU64>,
        taken: AtomicU64,
    }

    impl Slots {
        fn new(free: bool) -> Arc<Self> {
            let free = free.then(|| &*Box::leak(Box::new(AtomicU64::new(0))));
            Arc::new(Self { free, taken: AtomicU64::new(0) })
        }

        /// A use of the object; whoever finds its slot finds it prepared.
        fn used(&self, handle: &Handle<AtomicU64>) -> bool {
            let slot = match handle.peek() {
                Bound::To(slot) => Some(slot),
                Bound::No => None,
                Bound::NotYet => handle.bind(|_| {
                    self.taken.fetch_add(1, Ordering::Relaxed);
                    self.free.inspect(|slot| slot.store(7, Ordering::Relaxed))
                }),
            };
            if let Some(slot) = slot {
                assert_eq!(slot.load(Ordering::Relaxed), 7);
            }
            slot.is_some()
        }
    }

    fn three_threads_use_one_object(free: bool) {
        check(3, move || {
            let (slots, handle) = (Slots::new(free), Arc::new(Handle::new(Location::caller())));
            let users = [0, 1].map(|_| {
                let (slots, handle) = (slots.clone(), handle.clone());
                thread::spawn(move || slots.used(&handle))
            });
            let mine = slots.used(&handle);
            let found = users.map(|user| user.join().unwrap());
            assert_eq!(mine || found.contains(&true), free);
            assert_eq!(slots.used(&handle), free);
            assert_eq!(slots.taken.load(Ordering::Relaxed), 1);
        });
    }

    #[test]
    fn a_slot_is_taken_once_and_found_prepared() {
        three_threads_use_one_object(true);
    }

    #[test]
    fn a_slot_that_is_not_there_is_looked_for_once() {
        three_threads_use_one_object(false);
    }
}
