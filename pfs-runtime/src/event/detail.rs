//! The statement part of a record: set while the statement runs, copied when it ends, read with its record.

use crate::class::Flags;
use crate::model::{Detail, ErrorText, Frame, MESSAGE_WORDS, Record, SCHEMA_WORDS};
use crate::schema::DigestId;
use crate::stat::STATEMENT_COUNTERS;
use crate::words;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Length of a schema name that was not set.
const NONE: u32 = u32::MAX;

/// State: something was set since the statement began.
const SET: u32 = 1;
/// State: so was a counter. Before that, the counters are an earlier statement's.
const COUNTED: u32 = 1 << 1;
/// State: the statement has a digest.
const DIGESTED: u32 = 1 << 2;

/// A text as it is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptText {
    /// Words that hold it.
    pub(crate) words: &'static [AtomicU64],
    /// Its bytes.
    pub(crate) length: u32,
}

impl KeptText {
    pub(crate) fn is_empty(self) -> bool {
        self.length == 0
    }

    /// The text, copied out if there is room for it.
    pub(crate) fn copied(self, room: &mut [u8]) -> Option<&[u8]> {
        let text = room.get_mut(..self.length as usize)?;
        words::fill(text, self.words);
        Some(text)
    }
}

impl Detail {
    /// The detail of a statement's record, be it in a frame or in a history.
    #[inline]
    pub(crate) fn of(record: &Record) -> &'static Self {
        // SAFETY: the layout gives every record of a statement a frame's size, and a detail and its text right
        // behind that, in the mapping.
        unsafe { &*core::ptr::from_ref(record).byte_add(size_of::<Frame>()).cast() }
    }

    fn text(&self, bytes: usize) -> &'static [AtomicU64] {
        // SAFETY: the text's words follow the detail in the mapping; no caller asks for more bytes than the
        // layout's text length, which was rounded up to words.
        unsafe { core::slice::from_raw_parts(core::ptr::from_ref(self).add(1).cast(), bytes.div_ceil(8)) }
    }

    /// The counter of errors, by its place among the columns.
    pub(crate) const ERRORS: usize = 1;

    /// Changes what is said of the statement that is open in a frame, as a whole if it has a row that is visible.
    #[inline]
    pub(crate) fn change(frame: &Frame, act: impl FnOnce(&'static Self)) {
        let detail = Self::of(&frame.record);
        if frame.decided().flags().any(Flags::CURRENT) {
            frame.record.write(|_| act(detail));
        } else {
            act(detail);
        }
    }

    /// Whether anything was set since the statement began.
    #[inline]
    pub(crate) fn is_set(&self) -> bool {
        self.state.load(Relaxed) != 0
    }

    /// Whether any counter was added to since the statement began.
    #[inline]
    pub(crate) fn has_counters(&self) -> bool {
        self.state.load(Relaxed) & COUNTED != 0
    }

    /// Whether the statement has more to count than itself: counters, or a digest.
    #[inline]
    pub(crate) fn has_more(&self) -> bool {
        self.state.load(Relaxed) & (COUNTED | DIGESTED) != 0
    }

    /// Forgets what an earlier statement left.
    #[inline]
    pub(crate) fn reset(&self) {
        self.state.store(0, Relaxed);
    }

    /// Prepares the detail for its first value.
    #[inline]
    fn touch(&self) {
        if !self.is_set() {
            self.error.sqlstate.store(0, Relaxed);
            self.error.message_length.store(0, Relaxed);
            self.schema_length.store(NONE, Relaxed);
            self.text_length.store(0, Relaxed);
            self.text_state.store(Self::TEXT_NONE, Relaxed);
            self.state.store(SET, Relaxed);
        }
    }

    pub(crate) fn add_counter(&self, counter: usize, by: u64) {
        self.touch();
        if !self.has_counters() {
            for counter in &self.counters {
                counter.store(0, Relaxed);
            }
            self.state.store(self.state.load(Relaxed) | COUNTED, Relaxed);
        }
        let counter = &self.counters[counter];
        counter.store(counter.load(Relaxed).wrapping_add(by), Relaxed);
    }

    pub(crate) fn counters(&self) -> [u64; STATEMENT_COUNTERS] {
        if self.has_counters() {
            core::array::from_fn(|at| self.counters[at].load(Relaxed))
        } else {
            [0; STATEMENT_COUNTERS]
        }
    }

    /// Keeps as much of `text` as fits in `limit` bytes.
    pub(crate) fn set_text(&self, text: &[u8], limit: usize) {
        self.touch();
        let kept = words::boundary(text, limit);
        words::write(self.text(kept), &text[..kept]);
        let state = if kept == text.len() { Self::TEXT_WHOLE } else { Self::TEXT_CUT };
        self.text_length.store(u32::try_from(kept).unwrap_or(0), Relaxed);
        self.text_state.store(state, Relaxed);
    }

    /// Says which digest the statement has.
    pub(crate) fn set_digest(&self, id: DigestId) {
        self.touch();
        self.digest.store(id.word(), Relaxed);
        let others = self.state.load(Relaxed) & !DIGESTED;
        self.state.store(others | if id == DigestId::NONE { 0 } else { DIGESTED }, Relaxed);
    }

    /// Which digest the statement has.
    pub(crate) fn digest(&self) -> DigestId {
        match self.state.load(Relaxed) & DIGESTED {
            0 => DigestId::NONE,
            _ => DigestId::from_word(self.digest.load(Relaxed)),
        }
    }

    /// The text as it is kept, and whether it was cut.
    pub(crate) fn kept_text(&self) -> (KeptText, u32) {
        if !self.is_set() {
            return (KeptText { words: &[], length: 0 }, Self::TEXT_NONE);
        }
        let length = self.text_length.load(Relaxed);
        (KeptText { words: self.text(length as usize), length }, self.text_state.load(Relaxed))
    }

    /// The schema's name as it is kept.
    pub(crate) fn kept_schema(&self) -> Option<([u8; SCHEMA_WORDS * 8], usize)> {
        let length = if self.is_set() { self.schema_length.load(Relaxed) } else { NONE };
        if length == NONE {
            return None;
        }
        let mut name = [0; SCHEMA_WORDS * 8];
        words::fill(&mut name, &self.schema);
        Some((name, (length as usize).min(SCHEMA_WORDS * 8)))
    }

    pub(crate) fn set_schema(&self, name: &str) {
        self.touch();
        let kept = words::boundary(name.as_bytes(), SCHEMA_WORDS * 8);
        words::write(&self.schema, &name.as_bytes()[..kept]);
        self.schema_length.store(u32::try_from(kept).unwrap_or(NONE), Relaxed);
    }

    pub(crate) fn set_error(&self, write: impl FnOnce(&ErrorText)) {
        self.touch();
        write(&self.error);
    }

    /// Copies what is set, and no more words than are used.
    pub(crate) fn copy_to(&self, into: &Self) {
        into.state.store(self.state.load(Relaxed), Relaxed);
        if !self.is_set() {
            return;
        }
        if self.has_counters() {
            words::copy(&self.counters, &into.counters);
        }
        into.digest.store(self.digest.load(Relaxed), Relaxed);
        self.error.copy_to(&into.error);
        let length = self.schema_length.load(Relaxed);
        if length != NONE {
            words::copy(&self.schema[..(length as usize).div_ceil(8)], &into.schema);
        }
        into.schema_length.store(length, Relaxed);
        let length = self.text_length.load(Relaxed);
        words::copy(self.text(length as usize), into.text(length as usize));
        into.text_length.store(length, Relaxed);
        into.text_state.store(self.text_state.load(Relaxed), Relaxed);
    }

    /// What was set, copied out. The caller reads within the record's version; `limit` bounds what a torn length
    /// could ask for.
    pub(crate) fn read(&self, limit: usize) -> DetailRecord {
        if !self.is_set() {
            return DetailRecord::default();
        }
        let schema = self.schema_length.load(Relaxed);
        let text_length = (self.text_length.load(Relaxed) as usize).min(limit);
        let text_state = self.text_state.load(Relaxed);
        DetailRecord {
            counters: self.counters(),
            digest: self.digest(),
            error: self.error.read(),
            schema: (schema != NONE)
                .then(|| words::read(&self.schema, (schema as usize).min(SCHEMA_WORDS * 8))),
            text: (text_state != Self::TEXT_NONE).then(|| {
                words::shown(self.text(text_length), text_length, text_state == Self::TEXT_CUT, limit)
            }),
        }
    }
}

impl ErrorText {
    /// Keeps as much of the message as fits.
    pub(crate) fn set(&self, errno: i32, sqlstate: &str, message: &str) {
        self.errno.store(errno.cast_unsigned(), Relaxed);
        let mut state = [0; 8];
        let kept = words::boundary(sqlstate.as_bytes(), 5);
        state[..kept].copy_from_slice(&sqlstate.as_bytes()[..kept]);
        self.sqlstate.store(u64::from_le_bytes(state), Relaxed);
        let kept = words::boundary(message.as_bytes(), MESSAGE_WORDS * 8);
        words::write(&self.message, &message.as_bytes()[..kept]);
        self.message_length.store(u32::try_from(kept).unwrap_or(0), Relaxed);
    }

    /// Copies no more words of the message than are used.
    pub(crate) fn copy_to(&self, into: &Self) {
        into.errno.store(self.errno.load(Relaxed), Relaxed);
        into.sqlstate.store(self.sqlstate.load(Relaxed), Relaxed);
        let length = self.message_length.load(Relaxed);
        words::copy(&self.message[..(length as usize).div_ceil(8)], &into.message);
        into.message_length.store(length, Relaxed);
    }

    fn read(&self) -> Option<StatementError> {
        let sqlstate = self.sqlstate.load(Relaxed).to_le_bytes();
        let state = sqlstate[..5].split(|byte| *byte == 0).next().unwrap_or_default();
        (sqlstate[0] != 0).then(|| {
            let length = (self.message_length.load(Relaxed) as usize).min(MESSAGE_WORDS * 8);
            StatementError {
                errno: self.errno.load(Relaxed).cast_signed(),
                sqlstate: String::from_utf8_lossy(state).into_owned(),
                message: words::read(&self.message, length),
            }
        })
    }
}

/// A statement's error, as its row shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatementError {
    /// `MYSQL_ERRNO`.
    pub errno: i32,
    /// `RETURNED_SQLSTATE`.
    pub sqlstate: String,
    /// `MESSAGE_TEXT`.
    pub message: String,
}

/// The statement part of a record, copied out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DetailRecord {
    /// `LOCK_TIME` … `COUNT_SECONDARY`.
    pub counters: [u64; STATEMENT_COUNTERS],
    /// Its digest.
    pub(crate) digest: DigestId,
    /// The statement's error.
    pub error: Option<StatementError>,
    /// `CURRENT_SCHEMA`.
    pub schema: Option<String>,
    /// `SQL_TEXT`, ending in `...` if it was cut.
    pub text: Option<String>,
}
