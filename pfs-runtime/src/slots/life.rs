//! The life of what lies in a slot: nobody's, changing hands, or somebody's, and how many it was already somebody's.

use crate::atomic::{AtomicU64, Ordering, fence, wait_for_writer};

/// Nobody's.
const FREE: u64 = 0;
/// Being made or ended.
const CHANGING: u64 = 1;
/// Owned.
const LIVE: u64 = 2;
const STATE: u64 = 3;
const STATE_BITS: u32 = 2;

/// Where a slot is in its life. Its owner changes it, readers tell by it one owner's data from another's.
///
/// One word: the lives so far, above the state. All-zero memory is a slot that was never owned.
#[repr(transparent)]
#[derive(Debug)]
pub struct Life(AtomicU64);

laid_out!(Life { 0 });

/// One life of a slot, as a reader found it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Living(u64);

impl Life {
    /// A slot that was never owned.
    #[cfg(not(loom))]
    pub const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// A slot that was never owned.
    #[cfg(loom)]
    pub fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    fn lives(&self) -> u64 {
        self.0.load(Ordering::Relaxed) >> STATE_BITS
    }

    /// Says that the slot is being made or ended. Only who took it, or owns it, may call this.
    ///
    /// The release fence keeps what follows behind the word: a reader that sees any of it finds, when it looks again,
    /// that the life it read in is over.
    pub fn change(&self) {
        self.0.store(self.lives() << STATE_BITS | CHANGING, Ordering::Relaxed);
        fence(Ordering::Release);
    }

    /// Begins the next life, now that the slot is made. A reader that finds it living sees what was made before.
    pub fn begin(&self) {
        self.0.store((self.lives() + 1) << STATE_BITS | LIVE, Ordering::Release);
    }

    /// The same where several threads may do so, of which one does. They all know that the slot is made.
    pub fn begin_once(&self) {
        let word = self.0.load(Ordering::Relaxed);
        if word & STATE == CHANGING {
            let living = ((word >> STATE_BITS) + 1) << STATE_BITS | LIVE;
            let _ = self.0.compare_exchange(word, living, Ordering::Release, Ordering::Relaxed);
        }
    }

    /// Ends the life; nothing of the owner's is left in the slot. Or takes back that one was made: then none was lived.
    pub fn end(&self) {
        self.0.store(self.lives() << STATE_BITS | FREE, Ordering::Release);
    }

    /// Whether the slot is somebody's or changes hands just now.
    pub fn is_used(&self) -> bool {
        self.0.load(Ordering::Acquire) & STATE != FREE
    }

    /// The life that the slot lives; `None` if it is nobody's or changes hands.
    pub fn living(&self) -> Option<Living> {
        let word = self.0.load(Ordering::Acquire);
        (word & STATE == LIVE).then_some(Living(word))
    }

    /// Waits for a slot that changes hands, as long as whoever makes or ends it may reasonably take; tells whether it does
    /// not change hands any more. What was done at an end is then seen.
    pub fn settled(&self) -> bool {
        self.settled_life().is_some()
    }

    /// The same, with the life that the slot lives then, if it lives one. Asked for in one look: between two, the slot could
    /// begin to change hands.
    pub fn settled_life(&self) -> Option<Option<Living>> {
        const TRIES: usize = if cfg!(loom) { 2 } else { 256 };
        for tries in 0..TRIES {
            let word = self.0.load(Ordering::Acquire);
            if word & STATE != CHANGING {
                return Some((word & STATE == LIVE).then_some(Living(word)));
            }
            wait_for_writer(tries);
        }
        None
    }

    /// What was read since [`Life::living`], if all of it was read in that life.
    pub fn same<R>(&self, living: Living, read: R) -> Option<R> {
        fence(Ordering::Acquire);
        (self.0.load(Ordering::Relaxed) == living.0).then_some(read)
    }
}

impl Default for Life {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_life_is_told_from_the_next() {
        let life = Life::new();
        assert_eq!((life.is_used(), life.living()), (false, None));
        life.change();
        assert_eq!((life.is_used(), life.living()), (true, None));
        life.begin();
        let first = life.living().unwrap();
        assert_eq!(life.same(first, 7), Some(7));
        life.change();
        assert_eq!((life.is_used(), life.living(), life.same(first, 7)), (true, None, None));
        life.end();
        assert_eq!((life.is_used(), life.living(), life.same(first, 7)), (false, None, None));
        life.change();
        life.begin();
        assert_ne!(life.living(), Some(first));
        assert_eq!(life.same(first, 7), None);
    }

    #[test]
    fn a_life_that_several_begin_is_one_and_one_that_is_taken_back_is_none() {
        let (life, straight) = (Life::new(), Life::new());
        life.change();
        life.end();
        for one in [&life, &straight] {
            one.change();
            one.begin_once();
            one.begin_once();
        }
        assert_eq!(life.living(), straight.living());
        assert_eq!(life.lives(), 1);
    }
}

#[cfg(all(test, loom))]
mod loom_models {
    use super::*;
    use crate::loom_models::check;
    use loom::sync::Arc;
    use loom::thread;

    /// A slot with two words of its owner's.
    struct Slot {
        life: Life,
        words: [AtomicU64; 2],
    }

    impl Slot {
        fn own(&self, owner: u64) {
            self.life.change();
            self.words.iter().for_each(|word| word.store(owner, Ordering::Relaxed));
            self.life.begin();
        }

        fn leave(&self) {
            self.life.change();
            self.words.iter().for_each(|word| word.store(0, Ordering::Relaxed));
            self.life.end();
        }

        /// The owner that a reader finds.
        fn read(&self) -> Option<u64> {
            let living = self.life.living()?;
            let words = [0, 1].map(|at| self.words[at].load(Ordering::Relaxed));
            let [one, other] = self.life.same(living, words)?;
            assert_eq!((one, other), (living.0 >> STATE_BITS, one), "one owner's words, and that life's");
            Some(one)
        }
    }

    #[test]
    fn readers_tell_one_owner_from_the_next() {
        check(3, || {
            let slot = Arc::new(Slot { life: Life::new(), words: [AtomicU64::new(0), AtomicU64::new(0)] });
            slot.own(1);
            let reader = thread::spawn({
                let slot = slot.clone();
                move || {
                    let owners = [slot.read(), slot.read()];
                    assert!(
                        owners[0].is_none() || owners[1].is_none() || owners[0] <= owners[1],
                        "{owners:?}"
                    );
                }
            });
            slot.leave();
            let next = thread::spawn({
                let slot = slot.clone();
                move || slot.own(2)
            });
            next.join().unwrap();
            assert_eq!(slot.read(), Some(2));
            reader.join().unwrap();
        });
    }
}
