//! Types whose variants are statements or stages, and whose fields are locks, of every kind; statics of more shapes.

#![deny(warnings)]
#![allow(dead_code, clippy::all)]

use pfs::prelude::*;
use pfs::sync::{Barrier, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Debug;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

#[path = "support/mod.rs"]
mod support;

#[derive(Statement, Debug, Clone, PartialEq)]
#[statement(component = "ui")]
#[non_exhaustive]
#[repr(u16)]
enum Command<'a, K: ?Sized, const N: usize = 2>
where
    K: Debug,
{
    Get(&'a K) = 7,
    #[cfg(any())]
    Gone(NoSuch),
    #[cfg(all())]
    Kept {
        r#type: [u8; N],
    },
    #[doc(hidden)]
    #[deprecated]
    Old,
    r#Match(Cow<'a, str>, PhantomData<K>),
    HTTPGet2,
    #[statement(name = "AEhnlich")]
    ÄHNLICH,
}

#[derive(Statement)]
#[statement(component = "ui")]
pub(crate) struct Unit;
#[derive(pfs::Statement)]
#[statement(component = "ui")]
struct Tuple<T>(T, #[allow(unused)] u8)
where
    T: Send;
#[derive(Statement)]
#[statement(component = "ui")]
struct Fields<'a> {
    _a: &'a str,
}

#[derive(Stage, Clone, Copy)]
#[stage(component = "ui")]
enum Step {
    Parse,
    #[stage(name = "plan it")]
    Plan,
}

#[derive(Statement)]
enum Nothing {}
mod inner {
    #[derive(pfs::Statement)]
    pub(super) enum Option {
        None,
        Some(u8),
    }

    #[derive(pfs::Stage)]
    pub(in crate::inner) enum Private {
        A,
    }

    pub fn run() {
        drop(pfs::Stage::begin(&Private::A));
    }
}

#[derive(Instrument, Default)]
struct Node<T: Default = u8, const N: usize = 1>
where
    T: Clone,
{
    #[mutex("ui/Node::value")]
    value: Mutex<T>,
    #[instrument]
    children: Vec<Node<T, N>>,
    #[rwlock("ui/Node::index")]
    index: Option<Box<RwLock<BTreeMap<T, T>>>>,
    #[cfg(any())]
    #[mutex]
    gone: NoSuch,
    #[mutex("ui/Node::type")]
    r#type: Arc<Mutex<PhantomData<[T; N]>>>,
    #[condvar("ui/Node::cond")]
    conds: (Condvar, Condvar),
    plain: Cow<'static, str>,
}

#[derive(Instrument)]
struct Borrowed<'a, T: ?Sized + 'a>(
    #[mutex("ui/Borrowed.0")] &'a Mutex<T>,
    #[rwlock("ui/Borrowed.1")] Rc<[RwLock<u8>]>,
    PhantomData<T>,
);
#[derive(Instrument)]
enum Either<L, R> {
    #[allow(dead_code)]
    Left {
        #[instrument]
        left: L,
    },
    Right(#[instrument] R, u8),
    Neither,
}

#[derive(Instrument)]
struct Many {
    #[mutex("ui/Many::map")]
    map: HashMap<u8, Arc<Mutex<u8>>>,
    #[mutex("ui/Many::queue")]
    queue: VecDeque<Mutex<u8>>,
    #[mutex("ui/Many::grid")]
    grid: [[Mutex<u8>; 2]; 2],
    #[rwlock("ui/Many::once")]
    once: OnceLock<RwLock<u8>>,
}

type Grid = [[Mutex<u8>; 2]; 2];
type Made<T> = LazyLock<T, fn() -> T>;
struct Shard {
    lock: Mutex<u8>,
    more: [RwLock<u8>; 2],
}

#[instrument_mutex("ui/static grid")]
static GRID: Grid = [const { [const { Mutex::new(0) }; 2] }; 2];
#[instrument_mutex("ui/static made")]
pub(crate) static MADE: Made<Vec<Arc<Mutex<u8>>>> =
    LazyLock::new(|| (0..2).map(|_| Arc::new(Mutex::new(0))).collect());
#[instrument_mutex("ui/static type")]
static r#TYPE: Mutex<Option<Box<dyn Fn(u8) -> u8 + Send>>> = Mutex::new(None);
#[instrument_rwlock(name = "ui/static once")]
#[allow(unused)]
static ONCE: OnceLock<(RwLock<u8>, RwLock<&'static str>)> = OnceLock::new();
#[cfg_attr(all(), instrument_mutex("ui/static cfg"))]
static CFG: Mutex<()> = Mutex::new(());
#[instrument_mutex("ui/static both")]
#[instrument_rwlock("ui/static both")]
static BOTH: (Mutex<u8>, RwLock<u8>) = (Mutex::new(1), RwLock::new(2));
static NAMED: Mutex<u8> = pfs::mutex!("ui/static named", {
    const N: u8 = 3;
    N
});
static STARTED: Once = pfs::once!("ui/static started");
const EMPTY: Mutex<Vec<u8>> = pfs::mutex!("ui/const", Vec::new());
static SHARDS: [Shard; 2] = {
    const fn shard() -> Shard {
        Shard { lock: pfs::mutex!("ui/shard", 0), more: [const { pfs::rwlock!("ui/shard more", 0) }; 2] }
    }
    [shard(), shard()]
};

struct Generic<T>(PhantomData<T>);
impl<T: Default> Generic<T> {
    const LOCK: Mutex<Option<T>> = pfs::mutex!("ui/generic const", None);
    fn lock() -> Mutex<Option<T>> {
        pfs::mutex!("ui/generic fn", Some(T::default()))
    }

    const fn cond() -> Condvar {
        pfs::condvar!("ui/generic cond")
    }
}

trait Locked {
    const LOCK: &'static Mutex<u8>;
}

impl Locked for u8 {
    const LOCK: &'static Mutex<u8> = {
        static L: Mutex<u8> = pfs::mutex!("ui/assoc", 1);
        &L
    };
}

thread_local! { static OWN: RefCell<Mutex<u8>> = const { RefCell::new(pfs::mutex!("ui/own", 1)) }; }

fn main() {
    support::start();
    let get = Command::<str>::Get("k");
    drop(get.begin());
    drop((&get).begin());
    {
        let kept: Command<'_, u8, 2> = Command::Kept { r#type: [1; 2] };
        drop(kept.begin())
    };
    drop(Command::<'_, u8, 2>::r#Match("a".into(), PhantomData).begin());
    drop(Command::<'_, u8, 2>::HTTPGet2.begin());
    drop(Unit.begin());
    drop(Tuple("x", 1).begin());
    drop(Fields { _a: "" }.begin());
    let boxed: Box<dyn Statement> = Box::new(Unit);
    drop(boxed.begin());
    let mut stage = Step::Parse.begin();
    stage.switch(Step::Plan);
    stage.switch(&Step::Parse);
    drop(stage);
    drop(pfs::Statement::begin(&inner::Option::Some(1)));
    inner::run();
    let node: Node<u8, 1> = Node {
        children: vec![Node::default(), Node::default()],
        index: Some(Box::default()),
        ..Node::default()
    }
    .instrumented();
    drop(node.value.lock());
    for child in &node.children {
        drop(child.value.lock());
    }
    drop(node.index.as_ref().unwrap().read());
    drop(node.r#type.lock());
    let lock = Mutex::new(1);
    let borrowed = Borrowed(&lock, Rc::new([RwLock::new(1)]), PhantomData).instrumented();
    drop(borrowed.0.lock());
    drop(borrowed.1[0].write());
    let either: Either<Node, Borrowed<'_, u8>> = Either::Right(borrowed, 1).instrumented();
    if let Either::Right(b, _) = &either {
        drop(b.0.lock());
    }
    let many = Many {
        map: HashMap::from([(1, Arc::default())]),
        queue: VecDeque::from([Mutex::new(1)]),
        grid: Default::default(),
        once: OnceLock::from(RwLock::new(1)),
    }
    .instrumented();
    drop(many.map[&1].lock());
    drop(many.queue[0].lock());
    drop(many.grid[1][1].lock());
    drop(many.once.get().unwrap().read());
    drop(GRID[1][0].lock());
    drop(MADE[1].lock());
    *r#TYPE.lock().unwrap() = Some(Box::new(|n| n));
    drop(ONCE.get_or_init(|| (RwLock::new(1), RwLock::new("x"))).1.read());
    drop(CFG.lock());
    drop(BOTH.0.lock());
    drop(BOTH.1.write());
    drop(NAMED.lock());
    STARTED.call_once(|| ());
    drop(EMPTY.lock());
    drop(SHARDS[1].lock.lock());
    drop(SHARDS[0].more[1].read());
    drop(Generic::<u8>::LOCK.lock());
    drop(Generic::<String>::lock().lock());
    Generic::<u8>::cond().notify_all();
    drop(u8::LOCK.lock());
    OWN.with_borrow_mut(|own| drop(own.lock()));
    Barrier::new(1).wait();
    for (name, count) in [("get", 2), ("kept", 1), ("match", 1), ("unit", 2), ("tuple", 1), ("fields", 1)] {
        assert_eq!(support::count(&format!("statement/ui/{name}")), count, "{name}");
    }
    for (name, count) in [("parse", 2), ("plan it", 1)] {
        assert_eq!(support::count(&format!("stage/ui/{name}")), count, "{name}");
    }
    for (name, count) in [
        ("mutex/ui/Node::value", 3),
        ("rwlock/ui/Node::index", 1),
        ("mutex/ui/Node::type", 1),
        ("mutex/ui/Borrowed.0", 2),
        ("rwlock/ui/Borrowed.1", 1),
        ("mutex/ui/Many::map", 1),
        ("mutex/ui/Many::queue", 1),
        ("mutex/ui/Many::grid", 1),
        ("rwlock/ui/Many::once", 1),
        ("mutex/ui/static grid", 1),
        ("mutex/ui/static made", 1),
        ("mutex/ui/static type", 1),
        ("rwlock/ui/static once", 1),
        ("mutex/ui/static cfg", 1),
        ("mutex/ui/static both", 1),
        ("rwlock/ui/static both", 1),
        ("mutex/ui/static named", 1),
        ("mutex/ui/const", 1),
        ("mutex/ui/shard", 1),
        ("rwlock/ui/shard more", 1),
        ("mutex/ui/generic const", 1),
        ("mutex/ui/generic fn", 1),
        ("mutex/ui/assoc", 1),
        ("mutex/ui/own", 1),
    ] {
        assert_eq!(support::waits(&format!("wait/synch/{name}")), count, "{name}");
    }
    for row in pfs::current().unwrap().setup_instruments().filter(|row| row.name.starts_with("statement/")) {
        if std::env::args().len() > 1 {
            println!("{}", row.name);
        }
    }
}
