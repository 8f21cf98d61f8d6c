//! The engine of pfs: what an instrumented program links, and the tables that show what it recorded.
//!
//! Users name the crate `pfs`, which re-exports what is public here. A module uses only modules above it in
//! the list below, so what depends on what can be read off the list.

pub mod atomic;
pub mod name;
pub mod clock;
pub mod stat;
pub mod slots;
pub mod class;
pub mod config;
pub mod model;
pub mod schema;
pub mod context;
pub mod instance;
pub mod event;
pub mod probe;
pub mod setup;
pub mod tables;
pub mod report;
pub mod sync;
pub mod thread;
pub mod statement;
pub mod stage;
pub mod session;
