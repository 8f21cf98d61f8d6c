//! `crossbeam::sync` with what threads wait for instrumented; what is not wrapped is crossbeam's own.
//!
//! `ShardedLock` is not: that its readers write nothing in common is what it is for, and a row of its own would be
//! written by all of them.

mod parker;
mod wait_group;

pub use self::parker::Parker;
pub use self::wait_group::WaitGroup;
// The names above shadow crossbeam's, so that this stays complete when crossbeam grows.
pub use ::crossbeam::sync::*;
