//! The error of a statement: in its record, or left for it by another thread.

use core::sync::atomic::{AtomicU32, AtomicU64};

/// Words of an error message: 128 bytes.
pub const MESSAGE_WORDS: usize = 16;

/// Number, SQLSTATE and message of an error. The length is in bytes.
#[derive(Debug)]
#[repr(C)]
pub struct ErrorText {
    /// The error number; meaning only with a SQLSTATE.
    pub errno: AtomicU32,
    /// Bytes of the message.
    pub message_length: AtomicU32,
    /// Five bytes of SQLSTATE, zero for none.
    pub sqlstate: AtomicU64,
    /// The message.
    pub message: [AtomicU64; MESSAGE_WORDS],
}

laid_out!(ErrorText { errno, message_length, sqlstate, message });

/// What is left with the end of a statement that failed where its context is not.
#[derive(Debug)]
#[repr(C)]
pub struct Failure {
    /// The time that the statement took, in raw ticks.
    pub ticks: AtomicU64,
    /// Its error.
    pub error: ErrorText,
}

laid_out!(Failure { ticks, error });
