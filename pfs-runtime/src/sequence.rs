//! The sequence number: words that belong together are changed by one thread and read whole by any, and neither waits
//! for the other. Which words stand behind it is not known here.
//!
//! The words themselves are atomics, stored and loaded relaxed. A reader that saw a word of a change sees, behind its
//! acquire fence, the odd number that the writer stored before its release fence; so a number that is even and the same
//! before and after the words were read means that all of them are of one moment.

use crate::atomic::{AtomicU64, Ordering, fence, wait_for_writer};

/// How often a reader tries words that are being changed before it gives up. A model tries once: a second try sees
/// nothing that a later first one would not.
const READS: usize = if cfg!(loom) { 1 } else { 256 };

/// A number that is odd while the words behind it change.
///
/// All-zero memory is the number of words that were never written.
#[repr(transparent)]
#[derive(Debug)]
pub struct Sequence(AtomicU64);

laid_out!(Sequence { 0 });

impl Sequence {
    /// The number of words that were never written.
    #[cfg(not(loom))]
    pub const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// The number of words that were never written.
    #[cfg(loom)]
    pub fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Runs `change` so that no reader sees a part of it; tells how often the words had been written before. Only the
    /// words' one writer may call this; when they get another writer, what this one did must happen before what the
    /// other does.
    ///
    /// Cost: a load and two stores; on x86-64 no fence and no read-modify-write.
    #[inline(always)]
    pub fn write(&self, change: impl FnOnce()) -> u64 {
        let before = self.0.load(Ordering::Relaxed);
        self.0.store(before.wrapping_add(1), Ordering::Relaxed);
        self.finish(before, change);
        before >> 1
    }

    /// Runs `change` so that no reader sees a part of it, and so that a signal handler that interrupts the writer in here
    /// finds either the words changing or may make a change of its own, which is not lost. Only the words' one writer may
    /// call this, and only while they are not changing.
    ///
    /// Cost: two additions in memory, on x86-64 two instructions.
    #[inline(always)]
    pub(crate) fn write_interruptibly(&self, change: impl FnOnce()) {
        self.advance(Ordering::Relaxed);
        fence(Ordering::Release);
        change();
        self.advance(Ordering::Release);
    }

    /// Whether the words were written before and are not changing now. Only their one writer may call this, or what
    /// interrupts it. Cost: one load.
    #[inline(always)]
    pub(crate) fn is_at_rest(&self) -> bool {
        // What is odd or zero is not above zero when its last bit becomes its sign.
        self.0.load(Ordering::Relaxed).rotate_right(1).cast_signed() > 0
    }

    /// Whether the words are changing: asked by what interrupts their one writer.
    pub(crate) fn is_changing(&self) -> bool {
        self.0.load(Ordering::Relaxed) & 1 == 1
    }

    /// Adds one, in a step that a signal handler on this thread comes before or after.
    #[inline(always)]
    fn advance(&self, ordering: Ordering) {
        #[cfg(one_instruction_adds)]
        {
            let _ = ordering;
            // SAFETY: the word is an atomic that no other thread stores to. The instruction is the load and the store of a
            // relaxed addition; on this processor stores are seen in order, and the compiler moves no access across it,
            // so that it orders as a release would.
            unsafe {
                core::arch::asm!("inc qword ptr [{}]", in(reg) self.0.as_ptr(), options(nostack));
            }
        }
        #[cfg(not(one_instruction_adds))]
        self.0.fetch_add(1, ordering);
    }

    /// How often the words were written. Only their one writer may call this.
    #[inline(always)]
    pub fn writes(&self) -> u64 {
        self.0.load(Ordering::Relaxed) >> 1
    }

    /// Says that a change is over whose writer is no more, in a process where the caller is alone. What the words hold may be
    /// of before the change and after it.
    pub(crate) fn mend(&self) {
        if self.is_changing() {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Starts anew, for words that no reader takes for whole any more, as it finds out by other means.
    pub fn restart(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Runs `change` as the `nth` write, for words that several threads may come to write at once: if another one is
    /// at it, or that write or a later one was made before, nothing is done. Tells whether it was.
    ///
    /// Cost: an atomic exchange.
    #[inline]
    pub fn write_nth(&self, nth: u64, change: impl FnOnce()) -> bool {
        let before = self.0.load(Ordering::Relaxed);
        // Acquire: the stores of the writer before this one come before this one's.
        let claimed = before & 1 == 0
            && before < 2 * nth
            && self.0.compare_exchange(before, 2 * nth - 1, Ordering::Acquire, Ordering::Relaxed).is_ok();
        if claimed {
            self.finish(2 * nth - 2, change);
        }
        claimed
    }

    /// Makes the change, now that the number is odd.
    #[inline(always)]
    fn finish(&self, before: u64, change: impl FnOnce()) {
        fence(Ordering::Release);
        change();
        self.0.store(before.wrapping_add(2), Ordering::Release);
    }

    /// Runs `read` on the words while they are whole, with how often they were written; `None` if they changed at
    /// every try.
    pub fn read<R>(&self, mut read: impl FnMut(u64) -> R) -> Option<R> {
        for tries in 0..READS {
            let before = self.0.load(Ordering::Acquire);
            if before & 1 == 0 {
                let read = read(before >> 1);
                fence(Ordering::Acquire);
                if self.0.load(Ordering::Relaxed) == before {
                    return Some(read);
                }
            }
            wait_for_writer(tries);
        }
        None
    }

    /// Which write was made last, or is being made; 0 if none was. It may be another when the words are read.
    pub fn last(&self) -> u64 {
        self.0.load(Ordering::Relaxed).div_ceil(2)
    }
}

impl Default for Sequence {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, loom))]
mod loom_models {
    use super::*;
    use crate::loom_models::check;
    use loom::sync::Arc;
    use loom::thread;

    #[test]
    fn words_are_read_whole_with_the_number_of_their_writes() {
        check(3, || {
            let words = Arc::new((Sequence::new(), [AtomicU64::new(0), AtomicU64::new(0)]));
            let reader = thread::spawn({
                let words = words.clone();
                move || {
                    let read = |writes| (writes, [0, 1].map(|at: usize| words.1[at].load(Ordering::Relaxed)));
                    for (writes, [one, other]) in
                        [words.0.read(read), words.0.read(read)].into_iter().flatten()
                    {
                        assert_eq!([one, other], [writes, 10 * writes]);
                    }
                }
            });
            for nth in 1..=2 {
                let before = words.0.write(|| {
                    words.1[0].store(nth, Ordering::Relaxed);
                    words.1[1].store(10 * nth, Ordering::Relaxed);
                });
                assert_eq!(before, nth - 1);
            }
            reader.join().unwrap();
        });
    }
}
