//! Contexts: which one the calling OS thread has, how one is registered and how it ends.
//!
//! A context is owned by exactly one OS thread or one [`session`], so that its single writer is proved by
//! ownership. Nothing here knows who the actor behind a session is.

mod current;
mod life;
pub mod session;
pub mod thread;

pub(crate) use current::{attend, current};

use crate::model::Context;
use core::sync::atomic::Ordering;

impl Context {
    /// Whether events of this context are counted as nobody's, because there was no free context.
    #[inline]
    pub(crate) fn is_overflow(&self) -> bool {
        self.waits.load(Ordering::Relaxed).is_null()
    }

    /// The context's `THREAD_ID`, zero for a placeholder.
    #[inline(always)]
    pub(crate) fn id(&self) -> u64 {
        self.thread_id.load(Ordering::Relaxed)
    }
}
