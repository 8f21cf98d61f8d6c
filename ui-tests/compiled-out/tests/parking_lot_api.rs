//! The tests of `pfs::parking_lot` once more, where pfs is compiled out: its types are parking_lot's in what they do, too.

#![allow(clippy::duplicate_mod, reason = "each file of tests brings what it shares with the others")]

#[path = "../../../pfs/tests/parking_lot_condvar.rs"]
mod condvar;
#[path = "../../../pfs/tests/parking_lot_mutex.rs"]
mod mutex;
#[path = "../../../pfs/tests/parking_lot_reentrant.rs"]
mod reentrant;
#[path = "../../../pfs/tests/parking_lot_rwlock.rs"]
mod rwlock;
#[path = "../../../pfs/tests/parking_lot_rwlock_guards.rs"]
mod rwlock_guards;

/// Nothing has to be started before the first test; what the tests are of is to be compiled out.
fn begin() {
    const { assert!(!pfs::COMPILED_IN) }
}
