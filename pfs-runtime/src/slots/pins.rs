//! The word of a slot that several threads use at once, and that the last of them gives back once it has ended. What lies
//! in the slot is not known here.

use crate::atomic::{AtomicU64, Ordering, fence};

/// Whether a slot is somebody's, whose (the how many-th's), and how many use it just now.
///
/// One word: tenures so far, above a bit for whether this one goes on, above the users. All-zero memory is a slot that was
/// never anybody's.
#[repr(transparent)]
#[derive(Debug)]
pub struct Pins(AtomicU64);

laid_out!(Pins { 0 });

const LIVE: u64 = 1 << 31;
const USERS: u64 = LIVE - 1;
const TENURE_SHIFT: u32 = 32;

/// One tenure of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tenure(pub u32);

impl Tenure {
    fn of(word: u64) -> Self {
        Self((word >> TENURE_SHIFT) as u32)
    }
}

impl Pins {
    /// A slot that was never anybody's.
    #[cfg(not(loom))]
    pub const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// A slot that was never anybody's.
    #[cfg(loom)]
    pub fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Begins a tenure of a slot that the caller took and has made.
    pub fn begin(&self) -> Tenure {
        let tenure = Tenure::of(self.0.load(Ordering::Relaxed)).0.wrapping_add(1);
        // An exchange, not a store: every change of the word is one, so it has one order of all of them, also in a model.
        self.0.swap(u64::from(tenure) << TENURE_SHIFT | LIVE, Ordering::Release);
        Tenure(tenure)
    }

    /// The tenure that goes on. What was made for it is seen.
    pub fn tenure(&self) -> Option<Tenure> {
        let word = self.0.load(Ordering::Acquire);
        (word & LIVE != 0).then(|| Tenure::of(word))
    }

    /// Whether this tenure still goes on, and what the caller has read of the slot is therefore its.
    pub fn still(&self, tenure: Tenure) -> bool {
        fence(Ordering::Acquire);
        let word = self.0.load(Ordering::Relaxed);
        word & LIVE != 0 && Tenure::of(word) == tenure
    }

    /// Uses the slot, if this tenure goes on: until [`Pins::unpin`] it is given to nobody else.
    pub fn pin(&self, tenure: Tenure) -> bool {
        let mut word = self.0.load(Ordering::Relaxed);
        loop {
            if word & LIVE == 0 || Tenure::of(word) != tenure || word & USERS == USERS {
                return false;
            }
            match self.0.compare_exchange_weak(word, word + 1, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(other) => word = other,
            }
        }
    }

    /// Uses the slot no longer. True for the last user of a slot whose tenure has ended: it has to give it back.
    #[must_use]
    pub fn unpin(&self) -> bool {
        let before = self.0.fetch_sub(1, Ordering::AcqRel);
        is_left(before & LIVE != 0, before & USERS == 1)
    }

    /// Ends this tenure, if it goes on. True if nobody uses the slot: the caller has to give it back.
    #[must_use]
    pub fn end(&self, tenure: Tenure) -> bool {
        let mut word = self.0.load(Ordering::Relaxed);
        while word & LIVE != 0 && Tenure::of(word) == tenure {
            match self.0.compare_exchange_weak(word, word & !LIVE, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => return is_left(false, word & USERS == 0),
                Err(other) => word = other,
            }
        }
        false
    }
}

/// Whether the slot is left for good. What its last user then changes in it comes after the end of the tenure, for readers
/// too: who reads any of it finds, when it looks again, that the tenure is over.
fn is_left(kept: bool, unused: bool) -> bool {
    let left = !kept && unused;
    if left {
        fence(Ordering::Release);
    }
    left
}

impl Default for Pins {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn the_last_one_out_gives_the_slot_back() {
        let pins = Pins::new();
        assert_eq!(pins.tenure(), None);
        let tenure = pins.begin();
        assert_eq!(pins.tenure(), Some(tenure));
        assert!(pins.pin(tenure) && pins.pin(tenure));
        assert!(!pins.unpin());
        assert!(!pins.end(tenure), "it is in use");
        assert!(!pins.still(tenure) && !pins.pin(tenure));
        assert!(!pins.end(tenure), "it has ended");
        assert!(pins.unpin());
        let next = pins.begin();
        assert_ne!(next, tenure);
        assert!(!pins.pin(tenure) && !pins.still(tenure) && pins.still(next));
        assert!(!pins.end(tenure), "it is another's");
        assert!(pins.end(next));
    }
}
