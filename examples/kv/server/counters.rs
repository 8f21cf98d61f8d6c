//! What INFO counts.

use std::sync::atomic::AtomicU64;

#[derive(Debug, Default)]
pub(crate) struct Counters {
    /// Connections open now.
    pub(crate) connected: AtomicU64,
    pub(crate) accepted: AtomicU64,
    /// Connections turned away because there were too many.
    pub(crate) rejected: AtomicU64,
    pub(crate) commands: AtomicU64,
    /// Connections closed because of what they sent.
    pub(crate) protocol_errors: AtomicU64,
    /// Keys dropped by the expirer.
    pub(crate) expired: AtomicU64,
}
