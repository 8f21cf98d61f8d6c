//! The word of a class: its index and every setting that bears on its events, folded together.

use crate::clock::Resolution;
use core::ops::{BitAnd, BitOr};

/// Bits of a class's word and of a context's mask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Flags(pub(crate) u32);

impl Flags {
    /// Nothing happens.
    pub const NONE: Self = Self(0);
    /// Events are counted.
    pub const COUNT: Self = Self(1);
    /// Every event is timed.
    pub const TIMED: Self = Self(1 << 1);
    /// Only an acquisition that does not succeed at once is timed.
    pub const CONTENDED: Self = Self(1 << 2);
    /// Events get an id and a row in the current table.
    pub const CURRENT: Self = Self(1 << 3);
    /// Ended events are copied to the context's history.
    pub const HISTORY: Self = Self(1 << 4);
    /// Ended events are copied to the long history.
    pub const HISTORY_LONG: Self = Self(1 << 5);
    /// Statement text is kept.
    pub const TEXT: Self = Self(1 << 6);
    /// Statistics go to rows that belong to no context.
    pub const GLOBAL_ONLY: Self = Self(1 << 7);
    /// The clock is not the bare cycle counter.
    pub const SLOW_CLOCK: Self = Self(1 << 8);
    /// Of a class of threads: its threads begin uninstrumented.
    pub const UNINSTRUMENTED: Self = Self(1 << 9);
    /// Of a class of threads: its threads begin without a history.
    pub const NO_HISTORY: Self = Self(1 << 10);
    /// The class of the object is not found yet: its first event finds it.
    pub const FRESH: Self = Self(1 << 11);
    /// Of an open event: there may be others in it although it is innermost, those of futures that are not polled just now;
    /// or it is not to be counted any more.
    pub const UNUSUAL_END: Self = Self(1 << 12);
    /// Statements are counted by digest.
    pub const DIGEST: Self = Self(1 << 13);
    /// Where the number of a [`Resolution`] lies, of a clock that is not the bare cycle counter.
    const RESOLUTION: u32 = 16;
    /// Set in every word that is not zero and in the mask of a context that has something to do first.
    pub const ATTENTION: Self = Self(crate::stat::Requests::ATTENTION);

    /// What keeps an event off the short way: its context has something to do first, its statistics go elsewhere,
    /// its clock is not the cycle counter, or its class has to be found.
    pub const LONG_WAY: Self =
        Self(Self::GLOBAL_ONLY.0 | Self::SLOW_CLOCK.0 | Self::FRESH.0 | Self::ATTENTION.0);
    /// What a context that is instrumented lets through.
    pub const ALL: Self = Self(!Self::ATTENTION.0);

    /// That times advance by such steps.
    pub(crate) const fn of_resolution(resolution: Resolution) -> Self {
        Self((resolution as u32) << Self::RESOLUTION)
    }

    /// By which steps times advance.
    #[expect(clippy::cast_possible_truncation, reason = "the number is cut out by its width")]
    pub(crate) const fn resolution(self) -> Resolution {
        Resolution::from_number((self.0 >> Self::RESOLUTION) as u8 & 7)
    }

    /// Whether any bit of `other` is set.
    #[inline(always)]
    pub const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether exactly the bits of `other` are set.
    #[inline(always)]
    pub const fn only(self, other: Self) -> bool {
        self.0 == other.0
    }

    /// Whether no bit is set.
    #[inline(always)]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// These bits without those of `other`.
    #[must_use]
    #[inline(always)]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl BitOr for Flags {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for Flags {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// A class's index above its flags. Zero is a class that does nothing: not started, or disabled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Word(pub(crate) u64);

impl Word {
    /// The word of the class at `index` among the rows of its kind of event.
    pub(crate) fn new(index: u32, flags: Flags) -> Self {
        if flags.is_none() {
            Self(0)
        } else {
            Self(u64::from(index) << 32 | u64::from((flags | Flags::ATTENTION).0))
        }
    }

    /// The same class with these flags.
    #[must_use]
    #[inline(always)]
    pub(crate) const fn with(self, flags: Flags) -> Self {
        Self(self.0 & 0xffff_ffff_0000_0000 | flags.0 as u64)
    }

    /// Whether events of the class are the raw operation.
    #[inline(always)]
    pub const fn is_off(self) -> bool {
        self.0 == 0
    }

    /// The flags.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the low half is the flags")]
    pub const fn flags(self) -> Flags {
        Flags(self.0 as u32)
    }

    /// The index of the class's row.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 >> 32) as usize
    }
}
