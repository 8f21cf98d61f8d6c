//! `#[derive(Instrument)]` on generic types: parameters with and without bounds, lifetimes, constants, `where`, `?Sized`.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;

#[path = "support/mod.rs"]
mod support;

/// Its parameters are asked nothing for what is inside a lock.
#[derive(Instrument)]
#[instrument(component = "ui")]
struct Shard<K, V> {
    #[rwlock]
    map: RwLock<HashMap<K, V>>,
    #[mutex]
    dirty: Mutex<Option<K>>,
}

#[derive(Instrument)]
#[instrument(component = "ui")]
pub struct Store<K: Eq + Hash, V = u32, const N: usize = 2>
where
    V: Clone + Debug,
{
    #[instrument]
    shards: [Shard<K, V>; N],
    marker: PhantomData<fn() -> V>,
}

impl<K: Eq + Hash, V: Clone + Debug, const N: usize> Store<K, V, N> {
    fn new() -> Self {
        let shard = || Shard { map: RwLock::new(HashMap::new()), dirty: Mutex::new(None) };
        Self { shards: std::array::from_fn(|_| shard()), marker: PhantomData }.instrumented()
    }

    fn put(&self, at: usize, key: K, value: V) -> Option<V> {
        *self.shards[at].dirty.lock().unwrap() = None;
        self.shards[at].map.write().unwrap().insert(key, value)
    }
}

/// A parameter is itself what holds the locks.
#[derive(Instrument)]
struct Wrapper<T, U: ?Sized> {
    #[instrument]
    inner: T,
    #[mutex("ui/Wrapper::last")]
    last: Mutex<U>,
}

#[derive(Instrument)]
struct Lent<'a, 'b: 'a, T: 'b> {
    #[mutex("ui/Lent::one")]
    one: &'a Mutex<&'b T>,
    #[condvar("ui/Lent::slice")]
    slice: &'b [Condvar],
}

trait Storage {
    type Lock;
}
struct InMemory;
impl Storage for InMemory {
    type Lock = RwLock<u8>;
}

#[derive(Instrument)]
struct Associated<S: Storage> {
    #[rwlock("ui/Associated::lock")]
    lock: S::Lock,
}

/// Generic, and holds another of its own.
#[derive(Instrument)]
struct List<T> {
    #[mutex("ui/List::head")]
    head: Mutex<T>,
    #[instrument]
    tail: Option<Box<List<T>>>,
}

mod private {
    use pfs::prelude::*;

    #[derive(Instrument)]
    struct Inner<T> {
        #[mutex("ui/Inner::value")]
        value: pfs::sync::Mutex<T>,
    }

    /// Public, with a field of a private type.
    #[derive(Instrument)]
    pub struct Outer<T> {
        #[instrument]
        inner: Inner<T>,
    }

    impl<T> Outer<T> {
        pub fn new(value: T) -> Self {
            Self { inner: Inner { value: pfs::sync::Mutex::new(value) } }
        }

        pub fn set(&self, value: T) {
            *self.inner.value.lock().unwrap() = value;
        }
    }
}

#[instrument]
static STORES: std::sync::LazyLock<[Store<&str>; 2]> = std::sync::LazyLock::new(|| [Store::new(), Store::new()]);

fn main() {
    support::start();
    assert_eq!(Store::<String, u8, 1>::new().put(0, "a".to_owned(), 1), None);
    assert_eq!(STORES[1].put(1, "b", 2), None);

    let wrapper = Wrapper { inner: Store::<u8>::new(), last: Mutex::new([1, 2]) }.instrumented();
    let wrapper: &Wrapper<Store<u8>, [u8]> = &wrapper;
    assert_eq!((wrapper.inner.put(1, 1, 1), wrapper.last.lock().unwrap().len()), (None, 2));
    let nested = Wrapper { inner: vec![Some(Store::<u8>::new())], last: Mutex::new(()) }.instrumented();
    assert_eq!(nested.inner[0].as_ref().unwrap().put(0, 1, 1), None);
    drop(nested.last.lock());

    let (value, conds) = (7, [Condvar::new(), Condvar::new()]);
    let lock = Mutex::new(&value);
    let lent = Lent { one: &lock, slice: &conds }.instrumented();
    assert_eq!(**lent.one.lock().unwrap(), 7);
    lent.slice.iter().for_each(Condvar::notify_one);

    assert_eq!(*Associated::<InMemory> { lock: RwLock::new(3) }.instrumented().lock.read().unwrap(), 3);
    let list = List { head: Mutex::new(1), tail: Some(Box::new(List { head: Mutex::new(2), tail: None })) };
    let list = list.instrumented();
    assert_eq!(*list.head.lock().unwrap() + *list.tail.as_ref().unwrap().head.lock().unwrap(), 3);
    private::Outer::new(1).instrumented().set(2);

    for (name, count) in [
        ("rwlock/ui/Shard::map", 4),
        ("mutex/ui/Shard::dirty", 4),
        ("mutex/ui/Wrapper::last", 2),
        ("mutex/ui/Lent::one", 1),
        ("cond/ui/Lent::slice", 0),
        ("rwlock/ui/Associated::lock", 1),
        ("mutex/ui/List::head", 2),
        ("mutex/ui/Inner::value", 1),
        ("mutex/pfs/unnamed", 0),
        ("rwlock/pfs/unnamed", 0),
    ] {
        assert_eq!(support::waits(&format!("wait/synch/{name}")), count, "{name}");
    }
}
