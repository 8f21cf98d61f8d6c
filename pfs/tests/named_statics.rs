//! Statics of every shape are counted under their names from the first event on, wherever what they hold comes from and
//! whenever it is made, and nothing of theirs is counted as unnamed.

#![cfg(feature = "engine")]

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock, OnceLock};
use std::thread;
use std::time::Duration;

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};

#[instrument_mutex("shape/plain")]
static PLAIN: Mutex<u32> = Mutex::new(0);

#[instrument_mutex("shape/array")]
static ARRAY: [[Mutex<u32>; 3]; 2] = [const { [const { Mutex::new(0) }; 3] }; 2];

type Table = RwLock<Vec<u32>>;

#[instrument_rwlock("shape/alias")]
static ALIAS: Table = Table::new(Vec::new());

#[instrument_mutex("shape/lazy")]
static LAZY: LazyLock<Mutex<u32>> = LazyLock::new(|| Mutex::new(0));

#[instrument_mutex("shape/lazy_vec")]
static LAZY_VEC: LazyLock<Vec<Arc<Mutex<u32>>>> = LazyLock::new(many_locks);

fn many_locks() -> Vec<Arc<Mutex<u32>>> {
    (0..100).map(Mutex::new).map(Arc::new).collect()
}

/// Used while it is made: what is counted then is unnamed, and nothing later.
#[instrument_mutex("shape/lazy_used")]
static LAZY_USED: LazyLock<Mutex<u32>> = LazyLock::new(|| {
    let lock = Mutex::new(0);
    *lock.lock().unwrap() += 1;
    lock
});

type Once<T> = OnceLock<T>;

#[instrument_mutex("shape/once")]
static ONCE: OnceLock<Mutex<u32>> = OnceLock::new();

#[instrument_mutex("shape/once_box")]
static ONCE_BOX: Once<Box<Mutex<u32>>> = Once::new();

#[instrument_rwlock("shape/once_map")]
static ONCE_MAP: OnceLock<HashMap<&str, Arc<RwLock<u32>>>> = OnceLock::new();

#[instrument_mutex("shape/once_early")]
static ONCE_EARLY: OnceLock<Arc<Mutex<u32>>> = OnceLock::new();

#[instrument_rwlock("shape/once_array")]
static ONCE_ARRAY: [OnceLock<Box<RwLock<u32>>>; 4] = [const { OnceLock::new() }; 4];

#[instrument_mutex("shape/pair")]
#[instrument_condvar("shape/pair")]
static PAIR: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());

#[derive(Instrument)]
struct Queue<T> {
    #[mutex("shape/Queue::jobs")]
    jobs: Mutex<Vec<T>>,
    #[condvar("shape/Queue::added")]
    added: Condvar,
    #[rwlock("shape/Queue::limits")]
    limits: OnceLock<Box<RwLock<T>>>,
}

impl<T> Queue<T> {
    const fn new() -> Self {
        Self { jobs: Mutex::new(Vec::new()), added: Condvar::new(), limits: OnceLock::new() }
    }

    fn use_all(&self, limit: T) {
        let (held, _) = self.added.wait_timeout(self.jobs.lock().unwrap(), Duration::ZERO).unwrap();
        drop(held);
        drop(self.limits.get_or_init(|| Box::new(RwLock::new(limit))).read());
    }
}

/// One name for all its mutexes; what the type calls them is for `#[instrument]`.
#[instrument_mutex("shape/struct")]
static STRUCT: Queue<u32> = Queue::new();

#[instrument]
static DERIVED: Queue<u32> = Queue::new();

#[instrument]
static DERIVED_LATER: OnceLock<[Queue<String>; 2]> = OnceLock::new();

#[instrument]
static DERIVED_LAZY: LazyLock<BTreeMap<u8, Queue<u8>>> =
    LazyLock::new(|| [(1, Queue::new()), (2, Queue::new())].into());

/// Named where it is made: the attribute does not take that away.
#[instrument_mutex("shape/outer")]
static NAMED_INSIDE: [Mutex<u32>; 2] = [pfs::mutex!("shape/inner", 0), Mutex::new(0)];

/// The cells of `pfs::sync`, which are themselves waited for: what is in them is named, not they.
mod ours {
    use pfs::prelude::*;
    use pfs::sync::{Arc, Barrier, LazyLock, Mutex, Once, OnceLock};

    #[instrument_mutex("shape/ours_lazy")]
    pub(crate) static LAZY: LazyLock<Vec<Mutex<u32>>> = LazyLock::new(|| vec![Mutex::new(0), Mutex::new(0)]);

    #[instrument_mutex("shape/ours_once")]
    pub(crate) static ONCE: OnceLock<Arc<Mutex<u32>>> = OnceLock::new();

    #[instrument_condvar("shape/ours_barrier")]
    pub(crate) static BARRIER: OnceLock<Box<Barrier>> = OnceLock::new();

    #[instrument_condvar("shape/ours_opened")]
    pub(crate) static OPENED: Once = Once::new();
}

mod nested {
    use pfs::prelude::*;
    use pfs::sync::RwLock;

    /// Documented, and seen by the crate.
    #[instrument_rwlock]
    #[allow(clippy::type_complexity, reason = "an attribute that is kept")]
    pub(crate) static IN_A_MODULE: RwLock<Option<(u8, u16, u32, u64)>> = RwLock::new(None);
}

macro_rules! tables {
    ($($(#[$attribute:meta])* $ident:ident: $ty:ty = $value:expr;)*) => {$(
        $(#[$attribute])*
        #[instrument_mutex]
        static $ident: $ty = $value;
    )*};
}
tables! {
    /// Out of a macro.
    FIRST: Mutex<u32> = Mutex::new(0);
    SECOND: LazyLock<Box<Mutex<u32>>> = LazyLock::new(|| Box::new(Mutex::new(0)));
    #[cfg(any())]
    NONE: Nothing = Nothing;
}

fn in_a_function() -> u32 {
    #[instrument_mutex("shape/function")]
    static COUNTER: OnceLock<Box<Mutex<u32>>> = OnceLock::new();
    let mut counter = COUNTER.get_or_init(Box::default).lock().unwrap();
    *counter += 1;
    *counter
}

struct Server;

impl Server {
    fn in_a_method<T: Into<u32>>(by: T) -> u32 {
        #[instrument_mutex("shape/method")]
        static SUM: Mutex<u32> = Mutex::new(0);
        let mut sum = SUM.lock().unwrap();
        *sum += by.into();
        *sum
    }
}

trait Serve {
    fn in_a_trait(&self) -> u32 {
        #[instrument_rwlock("shape/trait")]
        static SERVED: RwLock<u32> = RwLock::new(0);
        let mut served = SERVED.write().unwrap();
        *served += 1;
        *served
    }
}
impl Serve for Server {}

fn count(name: &str) -> u64 {
    let mut rows = pfs::current().unwrap().events_waits_summary_global_by_event_name();
    rows.find(|row| row.event_name == name).unwrap_or_else(|| panic!("no class {name}")).count_star
}

/// The live instances of a class, by what is counted of each.
fn instances(name: &str) -> Vec<u64> {
    let rows = pfs::current().unwrap().events_waits_summary_by_instance();
    rows.filter(|row| row.event_name == name).map(|row| row.count_star).collect()
}

#[test]
fn every_shape_is_counted_under_its_name() {
    ONCE_EARLY.set(Arc::new(Mutex::new(0))).unwrap();
    // Before the start nothing is counted and no name is looked for.
    drop((PLAIN.lock(), ONCE_EARLY.get().unwrap().lock()));
    pfs::Config::new().start().unwrap();

    drop(PLAIN.lock());
    ARRAY.iter().flatten().for_each(|lock| drop(lock.lock()));
    ALIAS.write().unwrap().push(1);
    drop(LAZY.lock());
    LAZY_VEC.iter().for_each(|lock| drop(lock.lock()));
    (0..2).for_each(|_| assert_eq!(*LAZY_USED.lock().unwrap(), 1));
    drop(ONCE.get_or_init(Mutex::default).lock());
    drop(ONCE_BOX.get_or_init(Box::default).lock());
    let lock = || Arc::new(RwLock::new(0));
    ONCE_MAP.set([("a", lock()), ("b", lock())].into()).unwrap();
    ONCE_MAP.get().unwrap().values().for_each(|lock| drop(lock.read()));
    drop(ONCE_EARLY.get().unwrap().lock());
    // One after the other, so that the static holds something and something not yet.
    for cell in &ONCE_ARRAY {
        drop(cell.get_or_init(Box::default).write());
    }
    drop(PAIR.1.wait_timeout(PAIR.0.lock().unwrap(), Duration::ZERO));
    STRUCT.use_all(1);
    DERIVED.use_all(1);
    let queues = DERIVED_LATER.get_or_init(|| [Queue::new(), Queue::new()]);
    for queue in queues {
        queue.use_all(String::new());
    }
    DERIVED_LAZY.values().for_each(|queue| queue.use_all(1));
    for lock in &NAMED_INSIDE {
        drop(lock.lock());
    }
    ours::LAZY.iter().for_each(|lock| drop(lock.lock()));
    drop(ours::ONCE.get_or_init(Arc::default).lock());
    ours::BARRIER.get_or_init(|| Box::new(pfs::sync::Barrier::new(1))).wait();
    ours::OPENED.call_once(|| ());
    drop(nested::IN_A_MODULE.read());
    drop((FIRST.lock(), SECOND.lock()));
    assert_eq!((in_a_function(), in_a_function()), (1, 2));
    assert_eq!((Server::in_a_method(1_u8), Server::in_a_method(2_u16)), (1, 3));
    assert_eq!((Server.in_a_trait(), Server.in_a_trait()), (1, 2));

    for (name, counted, live) in [
        ("mutex/shape/plain", 1, 1),
        ("mutex/shape/array", 6, 6),
        ("rwlock/shape/alias", 1, 1),
        ("mutex/shape/lazy", 1, 1),
        ("mutex/shape/lazy_vec", 100, 100),
        ("mutex/shape/lazy_used", 2, 1),
        ("mutex/shape/once", 1, 1),
        ("mutex/shape/once_box", 1, 1),
        ("rwlock/shape/once_map", 2, 2),
        ("mutex/shape/once_early", 1, 1),
        ("rwlock/shape/once_array", 4, 4),
        ("mutex/shape/pair", 1, 1),
        ("cond/shape/pair", 1, 1),
        ("mutex/shape/struct", 1, 1),
        ("mutex/shape/Queue::jobs", 5, 5),
        ("cond/shape/Queue::added", 5, 5),
        ("rwlock/shape/Queue::limits", 5, 5),
        ("mutex/shape/outer", 1, 1),
        ("mutex/shape/ours_lazy", 2, 2),
        ("mutex/shape/ours_once", 1, 1),
        ("cond/shape/ours_barrier", 1, 1),
        ("cond/shape/ours_opened", 0, 0),
        ("mutex/shape/inner", 1, 1),
        ("rwlock/named_statics/IN_A_MODULE", 1, 1),
        ("mutex/named_statics/FIRST", 1, 1),
        ("mutex/named_statics/SECOND", 1, 1),
        ("mutex/shape/function", 2, 1),
        ("mutex/shape/method", 2, 1),
        ("rwlock/shape/trait", 2, 1),
        // What the attribute on `STRUCT` does not name, and what `LAZY_USED` did before it was there.
        ("mutex/pfs/unnamed", 1, 0),
        ("rwlock/pfs/unnamed", 1, 1),
        ("cond/pfs/unnamed", 1, 1),
        ("cond/std/once_lock", 0, 0),
        ("cond/std/lazy_lock", 0, 0),
        ("cond/std/barrier", 0, 0),
    ] {
        let name = format!("wait/synch/{name}");
        assert_eq!(count(&name), counted, "{name}");
        let found = instances(&name);
        assert_eq!(found.len(), live, "{name}: {found:?}");
    }
    // The row of an instance that was named late goes along with it.
    assert_eq!(instances("wait/synch/mutex/shape/lazy_used"), [3]);

    many_threads_find_one_name();
}

/// Threads that come to a lock at once, and one that puts it in its place meanwhile, find its name before they count.
fn many_threads_find_one_name() {
    #[instrument_rwlock("shape/raced")]
    static RACED: [OnceLock<Box<RwLock<u32>>>; 50] = [const { OnceLock::new() }; 50];
    const THREADS: u64 = 4;

    let before = count("wait/synch/rwlock/pfs/unnamed");
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for cell in &RACED {
                    drop(cell.get_or_init(Box::default).read());
                }
            });
        }
    });
    assert_eq!(count("wait/synch/rwlock/shape/raced"), 50 * THREADS);
    assert_eq!(count("wait/synch/rwlock/pfs/unnamed"), before);
}
