//! A performance schema for Rust servers: every lock, stage, statement and thread that the code names is counted,
//! timed and attributed, always on, in memory fixed at start, without a lock of its own, and can be read while the
//! server runs.
//!
//! ```
//! use pfs::prelude::*;
//! use pfs::sync::Mutex;
//!
//! #[instrument_mutex("shop/LOCK_orders")]
//! static ORDERS: Mutex<Vec<u32>> = Mutex::new(Vec::new());
//!
//! #[statement("shop/order")]
//! fn order(item: u32) {
//!     ORDERS.lock().unwrap().push(item);
//! }
//!
//! let pfs = pfs::Config::new().start()?;
//! order(7);
//! # if !pfs::COMPILED_IN { return Ok(()) }
//! let row = pfs
//!     .events_statements_summary_global_by_event_name()
//!     .find(|row| row.event_name == "statement/shop/order")
//!     .unwrap();
//! assert_eq!(row.summary.count_star, 1);
//! # Ok::<(), pfs::StartError>(())
//! ```
//!
//! This crate is the one that users name: it re-exports the engine, `pfs-runtime`, and the macros, `pfs-macros`.
//!
//! # What goes where
//!
//! - [`sync`] and [`thread`] are std's, with what they wait for instrumented: replacing `std::sync::` by `pfs::sync::`
//!   is a complete change.
//! - [`macro@instrument_mutex`], [`macro@instrument_rwlock`], [`macro@instrument_condvar`] name what a static holds;
//!   [`derive(Instrument)`](trait@Instrument) names the locks in the fields of a type, and [`macro@instrument`] those
//!   of a static of such a type; [`mutex!`], [`rwlock!`], [`condvar!`] make a named one anywhere else, as [`once!`], [`once_lock!`],
//!   [`lazy_lock!`], [`barrier!`], [`channel!`] and [`sync_channel!`] do for what else is waited for;
//!   [`thread_class!`] names threads, [`stage_class!`] and [`statement_class!`] stages and statements that are not a
//!   function.
//! - `parking_lot` is the crate of that name, in the same way: replacing `parking_lot::` by `pfs::parking_lot::` is a
//!   complete change. Its macros stand in it: `pfs::parking_lot::mutex!`.
//! - [`macro@statement`] and [`macro@stage`] make a function a statement or a stage, async functions and those that return
//!   a future too; [`derive(Statement)`](macro@Statement) gives the commands of an enum a class each,
//!   [`derive(Stage)`](macro@Stage) the steps.
//! - [`session`] is for servers whose clients are not threads; [`task`] makes any future a statement, a stage, the work of
//!   a session or a task. [`transaction`] is what a client commits or rolls back.
//! - [`digest`] says which statements are alike: what SQL is, what commands are, or what your own language is.
//! - [`Config`] starts it all, [`Pfs`] reads it.
//!
//! # Features
//!
//! - `engine` (default): what records. Without it pfs is *compiled out*: the same code compiles, and every type is the
//!   one that it wraps and no more, in size and in instructions; readers exist and have no rows; [`Config::start`]
//!   checks the configuration and gives an inert handle; names are checked all the same; no third-party crate is
//!   linked. [`COMPILED_IN`] tells. A library depends on pfs with `default-features = false`, and the program that
//!   uses it decides for all of them.
//! - `json` (default): tables as JSON.
//! - `toml`: `Config::from_file`, the configuration in TOML.
//! - `crossbeam`: `pfs::crossbeam`, crossbeam with its channels, scoped threads and parks instrumented.
//! - `rayon`: `pfs::rayon`, rayon with the threads of its pools named and counted.
//! - `serde`: `Serialize` for the rows of every table, and [`Config`] in any format of serde.
//! - `parking_lot`: the module `pfs::parking_lot`.
//!
//! A crate that stands in `Cargo.toml` but is named by no source is not linked by cargo, and neither are its
//! instruments: write `use the_crate as _;`.

#[cfg(feature = "crossbeam")]
pub mod crossbeam;
mod instrument;
mod macros;
#[cfg(feature = "parking_lot")]
pub mod parking_lot;
#[cfg(feature = "rayon")]
pub mod rayon;

/// The README's code is compiled and run as a test.
#[cfg(all(doctest, feature = "json"))]
#[doc = include_str!("../../README.md")]
mod readme {}

pub use instrument::Instrument;
pub use pfs_macros::{
    Instrument, Stage, Statement, instrument, instrument_condvar, instrument_mutex, instrument_rwlock, stage,
    statement,
};
pub use pfs_runtime::class::Timed;
pub use pfs_runtime::config::{self, COMPILED_IN, Config, ConfigError, Size, SizeKey};
pub use pfs_runtime::handle::{BoundTable, Pfs, current};
pub use pfs_runtime::schema::{Buffer, Memory, StartError};
pub use pfs_runtime::setup::SetupError;
pub use pfs_runtime::stage::Stage;
pub use pfs_runtime::statement::{ErrorCode, Statement};
pub use pfs_runtime::{
    digest, plugin, report, session, stage, statement, sync, tables, task, thread, transaction,
};

/// Macros and traits, for `use pfs::prelude::*`. No module and no type, and no macro named as one of std's.
pub mod prelude {
    pub use crate::instrument::Instrument;
    pub use crate::{
        barrier, channel, condvar, lazy_lock, mutex, once, once_lock, rwlock, stage_class, statement_class,
        sync_channel, thread_class,
    };
    pub use pfs_macros::{
        Instrument, Stage, Statement, instrument, instrument_condvar, instrument_mutex, instrument_rwlock,
        stage, statement,
    };
    pub use pfs_runtime::stage::Stage;
    pub use pfs_runtime::statement::{ErrorCode, Statement};
    pub use pfs_runtime::task::InstrumentFuture;
}

/// What the macros generate calls to. Not for users, and not stable.
#[doc(hidden)]
pub mod __private {
    pub use crate::instrument::{Asked, Held, Instrumented, check_field, check_static, made};
    pub use pfs_macros::{
        barrier, channel, condvar, lazy_lock, mutex, once, once_lock, rwlock, stage_class, statement_class,
        sync_channel, thread_class,
    };
    pub use pfs_runtime::class::Class;
    pub use pfs_runtime::instance::{NamedStatic, Visitor, place_of};
    pub use pfs_runtime::plugin::offer;
    pub use pfs_runtime::stage::call as stage;
    pub use pfs_runtime::statement::{OpenStatement, Outcome, call as statement, error_by, run, text};
    pub use pfs_runtime::sync::barrier::with_class as barrier;
    pub use pfs_runtime::sync::condvar::with_class as condvar;
    pub use pfs_runtime::sync::lazy_lock::with_class as lazy_lock;
    pub use pfs_runtime::sync::mpsc::{channel_of as channel, sync_channel_of as sync_channel};
    pub use pfs_runtime::sync::mutex::with_class as mutex;
    pub use pfs_runtime::sync::once::with_class as once;
    pub use pfs_runtime::sync::once_lock::with_class as once_lock;
    pub use pfs_runtime::sync::rwlock::with_class as rwlock;
    pub use pfs_runtime::task::{self, CallOf};
    pub use pfs_runtime::thread::ThreadClass;
    pub use pfs_runtime::{class, list_static, name};
    pub use std::boxed::Box;

    /// For `thread_class!`.
    pub const fn thread_class(class: &'static Class) -> ThreadClass {
        ThreadClass::__new(class)
    }
}
