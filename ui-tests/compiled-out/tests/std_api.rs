//! The tests of the std-shaped types once more, where pfs is compiled out: they are std's in what they do, too.

#![allow(clippy::duplicate_mod, reason = "each file of tests brings what it shares with the others")]

#[path = "../../../pfs-runtime/tests/std_api_barrier.rs"]
mod barrier;
#[path = "../../../pfs-runtime/tests/std_api_condvar.rs"]
mod condvar;
#[path = "../../../pfs-runtime/tests/std_api_lazy_lock.rs"]
mod lazy_lock;
#[path = "../../../pfs-runtime/tests/std_api_mpsc.rs"]
mod mpsc;
#[path = "../../../pfs-runtime/tests/std_api_mutex.rs"]
mod mutex;
#[path = "../../../pfs-runtime/tests/std_api_once.rs"]
mod once;
#[path = "../../../pfs-runtime/tests/std_api_once_lock.rs"]
mod once_lock;
#[path = "../../../pfs-runtime/tests/std_api_rwlock.rs"]
mod rwlock;
#[path = "../../../pfs-runtime/tests/std_api_thread.rs"]
mod thread;

/// Nothing has to be started before the first test; what the tests are of is to be compiled out.
fn begin() {
    const { assert!(!pfs::COMPILED_IN) }
}
