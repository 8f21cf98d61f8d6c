//! `#[derive(Instrument)]` and the attributes on statics, over the locks of `pfs::parking_lot` in every container.

#![deny(warnings)]

use pfs::parking_lot::{
    Condvar, FairMutex, Mutex, Once, ReentrantMutex, RwLock, RwLockUpgradableReadGuard, const_rwlock,
};
use pfs::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, OnceLock};

#[path = "support/mod.rs"]
mod support;

#[derive(Default, Instrument)]
struct Shard<K, V> {
    #[rwlock("ui/Shard::map")]
    map: RwLock<HashMap<K, V>>,
    #[mutex]
    dirty: Mutex<Vec<K>>,
    #[mutex("ui/Shard::turns")]
    turns: FairMutex<u8>,
    #[mutex("ui/Shard::depth")]
    depth: ReentrantMutex<u8>,
    #[condvar("ui/Shard::flushed")]
    flushed: Condvar,
    #[condvar("ui/Shard::ready")]
    ready: Once,
    #[mutex("ui/Shard::pair")]
    #[condvar("ui/Shard::changed")]
    pair: (Mutex<bool>, Condvar),
    // A lock of std beside those of parking_lot.
    #[mutex("ui/Shard::std")]
    std: pfs::sync::Mutex<u8>,
    capacity: usize,
}

#[derive(Instrument)]
struct Store {
    #[instrument]
    shards: Vec<Arc<Shard<u8, u8>>>,
    #[mutex("ui/Store::spare")]
    spare: Option<Box<Mutex<u8>>>,
}

#[instrument_mutex("ui/LAZY")]
static LAZY: LazyLock<Mutex<Vec<u8>>> = LazyLock::new(|| Mutex::new(vec![1]));

#[instrument_rwlock("ui/ONCE_LOCK")]
static ONCE_LOCK: OnceLock<[RwLock<u8>; 2]> = OnceLock::new();

#[instrument_mutex("ui/Global::lock")]
#[instrument_rwlock("ui/Global::limits")]
static GLOBAL: (Mutex<u8>, RwLock<u8>) = (Mutex::new(2), const_rwlock(3));

type Table<T> = RwLock<T>;

#[instrument_rwlock("ui/ALIAS")]
static ALIAS: Table<u8> = RwLock::new(4);

fn use_all(shard: &Shard<u8, u8>) {
    RwLockUpgradableReadGuard::upgrade(shard.map.upgradable_read()).insert(1, 1);
    shard.dirty.lock().push(1);
    *shard.turns.lock() += *shard.depth.lock();
    shard.flushed.notify_all();
    shard.ready.call_once(|| ());
    let mut changed = shard.pair.0.lock();
    shard.pair.1.wait_while(&mut changed, |changed| *changed);
    drop(shard.std.lock());
    assert_eq!(shard.capacity, 0);
}

fn main() {
    let early = Shard::default().instrumented();
    support::start();
    use_all(&early);
    let store = Store {
        shards: (0..3).map(|_| Arc::default()).collect(),
        spare: Some(Box::new(Mutex::new(5))),
    };
    let store = store.instrumented();
    store.shards.iter().for_each(|shard| use_all(shard));
    assert_eq!(*store.spare.as_ref().unwrap().lock(), 5);

    // What is made after the start is named when it is made, or when it is first used.
    assert_eq!(*LAZY.lock(), [1]);
    let made = ONCE_LOCK.get_or_init(|| [RwLock::new(6), RwLock::new(7)]);
    assert_eq!(*made[0].read() + *made[1].write(), 13);
    assert_eq!(*GLOBAL.0.lock() + *GLOBAL.1.read() + *ALIAS.read(), 9);

    let own = module_path!();
    for (name, count) in [
        ("rwlock/ui/Shard::map", 8),
        (&*format!("mutex/{own}/Shard::dirty"), 4),
        ("mutex/ui/Shard::turns", 4),
        ("mutex/ui/Shard::depth", 4),
        ("cond/ui/Shard::flushed", 0),
        ("cond/ui/Shard::ready", 0),
        ("mutex/ui/Shard::pair", 4),
        ("cond/ui/Shard::changed", 0),
        ("mutex/ui/Shard::std", 4),
        ("mutex/ui/Store::spare", 1),
        ("mutex/ui/LAZY", 1),
        ("rwlock/ui/ONCE_LOCK", 2),
        ("mutex/ui/Global::lock", 1),
        ("rwlock/ui/Global::limits", 1),
        ("rwlock/ui/ALIAS", 1),
    ] {
        let name = format!("wait/synch/{name}");
        assert!(support::is_declared(&name), "{name}");
        assert_eq!(support::waits(&name), count, "{name}");
    }
}
