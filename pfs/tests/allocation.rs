//! Once pfs is started nothing allocates on an instrumented path: not a thread's first event nor its end, not a full
//! buffer, a panic, a session that comes, moves and goes, a future and its task, nor what follows a switch. Counted by the program's allocator.

#![cfg(feature = "engine")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use pfs::prelude::*;
use pfs::session::Session;
use pfs::stage::StageClass;
use pfs::sync::{Condvar, Mutex, RwLock};
use pfs::{Pfs, SizeKey, Timed};
use pfs_runtime::class;
use pfs_runtime::context::thread::current_id;

class! {
    // So that no class below has the index 0, which could be taken for none.
    static FIRST_MUTEX: Mutex = "wait/synch/mutex/a first/one";
    static FIRST_STAGE: Stage = "stage/a first/one";
    static FIRST_STATEMENT: Statement = "statement/a first/one";
}

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    ALLOCATIONS.with(|allocations| allocations.set(allocations.get() + 1));
}

// SAFETY: every call is passed on to the system's allocator as it is; counting allocates nothing, because the
// thread-local is constant and has no destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promises about `layout`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promises about `layout`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller's promises about `block`, `layout` and `size`.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises about `block` and `layout`.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of the calling thread so far.
fn so_far() -> u64 {
    ALLOCATIONS.with(Cell::get)
}

/// Runs `f` and tells how often the calling thread allocated meanwhile.
fn allocations<R>(f: impl FnOnce() -> R) -> (u64, R) {
    let before = so_far();
    let result = f();
    (so_far() - before, result)
}

#[track_caller]
fn assert_none<R>(what: &str, f: impl FnOnce() -> R) -> R {
    let (allocations, result) = allocations(f);
    assert_eq!(allocations, 0, "{what}");
    result
}

#[instrument_mutex("allocation/LOCK")]
static LOCK: Mutex<u64> = Mutex::new(0);
#[instrument_rwlock("allocation/RWLOCK")]
static RWLOCK: RwLock<u64> = RwLock::new(0);
#[instrument_condvar("allocation/COND")]
static COND: Condvar = Condvar::new();
const WRITING: StageClass = pfs::stage_class!("allocation/writing");

#[derive(Debug)]
struct Refused;

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "refused after {} tries", 7)
    }
}

impl ErrorCode for Refused {
    fn errno(&self) -> i32 {
        7
    }
}

#[stage("allocation/parsing")]
fn parse() {
    *LOCK.lock().unwrap() += 1;
    drop(LOCK.try_lock());
}

#[statement("allocation/get", text = text)]
fn get(text: &str) -> Result<u64, Refused> {
    parse();
    let mut stage = WRITING.begin();
    *RWLOCK.write().unwrap() += 1;
    stage.switch(WRITING);
    drop(stage);
    let read = *RWLOCK.read().unwrap();
    nested();
    if text.len() > 4 { Err(Refused) } else { Ok(read) }
}

#[statement("allocation/nested")]
fn nested() {
    parse();
}

#[statement("allocation/panics")]
fn panics() {
    parse();
    let _stage = WRITING.begin();
    let _held = RWLOCK.read();
    resume_unwind(Box::new(7_u32));
}

fn panics_raw() {
    resume_unwind(Box::new(7_u32));
}

#[stage("allocation/reading")]
async fn read(pauses: u32) {
    for _ in 0..pauses {
        *LOCK.lock().unwrap() += 1;
        let mut over = false;
        poll_fn(|_| if std::mem::replace(&mut over, true) { Poll::Ready(()) } else { Poll::Pending }).await;
    }
}

#[statement("allocation/query", text = text)]
async fn query(text: &str) -> Result<u32, Refused> {
    read(2).await;
    let mut statement = pfs::statement::current();
    statement.rows_sent(1);
    statement.refine(&Command::Ping);
    if text.len() > 4 { Err(Refused) } else { Ok(1) }
}

/// Polls a future so often, and then drops it.
fn polled<F: Future>(future: F, polls: u32) {
    let mut future = pin!(future);
    for _ in 0..polls {
        if future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
            break;
        }
    }
}

/// Something of every kind of event, with new locks, old ones and errors.
fn mix() {
    let _ = get("GET");
    let _ = get("GET of a key that is refused, and of a text that is longer than what is kept of it");
    let lock = pfs::mutex!("allocation/made", 1_u64);
    *lock.lock().unwrap() += 1;
    let held = lock.lock().unwrap();
    drop(COND.wait_timeout(held, Duration::ZERO));
    let unnamed = RwLock::new(1_u64);
    *unnamed.write().unwrap() += 1;
    pfs::thread::sleep(Duration::ZERO);
    pfs::thread::park_timeout(Duration::ZERO);
    for polls in [0, 1, 3] {
        polled(query("GET"), polls);
        polled(query("a text that is refused").in_task(pfs::thread_class!("allocation/task")), polls);
        polled(read(1).in_statement(&Command::Ping).in_session(Session::new()), polls);
    }
    let mut deep: [Option<pfs::statement::StatementGuard>; 12] = [const { None }; 12];
    for open in &mut deep {
        let mut statement = Command::Ping.begin();
        statement.rows_sent(1);
        *open = Some(statement);
    }
}

#[derive(Statement)]
#[statement(component = "allocation")]
enum Command {
    Ping,
}

/// Drops after the context of its thread, because it was made before.
struct AtTheEnd<'a> {
    began: Cell<u64>,
    told: Cell<Option<&'a AtomicU64>>,
}

impl Drop for AtTheEnd<'_> {
    fn drop(&mut self) {
        // Events this late are raw operations and register nothing.
        *LOCK.lock().unwrap() += 1;
        let _ = get("GET of a key that is refused");
        drop(RWLOCK.try_read());
        pfs::thread::sleep(Duration::ZERO);
        drop(COND.wait_timeout(Mutex::new(0).lock().unwrap(), Duration::ZERO));
        assert_eq!(current_id(), None);
        if let Some(told) = self.told.get() {
            told.store(so_far() - self.began.get(), Relaxed);
        }
    }
}

thread_local! {
    static AT_THE_END: AtTheEnd<'static> = const { AtTheEnd { began: Cell::new(0), told: Cell::new(None) } };
}

/// Allocations of a new thread from before its first event until after its end.
fn of_a_thread(f: impl FnOnce() + Send + 'static) -> u64 {
    static TOLD: AtomicU64 = AtomicU64::new(u64::MAX);
    let thread = thread::spawn(|| {
        AT_THE_END.with(|end| {
            end.told.set(Some(&TOLD));
            end.began.set(so_far());
        });
        f();
    });
    thread.join().unwrap();
    TOLD.swap(u64::MAX, Relaxed)
}

const ALL_ON: [&str; 9] = [
    "events_stages_current",
    "events_stages_history",
    "events_stages_history_long",
    "events_statements_current",
    "events_statements_history",
    "events_statements_history_long",
    "events_waits_current",
    "events_waits_history",
    "events_waits_history_long",
];

fn registered(pfs: Pfs) -> u64 {
    let rows = pfs.global_status();
    let mut rows = rows.filter(|row| row.variable_name == "Performance_schema_thread_instances_lost");
    rows.next().unwrap().variable_value.unwrap().parse().unwrap()
}

fn everything(pfs: Pfs, how: &str) {
    assert_none(how, mix);
    assert_eq!(of_a_thread(mix), 0, "a thread of its own, {how}");

    let mut session = assert_none(how, Session::new);
    assert_none(how, || {
        let _attached = session.attach();
        mix();
    });
    assert_eq!(
        of_a_thread(move || {
            {
                let _attached = session.attach();
                mix();
            }
            mix();
            drop(session);
        }),
        0,
        "a session that moves and ends, {how}"
    );

    // A panic allocates by itself; the statement, stage and guard that it goes through add nothing.
    let caught = |f: fn()| allocations(|| catch_unwind(AssertUnwindSafe(f)).is_err());
    assert_eq!(caught(panics), caught(panics_raw), "a panic, {how}");

    // As many sessions as there are contexts, and more.
    assert_none(how, || {
        let mut sessions = [const { None }; 16].map(|_: Option<()>| Session::new());
        for session in &mut sessions {
            let _attached = session.attach();
            mix();
        }
    });
    assert!(registered(pfs) > 0);

    // What spawning and joining a thread allocates is std's.
    let (raw, ()) = allocations(|| thread::spawn(|| ()).join().unwrap());
    let (ours, ()) = allocations(|| pfs::thread::spawn(|| ()).join().unwrap());
    assert_eq!(ours, raw, "spawning, {how}");
}

#[test]
fn nothing_allocates_after_start() {
    // Twice, so that what std keeps from a first time on is there.
    for _ in 0..2 {
        mix();
        let (raw, _) = allocations(|| catch_unwind(AssertUnwindSafe(panics_raw)));
        assert!(raw > 0, "the allocator counts");
    }
    let pfs = pfs::Config::new()
        .size(SizeKey::MaxThreadInstances, 6)
        .size(SizeKey::MaxMutexInstances, 2)
        .size(SizeKey::MaxRwlockInstances, 2)
        .size(SizeKey::MaxCondInstances, 0)
        .size(SizeKey::MaxSqlTextLength, 32)
        .size(SizeKey::EventsWaitsHistoryLongSize, 100)
        .start()
        .unwrap();
    assert!(current_id().is_some());
    assert_none("the first events", mix);
    everything(pfs, "by default");
    for consumer in ALL_ON {
        pfs.set_consumer(consumer, true).unwrap();
        assert_none(consumer, mix);
    }
    everything(pfs, "with every consumer on");
    for timed in [Timed::No, Timed::Yes] {
        pfs.set_instruments("%", None, Some(timed)).unwrap();
        everything(pfs, "whatever is timed");
    }
    pfs.set_instruments("wait/synch/mutex/%", None, Some(Timed::Contended)).unwrap();
    for (instrumented, history) in [(false, true), (true, false), (true, true)] {
        pfs.set_thread(current_id().unwrap(), Some(instrumented), Some(history)).unwrap();
        everything(pfs, "whatever a thread records");
    }
    for table in pfs.tables() {
        if table.truncate().is_ok() {
            everything(pfs, "truncated");
        }
    }
    pfs.set_consumer("thread_instrumentation", false).unwrap();
    everything(pfs, "in global alone");
    for switched in [false, true] {
        pfs.set_instruments("%", Some(switched), None).unwrap();
        everything(pfs, "with instruments off and on");
    }
    pfs.set_consumer("global_instrumentation", false).unwrap();
    everything(pfs, "switched off");
}
