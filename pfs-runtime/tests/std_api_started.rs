//! The tests of the std-shaped types once more, on a pfs that is started with its defaults.

#![allow(clippy::duplicate_mod, reason = "each file of tests brings what it shares with the others")]

use std::sync::Once;

use pfs_runtime::config::Config;
use pfs_runtime::schema;

#[path = "std_api_barrier.rs"]
mod barrier;
#[path = "std_api_condvar.rs"]
mod condvar;
#[path = "std_api_lazy_lock.rs"]
mod lazy_lock;
#[path = "std_api_mpsc.rs"]
mod mpsc;
#[path = "std_api_mutex.rs"]
mod mutex;
#[path = "std_api_once.rs"]
mod once;
#[path = "std_api_once_lock.rs"]
mod once_lock;
#[path = "std_api_rwlock.rs"]
mod rwlock;
#[path = "std_api_thread.rs"]
mod thread;

/// Starts pfs before the first test that runs.
fn begin() {
    static START: Once = Once::new();
    START.call_once(|| {
        assert!(schema::start(&Config::new(), |_| ()).unwrap().is_some());
    });
}
