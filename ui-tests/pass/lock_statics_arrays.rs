//! Arrays, slices and tuples of locks: all locks of a static are instances of its one class.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};
use std::time::Duration;

#[path = "support/mod.rs"]
mod support;

#[instrument_mutex("ui/array")]
static ARRAY: [Mutex<u8>; 3] = [const { Mutex::new(0) }; 3];

#[instrument_rwlock("ui/nested array")]
static NESTED: [[RwLock<u8>; 2]; 2] = [const { [const { RwLock::new(0) }; 2] }; 2];

#[instrument_mutex("ui/listed")]
static LISTED: [Mutex<&str>; 2] = [Mutex::new("a"), Mutex::new("b")];

const SHARDS: usize = 4;

#[instrument_rwlock]
static SHARDED: [RwLock<Vec<u8>>; SHARDS] = {
    const EMPTY: RwLock<Vec<u8>> = RwLock::new(Vec::new());
    [EMPTY; SHARDS]
};

#[instrument_mutex("ui/none")]
static NONE: [Mutex<u8>; 0] = [];

#[instrument_mutex("ui/optional")]
static OPTIONAL: [Option<Mutex<u8>>; 2] = [None, Some(Mutex::new(1))];

// One attribute a kind.
#[instrument_condvar("ui/ready")]
#[instrument_mutex("ui/ready")]
static READY: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());

#[instrument_rwlock("ui/several")]
static SEVERAL: (RwLock<u8>, (Mutex<u8>, [RwLock<u8>; 2])) =
    (RwLock::new(0), (Mutex::new(0), [const { RwLock::new(0) }; 2]));

fn main() {
    support::start();
    ARRAY.iter().for_each(|lock| *lock.lock().unwrap() += 1);
    NESTED.as_flattened().iter().for_each(|lock| *lock.write().unwrap() += 1);
    LISTED.iter().for_each(|lock| assert!(!lock.lock().unwrap().is_empty()));
    SHARDED.iter().for_each(|lock| lock.write().unwrap().push(1));
    NONE.iter().for_each(|lock| drop(lock.lock()));
    OPTIONAL.iter().flatten().for_each(|lock| assert_eq!(*lock.lock().unwrap(), 1));
    drop(READY.1.wait_timeout(READY.0.lock().unwrap(), Duration::ZERO));
    drop((SEVERAL.0.read(), SEVERAL.1.0.lock(), SEVERAL.1.1[1].read()));

    assert_eq!(support::waits("wait/synch/mutex/ui/array"), 3);
    assert_eq!(support::waits("wait/synch/rwlock/ui/nested array"), 4);
    assert_eq!(support::waits("wait/synch/mutex/ui/listed"), 2);
    assert_eq!(support::waits(&format!("wait/synch/rwlock/{}/SHARDED", module_path!())), 4);
    assert_eq!(support::waits("wait/synch/mutex/ui/none"), 0);
    assert_eq!(support::waits("wait/synch/mutex/ui/optional"), 1);
    assert_eq!(support::waits("wait/synch/mutex/ui/ready"), 1);
    assert_eq!(support::waits("wait/synch/cond/ui/ready"), 1);
    assert_eq!(support::waits("wait/synch/rwlock/ui/several"), 2);
    assert_eq!(support::waits("wait/synch/rwlock/pfs/unnamed"), 0);
    // The mutex in `SEVERAL`, which no attribute asks for.
    assert_eq!(support::waits("wait/synch/mutex/pfs/unnamed"), 1);
}
