//! `crossbeam` with its channels, scoped threads and what its threads wait for instrumented; the rest is crossbeam's
//! own. Feature `crossbeam`.
//!
//! Replacing `crossbeam::` by `pfs::crossbeam::` is a complete change, as is `crossbeam_channel::` by
//! `pfs::crossbeam::channel::`. Ours are wrappers: all waiting, waking and ordering is crossbeam's.
//!
//! ```
//! use pfs::crossbeam::channel::{after, select, unbounded};
//! use std::time::Duration;
//!
//! let (jobs, inbox) = pfs::crossbeam::channel::bounded!("kv/jobs", 16);
//! let (stop, stopped) = unbounded::<()>();
//! let worker = pfs::thread_class!("kv/worker").spawn(move || {
//!     let mut done = 0;
//!     loop {
//!         select! {
//!             recv(inbox) -> job => done += job.unwrap_or(0),
//!             recv(stopped) -> _ => return done,
//!             recv(after(Duration::from_secs(5))) -> _ => println!("nothing to do"),
//!         }
//!     }
//! });
//! jobs.send(3).unwrap();
//! # while !jobs.is_empty() { std::thread::yield_now() }
//! drop(stop);
//! assert_eq!(worker.join().unwrap(), 3);
//! ```
//!
//! # What is an event
//!
//! All are of kind cond.
//!
//! - [`channel`]: receiving that may block, one event a call; a send to a channel that is full; a selection that may
//!   block. Its page says more.
//! - [`sync`]: each `park` of a [`Parker`](sync::Parker), of class `wait/synch/cond/crossbeam/park`; each `wait` of a
//!   [`WaitGroup`](sync::WaitGroup), of class `…/wait_group`.
//! - [`thread`]: each [`join`](thread::ScopedJoinHandle::join), of class `…/join`. The joining that crossbeam does at a
//!   scope's end is not an event. Scoped threads have a row in `threads` from their first moment.

mod class;

pub mod channel;
pub mod sync;
pub mod thread;

pub use self::channel::select;
pub use self::thread::scope;
// The names above shadow crossbeam's, so that this stays complete when crossbeam grows.
pub use ::crossbeam::*;
