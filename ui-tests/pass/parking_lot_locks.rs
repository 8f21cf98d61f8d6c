//! The locks of `pfs::parking_lot`: statics that attributes name, and macros where one is made.

#![deny(warnings)]

use pfs::parking_lot::{
    Condvar, FairMutex, Mutex, MutexGuard, Once, ReentrantMutex, RwLock, RwLockUpgradableReadGuard, const_mutex,
};
use pfs::prelude::*;
use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

#[path = "support/mod.rs"]
mod support;

#[instrument_mutex("ui/LOCK")]
static LOCK: Mutex<u32> = Mutex::new(1);

#[instrument_mutex(name = "ui/CONST")]
static CONST: Mutex<u32> = const_mutex(2);

#[instrument_mutex("ui/FAIR")]
static FAIR: FairMutex<u32> = FairMutex::new(3);

#[instrument_mutex("ui/REENTRANT")]
static REENTRANT: ReentrantMutex<u32> = ReentrantMutex::new(4);

#[instrument_rwlock("ui/RWLOCK")]
static RWLOCK: RwLock<u32> = RwLock::new(5);

#[instrument_condvar("ui/COND")]
static COND: Condvar = Condvar::new();

#[instrument_condvar("ui/ONCE")]
static ONCE: Once = Once::new();

#[instrument_mutex("ui/ARRAY")]
static ARRAY: [Mutex<u8>; 3] = [const { Mutex::new(0) }; 3];

#[instrument_rwlock("ui/LAZY")]
static LAZY: LazyLock<RwLock<Vec<u8>>> = LazyLock::new(|| RwLock::new(vec![6]));

type Shared<T> = Arc<RwLock<T>>;

static IN_STATIC: Mutex<u32> = pfs::parking_lot::mutex!("ui/static", 7);
static OF_CONST_FN: Shard<u8> = Shard::new(8);

thread_local! {
    static LOCAL: Mutex<u8> = const { pfs::parking_lot::mutex!("ui/local", 9) };
}

struct Shard<T> {
    map: RwLock<T>,
    turns: FairMutex<u8>,
    depth: ReentrantMutex<u8>,
    flushed: Condvar,
    ready: Once,
}

impl<T> Shard<T> {
    const fn new(value: T) -> Self {
        Self {
            map: pfs::parking_lot::rwlock!("ui/Shard::map", value),
            turns: pfs::parking_lot::fair_mutex!("ui/Shard::turns", 10),
            depth: pfs::parking_lot::reentrant_mutex!("ui/Shard::depth", 11),
            flushed: pfs::parking_lot::condvar!("ui/Shard::flushed"),
            ready: pfs::parking_lot::once!("ui/Shard::ready"),
        }
    }
}

fn generic<K, V: Clone + Debug>(value: V) -> Shared<HashMap<K, V>> {
    use pfs::parking_lot::rwlock;

    drop(value);
    Arc::new(rwlock!("ui/generic", HashMap::new()))
}

fn main() {
    support::start();
    let mut guard = LOCK.lock();
    *guard += *CONST.lock() + *FAIR.lock() + *REENTRANT.lock() + *RWLOCK.read();
    assert_eq!(*guard, 15);
    assert!(COND.wait_for(&mut guard, Duration::ZERO).timed_out());
    drop(MutexGuard::map(guard, |value| value));
    ONCE.call_once(|| ());
    ARRAY.iter().for_each(|lock| *lock.lock() += 1);
    assert_eq!(*LAZY.read(), [6]);

    assert_eq!(*IN_STATIC.lock(), 7);
    let upgradable = OF_CONST_FN.map.upgradable_read();
    *RwLockUpgradableReadGuard::upgrade(upgradable) += 1;
    let depth = OF_CONST_FN.depth.lock();
    assert_eq!((*OF_CONST_FN.turns.lock(), *OF_CONST_FN.depth.lock(), *depth), (10, 11, 11));
    assert_eq!(OF_CONST_FN.flushed.notify_all(), 0);
    OF_CONST_FN.ready.call_once(|| ());
    LOCAL.with(|local| assert_eq!(*local.lock(), 9));
    assert!(generic::<u8, _>(12).write_arc().insert(12, 12).is_none());
    let shared: Arc<Mutex<dyn Debug + Send>> = Arc::new(pfs::parking_lot::mutex!("ui/unsized", 13,));
    assert_eq!(format!("{:?}", &*shared.lock()), "13");
    let made: OnceLock<Mutex<u8>> = OnceLock::new();
    drop(made.get_or_init(|| pfs::parking_lot::mutex!(name = "ui/once lock", 14)).lock());

    for (name, count) in [
        ("wait/synch/mutex/ui/LOCK", 1),
        ("wait/synch/mutex/ui/CONST", 1),
        ("wait/synch/mutex/ui/FAIR", 1),
        ("wait/synch/mutex/ui/REENTRANT", 1),
        ("wait/synch/rwlock/ui/RWLOCK", 1),
        ("wait/synch/cond/ui/COND", 1),
        ("wait/synch/cond/ui/ONCE", 0),
        ("wait/synch/mutex/ui/ARRAY", 3),
        ("wait/synch/mutex/ui/static", 1),
        ("wait/synch/rwlock/ui/Shard::map", 2),
        ("wait/synch/mutex/ui/Shard::turns", 1),
        ("wait/synch/mutex/ui/Shard::depth", 2),
        ("wait/synch/cond/ui/Shard::flushed", 0),
        ("wait/synch/cond/ui/Shard::ready", 0),
        ("wait/synch/mutex/ui/local", 1),
        ("wait/synch/rwlock/ui/generic", 1),
        ("wait/synch/mutex/ui/unsized", 1),
        ("wait/synch/mutex/ui/once lock", 1),
    ] {
        assert!(support::is_declared(name), "{name}");
        assert_eq!(support::waits(name), count, "{name}");
    }
    assert_eq!(support::waits("wait/synch/rwlock/ui/LAZY"), 1);
}
