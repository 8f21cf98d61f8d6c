//! The words of a hash table of slots: what an entry is, and in which order the entries of a hash lie.

use crate::atomic::AtomicU64;

/// The words, a power of two of them or none. A word is 32 bits of a hash above the slot and one; zero is a gap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entries<'a>(pub(super) &'a [AtomicU64]);

laid_out!(impl['a] Entries<'a> as Entries { 0 });

impl<'a> Entries<'a> {
    /// Words for so many slots: at least twice as many, so that there are always gaps and few steps to one.
    pub(super) const fn count_for(slots: u32) -> usize {
        if slots == 0 { 0 } else { (2 * slots as usize).next_power_of_two() }
    }

    /// These words, or a panic if their number is none that [`Entries::count_for`] gives.
    pub(super) fn new(words: &'a [AtomicU64]) -> Self {
        assert!(words.is_empty() || words.len().is_power_of_two());
        Self(words)
    }

    /// Where entries of this hash begin: by the bits that an entry keeps, so that each tells its own home.
    pub(super) fn home(self, hash: u64) -> usize {
        usize::try_from(tag(hash)).unwrap_or(0) & self.0.len().wrapping_sub(1)
    }

    /// The place behind this one, the first behind the last.
    pub(super) fn after(self, at: usize) -> usize {
        (at + 1) & (self.0.len() - 1)
    }

    /// How many steps lead from one place to another.
    pub(super) fn steps(self, from: usize, to: usize) -> usize {
        to.wrapping_sub(from) & (self.0.len() - 1)
    }
}

/// The entry of a slot whose object has this hash.
pub(super) const fn entry(hash: u64, slot: u32) -> u64 {
    tag(hash) << 32 | (slot as u64 + 1)
}

/// Whether an entry may be of this hash.
pub(super) const fn may_be(entry: u64, hash: u64) -> bool {
    tag(entry) == tag(hash)
}

/// The slot of an entry.
#[expect(clippy::cast_possible_truncation, reason = "the low half is a slot and one")]
pub(super) const fn slot(entry: u64) -> u32 {
    (entry as u32).wrapping_sub(1)
}

const fn tag(hash: u64) -> u64 {
    hash >> 32
}
