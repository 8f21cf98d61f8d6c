//! The hot path where the engine is compiled out: each probe is the operation that it is around, and no more.
//!
//! Every function that the modules above call of the engine's `probe` stands here with the same signature. What they
//! take is not looked at, and what they give has no size, so that an optimised build has the operation's own code.

#![allow(
    clippy::unused_self,
    clippy::trivially_copy_pass_by_ref,
    reason = "the signatures are those of the engine"
)]

pub mod first;
pub mod lock;
pub mod held;
pub mod polled;
pub mod scope;
pub mod transaction;
pub mod wait;
