//! `mutex!`, `rwlock!`, `condvar!` wherever an expression may stand.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};
use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::{Arc, LazyLock};

#[path = "support/mod.rs"]
mod support;

static IN_STATIC: Mutex<u32> = mutex!("ui/static", 1);
const IN_CONST: Mutex<u32> = mutex!("ui/const", 2);
static OF_CONST_FN: Shard<u8> = Shard::new(3);
static ARRAY: [RwLock<u8>; 3] = [const { rwlock!("ui/array", 4) }; 3];
static LAZY: LazyLock<Mutex<Vec<u8>>> = LazyLock::new(|| mutex!("ui/lazy", vec![5]));

thread_local! {
    static LOCAL: Mutex<u8> = const { mutex!("ui/local", 6) };
    static LOCAL_LAZY: RwLock<String> = rwlock!("ui/local lazy", "seven".to_owned());
}

struct Shard<T> {
    map: Mutex<T>,
    flushed: Condvar,
}

impl<T> Shard<T> {
    const fn new(value: T) -> Self {
        Self { map: mutex!("ui/Shard::map", value), flushed: condvar!("ui/Shard::flushed") }
    }
}

fn generic<K, V: Clone + Debug>(value: V) -> RwLock<HashMap<K, V>> {
    drop(value);
    rwlock!("ui/generic", HashMap::new())
}

fn borrowing<'a>(text: &'a str) -> Mutex<&'a str> {
    mutex!("ui/borrowing", text)
}

fn length(lock: Mutex<&String>) -> usize {
    lock.lock().unwrap().len()
}

fn main() {
    support::start();
    assert_eq!(*IN_STATIC.lock().unwrap(), 1);
    let of_const = IN_CONST;
    assert_eq!(*of_const.lock().unwrap(), 2);
    assert_eq!(*OF_CONST_FN.map.lock().unwrap(), 3);
    OF_CONST_FN.flushed.notify_all();
    for lock in &ARRAY {
        assert_eq!(*lock.read().unwrap(), 4);
    }
    assert_eq!(*LAZY.lock().unwrap(), [5]);
    LOCAL.with(|local| assert_eq!(*local.lock().unwrap(), 6));
    LOCAL_LAZY.with(|local| assert_eq!(*local.read().unwrap(), "seven"));
    assert!(generic::<u8, _>(8).write().unwrap().insert(8, 8).is_none());
    assert_eq!(*borrowing("nine").lock().unwrap(), "nine");

    // One inside the other, a trailing comma, `name =`, unsized coercion, every scope of a temporary.
    let nested = mutex!("ui/outer", rwlock!("ui/inner", Some(10)));
    assert_eq!(*nested.lock().unwrap().read().unwrap(), Some(10));
    let comma = mutex!("ui/comma", 11,);
    assert_eq!(*comma.lock().unwrap(), 11);
    let named = pfs::mutex!(name = "ui/named", 12);
    assert_eq!(*named.lock().unwrap(), 12);
    let shared: Arc<Mutex<dyn Debug + Send>> = Arc::new(mutex!("ui/unsized", 13));
    assert_eq!(format!("{:?}", &*shared.lock().unwrap()), "13");
    assert_eq!(length(mutex!("ui/temporary", &String::from("fourteen"))), 8);
    let closure = || mutex!["ui/closure", 15];
    assert_eq!(*closure().lock().unwrap(), 15);

    for (name, count) in [
        ("wait/synch/mutex/ui/static", 1),
        ("wait/synch/mutex/ui/const", 1),
        ("wait/synch/mutex/ui/Shard::map", 1),
        ("wait/synch/cond/ui/Shard::flushed", 0),
        ("wait/synch/rwlock/ui/array", 3),
        ("wait/synch/mutex/ui/lazy", 1),
        ("wait/synch/mutex/ui/local", 1),
        ("wait/synch/rwlock/ui/local lazy", 1),
        ("wait/synch/rwlock/ui/generic", 1),
        ("wait/synch/mutex/ui/borrowing", 1),
        ("wait/synch/mutex/ui/outer", 1),
        ("wait/synch/rwlock/ui/inner", 1),
        ("wait/synch/mutex/ui/temporary", 1),
        ("wait/synch/mutex/ui/closure", 1),
    ] {
        assert!(support::is_declared(name), "{name}");
        assert_eq!(support::waits(name), count, "{name}");
    }
}
