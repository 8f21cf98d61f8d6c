//! Every container that a marked field may hold its locks through; and that what comes later is not named by it.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};
use std::cell::{LazyCell, OnceCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, LazyLock, OnceLock};

#[path = "support/mod.rs"]
mod support;

type Lock = Mutex<u8>;

#[derive(Instrument)]
struct Containers<'a> {
    #[mutex("ui/array")]
    array: [Lock; 2],
    #[mutex("ui/vec")]
    vec: Vec<Lock>,
    #[mutex("ui/deque")]
    deque: VecDeque<Lock>,
    #[mutex("ui/option")]
    option: Option<Lock>,
    #[mutex("ui/boxed")]
    boxed: Box<Lock>,
    #[mutex("ui/boxed slice")]
    boxed_slice: Box<[Lock]>,
    #[mutex("ui/arc")]
    arc: Arc<Lock>,
    #[mutex("ui/rc")]
    rc: Rc<Mutex<[u8]>>,
    #[mutex("ui/pinned")]
    pinned: Pin<Box<Lock>>,
    #[mutex("ui/reference")]
    reference: &'a Lock,
    #[mutex("ui/hash map")]
    hash_map: HashMap<&'a str, Lock>,
    #[mutex("ui/tree map")]
    tree_map: BTreeMap<u8, Arc<Lock>>,
    #[mutex("ui/once lock")]
    once_lock: OnceLock<Lock>,
    #[mutex("ui/once cell")]
    once_cell: OnceCell<Lock>,
    #[mutex("ui/lazy lock")]
    lazy_lock: LazyLock<Lock>,
    #[mutex("ui/lazy cell")]
    lazy_cell: LazyCell<Lock>,
    #[mutex("ui/pair")]
    #[condvar("ui/pair")]
    pair: Arc<(Lock, Condvar)>,
    #[rwlock("ui/deep")]
    deep: Vec<Option<Box<(Arc<RwLock<u8>>, [RwLock<u8>; 1])>>>,
}

fn lock() -> Lock {
    Mutex::new(1)
}

fn touch(lock: &Lock) {
    assert_eq!(*lock.lock().unwrap(), 1);
}

fn main() {
    support::start();
    let outside = lock();
    let mut all = Containers {
        array: [lock(), lock()],
        vec: vec![lock(), lock(), lock()],
        deque: [lock()].into(),
        option: Some(lock()),
        boxed: Box::new(lock()),
        boxed_slice: Box::new([lock(), lock()]),
        arc: Arc::new(lock()),
        rc: Rc::new(Mutex::new([1, 2])),
        pinned: Box::pin(lock()),
        reference: &outside,
        hash_map: [("a", lock()), ("b", lock())].into(),
        tree_map: [(1, Arc::new(lock()))].into(),
        once_lock: lock().into(),
        once_cell: lock().into(),
        lazy_lock: LazyLock::new(lock),
        lazy_cell: LazyCell::new(lock),
        pair: Arc::default(),
        deep: vec![None, Some(Box::new((Arc::default(), [RwLock::new(1)])))],
    };
    touch(&all.lazy_lock);
    let made = 1;
    all = all.instrumented();
    // It was not made yet, and now is made without a name; as is what a container gets afterwards.
    touch(&all.lazy_cell);
    all.vec.push(lock());

    all.array.iter().for_each(touch);
    all.vec.iter().for_each(touch);
    all.deque.iter().for_each(touch);
    all.option.iter().for_each(touch);
    touch(&all.boxed);
    all.boxed_slice.iter().for_each(touch);
    touch(&all.arc);
    assert_eq!(all.rc.lock().unwrap().len(), 2);
    touch(&all.pinned);
    touch(all.reference);
    all.hash_map.values().for_each(touch);
    all.tree_map.values().for_each(|lock| touch(lock));
    all.once_lock.get().into_iter().for_each(touch);
    all.once_cell.get().into_iter().for_each(touch);
    touch(&all.lazy_lock);
    drop(all.pair.0.lock());
    all.pair.1.notify_all();
    for (shared, array) in all.deep.iter().flatten().map(|boxed| &**boxed) {
        drop((shared.read(), array[0].read()));
    }

    for (name, count) in [
        ("array", 2),
        ("vec", 3),
        ("deque", 1),
        ("option", 1),
        ("boxed", 1),
        ("boxed slice", 2),
        ("arc", 1),
        ("rc", 1),
        ("pinned", 1),
        ("reference", 1),
        ("hash map", 2),
        ("tree map", 1),
        ("once lock", 1),
        ("once cell", 1),
        ("lazy lock", 1),
        ("lazy cell", 0),
        ("pair", 1),
    ] {
        assert_eq!(support::waits(&format!("wait/synch/mutex/ui/{name}")), count, "{name}");
    }
    assert_eq!(support::waits("wait/synch/rwlock/ui/deep"), 2);
    assert_eq!(support::waits("wait/synch/rwlock/pfs/unnamed"), 0);
    assert_eq!(support::waits("wait/synch/mutex/pfs/unnamed"), made + 2);
}
