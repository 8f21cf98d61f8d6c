//! A global allocator that is itself instrumented: a lock, a stage and a statement at every allocation. Nothing waits for
//! itself, nothing recurs, and what is counted is exactly what was done, whatever pfs itself allocates for.

#![cfg(feature = "engine")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use pfs::Pfs;
use pfs::prelude::*;
use pfs::session::Session;
use pfs::stage::StageClass;
use pfs::statement::StatementClass;
use pfs::sync::Mutex;
use pfs_runtime::class::EventKind;
use pfs_runtime::schema::Schema;
use pfs_runtime::stat::{StageStat, StatementStat, WaitStat};

#[instrument_mutex("allocator/LOCK")]
static LOCK: Mutex<u64> = Mutex::new(0);
static ALLOCATE: StatementClass = pfs::statement_class!("allocator/allocate");
static SEARCH: StageClass = pfs::stage_class!("allocator/search");

/// Allocations and deallocations since the last look.
static DONE: AtomicU64 = AtomicU64::new(0);
/// Whether each is a statement too.
static STATEMENTS: AtomicBool = AtomicBool::new(false);

struct Instrumented;

fn instrumented() {
    DONE.fetch_add(1, Relaxed);
    if STATEMENTS.load(Relaxed) {
        let mut statement = ALLOCATE.begin();
        statement.rows_sent(1);
        let _stage = SEARCH.begin();
        *LOCK.lock().unwrap() += 1;
    } else {
        *LOCK.lock().unwrap() += 1;
    }
}

// SAFETY: the system's allocator, and beside it what allocates nothing.
unsafe impl GlobalAlloc for Instrumented {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        instrumented();
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        instrumented();
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Instrumented = Instrumented;

/// What is counted of the allocator: locks, stages, statements, rows sent. Reading it allocates nothing.
fn counted(schema: &'static Schema) -> [u64; 4] {
    let index = |kind, name| schema.instruments().of_event(kind).position(|one| one.name() == name).unwrap();
    let lock = index(EventKind::Wait, "wait/synch/mutex/allocator/LOCK");
    let search = index(EventKind::Stage, "stage/allocator/search");
    let allocate = index(EventKind::Statement, "statement/allocator/allocate");
    let statements = schema.statements.global::<StatementStat>(schema, allocate).unwrap().stat;
    [
        schema.waits.global::<WaitStat>(schema, lock).unwrap().stat.count,
        schema.stages.global::<StageStat>(schema, search).unwrap().stat.count,
        statements.count,
        statements.counters.iter().sum(),
    ]
}

/// Runs `act` on a thread that is alone, and compares what was done with what was counted.
fn exactly(pfs: Pfs, what: &str, act: impl FnOnce()) {
    let schema = pfs.schema().unwrap();
    let (before, done) = (counted(schema), DONE.load(Relaxed));
    act();
    let (after, done) = (counted(schema), DONE.load(Relaxed) - done);
    let statements = if STATEMENTS.load(Relaxed) { done } else { 0 };
    let since: [u64; 4] = std::array::from_fn(|at| after[at] - before[at]);
    assert_eq!(since, [done, statements, statements, statements], "{what}");
    assert!(done > 0, "{what}");
}

fn everything(pfs: Pfs) {
    exactly(pfs, "an allocation", || drop(Box::new(1)));
    exactly(pfs, "readers", || {
        for table in pfs.tables() {
            assert!(!table.text().to_string().is_empty());
        }
    });
    exactly(pfs, "settings", || {
        pfs.set_instruments("%", None, None).unwrap();
        pfs.set_instrument("stage/allocator/search", Some(true), None).unwrap();
        for name in ["events_waits_current", "events_stages_history_long"] {
            pfs.set_consumer(name, true).unwrap();
        }
    });
    exactly(pfs, "sessions and actors", || {
        let mut session = Session::new();
        session.authenticate(Some("ann"), Some("host"));
        let attached = session.attach();
        drop(vec![1, 2, 3]);
        drop(attached);
    });
    exactly(pfs, "truncation", || {
        for table in ["users", "hosts", "accounts", "events_waits_summary_by_instance"] {
            pfs.table(table).unwrap().truncate().unwrap();
        }
        for kind in ["waits", "stages", "statements"] {
            let by_thread = format!("events_{kind}_summary_by_thread_by_event_name");
            pfs.table(&by_thread).unwrap().truncate().unwrap();
        }
    });
    exactly(pfs, "locks that are made", || {
        let locks: Vec<_> = (0..100).map(|_| Mutex::new(1)).collect();
        assert_eq!(locks.iter().map(|lock| *lock.lock().unwrap()).sum::<i32>(), 100);
    });
}

/// Threads whose first and last events are allocations: what a thread frees after its context has left is raw.
fn threads(pfs: Pfs) {
    const THREADS: u64 = 8;
    let (before, done) = (counted(pfs.schema().unwrap())[0], DONE.load(Relaxed));
    for _ in 0..THREADS {
        thread::spawn(|| (0..1000).map(Box::new).for_each(drop)).join().unwrap();
    }
    let (counted, done) = (counted(pfs.schema().unwrap())[0] - before, DONE.load(Relaxed) - done);
    assert!(counted >= 2000 * THREADS);
    assert!((done - counted) <= 16 * THREADS, "{} of {done} were raw", done - counted);
    assert_eq!(pfs.threads().count(), 1);
}

#[test]
fn an_instrumented_allocator() {
    drop(Box::new(0));
    // In a thread of its own, so that the harness's do nothing meanwhile.
    let pfs = pfs::Config::new().instrument("wait/%", "ON").start().unwrap();
    for statements in [false, true] {
        STATEMENTS.store(statements, Relaxed);
        everything(pfs);
        threads(pfs);
    }
    let instance =
        pfs.events_waits_summary_by_instance().find(|row| row.event_name.ends_with("allocator/LOCK"));
    assert!(instance.is_some());
    let lost = pfs.global_status().filter(|row| row.variable_name.contains("lost"));
    for row in lost {
        assert_eq!(row.variable_value.as_deref(), Some("0"), "{}", row.variable_name);
    }
}
