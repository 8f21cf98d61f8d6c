//! The engine of pfs: what an instrumented program links, and the tables that show what it recorded.
//!
//! Users name the crate `pfs`, which re-exports what is public here. A module uses only modules above it in
//! the list below, so what depends on what can be read off the list.
//!
//! Without the feature `engine` the modules that an event passes through are those of the folder `null`, which have the
//! same functions and do nothing; all others are written once, over either.

#![cfg_attr(
    not(feature = "engine"),
    allow(dead_code, unused_imports, reason = "nothing calls what only the engine calls")
)]
#![cfg_attr(loom, allow(dead_code, reason = "most of the engine is not compiled then"))]

#[macro_use]
mod laid_out;
mod atomic;
#[cfg(not(loom))]
mod words;
pub mod sequence;
pub mod name;
#[cfg(not(loom))]
pub mod clock;
pub mod stat;
pub mod slots;
#[cfg(not(loom))]
pub mod digest;
#[cfg(not(loom))]
pub mod class;
#[cfg(not(loom))]
pub mod config;
#[cfg(not(loom))]
pub mod model;
#[cfg(not(loom))]
pub mod schema;
#[cfg(not(loom))]
pub mod event;
#[cfg(all(feature = "engine", not(loom)))]
mod count;
#[cfg(not(loom))]
#[cfg_attr(not(feature = "engine"), path = "null/context.rs")]
pub mod context;
#[cfg(not(loom))]
#[cfg_attr(not(feature = "engine"), path = "null/instance.rs")]
pub mod instance;
#[cfg(not(loom))]
pub mod plugin;
#[cfg(not(loom))]
#[cfg_attr(not(feature = "engine"), path = "null/probe/mod.rs")]
pub mod probe;
#[cfg(not(loom))]
pub mod setup;
#[cfg(not(loom))]
pub mod tables;
#[cfg(not(loom))]
pub mod report;
#[cfg(not(loom))]
pub mod sync;
#[cfg(not(loom))]
pub mod thread;
#[cfg(not(loom))]
pub mod statement;
#[cfg(not(loom))]
pub mod stage;
#[cfg(not(loom))]
pub mod transaction;
#[cfg(not(loom))]
pub mod session;
#[cfg(not(loom))]
pub mod task;
#[cfg(not(loom))]
pub mod handle;

#[cfg(all(test, loom))]
mod loom_instances;
#[cfg(all(test, loom))]
mod loom_models;

#[cfg(all(feature = "engine", listed_by_constructors))]
#[doc(hidden)]
pub use inventory;
#[cfg(all(feature = "engine", not(listed_by_constructors)))]
#[doc(hidden)]
pub use linkme;
