//! Events that end where their context is not: a future that is dropped by another thread, a transaction that outlived
//! the session's stay on a thread.
//!
//! A context has one writer. Whoever else ends an event leaves a word in its frame, and the context's owner carries it
//! out before its next event, or when the context ends.

use super::{Count, close, end_descendants, finish, transaction};
use crate::class::{EventKind, Flags};
use crate::model::{Context, Ending, Frame};
use crate::schema::elapsed;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

/// An end in one word, zero for none: 22 bits of the event's serial, a bit that is always set, a bit whether a transaction
/// was committed or another event's future dropped, 40 bits of the time it took.
///
/// The time is a floating-point number without its sign and its last bits, good to two parts in a billion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Posted(u64);

impl Posted {
    const TIME_BITS: u32 = 40;
    const LOST_BITS: u32 = 63 - Self::TIME_BITS;
    const SPECIAL: u64 = 1 << Self::TIME_BITS;
    const PRESENT: u64 = 1 << (Self::TIME_BITS + 1);
    const SERIAL: u32 = Self::TIME_BITS + 2;

    #[expect(clippy::cast_precision_loss, reason = "what is lost is said above")]
    fn new(serial: u64, ticks: u64, special: bool) -> Self {
        let time = (ticks as f64).to_bits() >> Self::LOST_BITS;
        Self(time | if special { Self::SPECIAL } else { 0 } | Self::PRESENT | serial << Self::SERIAL)
    }

    fn is_of(self, serial: u64) -> bool {
        self.0 >> Self::SERIAL == (serial << Self::SERIAL) >> Self::SERIAL
    }

    /// Whether this is of a later event than the one of `serial`, serials going round.
    fn is_later_than(self, serial: u64) -> bool {
        let ahead = (self.0 >> Self::SERIAL).wrapping_sub(serial) << Self::SERIAL;
        ahead != 0 && ahead >> 63 == 0
    }

    fn is_special(self) -> bool {
        self.0 & Self::SPECIAL != 0
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it was made of a `u64`")]
    fn ticks(self) -> u64 {
        f64::from_bits((self.0 & (Self::SPECIAL - 1)) << Self::LOST_BITS) as u64
    }
}

/// Ends the event of `serial` in a frame of a context that is not the calling thread's, if it is still open. It is
/// counted when the context's owner gets to it. `special` says that a transaction was committed, or that the future of
/// another event was dropped.
#[cold]
pub(crate) fn post(context: &'static Context, frame: &'static Frame, serial: u64, special: bool) {
    if frame.serial.load(Acquire) != serial {
        return;
    }
    let (flags, start) = (frame.decided().flags(), frame.start.load(Relaxed));
    let ticks = if start == 0 { 0 } else { elapsed(start, context.now(flags)) };
    let posted = Posted::new(serial, ticks, special);
    // One who comes late, when the frame holds another event, does not take that one's end away.
    let newest = |word| (word == 0 || !Posted(word).is_later_than(serial)).then_some(posted.0);
    if frame.posted.fetch_update(AcqRel, Relaxed, newest).is_ok() {
        context.requests.alert();
    }
}

/// Ends and counts what others have ended. Only the owner may call this.
pub(crate) fn carry_out(context: &'static Context, count: Count) {
    for kind in EventKind::ALL {
        let frames = kind.frames(context);
        for at in 0..frames.limit.load(Relaxed) {
            let frame = frames.frame(at);
            let word = frame.posted.load(Acquire);
            if word == 0 {
                continue;
            }
            let open = frames.used.load(Relaxed) >> at & 1 == 1;
            if open && Posted(word).is_of(frame.serial.load(Relaxed)) {
                end(context, kind, frame, Posted(word), count);
            }
            // What was posted meanwhile stays for the next time, for which it has asked.
            let _ = frame.posted.compare_exchange(word, 0, AcqRel, Relaxed);
        }
    }
}

fn end(context: &'static Context, kind: EventKind, frame: &'static Frame, posted: Posted, count: Count) {
    let (decided, start) = (frame.decided(), frame.start.load(Relaxed));
    let timed = start != 0;
    let end = if timed { start.saturating_add(posted.ticks()) } else { 0 };
    let mut ending = Ending::Itself;
    if kind == EventKind::Transaction {
        if posted.is_special() {
            transaction::commit(frame);
        }
    } else {
        end_descendants(context, frame, end, count);
        if posted.is_special() {
            ending = Ending::Drop;
        }
    }
    if decided.flags().any(Flags::CURRENT) {
        finish(context, kind, frame, decided.flags(), end, ending);
    }
    close(context, kind, frame);
    count(kind, context, frame, decided, timed.then(|| elapsed(start, end)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_read_back() {
        for ticks in [0, 1, 2, 1000, 0x1fff_ffff, 3_000_000_000_000] {
            for (serial, special) in [(0, false), (1, true), (0x3f_ffff, false), (0x40_0001, true)] {
                let posted = Posted::new(serial, ticks, special);
                assert_ne!(posted.0, 0);
                assert!(posted.is_of(serial));
                assert!(!posted.is_of(serial + 1));
                assert_eq!(posted.is_special(), special);
                assert!(posted.ticks().abs_diff(ticks) <= ticks >> 29, "{} of {ticks}", posted.ticks());
            }
        }
        assert_eq!(Posted::new(7, 0x1fff_ffff, false).ticks(), 0x1fff_ffff);
    }

    #[test]
    fn serials_go_round() {
        assert!(Posted::new(5, 0, false).is_later_than(4));
        assert!(!Posted::new(4, 0, false).is_later_than(4));
        assert!(!Posted::new(3, 0, false).is_later_than(4));
        assert!(Posted::new(0x40_0000, 0, false).is_later_than(0x3f_ffff));
        assert!(!Posted::new(0x3f_ffff, 0, false).is_later_than(0x40_0000));
    }
}
