//! A digest: what is counted of the statements that are alike but for their values, and a sample of them.

use super::SCHEMA_WORDS;
use crate::sequence::Sequence;
use crate::stat::{STATEMENT_FIELDS, Shared};
use core::sync::atomic::{AtomicU32, AtomicU64};

/// A digest. Its tokens, its histogram and the text of its sample lie in buffers of their own.
///
/// What tells it from others is written before the digest is found by anybody, and stays.
#[derive(Debug)]
#[repr(C)]
pub struct Digest {
    /// By which it is found: a hash of schema and tokens.
    pub hash: [AtomicU64; 2],
    /// The SHA-256 of its text, which is shown.
    pub sha256: [AtomicU64; 4],
    /// Bytes of its tokens.
    pub tokens_length: AtomicU32,
    /// Bytes of the schema's name, all ones for none.
    pub schema_length: AtomicU32,
    /// The schema that its statements run in.
    pub schema: [AtomicU64; SCHEMA_WORDS],
    /// Raw ticks of when it was first met.
    pub first_seen: AtomicU64,
    /// Raw ticks of when one of its statements last ended.
    pub last_seen: AtomicU64,
    /// Its statements.
    pub statements: Shared<STATEMENT_FIELDS>,
    /// One of its statements.
    pub sample: Sample,
}

laid_out!(Digest {
    hash,
    sha256,
    tokens_length,
    schema_length,
    schema,
    first_seen,
    last_seen,
    statements,
    sample
});

/// A statement of a digest, kept as a sample of its kind.
#[derive(Debug)]
#[repr(C)]
pub struct Sample {
    /// Set while somebody replaces the sample; who comes meanwhile leaves it.
    pub busy: AtomicU32,
    /// Bytes of its text; zero for no sample.
    pub length: AtomicU32,
    /// [`super::Detail`]'s state of the text.
    pub state: AtomicU32,
    /// Changes with each sample.
    pub version: Sequence,
    /// Raw ticks of when it ended.
    pub seen: AtomicU64,
    /// How long it took, in ticks; zero if it was not timed.
    pub ticks: AtomicU64,
}

laid_out!(Sample { busy, length, state, version, seen, ticks });
