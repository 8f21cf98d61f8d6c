//! Every declaration that is linked into a program is registered, wherever it stands, and nothing else is: the
//! instruments are those that this file and the engine declare. Run in debug and in release.

#![cfg(feature = "engine")]
#![allow(dead_code, reason = "what is never called is registered all the same")]
#![expect(clippy::declare_interior_mutable_const, reason = "a lock in a constant is one of the places")]

use std::collections::BTreeSet;
use std::sync::{LazyLock, OnceLock};

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};
use pfs_runtime::class;
use pfs_runtime::class::{Kind, classes};

#[instrument_mutex]
static LOCK_BY_DEFAULT: Mutex<u32> = Mutex::new(0);
#[instrument_mutex("declared/LOCK_named")]
static LOCK_NAMED: Mutex<u32> = Mutex::new(0);
#[instrument_mutex(name = "declared/LOCK_array")]
static LOCK_ARRAY: [Mutex<u32>; 3] = [const { Mutex::new(0) }; 3];
#[instrument_mutex("declared/LOCK_lazy")]
static LOCK_LAZY: LazyLock<Mutex<u32>> = LazyLock::new(|| Mutex::new(0));
#[instrument_rwlock("declared/RWLOCK_static")]
static RWLOCK_STATIC: RwLock<u32> = RwLock::new(0);
#[instrument_rwlock("declared/RWLOCK_once")]
static RWLOCK_ONCE: OnceLock<RwLock<u32>> = OnceLock::new();
#[instrument_condvar]
static COND_BY_DEFAULT: Condvar = Condvar::new();

static IN_A_STATIC: Mutex<u32> = pfs::mutex!("declared/in_a_static", 0);
const IN_A_CONST: Mutex<u32> = pfs::mutex!("declared/in_a_const", 0);

thread_local! {
    static IN_A_THREAD_LOCAL: Mutex<u32> = const { pfs::mutex!("declared/in_a_thread_local", 0) };
}

const fn in_a_const_fn() -> RwLock<u32> {
    pfs::rwlock!("declared/in_a_const_fn", 0)
}

/// Made into machine code for two types, and one class all the same.
fn in_a_generic_fn<T>(value: T) -> Mutex<T> {
    pfs::mutex!("declared/in_a_generic_fn", value)
}

/// Made into machine code for no type at all.
fn in_a_generic_fn_that_is_never_used<T>(value: T) -> Mutex<T> {
    pfs::mutex!("declared/in_an_unused_generic_fn", value)
}

fn in_a_fn() -> (Mutex<u32>, RwLock<u32>, Condvar) {
    (
        pfs::mutex!("declared/in_a_fn", 0),
        pfs::rwlock!("declared/in_a_fn", 0),
        pfs::condvar!("declared/in_a_fn"),
    )
}

fn in_a_closure() -> impl Fn() -> Condvar {
    || {
        let within = || pfs::condvar!("declared/in_a_closure_in_a_closure");
        within().notify_all();
        pfs::condvar!("declared/in_a_closure")
    }
}

mod never_called {
    use pfs::prelude::*;
    use pfs::sync::Mutex;

    #[instrument_mutex("declared/in_a_module_never_called")]
    static NEVER: Mutex<u32> = Mutex::new(0);

    pub(crate) mod deeper {
        use pfs::prelude::*;

        #[stage]
        fn stage_by_default() {}

        #[statement]
        pub(crate) fn statement_by_default() {}
    }
}

struct Server {
    jobs: Mutex<u32>,
}

#[expect(clippy::unused_self, reason = "methods are what is declared")]
impl Server {
    const LIMITS: RwLock<u32> = pfs::rwlock!("declared/in_an_impl", 0);

    fn new() -> Self {
        Self { jobs: pfs::mutex!("declared/Server::jobs", 0) }
    }

    #[stage("declared/a method")]
    fn step(&self) {}

    #[statement("declared/generic method")]
    fn answer<T>(&self, _: T) {}
}

trait Serve {
    #[statement("declared/in_a_trait")]
    fn serve(&self) {}
}

#[derive(Statement)]
#[statement(component = "declared")]
enum Command {
    Get(u32),
    #[statement(name = "mset")]
    SetMany {
        keys: Vec<u32>,
    },
    Quit,
}

macro_rules! declared_by_a_macro {
    ($name:literal) => {
        pfs::stage_class!($name)
    };
}

fn classes_as_values() {
    let _ = pfs::thread_class!("declared/flusher");
    let _ = pfs::stage_class!("declared/writing");
    let _ = declared_by_a_macro!("declared/by_a_macro");
}

class! {
    /// Whatever has no macro of its own.
    static DISK: WaitIo = "wait/io/declared/disk";
    static LATCH: WaitLock = "wait/lock/declared/latch";
    static LOG: File = "wait/io/file/declared/log";
    static CLIENT: Socket = "wait/io/socket/declared/client";
    static ROWS: TableIo = "wait/io/table/declared/rows";
    static TABLES: TableLock = "wait/lock/table/declared/tables";
    static CACHE: Memory = "memory/declared/cache";
    // The engine's own, once more.
    static IDLE: Idle = "idle";
    static TRANSACTION: Transaction = "transaction";
    static ERROR: Error = "error";
}

/// The same name in two places is one instrument; these are the lines it is declared in.
const TWICE: [u32; 2] = [line!() + 2, line!() + 3];
fn twice() -> [Mutex<u32>; 2] {
    let first = pfs::mutex!("declared/twice", 1);
    let second = pfs::mutex!("declared/twice", 2);
    [first, second]
}

#[cfg(test)]
mod tests_only {
    use pfs::prelude::*;

    #[stage("declared/tests_only")]
    fn checking() {}
}

#[cfg(not(test))]
mod never_in_tests {
    use pfs::prelude::*;

    #[stage("declared/never_in_tests")]
    fn checking() {}
}

const DECLARED: &[&str] = &[
    "idle",
    "error",
    "memory/declared/cache",
    "stage/declared/a method",
    "stage/declared/by_a_macro",
    "stage/declared/tests_only",
    "stage/declared/writing",
    "stage/registration/stage_by_default",
    "statement/declared/get",
    "statement/declared/quit",
    "statement/declared/generic method",
    "statement/declared/in_a_trait",
    "statement/declared/mset",
    "statement/registration/statement_by_default",
    "thread/declared/flusher",
    "thread/pfs/main",
    "thread/pfs/session",
    "thread/pfs/task",
    "thread/pfs/unnamed",
    #[cfg(feature = "rayon")]
    "thread/rayon/worker",
    "transaction",
    "wait/io/declared/disk",
    "wait/io/file/declared/log",
    "wait/io/socket/declared/client",
    "wait/io/table/declared/rows",
    "wait/lock/declared/latch",
    "wait/lock/table/declared/tables",
    #[cfg(feature = "crossbeam")]
    "wait/synch/cond/crossbeam/join",
    #[cfg(feature = "crossbeam")]
    "wait/synch/cond/crossbeam/park",
    #[cfg(feature = "crossbeam")]
    "wait/synch/cond/crossbeam/recv",
    #[cfg(feature = "crossbeam")]
    "wait/synch/cond/crossbeam/select",
    #[cfg(feature = "crossbeam")]
    "wait/synch/cond/crossbeam/send",
    #[cfg(feature = "crossbeam")]
    "wait/synch/cond/crossbeam/wait_group",
    "wait/synch/cond/declared/in_a_closure",
    "wait/synch/cond/declared/in_a_closure_in_a_closure",
    "wait/synch/cond/declared/in_a_fn",
    "wait/synch/cond/pfs/unnamed",
    "wait/synch/cond/registration/COND_BY_DEFAULT",
    "wait/synch/cond/std/barrier",
    "wait/synch/cond/std/join",
    "wait/synch/cond/std/lazy_lock",
    "wait/synch/cond/std/mpsc_recv",
    "wait/synch/cond/std/mpsc_send",
    "wait/synch/cond/std/once",
    "wait/synch/cond/std/once_lock",
    "wait/synch/cond/std/park",
    "wait/synch/cond/std/sleep",
    "wait/synch/mutex/declared/LOCK_array",
    "wait/synch/mutex/declared/LOCK_lazy",
    "wait/synch/mutex/declared/LOCK_named",
    "wait/synch/mutex/declared/Server::jobs",
    "wait/synch/mutex/declared/in_a_const",
    "wait/synch/mutex/declared/in_a_fn",
    "wait/synch/mutex/declared/in_a_generic_fn",
    "wait/synch/mutex/declared/in_a_module_never_called",
    "wait/synch/mutex/declared/in_a_static",
    "wait/synch/mutex/declared/in_a_thread_local",
    "wait/synch/mutex/declared/in_an_unused_generic_fn",
    "wait/synch/mutex/declared/twice",
    "wait/synch/mutex/pfs/unnamed",
    "wait/synch/mutex/registration/LOCK_BY_DEFAULT",
    "wait/synch/rwlock/declared/RWLOCK_once",
    "wait/synch/rwlock/declared/RWLOCK_static",
    "wait/synch/rwlock/declared/in_a_const_fn",
    "wait/synch/rwlock/declared/in_a_fn",
    "wait/synch/rwlock/declared/in_an_impl",
    "wait/synch/rwlock/pfs/unnamed",
];

/// Second declarations of a name: `twice`, and the three of the engine's own.
const AGAIN: usize = 4;

#[test]
fn the_classes_are_those_declared() {
    // Known before anything runs.
    assert_eq!(classes().len(), DECLARED.len() + AGAIN);
    let declared: BTreeSet<_> = DECLARED.iter().copied().collect();
    assert_eq!(declared.len(), DECLARED.len());

    let pfs = pfs::Config::new().start().unwrap();
    let registered: Vec<_> = pfs.setup_instruments().map(|row| row.name).collect();
    assert_eq!(registered.iter().copied().collect::<BTreeSet<_>>(), declared);
    assert_eq!(registered.len(), DECLARED.len());
    let lost: Vec<_> =
        pfs.global_status().filter(|row| row.variable_name.ends_with("_classes_lost")).collect();
    assert_eq!(lost.len(), 13);
    assert!(lost.iter().all(|row| row.variable_value.as_deref() == Some("0")));

    // A row a class in each summary of its kind of event.
    let of = |prefixes: &[&str]| {
        DECLARED.iter().filter(|name| prefixes.iter().any(|prefix| name.starts_with(prefix))).count()
    };
    assert_eq!(pfs.events_waits_summary_global_by_event_name().count(), of(&["wait/", "idle"]));
    assert_eq!(pfs.events_stages_summary_global_by_event_name().count(), of(&["stage/"]));
    assert_eq!(pfs.events_statements_summary_global_by_event_name().count(), of(&["statement/"]));

    // One name, two places.
    let places = |name: &str| pfs.setup_instruments().find(|row| row.name == name).unwrap().sources;
    let [first, second] = TWICE;
    assert_eq!(
        places("wait/synch/mutex/declared/twice"),
        format!("registration.rs:{first}, registration.rs:{second}")
    );
    let idle = places("idle");
    assert!(idle.contains("builtin.rs:") && idle.contains("registration.rs:"), "{idle}");

    every_kind_is_there();
    instances_of_one_name_count_together(pfs);
}

fn every_kind_is_there() {
    for kind in Kind::ALL {
        assert!(classes().iter().any(|class| class.kind() == kind), "{kind:?}");
    }
}

fn instances_of_one_name_count_together(pfs: pfs::Pfs) {
    for lock in twice() {
        *lock.lock().unwrap() += 1;
    }
    drop((in_a_generic_fn(1_u8).lock().unwrap(), in_a_generic_fn("text").lock().unwrap()));
    for lock in &LOCK_ARRAY {
        *lock.lock().unwrap() += 1;
    }
    let count = |name: &str| {
        let mut rows = pfs.events_waits_summary_global_by_event_name();
        rows.find(|row| row.event_name == name).unwrap().summary.count_star
    };
    assert_eq!(count("wait/synch/mutex/declared/twice"), 2);
    assert_eq!(count("wait/synch/mutex/declared/in_a_generic_fn"), 2);
    assert_eq!(count("wait/synch/mutex/declared/LOCK_array"), 3);
}
