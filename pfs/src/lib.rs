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
//! # Life cycle
//!
//! - **Before `start`** everything is the raw operation. A guard of before that is dropped after is ignored.
//! - **Threads** have a row from their first event, or from their begin where [`thread`] spawned them, until they end. When a
//!   thread ends, so do its events that are still open, and what it counted moves to the totals. Destructors of
//!   thread-locals run in the order that the system chooses: what they do before the thread's row has gone is counted, what
//!   they do after is the raw operation, and registers nothing. A session that is still attached then is detached, and
//!   can go on elsewhere; if the thread had no event of its own, it stays attached.
//! - **Forgotten guards** ([`mem::forget`](std::mem::forget)) of statements and stages are ended by the event around them, by
//!   their context's end, or by [`thread::end_open_events`]; those of transactions by the latter two. They are counted once,
//!   and marked in `ENDED_BY`. A forgotten guard of a lock leaves the lock held, and shown so.
//! - **Panics** that unwind end events as a return does. With `panic = "abort"` nothing of this is different until the
//!   process is gone.
//! - **The process's end** needs nothing: buffers live until then. Events of other threads may run while one of them exits or
//!   aborts. Handlers of `atexit` run after the row of the thread that exits has gone: their events are the raw
//!   operation, and tables can be read.
//! - **Fork**: in the new process pfs is off, until [`after_fork`] says that the process goes on. Then it counts from zero, with
//!   the rows of one thread. `fork` and `exec`, and [`Command`](std::process::Command), need nothing.
//! - **Signal handlers** may use what is instrumented, as far as a handler may use the operation itself: not a lock that the
//!   interrupted code may hold. Wherever they interrupt an event, all that is counted is exact: a handler's event is
//!   counted, unless it interrupts the change of the very row that it would be counted in; then it is lost, and
//!   counted in `Performance_schema_locker_lost` or `…_nested_stage_lost`, `…_nested_statement_lost`,
//!   `…_nested_transaction_lost`. It has no row in the event tables where it interrupts a change of those, which the same
//!   counters tell; and while its thread is registered or carries out a truncation, it is the raw operation. A thread's first
//!   event should not be in a handler, because the system may allocate for its registration. Handlers may neither
//!   read tables nor change settings: that allocates and takes locks.
//! - **Global allocators** may use what is instrumented too, on the same terms: pfs allocates where tables are read, settings
//!   are changed and at `start`, and never within an event. What interrupts pfs while it moves counts waits for nothing: a
//!   session that ends then is put away a moment later.
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
pub use pfs_runtime::handle::{BoundTable, Pfs, after_fork, current};
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
