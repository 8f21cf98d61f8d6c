//! Contexts: which one the calling OS thread has, how one is registered and how it ends.
//!
//! A context is owned by exactly one OS thread or one [`session`], so that its single writer is proved by
//! ownership. Nothing here knows who the actor behind a session is.

mod current;
mod door;
pub mod fork;
mod life;
mod os_thread;
pub mod session;
pub mod task;
pub mod thread;

pub(crate) use current::{at_hand, attend, current};
pub(crate) use door::{DOOR, Door, is_plugin, open};
