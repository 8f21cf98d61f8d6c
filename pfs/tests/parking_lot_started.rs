//! The tests of the types of parking_lot once more, on a pfs that is started with its defaults.

#![cfg(all(feature = "engine", feature = "parking_lot"))]
#![allow(clippy::duplicate_mod, reason = "each file of tests brings what it shares with the others")]

use std::sync::Once;

#[path = "parking_lot_condvar.rs"]
mod condvar;
#[path = "parking_lot_mutex.rs"]
mod mutex;
#[path = "parking_lot_reentrant.rs"]
mod reentrant;
#[path = "parking_lot_rwlock.rs"]
mod rwlock;
#[path = "parking_lot_rwlock_guards.rs"]
mod rwlock_guards;

/// Starts pfs before the first test that runs.
fn begin() {
    static START: Once = Once::new();
    START.call_once(|| {
        pfs::Config::new().start().unwrap();
    });
}
