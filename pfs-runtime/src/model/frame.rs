//! The record of an event, and the frame of an event that is open.

use crate::class::{Class, EventKind, Word};
use crate::sequence::Sequence;
use crate::stat::Posted;
use core::panic::Location;
use core::sync::atomic::{AtomicPtr, AtomicU64};

/// The kind of the event that another one is nested in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum NestingType {
    /// A transaction.
    Transaction = 1,
    /// A statement.
    Statement = 2,
    /// A stage.
    Stage = 3,
    /// A wait.
    Wait = 4,
}

impl NestingType {
    pub(crate) fn from_number(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::Transaction),
            2 => Some(Self::Statement),
            3 => Some(Self::Stage),
            4 => Some(Self::Wait),
            _ => None,
        }
    }

    /// The text of the column `NESTING_EVENT_TYPE`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Transaction => "TRANSACTION",
            Self::Statement => "STATEMENT",
            Self::Stage => "STAGE",
            Self::Wait => "WAIT",
        }
    }
}

/// Who ended an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Ending {
    /// The code that began it, or nobody yet.
    Itself = 0,
    /// Its parent, which ended first.
    Parent = 1,
    /// Its context, which ended.
    Context = 2,
    /// Its future, which was dropped before it completed.
    Drop = 3,
}

impl Ending {
    pub(crate) fn from_number(number: u8) -> Self {
        match number {
            1 => Self::Parent,
            2 => Self::Context,
            3 => Self::Drop,
            _ => Self::Itself,
        }
    }

    /// The text of the column `ENDED_BY`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Itself => "ITSELF",
            Self::Parent => "PARENT",
            Self::Context => "CONTEXT",
            Self::Drop => "DROP",
        }
    }
}

/// The nearest recorded ancestor of an event, in one word; zero is none. Ids have 56 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nesting(pub(crate) u64);

impl Nesting {
    /// The event of that id and kind.
    #[inline(always)]
    pub const fn new(event_id: u64, kind: NestingType) -> Self {
        Self(event_id << 8 | kind as u64)
    }

    /// The ancestor's id and kind.
    #[expect(clippy::cast_possible_truncation, reason = "the low byte is the kind")]
    pub fn get(self) -> Option<(u64, NestingType)> {
        NestingType::from_number(self.0 as u8).map(|kind| (self.0 >> 8, kind))
    }
}

/// The small facts of an event in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meta {
    /// What a wait was doing; the number of an [`super::Operation`], 0 for none.
    pub operation: u8,
    /// Who ended the event.
    pub ending: Ending,
    /// How many statements enclose a statement.
    pub level: u16,
    /// The table's epoch when the record was written; a record of an earlier epoch was truncated away.
    pub epoch: u32,
}

impl Meta {
    #[inline(always)]
    pub(crate) const fn pack(self) -> u64 {
        self.operation as u64
            | (self.ending as u64) << 8
            | (self.level as u64) << 16
            | (self.epoch as u64) << 32
    }

    /// What was packed, of another epoch.
    #[inline(always)]
    pub(crate) const fn of_epoch(word: u64, epoch: u32) -> u64 {
        word & 0xffff_ffff | (epoch as u64) << 32
    }

    #[expect(clippy::cast_possible_truncation, reason = "each part is cut out by its width")]
    pub(crate) fn unpack(word: u64) -> Self {
        Self {
            operation: word as u8,
            ending: Ending::from_number((word >> 8) as u8),
            level: (word >> 16) as u16,
            epoch: (word >> 32) as u32,
        }
    }
}

/// An event as the event tables hold it.
///
/// `version` is odd while the record changes, even and not zero when it is whole, zero if it was never written.
/// An event id of zero is no event.
#[derive(Debug)]
#[repr(C)]
#[expect(missing_docs, reason = "the fields are the columns of the event tables")]
pub struct Record {
    pub version: Sequence,
    pub thread_id: AtomicU64,
    pub event_id: AtomicU64,
    /// Zero while the event is open.
    pub end_event_id: AtomicU64,
    pub class: AtomicPtr<Class>,
    /// Raw ticks; zero if the event is not timed.
    pub start: AtomicU64,
    /// Raw ticks; zero while the event is open or if it is not timed.
    pub end: AtomicU64,
    pub source: AtomicPtr<Location<'static>>,
    /// The address of a wait's instance; what a stage has completed of its work; a transaction's
    /// [`super::Characteristics`].
    pub object: AtomicU64,
    pub nesting: AtomicU64,
    pub meta: AtomicU64,
    /// The bytes of a wait, or all ones for none; what a stage estimates of its work; a transaction's `TRX_ID`, zero
    /// for none.
    pub bytes: AtomicU64,
}

laid_out!(Record {
    version,
    thread_id,
    event_id,
    end_event_id,
    class,
    start,
    end,
    source,
    object,
    nesting,
    meta,
    bytes
});

/// An open event of a context, and after its end the event that the current table still shows.
///
/// Written by the context's owner alone. A stage or wait that is not recorded leaves `record` as it is; a statement
/// empties it, because what is said of it lies beside.
#[derive(Debug)]
#[repr(C)]
pub struct Frame {
    /// The event, visible in the current table if it has an id.
    pub record: Record,
    /// The event that was innermost when this one began; the context's root for the outermost.
    pub parent: AtomicPtr<Frame>,
    /// See [`FrameWord`].
    pub word: AtomicU64,
    /// What a child shows as its parent: this event if it is recorded, else its own nearest recorded ancestor.
    pub nearest: AtomicU64,
    /// Raw ticks at the begin; zero if the event is not timed.
    pub start: AtomicU64,
    /// How many events the frame has held, so that a guard knows whether its event is still the one in the frame.
    pub serial: AtomicU64,
    /// That another thread has ended the event, for the owner to carry out. Not the owner's alone to write.
    pub posted: Posted,
}

laid_out!(Frame { record, parent, word, nearest, start, serial, posted });

impl Frame {
    /// A frame that holds no event.
    pub(crate) const fn empty() -> Self {
        const fn zero() -> AtomicU64 {
            AtomicU64::new(0)
        }
        Self {
            record: Record {
                version: Sequence::new(),
                thread_id: zero(),
                event_id: zero(),
                end_event_id: zero(),
                class: AtomicPtr::new(core::ptr::null_mut()),
                start: zero(),
                end: zero(),
                source: AtomicPtr::new(core::ptr::null_mut()),
                object: zero(),
                nesting: zero(),
                meta: zero(),
                bytes: zero(),
            },
            parent: AtomicPtr::new(core::ptr::null_mut()),
            word: zero(),
            nearest: zero(),
            start: zero(),
            serial: zero(),
            posted: Posted::new(),
        }
    }
}

/// What was decided of an event at its begin, in one word: what it may do in the low half, its class's index in 24
/// bits above, its frame's place among those of its kind in 6, its kind in the top 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameWord(pub(crate) u64);

impl FrameWord {
    /// Puts the parts together; `decided` is the class's word, cut down to what the event may do.
    #[inline(always)]
    pub(crate) fn new(kind: EventKind, place: u32, decided: Word) -> Self {
        Self((kind as u64) << 62 | u64::from(place) << 56 | decided.0)
    }

    /// The word of another event of the kind in the same frame.
    #[inline(always)]
    pub(crate) fn with(self, decided: Word) -> Self {
        Self(self.0 & 0xff00_0000_0000_0000 | decided.0)
    }

    /// The kind of event.
    pub(crate) fn kind(self) -> EventKind {
        EventKind::ALL[(self.0 >> 62) as usize % EventKind::ALL.len()]
    }

    /// The frame's place among those of its kind.
    #[inline(always)]
    pub(crate) fn place(self) -> u32 {
        (self.0 >> 56) as u32 & 0x3f
    }

    /// The class's index and what the event may do.
    #[inline(always)]
    pub(crate) fn decided(self) -> Word {
        Word(self.0 & 0x00ff_ffff_ffff_ffff)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::Flags;

    #[test]
    fn packed_words_unpack() {
        let meta = Meta { operation: 7, ending: Ending::Context, level: 513, epoch: u32::MAX };
        assert_eq!(Meta::unpack(meta.pack()), meta);
        assert_eq!(Meta::unpack(Meta::of_epoch(meta.pack(), 5)), Meta { epoch: 5, ..meta });
        assert_eq!(Nesting::new(1 << 40, NestingType::Stage).get(), Some((1 << 40, NestingType::Stage)));
        assert_eq!(Nesting::default().get(), None);
    }

    #[test]
    fn a_frame_s_word_unpacks() {
        let decided = Word::new(0x00ab_cdef, Flags::COUNT | Flags::TIMED);
        let word = FrameWord::new(EventKind::Statement, 63, decided);
        assert_eq!((word.kind(), word.place(), word.decided()), (EventKind::Statement, 63, decided));
        let other = Word::new(1, Flags::COUNT);
        assert_eq!(word.with(other), FrameWord::new(EventKind::Statement, 63, other));
    }
}
