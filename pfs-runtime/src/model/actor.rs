//! The record of an actor: an account, a user or a host, with how many sessions it has and had.

use crate::slots::Life;
use core::sync::atomic::{AtomicU32, AtomicU64};

/// Bytes of a user's name that are kept.
pub const USER_BYTES: usize = 128;
/// Bytes of a host's name that are kept.
pub const HOST_BYTES: usize = 256;

/// A text of at most `8 * N` bytes, or none.
#[derive(Debug)]
#[repr(C)]
pub struct Name<const N: usize> {
    /// Bytes there are and one; zero for none.
    pub length: AtomicU32,
    /// The bytes.
    pub words: [AtomicU64; N],
}

laid_out!(impl[const N: usize] Name<N> as Name { length, words });

/// An account, user or host. Its rows of statistics follow it in memory: what ended contexts of it counted.
///
/// The names are written at the begin of a life and never change in it.
#[derive(Debug)]
#[repr(C, align(128))]
#[expect(missing_docs, reason = "the fields are the columns of `accounts`")]
pub struct Actor {
    pub life: Life,
    pub current_connections: AtomicU64,
    pub total_connections: AtomicU64,
    /// Tasks that are its, begun or not. They are no connections, but while there are some it stays.
    pub tasks: AtomicU64,
    pub user: Name<{ USER_BYTES / 8 }>,
    pub host: Name<{ HOST_BYTES / 8 }>,
}

laid_out!(Actor { life, current_connections, total_connections, tasks, user, host });
