//! A signal handler that uses what is instrumented, at every instruction of each kind of event: nothing that is counted is
//! lost or counted twice, what is lost is counted as lost, and no row is torn.

#![cfg(all(feature = "engine", target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]

use std::arch::asm;
use std::collections::BTreeMap;
use std::mem::zeroed;
use std::ptr::null_mut;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use pfs::Pfs;
use pfs::prelude::*;
use pfs::session::Session;
use pfs::stage::StageClass;
use pfs::statement::StatementClass;
use pfs::sync::{Condvar, Mutex, RwLock};
use pfs::task::InstrumentFuture;

/// The first is locked by the thread, the second by what interrupts it, and both are of one class.
#[instrument_mutex("interrupted/LOCK")]
static LOCKS: [Mutex<u64>; 2] = [const { Mutex::new(0) }; 2];
#[instrument_rwlock("interrupted/RWLOCK")]
static RWLOCKS: [RwLock<u64>; 2] = [const { RwLock::new(0) }; 2];
#[instrument_condvar("interrupted/COND")]
static COND: Condvar = Condvar::new();

static QUERY: StatementClass = pfs::statement_class!("interrupted/query");
static REFINED: StatementClass = pfs::statement_class!("interrupted/refined");
static STEP: StageClass = pfs::stage_class!("interrupted/step");
static NEXT: StageClass = pfs::stage_class!("interrupted/next");
static NESTED_QUERY: StatementClass = pfs::statement_class!("interrupted/nested_query");

/// What was done, by whichever of the two: waits, stages, statements, transactions.
static DONE: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];
const WAITS: usize = 0;
const STAGES: usize = 1;
const STATEMENTS: usize = 2;
const TRANSACTIONS: usize = 3;

fn done(kind: usize, events: u64) {
    DONE[kind].fetch_add(events, Relaxed);
}

/// How often the thread was interrupted.
static INTERRUPTED: AtomicUsize = AtomicUsize::new(0);
/// Which of the handler's acts comes first, so that over several rounds each comes at each instruction.
static FIRST: AtomicUsize = AtomicUsize::new(0);

/// What the handler does, one at a time.
const ACTS: [fn(); 5] = [
    || {
        drop(LOCKS[1].lock());
        done(WAITS, 1);
    },
    || {
        let mut statement = NESTED_QUERY.begin();
        statement.text("nested");
        statement.rows_sent(1);
        let step = STEP.begin();
        drop(LOCKS[1].lock());
        drop(step);
        drop(statement);
        done(STATEMENTS, 1);
        done(STAGES, 1);
        done(WAITS, 1);
    },
    || {
        drop(QUERY.begin());
        pfs::statement::current().rows_examined(1);
        done(STATEMENTS, 1);
    },
    || {
        let held = RWLOCKS[1].read();
        drop(RWLOCKS[1].try_write());
        drop(held);
        done(WAITS, 2);
    },
    || {
        let mut transaction = pfs::transaction::begin();
        transaction.savepoint();
        transaction.commit();
        done(TRANSACTIONS, 1);
    },
];

extern "C" fn handle(_: libc::c_int) {
    let times = INTERRUPTED.fetch_add(1, Relaxed);
    ACTS[(times + FIRST.load(Relaxed)) % ACTS.len()]();
}

fn handle_by(signal: libc::c_int) {
    // SAFETY: the handler allocates nothing, and what it uses may be used at any instruction: that is what is tested.
    unsafe {
        let mut action: libc::sigaction = zeroed();
        action.sa_sigaction = handle as extern "C" fn(libc::c_int) as usize;
        action.sa_flags = libc::SA_RESTART;
        assert_eq!(libc::sigaction(signal, &raw const action, null_mut()), 0);
    }
}

/// Runs `f` with the processor's trap flag, which raises a signal after every instruction.
fn at_every_instruction(f: impl FnOnce()) {
    // SAFETY: the flags are changed in the bit that traps, which the kernel clears for the handler and sets again after.
    unsafe {
        asm!("pushfq", "or qword ptr [rsp], 0x100", "popfq");
    }
    f();
    // SAFETY: as above.
    unsafe {
        asm!("pushfq", "and qword ptr [rsp], -257", "popfq");
    }
}

/// One of each kind of event, and what is said of them.
const SCENES: [fn(); 8] = [
    || {
        drop(LOCKS[0].lock());
        done(WAITS, 1);
    },
    || {
        let held = RWLOCKS[0].read();
        drop(RWLOCKS[0].try_write());
        drop(held);
        done(WAITS, 2);
    },
    || {
        drop(RWLOCKS[0].read());
        drop(RWLOCKS[0].write());
        drop(COND.wait_timeout(LOCKS[0].lock().unwrap(), Duration::ZERO));
        done(WAITS, 4);
    },
    || {
        let mut statement = QUERY.begin();
        statement.text("select");
        statement.rows_sent(7);
        statement.refine(&REFINED);
        drop(statement);
        done(STATEMENTS, 1);
    },
    || {
        let mut stage = STEP.begin();
        stage.progress(1, 2);
        stage.switch(NEXT);
        drop(LOCKS[0].lock());
        stage.switch(STEP);
        drop(stage);
        done(STAGES, 3);
        done(WAITS, 1);
    },
    || {
        let transaction = pfs::transaction::begin();
        let outer = QUERY.begin();
        let forgotten = QUERY.begin();
        std::mem::forget(forgotten);
        drop(outer);
        transaction.rollback();
        done(TRANSACTIONS, 1);
        done(STATEMENTS, 2);
    },
    || thread::sleep(Duration::ZERO),
    || {
        let mut future = std::pin::pin!(async { drop(LOCKS[0].lock()) }.in_statement(&QUERY));
        let mut polled = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(future.as_mut().poll(&mut polled).is_ready());
        done(STATEMENTS, 1);
        done(WAITS, 1);
    },
];

fn of_kind(pfs: Pfs) -> [u64; 4] {
    let ours = |name: &str| name.contains("/interrupted/");
    [
        pfs.events_waits_summary_global_by_event_name()
            .filter(|row| ours(row.event_name))
            .map(|row| row.summary.count_star)
            .sum(),
        pfs.events_stages_summary_global_by_event_name()
            .filter(|row| ours(row.event_name))
            .map(|row| row.summary.count_star)
            .sum(),
        pfs.events_statements_summary_global_by_event_name()
            .filter(|row| ours(row.event_name))
            .map(|row| row.summary.count_star)
            .sum(),
        pfs.events_transactions_summary_global_by_event_name().map(|row| row.summary.count_star).sum(),
    ]
}

/// What was counted of the mutexes, of which none is tried in vain: of all by class, and of each by instance.
fn of_mutexes(pfs: Pfs) -> [u64; 2] {
    let name = "wait/synch/mutex/interrupted/LOCK";
    let by_class = pfs.events_waits_summary_global_by_event_name().filter(|row| row.event_name == name);
    let by_instance = pfs.events_waits_summary_by_instance().filter(|row| row.event_name == name);
    [by_class.map(|row| row.summary.count_star).sum(), by_instance.map(|row| row.summary.count_star).sum()]
}

fn lost(pfs: Pfs) -> [u64; 4] {
    let counter = |name: &str| {
        let name = format!("Performance_schema_{name}");
        let row = pfs.global_status().find(|row| row.variable_name == name);
        row.unwrap().variable_value.unwrap().parse().unwrap()
    };
    ["locker_lost", "nested_stage_lost", "nested_statement_lost", "nested_transaction_lost"].map(counter)
}

/// What was done, counted and lost since the last time.
struct Since {
    done: [u64; 4],
    counted: [u64; 4],
    lost: [u64; 4],
    mutexes: [u64; 2],
}

impl Since {
    fn now(pfs: Pfs) -> Self {
        Self {
            done: DONE.each_ref().map(|done| done.load(Relaxed)),
            counted: of_kind(pfs),
            lost: lost(pfs),
            mutexes: of_mutexes(pfs),
        }
    }

    fn until(&self, now: &Self) -> Self {
        fn less<const N: usize>(now: [u64; N], before: [u64; N]) -> [u64; N] {
            std::array::from_fn(|at| now[at] - before[at])
        }
        Self {
            done: less(now.done, self.done),
            counted: less(now.counted, self.counted),
            lost: less(now.lost, self.lost),
            mutexes: less(now.mutexes, self.mutexes),
        }
    }
}

/// Runs scenes at every instruction, each after `before` and before `after`, once for each of the acts that is to come first.
fn each_scene(
    acts: usize,
    scenes: impl IntoIterator<Item = usize>,
    before: impl Fn(),
    after: impl Fn(usize, &Since),
) {
    for number in scenes {
        for first in 0..acts {
            FIRST.store(number + first, Relaxed);
            before();
            let start = Since::now(current());
            at_every_instruction(SCENES[number]);
            after(number, &start.until(&Since::now(current())));
        }
    }
}

fn current() -> Pfs {
    pfs::current().unwrap()
}

fn consumers(pfs: Pfs, on: bool) {
    let names: Vec<_> = pfs.setup_consumers().map(|row| row.name).collect();
    for name in names.into_iter().filter(|name| name.starts_with("events_")) {
        pfs.set_consumer(name, on).unwrap();
    }
}

fn open_events(pfs: Pfs) -> usize {
    let waits = pfs.events_waits_current().filter(|row| row.event.end_event_id.is_none()).count();
    let stages = pfs.events_stages_current().filter(|row| row.event.end_event_id.is_none()).count();
    waits + stages + pfs.events_statements_current().filter(|row| row.end_event_id.is_none()).count()
}

/// The ids of recorded events of each thread: each once, and each within its parent's.
fn ids_are_whole(pfs: Pfs) {
    let mut spans = BTreeMap::new();
    let mut parents = Vec::new();
    let mut add = |thread: u64, id: u64, end: Option<u64>, parent: Option<u64>| {
        assert_eq!(spans.insert((thread, id), end.unwrap()), None, "id {id} of thread {thread}");
        parents.push((thread, id, end.unwrap(), parent));
    };
    for row in pfs.events_waits_history_long() {
        add(row.event.thread_id, row.event.event_id, row.event.end_event_id, row.nesting_event_id);
    }
    for row in pfs.events_stages_history_long() {
        add(row.event.thread_id, row.event.event_id, row.event.end_event_id, row.nesting_event_id);
    }
    for row in pfs.events_statements_history_long() {
        add(row.thread_id, row.event_id, row.end_event_id, row.nesting_event_id);
        // What one says is not another's.
        let text = row.sql_text.as_deref();
        let expected = match row.event_name.rsplit('/').next().unwrap() {
            "nested_query" => Some("nested"),
            "refined" => Some("select"),
            _ => None,
        };
        assert!(text.is_none() || text == expected, "{} says {text:?}", row.event_name);
    }
    for (thread, id, end, parent) in parents {
        if let Some(parent) = parent
            && let Some(parent_end) = spans.get(&(thread, parent))
        {
            assert!(parent < id && end <= *parent_end, "{id} to {end} in {parent} to {parent_end}");
        }
    }
}

/// What is counted, and what is lost and counted as that, is what was done.
fn nothing_is_missing(scene: usize, since: &Since) {
    for kind in [WAITS, STAGES, STATEMENTS, TRANSACTIONS] {
        assert_eq!(since.counted[kind] + since.lost[kind], since.done[kind], "scene {scene}, kind {kind}");
    }
    assert_eq!(since.mutexes[0], since.mutexes[1], "scene {scene}");
}

/// Statistics alone: an event is counted, or lost and counted as that.
fn counted(pfs: Pfs, acts: usize) {
    consumers(pfs, false);
    for timed in [pfs::Timed::Yes, pfs::Timed::No, pfs::Timed::Contended] {
        for kind in ["mutex", "rwlock"] {
            pfs.set_instruments(&format!("wait/synch/{kind}/%"), None, Some(timed)).unwrap();
        }
        let scenes = if timed == pfs::Timed::Yes { 0..SCENES.len() } else { 0..2 };
        each_scene(acts, scenes, || (), nothing_is_missing);
    }
}

/// Recorded: rows are whole, and what is lost is at least a row.
fn recorded(pfs: Pfs, acts: usize) {
    pfs.set_instruments("wait/synch/%", None, Some(pfs::Timed::Yes)).unwrap();
    consumers(pfs, true);
    let before = || {
        for kind in ["waits", "stages", "statements", "transactions"] {
            pfs.table(&format!("events_{kind}_history_long")).unwrap().truncate().unwrap();
        }
    };
    each_scene(acts, (0..SCENES.len()).filter(|scene| acts > 1 || *scene != 2), before, |scene, since| {
        for kind in [WAITS, STAGES, STATEMENTS, TRANSACTIONS] {
            let [counted, lost, done] = [since.counted[kind], since.lost[kind], since.done[kind]];
            assert!(counted <= done && done <= counted + lost, "scene {scene}, kind {kind}");
        }
        assert_eq!(since.mutexes[0], since.mutexes[1], "scene {scene}");
        assert_eq!(open_events(pfs), 0);
        ids_are_whole(pfs);
    });
    consumers(pfs, false);
}

/// While the thread restarts its rows: what it counts is counted in both views, or in none.
fn restarting(pfs: Pfs, acts: usize) {
    let before = || {
        for kind in ["waits", "stages", "statements", "transactions"] {
            let table = format!("events_{kind}_summary_by_thread_by_event_name");
            pfs.table(&table).unwrap().truncate().unwrap();
        }
    };
    each_scene(acts, [0, 4], before, |scene, since| {
        assert_eq!(since.mutexes[0], since.mutexes[1], "scene {scene}");
        assert!(since.counted[WAITS] <= since.done[WAITS], "scene {scene}");
    });
}

/// While a thread is registered: it has one context, which ends.
fn registering(pfs: Pfs, acts: usize) {
    let threads = pfs.threads().count();
    for first in 0..acts {
        FIRST.store(first, Relaxed);
        let before = Since::now(pfs);
        let thread = thread::spawn(|| at_every_instruction(|| drop(LOCKS[0].lock())));
        thread.join().unwrap();
        let since = before.until(&Since::now(pfs));
        assert_eq!(since.mutexes[0], since.mutexes[1]);
        assert_eq!(pfs.threads().count(), threads);
    }
}

/// While a session comes and goes.
fn attaching(pfs: Pfs, acts: usize) {
    let mut session = Session::new();
    for first in 0..acts {
        FIRST.store(first, Relaxed);
        let before = Since::now(pfs);
        at_every_instruction(|| {
            let _attached = session.attach();
            drop(LOCKS[0].lock());
        });
        done(WAITS, 1);
        nothing_is_missing(0, &before.until(&Since::now(pfs)));
    }
    let threads = pfs.threads().count();
    drop(session);
    assert_eq!(pfs.threads().count(), threads - 1);
}

/// Threads that wait for each other, each interrupted again and again.
fn under_load(pfs: Pfs, rounds: u32) {
    const WORKERS: usize = 3;
    handle_by(libc::SIGUSR1);
    let (before, threads) = (Since::now(pfs), Barrier::new(WORKERS + 1));
    let left = AtomicUsize::new(WORKERS);
    // Each worker's number for the system.
    let ids = [const { AtomicU64::new(0) }; WORKERS];
    thread::scope(|scope| {
        let workers: Vec<_> = ids
            .iter()
            .map(|id| {
                let (threads, left) = (&threads, &left);
                scope.spawn(move || {
                    // Registered before it is interrupted: meanwhile, a handler's events would be the raw operation.
                    drop(LOCKS[0].lock());
                    done(WAITS, 1);
                    // SAFETY: it has no preconditions.
                    id.store(unsafe { libc::pthread_self() }, Relaxed);
                    threads.wait();
                    for _ in 0..rounds {
                        for scene in SCENES {
                            scene();
                        }
                    }
                    left.fetch_sub(1, Relaxed);
                    // Here as long as it is interrupted.
                    threads.wait();
                })
            })
            .collect();
        threads.wait();
        while left.load(Relaxed) > 0 {
            for id in &ids {
                // SAFETY: the thread is there, as it waits at the barrier in the end.
                unsafe { libc::pthread_kill(id.load(Relaxed), libc::SIGUSR1) };
            }
            thread::sleep(Duration::from_micros(20));
        }
        threads.wait();
        for worker in workers {
            worker.join().unwrap();
        }
    });
    nothing_is_missing(usize::MAX, &before.until(&Since::now(pfs)));
}

fn whatever_interrupts(acts: usize, rounds: u32) {
    let pfs = pfs::Config::new()
        .instrument("wait/%", "ON")
        .size(pfs::SizeKey::EventsWaitsHistoryLongSize, 100_000)
        .start()
        .unwrap();
    handle_by(libc::SIGTRAP);
    // A session, so that a future needs no context of its own.
    let mut session = Session::new();
    let attached = session.attach();
    // Once without, so that instances have their slots.
    for run in ACTS.iter().chain(&SCENES) {
        run();
    }

    counted(pfs, acts);
    assert!(INTERRUPTED.load(Relaxed) > 1000);
    recorded(pfs, acts);
    restarting(pfs, acts);
    registering(pfs, acts);
    attaching(pfs, acts);
    drop(attached);
    under_load(pfs, rounds);
    assert_eq!(open_events(pfs), 0);
}

#[test]
fn a_handler_comes_at_every_instruction() {
    whatever_interrupts(1, 300);
}

/// The same with each of the handler's acts at each instruction: minutes, in a debug build.
#[test]
#[ignore = "takes minutes, and a process of its own"]
fn each_act_of_a_handler_comes_at_every_instruction() {
    whatever_interrupts(ACTS.len(), 10_000);
}
