//! The end of an event by another thread than the one that owns its context: a word that waits for the owner.
//!
//! What is left with an end beside its time lies elsewhere, in a place whose number the word may hold: it is the one's who
//! has the word in hand. A word is in one hand at a time, so that what belongs to it is used once and given back once.

use crate::atomic::{AtomicU64, Ordering};

/// The word of an event that is open in a frame. Whoever ends the event leaves an [`End`] here, the owner takes it.
///
/// All-zero memory holds none.
#[repr(transparent)]
#[cfg_attr(not(loom), derive(Debug))]
pub struct Posted(AtomicU64);

laid_out!(Posted { 0 });

/// An end in one word: 24 bits of the event's serial, a bit that is always set, a bit whether a transaction was committed
/// or another event's future dropped, two bits whether it failed and whether more is left in a place; then 36 bits of the
/// time it took, or the number of that place.
///
/// The time is a floating-point number of one tick more, without what is the same in all of them and its last bits: good
/// to two parts in a billion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End(u64);

impl Posted {
    /// No end.
    #[cfg(not(loom))]
    pub const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// No end.
    #[cfg(loom)]
    pub fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Leaves an end for the owner, who then has to be alerted. Gives the end that nobody will take: one of an earlier
    /// event in the frame; or this one, because one of a later event is there.
    ///
    /// Release and acquire: who has an end in hand has what belongs to it.
    pub fn leave(&self, end: End) -> Option<End> {
        // One who comes late, when the frame holds another event, does not take that one's end away.
        let newest = |word| (word == 0 || !End(word).is_later_than(end)).then_some(end.0);
        match self.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, newest) {
            Ok(0) => None,
            Ok(earlier) => Some(End(earlier)),
            Err(_) => Some(end),
        }
    }

    /// Takes the end that was left. Cost where there is none: one load.
    pub fn take(&self) -> Option<End> {
        // Relaxed: the exchange orders.
        if self.0.load(Ordering::Relaxed) == 0 {
            return None;
        }
        Some(self.0.swap(0, Ordering::AcqRel)).filter(|word| *word != 0).map(End)
    }
}

impl Default for Posted {
    fn default() -> Self {
        Self::new()
    }
}

impl End {
    const TIME_BITS: u32 = 36;
    /// What is lost of a floating-point number's bits.
    const LOST_BITS: u32 = 23;
    const MORE: u64 = 1 << Self::TIME_BITS;
    const FAILED: u64 = 1 << (Self::TIME_BITS + 1);
    const SPECIAL: u64 = 1 << (Self::TIME_BITS + 2);
    const PRESENT: u64 = 1 << (Self::TIME_BITS + 3);
    const SERIAL: u32 = Self::TIME_BITS + 4;

    /// The end of the event of `serial` after `ticks`.
    #[expect(clippy::cast_precision_loss, reason = "what is lost is said above")]
    pub fn new(serial: u64, ticks: u64) -> Self {
        let time = ((ticks as f64 + 1.0).to_bits() - 1.0_f64.to_bits()) >> Self::LOST_BITS;
        Self(time | Self::PRESENT | serial << Self::SERIAL)
    }

    /// The same with more about it, its exact time too, in the place of that number.
    pub fn with_more(serial: u64, place: u32) -> Self {
        Self(u64::from(place) | Self::MORE | Self::PRESENT | serial << Self::SERIAL)
    }

    /// The same of a transaction that was committed, or of another event whose future was dropped.
    #[must_use]
    pub fn special(self, special: bool) -> Self {
        if special { Self(self.0 | Self::SPECIAL) } else { self }
    }

    /// The same of a statement that failed.
    #[must_use]
    pub fn failed(self, failed: bool) -> Self {
        if failed { Self(self.0 | Self::FAILED) } else { self }
    }

    /// Whether it is the end of the event of `serial`.
    pub fn is_of(self, serial: u64) -> bool {
        self.0 >> Self::SERIAL == (serial << Self::SERIAL) >> Self::SERIAL
    }

    /// Whether this is of a later event than the other, serials going round.
    fn is_later_than(self, other: Self) -> bool {
        let ahead = (self.0 >> Self::SERIAL).wrapping_sub(other.0 >> Self::SERIAL) << Self::SERIAL;
        ahead != 0 && ahead >> 63 == 0
    }

    /// See [`End::special`].
    pub fn is_special(self) -> bool {
        self.0 & Self::SPECIAL != 0
    }

    /// See [`End::failed`].
    pub fn has_failed(self) -> bool {
        self.0 & Self::FAILED != 0
    }

    /// The number of the place where more is left, if there is more: see [`End::with_more`].
    pub fn more(self) -> Option<u32> {
        let place = self.0 & (Self::MORE - 1);
        if self.0 & Self::MORE != 0 { u32::try_from(place).ok() } else { None }
    }

    /// The ticks that it took, where no more is left.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it was made of a `u64`")]
    pub fn ticks(self) -> u64 {
        let time = (self.0 & (Self::MORE - 1)) << Self::LOST_BITS;
        (f64::from_bits(time + 1.0_f64.to_bits()) - 1.0) as u64
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_read_back() {
        for ticks in [0, 1, 2, 1000, 0x1fff_ffff, 3_000_000_000_000, u64::MAX] {
            for (serial, special, failed) in
                [(0, false, false), (1, true, false), (0xff_ffff, false, true), (0x100_0001, true, true)]
            {
                let end = End::new(serial, ticks).special(special).failed(failed);
                assert_ne!(end.0, 0);
                assert!(end.is_of(serial));
                assert!(!end.is_of(serial + 1));
                assert_eq!((end.is_special(), end.has_failed(), end.more()), (special, failed, None));
                assert!(end.ticks().abs_diff(ticks) <= ticks >> 29, "{} of {ticks}", end.ticks());
            }
        }
        for exact in [0, 1, 2, 3, 1_000_003, 0x1fff_fffe] {
            assert_eq!(End::new(7, exact).ticks(), exact);
        }
        let end = End::with_more(0x100_0001, u32::MAX).failed(true);
        assert_eq!((end.more(), end.has_failed(), end.is_of(1)), (Some(u32::MAX), true, true));
    }

    #[test]
    fn an_end_of_a_later_event_stays() {
        let end = |serial| End::new(serial, 0);
        let posted = Posted::new();
        assert_eq!(posted.take(), None);
        assert_eq!(posted.leave(end(4)), None);
        assert_eq!(posted.leave(end(5)), Some(end(4)));
        assert_eq!(posted.leave(end(4)), Some(end(4)));
        assert_eq!(posted.take(), Some(end(5)));
        assert_eq!(posted.take(), None);
        // Serials go round.
        assert_eq!(posted.leave(end(0xff_ffff)), None);
        assert_eq!(posted.leave(end(0x100_0000)), Some(end(0xff_ffff)));
        assert_eq!(posted.leave(end(0xff_ffff)), Some(end(0xff_ffff)));
    }
}

#[cfg(all(test, loom))]
mod loom_models {
    use super::*;
    use crate::loom_models::check;
    use crate::slots::Bitmap;
    use crate::stat::Requests;
    use loom::sync::Arc;
    use loom::thread;

    /// A context with one frame, and places for what is left with an end. What is under [`crate::event`] is done here.
    struct Context {
        requests: Requests,
        serial: AtomicU64,
        posted: Posted,
        map: Bitmap,
        places: [AtomicU64; 2],
    }

    /// What the owner alone writes: how each event was counted, by its serial.
    struct Owner {
        context: Arc<Context>,
        open: bool,
        counted: Vec<(u64, u64)>,
    }

    /// How the owner counts what ended otherwise.
    const BY_OWNER: u64 = 7;

    impl Context {
        fn new() -> Arc<Self> {
            let words: Vec<_> = (0..Bitmap::words(2)).map(|_| AtomicU64::new(0)).collect();
            Arc::new(Self {
                requests: Requests::new(0),
                serial: AtomicU64::new(0),
                posted: Posted::new(),
                map: Bitmap::new(words.leak(), 2),
                places: [AtomicU64::new(0), AtomicU64::new(0)],
            })
        }

        /// Another thread ends the event of `serial`.
        fn post(&self, serial: u64) {
            if self.serial.load(Ordering::Acquire) != serial {
                return;
            }
            let place = self.map.acquire().expect("there is one for each who posts");
            self.places[place as usize].store(serial, Ordering::Relaxed);
            self.give_back(self.posted.leave(End::with_more(serial, place)));
            self.requests.alert();
        }

        fn give_back(&self, end: Option<End>) {
            if let Some(place) = end.and_then(End::more) {
                assert!(self.map.release(place));
            }
        }
    }

    impl Owner {
        fn of(context: &Arc<Context>) -> Self {
            Self { context: context.clone(), open: true, counted: Vec::new() }
        }

        fn end(&mut self, by: u64) {
            let serial = self.context.serial.load(Ordering::Relaxed);
            self.counted.push((serial, by));
            self.context.serial.store(serial + 1, Ordering::Relaxed);
            self.open = false;
        }

        fn carry_out(&mut self) {
            let Some(end) = self.context.posted.take() else { return };
            if self.open && end.is_of(self.context.serial.load(Ordering::Relaxed)) {
                let place = end.more().expect("each has left more") as usize;
                let left = self.context.places[place].load(Ordering::Relaxed);
                self.end(left);
            }
            self.context.give_back(Some(end));
        }

        /// What comes before each event.
        fn attend(&mut self) {
            if self.context.requests.mask() & Requests::ATTENTION != 0 {
                self.context.requests.attend(|_| ());
                self.carry_out();
            }
        }

        fn begin(&mut self) {
            self.attend();
            self.open = true;
        }

        /// Its parent ends, or its context.
        fn end_for_parent(&mut self) {
            self.attend();
            if self.open {
                self.end(BY_OWNER);
            }
        }
    }

    fn post(context: &Arc<Context>, serial: u64) -> thread::JoinHandle<()> {
        let context = context.clone();
        thread::spawn(move || context.post(serial))
    }

    #[test]
    fn an_end_is_carried_out_before_the_next_event_or_at_the_end_of_the_context() {
        check(3, || {
            let context = Context::new();
            let mut owner = Owner::of(&context);
            let other = post(&context, 0);
            owner.attend();
            other.join().unwrap();
            // The context ends.
            owner.carry_out();
            assert_eq!(owner.counted, [(0, 0)]);
            assert_eq!(context.map.count(), 0);
        });
    }

    #[test]
    fn an_event_that_two_end_is_counted_once() {
        check(3, || {
            let context = Context::new();
            let mut owner = Owner::of(&context);
            let other = post(&context, 0);
            owner.end_for_parent();
            owner.begin();
            other.join().unwrap();
            owner.attend();
            // What came late is not the end of the next event.
            assert!(owner.open);
            owner.end_for_parent();
            assert!(matches!(owner.counted[..], [(0, 0 | BY_OWNER), (1, BY_OWNER)]), "{:?}", owner.counted);
            assert_eq!(context.map.count(), 0);
        });
    }

    #[test]
    fn who_comes_late_takes_no_end_of_the_next_event_away() {
        check(3, || {
            let context = Context::new();
            let mut owner = Owner::of(&context);
            let late = post(&context, 0);
            owner.end_for_parent();
            owner.begin();
            let other = post(&context, 1);
            owner.attend();
            late.join().unwrap();
            other.join().unwrap();
            owner.attend();
            assert!(matches!(owner.counted[..], [(0, 0 | BY_OWNER), (1, 1)]), "{:?}", owner.counted);
            assert_eq!(context.map.count(), 0);
        });
    }
}
