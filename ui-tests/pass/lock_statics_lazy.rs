//! `LazyLock`, however its initialiser is written; what it makes is named before anyone can reach it.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, LazyLock};

#[path = "support/mod.rs"]
mod support;

#[instrument_mutex("ui/closure")]
static CLOSURE: LazyLock<Mutex<u32>> = LazyLock::new(|| Mutex::new(1));

#[instrument_mutex("ui/block")]
static BLOCK: LazyLock<Mutex<Vec<u32>>> = LazyLock::new(|| {
    let mut values = Vec::new();
    for value in 0..3 {
        if value == 7 {
            return Mutex::new(values);
        }
        values.push(value);
    }
    Mutex::new(values)
});

fn made() -> RwLock<u32> {
    RwLock::new(2)
}

#[instrument_rwlock("ui/path")]
static PATH: LazyLock<RwLock<u32>> = LazyLock::new(made);

#[instrument_mutex("ui/function of the type")]
static OF_THE_TYPE: LazyLock<Mutex<u32>> = LazyLock::new(Mutex::default);

#[instrument_mutex("ui/qualified")]
static QUALIFIED: std::sync::LazyLock<Mutex<u32>> = std::sync::LazyLock::new(|| Mutex::new(3));

#[instrument_mutex("ui/turbofish")]
static TURBOFISH: LazyLock<Mutex<u32>, fn() -> Mutex<u32>> =
    LazyLock::<Mutex<u32>, fn() -> Mutex<u32>>::new(|| Mutex::new(4));

type Lazy<T> = LazyLock<T>;

// Its spelling does not say that it is one; then its content is named at its first event.
#[instrument_mutex("ui/alias")]
static ALIAS: Lazy<Box<Mutex<u32>>> = Lazy::new(|| Box::new(Mutex::new(5)));

#[instrument_mutex("ui/vec")]
static VEC: LazyLock<Vec<Arc<Mutex<u32>>>> = LazyLock::new(|| (0..5).map(Mutex::new).map(Arc::new).collect());

#[instrument_rwlock("ui/map")]
static MAP: LazyLock<HashMap<&'static str, RwLock<u32>>> =
    LazyLock::new(|| ["a", "b"].into_iter().map(|name| (name, RwLock::new(0))).collect());

#[instrument_condvar("ui/queue")]
static QUEUE: LazyLock<(VecDeque<Condvar>, BTreeMap<u8, Box<[Condvar]>>)> =
    LazyLock::new(|| (VecDeque::new(), BTreeMap::new()));

static BASE: u32 = 6;

#[instrument_mutex("ui/of another static")]
static OF_ANOTHER: LazyLock<Mutex<&u32>> = LazyLock::new(|| Mutex::new(&BASE));

#[instrument_mutex("ui/leaked")]
static LEAKED: LazyLock<&Mutex<u32>> = LazyLock::new(|| Box::leak(Box::new(Mutex::new(7))));

fn main() {
    support::start();
    assert_eq!(*CLOSURE.lock().unwrap(), 1);
    assert_eq!(*BLOCK.lock().unwrap(), [0, 1, 2]);
    assert_eq!(*PATH.read().unwrap(), 2);
    assert_eq!(*OF_THE_TYPE.lock().unwrap(), 0);
    assert_eq!(*QUALIFIED.lock().unwrap(), 3);
    assert_eq!(*TURBOFISH.lock().unwrap(), 4);
    assert_eq!(*ALIAS.lock().unwrap(), 5);
    assert_eq!(VEC.iter().map(|lock| *lock.lock().unwrap()).sum::<u32>(), 10);
    assert_eq!(MAP.values().map(|lock| *lock.read().unwrap()).sum::<u32>(), 0);
    QUEUE.0.iter().for_each(Condvar::notify_all);
    assert_eq!(**OF_ANOTHER.lock().unwrap(), 6);
    assert_eq!(*LEAKED.lock().unwrap(), 7);

    for (name, count) in [
        ("mutex/ui/closure", 1),
        ("mutex/ui/block", 1),
        ("rwlock/ui/path", 1),
        ("mutex/ui/function of the type", 1),
        ("mutex/ui/qualified", 1),
        ("mutex/ui/turbofish", 1),
        ("mutex/ui/alias", 1),
        ("mutex/ui/vec", 5),
        ("rwlock/ui/map", 2),
        ("cond/ui/queue", 0),
        ("mutex/ui/of another static", 1),
        ("mutex/ui/leaked", 1),
        ("mutex/pfs/unnamed", 0),
        ("rwlock/pfs/unnamed", 0),
    ] {
        assert_eq!(support::waits(&format!("wait/synch/{name}")), count, "{name}");
    }
}
