//! `OnceLock`: what lies in it or behind it is named, whenever it is set.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::sync::{Mutex, RwLock};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

#[path = "support/mod.rs"]
mod support;

#[instrument_mutex("ui/inline")]
static INLINE: OnceLock<Mutex<u32>> = OnceLock::new();

#[instrument_mutex("ui/boxed")]
static BOXED: OnceLock<Box<Mutex<u32>>> = OnceLock::new();

#[instrument_rwlock("ui/shared")]
static SHARED: OnceLock<Arc<RwLock<u32>>> = OnceLock::new();

#[instrument_rwlock("ui/map")]
static MAP: OnceLock<HashMap<String, Arc<RwLock<u32>>>> = OnceLock::new();

#[instrument_mutex("ui/unsized")]
static UNSIZED: OnceLock<Box<Mutex<[u8]>>> = OnceLock::new();

#[instrument_mutex("ui/dyn")]
static DYN: OnceLock<Box<Mutex<dyn Fn() -> u32 + Send>>> = OnceLock::new();

#[instrument_rwlock("ui/cells")]
static CELLS: [OnceLock<Arc<RwLock<u32>>>; 2] = [const { OnceLock::new() }; 2];

#[instrument_mutex("ui/before")]
static BEFORE: OnceLock<Vec<Mutex<u32>>> = OnceLock::new();

fn main() {
    BEFORE.set(vec![Mutex::new(0), Mutex::new(1)]).unwrap();
    support::start();

    assert_eq!(*INLINE.get_or_init(|| Mutex::new(1)).lock().unwrap(), 1);
    assert_eq!(*BOXED.get_or_init(|| Box::new(Mutex::new(2))).lock().unwrap(), 2);
    // Other handles on the same lock are as good.
    let shared = Arc::new(RwLock::new(3));
    SHARED.set(Arc::clone(&shared)).unwrap();
    assert_eq!(*shared.read().unwrap(), 3);
    MAP.get_or_init(|| [("a".to_owned(), Arc::default())].into());
    assert_eq!(*MAP.get().unwrap()["a"].read().unwrap(), 0);
    assert_eq!(UNSIZED.get_or_init(|| Box::new(Mutex::new([4; 3]))).lock().unwrap()[2], 4);
    assert_eq!(DYN.get_or_init(|| Box::new(Mutex::new(|| 5))).lock().unwrap()(), 5);
    CELLS.iter().for_each(|cell| *cell.get_or_init(Arc::default).write().unwrap() += 1);
    BEFORE.get().unwrap().iter().for_each(|lock| *lock.lock().unwrap() += 1);

    for (name, count) in [
        ("mutex/ui/inline", 1),
        ("mutex/ui/boxed", 1),
        ("rwlock/ui/shared", 1),
        ("rwlock/ui/map", 1),
        ("mutex/ui/unsized", 1),
        ("mutex/ui/dyn", 1),
        ("rwlock/ui/cells", 2),
        ("mutex/ui/before", 2),
        ("mutex/pfs/unnamed", 0),
        ("rwlock/pfs/unnamed", 0),
    ] {
        assert_eq!(support::waits(&format!("wait/synch/{name}")), count, "{name}");
    }
}
