//! What a statement's record holds beyond that of any event: counters, error, schema and text.

use super::ErrorText;
use crate::stat::STATEMENT_COUNTERS;
use core::sync::atomic::{AtomicU32, AtomicU64};

/// Words of a schema name: 64 bytes.
pub const SCHEMA_WORDS: usize = 8;

/// The statement part of a record. The text follows it in memory, in as many words as the schema was sized for.
///
/// Lengths are in bytes, written last of what they measure and read within the record's version. A detail whose
/// `state` is zero is all defaults, whatever its other fields hold.
#[derive(Debug)]
#[repr(C)]
pub struct Detail {
    /// Zero until the first value is set after the statement began; then whether the counters are the statement's own.
    pub state: AtomicU32,
    /// Bytes of the schema name, all ones for none.
    pub schema_length: AtomicU32,
    /// The statement's error.
    pub error: ErrorText,
    /// `LOCK_TIME` … `COUNT_SECONDARY`.
    pub counters: [AtomicU64; STATEMENT_COUNTERS],
    /// Which digest the statement has: the word of a [`DigestId`](crate::schema).
    pub digest: AtomicU64,
    /// The schema the statement runs in.
    pub schema: [AtomicU64; SCHEMA_WORDS],
    /// Bytes of text kept.
    pub text_length: AtomicU32,
    /// Whether the text was longer, or there is none: see [`Detail::TEXT_NONE`].
    pub text_state: AtomicU32,
}

laid_out!(Detail { state, schema_length, error, counters, digest, schema, text_length, text_state });

impl Detail {
    /// No text was given.
    pub const TEXT_NONE: u32 = 0;
    /// The text is all there.
    pub const TEXT_WHOLE: u32 = 1;
    /// The text was cut.
    pub const TEXT_CUT: u32 = 2;
}
