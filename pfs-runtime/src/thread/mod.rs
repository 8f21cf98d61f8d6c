//! `std::thread` with its threads and waits instrumented; what is not wrapped is std's own.
//!
//! Replacing `std::thread::` by `pfs::thread::` is a complete change. A thread spawned here has a row in `threads`
//! from its first moment, with the thread that spawned it as its parent; one spawned by `std::thread` has a row from
//! its first event. Sleeping, parking and joining are waits of classes `wait/synch/cond/std/…`.

mod class;
mod open;
mod scope;
mod spawn;
mod wait;

pub use self::class::ThreadClass;
pub use self::open::end_open_events;
pub use self::scope::{Scope, ScopedJoinHandle, scope};
pub use self::spawn::{Builder, JoinHandle, spawn};
#[expect(deprecated, reason = "part of std's interface")]
pub use self::wait::{park, park_timeout, park_timeout_ms, sleep, sleep_ms};
// The names above shadow std's, so that this stays complete when std grows.
pub use std::thread::*;
