//! A process that forks under the load of its other threads: the new process is off until it says that it goes on, then
//! counts what it does itself, exactly, with whatever the other threads had half done mended; the parent goes on as before.

#![cfg(all(feature = "engine", unix))]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{
    AtomicBool, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use std::thread;
use std::time::{Duration, Instant};

use pfs::prelude::*;
use pfs::session::Session;
use pfs::sync::{Mutex, RwLock};
use pfs::{Pfs, SizeKey};

/// Only the thread that forks locks these.
#[instrument_mutex("forked/LOCK")]
static LOCK: Mutex<u64> = Mutex::new(0);
#[instrument_rwlock("forked/RWLOCK")]
static RWLOCK: RwLock<u64> = RwLock::new(0);
/// The load's.
#[instrument_mutex("load/LOCK")]
static LOAD_LOCK: Mutex<u64> = Mutex::new(0);

#[statement("forked/query", text = text)]
fn query(text: &str) -> usize {
    step();
    text.len()
}

#[stage("forked/step")]
fn step() {
    *LOCK.lock().unwrap() += 1;
    *RWLOCK.write().unwrap() += 1;
    drop(pfs::transaction::begin());
}

#[statement("load/query", text = "load")]
fn load_query(own: &Mutex<u64>) {
    *LOAD_LOCK.lock().unwrap() += 1;
    *own.lock().unwrap() += 1;
    drop(pfs::transaction::begin());
    load_step();
}

#[stage("load/step")]
fn load_step() {}

/// The parent's other threads that do it.
const WORKERS: usize = 3;

/// What each of the parent's other threads does, again and again: events, instances, sessions, actors, threads.
fn load(stop: &AtomicBool, number: usize) -> u64 {
    let mut queries = 0;
    while !stop.load(Acquire) {
        let own = pfs::mutex!("load/OWN", 0);
        let mut session = Session::new();
        session.authenticate(Some(["ann", "bob"][number % 2]), Some("host"));
        let attached = session.attach();
        for _ in 0..20 {
            load_query(&own);
            queries += 1;
        }
        drop(attached);
    }
    queries
}

/// Counts of a class that have a name with this in it: waits, stages, statements; and of all transactions.
fn counts(pfs: Pfs, part: &str) -> [u64; 4] {
    [
        pfs.events_waits_summary_global_by_event_name()
            .filter(|row| row.event_name.contains(part))
            .map(|row| row.summary.count_star)
            .sum(),
        pfs.events_stages_summary_global_by_event_name()
            .filter(|row| row.event_name.contains(part))
            .map(|row| row.summary.count_star)
            .sum(),
        pfs.events_statements_summary_global_by_event_name()
            .filter(|row| row.event_name.contains(part))
            .map(|row| row.summary.count_star)
            .sum(),
        pfs.events_transactions_summary_global_by_event_name().map(|row| row.summary.count_star).sum(),
    ]
}

/// Forks; the child runs `child` and ends, and this waits for it.
fn fork(child: impl FnOnce()) {
    // SAFETY: the child runs on the one thread that is left. It allocates, which the system's allocator is made to survive.
    match unsafe { libc::fork() } {
        -1 => panic!("no process"),
        0 => {
            let failed = catch_unwind(AssertUnwindSafe(child)).is_err();
            // SAFETY: nothing of the parent's is run down here: neither destructors nor handlers of its end.
            unsafe { libc::_exit(i32::from(failed)) }
        }
        pid => {
            let (mut status, started) = (0, Instant::now());
            // SAFETY: the status is this function's own.
            while unsafe { libc::waitpid(pid, &raw mut status, libc::WNOHANG) } == 0 {
                if started.elapsed() > Duration::from_secs(20) {
                    // SAFETY: the child is this process's own and was not waited for.
                    unsafe { libc::kill(pid, libc::SIGKILL) };
                    panic!("the child hangs");
                }
                thread::sleep(Duration::from_micros(200));
            }
            assert_eq!(status, 0, "the child failed");
        }
    }
}

/// Stops the load when it is dropped.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Release);
    }
}

fn rows_skipped(pfs: Pfs) -> String {
    let name = "Performance_schema_rows_skipped";
    pfs.global_status().find(|row| row.variable_name == name).unwrap().variable_value.unwrap()
}

/// What a child does, whatever the other threads of its parent were at.
fn as_a_child(pfs: Pfs, session: &mut Session, other_session: Option<u64>) {
    // Off: nothing is counted, nobody registers, settings do not switch it on.
    let before = counts(pfs, "forked/");
    query("off");
    pfs.set_instruments("%", None, None).unwrap();
    query("off");
    thread::spawn(|| query("off")).join().unwrap();
    assert_eq!(Session::new().thread_id(), None);
    assert!(pfs::current().unwrap().schema().is_none());
    assert!(pfs::Config::new().start().is_err());
    assert_eq!(counts(pfs, "forked/"), before);

    pfs::after_fork();
    pfs::after_fork();

    // What there is: the thread that forked, and sessions.
    let threads: Vec<_> = pfs.threads().map(|row| (row.thread_id, row.name)).collect();
    let live = threads.len();
    let main = [(1, "thread/pfs/main")];
    let sessions = session.thread_id().into_iter().chain(other_session).map(|id| (id, "thread/pfs/session"));
    assert!(main.into_iter().chain(sessions).all(|thread| threads.contains(&thread)), "{threads:?}");
    // Of other threads there are at most their sessions that were attached to none.
    assert!(threads[1..].iter().all(|(_, name)| *name == "thread/pfs/session"), "{threads:?}");
    assert!(live <= 2 + usize::from(other_session.is_some()) + WORKERS, "{threads:?}");
    if cfg!(target_os = "linux") {
        assert_eq!(pfs.threads().next().unwrap().thread_os_id, Some(u64::from(std::process::id())));
    }
    for part in ["/forked/", "/load/"] {
        assert_eq!(counts(pfs, part), [0; 4]);
    }
    for table in pfs.tables().filter(|table| table.definition().name().starts_with("events_")) {
        // What has a row although nothing was counted is a summary.
        if table.definition().name().contains("_history") || table.definition().name().ends_with("_current") {
            assert_eq!(table.text().to_string().lines().count(), 1, "{}", table.definition().name());
        }
    }
    let connections: Vec<_> =
        pfs.accounts().map(|row| (row.user, row.current_connections, row.total_connections)).collect();
    assert_eq!(connections.iter().map(|(_, current, _)| current).sum::<i64>(), i64::try_from(live).unwrap());
    assert!(connections.iter().all(|(_, current, total)| current == total));

    // It counts what it does.
    for _ in 0..100 {
        query("child");
    }
    {
        let _attached = session.attach();
        query("session");
    }
    let threads = [(); 3].map(|()| {
        let own = pfs::mutex!("forked/OWN", 0_u64);
        thread::spawn(move || {
            query("thread");
            *own.lock().unwrap() += 1;
        })
    });
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(pfs.threads().count(), live);
    assert_eq!(counts(pfs, "/forked/"), [2 * 104 + 3, 104, 104, 104]);
    assert_eq!(counts(pfs, "/load/")[..3], [0; 3]);
    let instance = pfs.events_waits_summary_by_instance().find(|row| row.event_name.ends_with("forked/LOCK"));
    assert_eq!(instance.unwrap().summary.count_star, 104);
    // Every place that there is can be taken: none was left with the parent's threads.
    let places = 200 - live;
    let sessions: Vec<_> = (0..places).map(|_| Session::new()).collect();
    assert!(sessions.iter().all(|session| session.thread_id().is_some()));
    assert_eq!(Session::new().thread_id(), None);
    let free = 60 - pfs.mutex_instances().count();
    let locks: Vec<_> = (0..=free).map(|_| pfs::mutex!("forked/MANY", ())).collect();
    for lock in &locks {
        drop(lock.lock());
    }
    // Each other thread may have been taking one, or giving one back.
    assert!((60 - WORKERS..=60).contains(&pfs.mutex_instances().count()));
    // What is recorded is recorded, in every history.
    pfs.table("events_statements_history_long").unwrap().truncate().unwrap();
    query("last");
    let texts: Vec<_> = pfs.events_statements_history_long().map(|row| row.sql_text.unwrap()).collect();
    assert_eq!(texts, ["last"]);
    assert_eq!(rows_skipped(pfs), "0");
    // And it may fork in its turn.
    fork(|| {
        pfs::after_fork();
        query("grandchild");
        assert_eq!(counts(pfs, "/forked/"), [2, 1, 1, 1]);
    });
}

#[test]
fn a_fork_under_load() {
    let mut config = pfs::Config::new()
        .instrument("wait/%", "ON")
        .size(SizeKey::MaxThreadInstances, 200)
        .size(SizeKey::MaxMutexInstances, 60);
    for kind in ["waits", "stages", "statements", "transactions"] {
        for table in ["current", "history", "history_long"] {
            config = config.consumer(format!("events_{kind}_{table}"), true);
        }
    }
    let pfs = config.start().unwrap();
    let mut session = Session::new();
    let stop = AtomicBool::new(false);
    let (truncations, forks) = (AtomicU64::new(0), 30);
    thread::scope(|scope| {
        // Also if an assertion fails.
        let stops = Stop(&stop);
        let workers: Vec<_> = (0..3)
            .map(|number| {
                scope.spawn({
                    let stop = &stop;
                    move || load(stop, number)
                })
            })
            .collect();
        let noise = scope.spawn(|| {
            while !stop.load(Acquire) {
                // The locks of the engine are held, most of the time.
                pfs.set_instruments("%", None, None).unwrap();
                pfs.table("events_stages_summary_by_thread_by_event_name").unwrap().truncate().unwrap();
                pfs.table("events_waits_summary_by_instance").unwrap().truncate().unwrap();
                truncations.fetch_add(1, Relaxed);
            }
        });
        for number in 0..forks {
            query("parent");
            if number % 2 == 0 {
                // Within a statement and a session.
                let mut attached_session = Session::new();
                let id = attached_session.thread_id().unwrap();
                let attached = attached_session.attach();
                fork(|| {
                    drop(attached);
                    as_a_child(pfs, &mut session, Some(id));
                });
            } else {
                fork(|| as_a_child(pfs, &mut session, None));
            }
        }
        drop(stops);
        noise.join().unwrap();
        let queries: u64 = workers.into_iter().map(|worker| worker.join().unwrap()).sum();
        // The parent knows nothing of it.
        assert_eq!(counts(pfs, "/forked/")[..3], [2 * forks, forks, forks]);
        assert_eq!(counts(pfs, "/load/")[2..], [queries, queries + forks]);
        assert_eq!(counts(pfs, "/load/")[0], 2 * queries);
    });
    assert!(truncations.load(Relaxed) > 0);
    pfs::after_fork();
    assert_eq!(counts(pfs, "/forked/")[..3], [2 * forks, forks, forks]);
}
