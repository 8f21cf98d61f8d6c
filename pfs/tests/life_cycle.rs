//! Before start, a start that fails, the one that succeeds, and a second: one process, step by step.

#![cfg(all(feature = "engine", feature = "json"))]

use std::sync::mpsc;
use std::thread;

use pfs::prelude::*;
use pfs::session::Session;
use pfs::stage::StageClass;
use pfs::sync::{Condvar, Mutex, MutexGuard, RwLock};
use pfs::tables::YesNo;
use pfs::{Config, Pfs, SetupError, SizeKey, StartError, Timed};
use pfs_runtime::class;
use pfs_runtime::class::classes;
use pfs_runtime::context::thread::current_id;

#[instrument_mutex("life/STATIC")]
static STATIC: Mutex<u32> = Mutex::new(0);
#[instrument_rwlock("life/RWLOCK")]
static RWLOCK: RwLock<u32> = RwLock::new(0);
#[instrument_condvar("life/COND")]
static COND: Condvar = Condvar::new();
const WRITING: StageClass = pfs::stage_class!("life/writing");

class! {
    static DISK: WaitIo = "wait/io/life/disk";
    static LATCH: WaitLock = "wait/lock/life/latch";
    static LOG: File = "wait/io/file/life/log";
    static CLIENT: Socket = "wait/io/socket/life/client";
    static ROWS: TableIo = "wait/io/table/life/rows";
    static TABLES: TableLock = "wait/lock/table/life/tables";
    static CACHE: Memory = "memory/life/cache";
}

#[derive(Statement)]
#[statement(component = "life")]
enum Command {
    Get,
}

fn count(pfs: Pfs, name: &str) -> u64 {
    let waits =
        pfs.events_waits_summary_global_by_event_name().map(|row| (row.event_name, row.summary.count_star));
    let stages =
        pfs.events_stages_summary_global_by_event_name().map(|row| (row.event_name, row.summary.count_star));
    let statements = pfs
        .events_statements_summary_global_by_event_name()
        .map(|row| (row.event_name, row.summary.count_star));
    let mut rows = waits.chain(stages).chain(statements);
    rows.find(|(event_name, _)| *event_name == name).expect("a class of that name").1
}

/// What is counted once by each call, and the instances it may leave: none.
fn work() {
    *STATIC.lock().unwrap() += 1;
    *RWLOCK.write().unwrap() += 1;
    let mut statement = Command::Get.begin();
    statement.text("GET");
    drop(WRITING.begin());
}

#[test]
fn a_life() {
    assert!(before_start().is_none());
    bad_configurations_start_nothing();
    switched_off_is_inert();
    let pfs = start_with_all_kinds_of_things_open();
    a_second_start_is_an_error_and_changes_nothing(pfs);
    defaults(pfs);
}

fn before_start() -> Option<Pfs> {
    work();
    let mut session = Session::new();
    assert_eq!((session.thread_id(), session.processlist_id()), (None, None));
    {
        let _attached = session.attach();
        work();
    }
    let statement = Command::Get.begin();
    assert!(!statement.wants_text());
    assert_eq!(pfs::thread_class!("life/early").spawn(|| 7).join().unwrap(), 7);
    assert!(classes().iter().all(|class| class.word().is_off()));
    assert_eq!(current_id(), None);
    pfs::current()
}

fn bad_configurations_start_nothing() {
    let refused = |config: Config| {
        let checked = config.check().unwrap_err().to_string();
        let started = config.start().unwrap_err();
        assert!(matches!(started, StartError::Config(_)));
        assert_eq!(started.to_string(), checked);
        assert!(pfs::current().is_none() && classes().iter().all(|class| class.word().is_off()));
        checked
    };
    for key in SizeKey::ALL {
        let (name, lowest, highest) = (key.name(), *key.limits().start(), *key.limits().end());
        for value in [-2, i64::from(lowest) - 1, i64::from(highest) + 1, i64::MIN, i64::MAX] {
            if value == -1 {
                continue;
            }
            assert_eq!(
                refused(Config::new().size(*key, value)),
                format!("{name} = {value}: allowed are -1 (automatic) and {lowest} to {highest}")
            );
        }
    }
    for workers in [0, 10_001, u32::MAX] {
        assert_eq!(
            refused(Config::new().worker_threads(workers)),
            format!("worker_threads = {workers}: allowed are 1 to 10000")
        );
    }
    for scale in [0.0, -1.0, 1000.1, f64::INFINITY, f64::NAN] {
        assert_eq!(
            refused(Config::new().sizing_scale(scale)),
            format!("sizing_scale = {scale}: allowed are 0.001 to 1000")
        );
    }
    for connections in [0, 100_001, u32::MAX] {
        assert_eq!(
            refused(Config::new().max_connections(connections)),
            format!("max_connections = {connections}: allowed are 1 to 100000")
        );
    }
    assert_eq!(
        refused(Config::new().instrument("wait/%", "SOMETIMES")),
        "instrument pattern `wait/%` = `SOMETIMES`: allowed are ON, OFF, COUNTED and CONTENDED"
    );
    assert!(refused(Config::new().instrument("wait/\\", "ON")).starts_with("instrument pattern `wait/\\`: "));
    assert_eq!(
        refused(Config::new().consumer("events_waits", true)),
        "there is no consumer `events_waits`: allowed are events_stages_current, events_stages_history, \
         events_stages_history_long, events_statements_current, events_statements_history, \
         events_statements_history_long, events_transactions_current, events_transactions_history, \
         events_transactions_history_long, events_waits_current, events_waits_history, events_waits_history_long, \
         global_instrumentation, thread_instrumentation, statements_digest"
    );
    // Each size is allowed; together they are more than there is address space for.
    let everything =
        SizeKey::ALL.iter().fold(Config::new(), |config, key| config.size(*key, *key.limits().end()));
    assert!(everything.check().is_ok());
    let error = everything.start().unwrap_err().to_string();
    assert!(error.starts_with("the buffers would take ") && error.contains("allowed are 2^46"), "{error}");
    assert!(pfs::current().is_none());
    // The master switch does not make a bad value good.
    assert!(
        refused(Config::new().performance_schema(false).max_connections(0))
            .starts_with("max_connections = 0")
    );
}

fn switched_off_is_inert() {
    let off = Config::new().performance_schema(false).start().unwrap();
    work();
    assert!(classes().iter().all(|class| class.word().is_off()));
    assert!(pfs::current().is_some_and(|current| current.schema().is_none()));
    assert_eq!((off.memory(), off.setup_instruments().count(), off.threads().count()), (0, 0, 0));
    for table in off.tables() {
        assert_eq!(table.json(), "[]", "{}", table.definition().name());
        assert!(table.truncate().is_ok());
    }
    assert_eq!(off.set_consumer("thread_instrumentation", false), Err(SetupError::Off));
    assert_eq!(off.set_instrument("idle", Some(false), None), Err(SetupError::Off));
    assert_eq!(off.set_thread(1, Some(false), None), Err(SetupError::Off));
}

fn start_with_all_kinds_of_things_open() -> Pfs {
    let lock = pfs::mutex!("life/made_before", 0);
    let unnamed = RwLock::new(0);
    let held: MutexGuard<'_, _> = lock.lock().unwrap();
    let read = unnamed.read().unwrap();
    let stage = WRITING.begin();
    let mut statement = Command::Get.begin();
    let mut early_session = Session::new();
    let (go, wait) = mpsc::channel();
    let (worked, has_worked) = mpsc::channel();
    let early = thread::spawn(move || {
        work();
        worked.send(()).unwrap();
        wait.recv().unwrap();
        assert_eq!(current_id(), None);
        work();
        current_id()
    });
    has_worked.recv().unwrap();
    let never = thread::spawn(thread::park);

    let pfs = Config::new().start().unwrap();
    assert_eq!(
        pfs.threads().map(|row| (row.thread_id, row.name)).collect::<Vec<_>>(),
        [(1, "thread/pfs/main")]
    );
    assert_eq!(current_id(), Some(1));

    // Guards of before are ignored.
    statement.text("too early");
    statement.rows_sent(1);
    drop((held, read, stage, statement));
    assert_eq!(pfs.mutex_instances().count(), 0);
    let names = [
        "wait/synch/mutex/life/made_before",
        "wait/synch/rwlock/pfs/unnamed",
        "stage/life/writing",
        "statement/life/get",
        "wait/synch/mutex/life/STATIC",
    ];
    assert_eq!(names.map(|name| count(pfs, name)), [0; 5]);

    // Locks of before register at their first use after.
    drop(lock.lock());
    drop(unnamed.read());
    work();
    assert_eq!(names.map(|name| count(pfs, name)), [1; 5]);
    let instances: Vec<_> = pfs.mutex_instances().map(|row| row.name).collect();
    assert_eq!(instances, ["wait/synch/mutex/life/made_before", "wait/synch/mutex/life/STATIC"]);
    let instances: Vec<_> = pfs.rwlock_instances().map(|row| row.name).collect();
    assert_eq!(instances, ["wait/synch/rwlock/pfs/unnamed", "wait/synch/rwlock/life/RWLOCK"]);

    // A session of before has no row; what it runs is the thread's.
    {
        let _attached = early_session.attach();
        work();
    }
    assert_eq!((early_session.thread_id(), count(pfs, "statement/life/get")), (None, 2));
    let mut session = Session::new();
    assert_eq!((session.thread_id(), session.processlist_id()), (Some(2), Some(1)));
    {
        let _attached = session.attach();
        work();
    }
    drop((session, early_session));

    // A thread of before registers at its first event after; one that has none does not.
    go.send(()).unwrap();
    assert_eq!(early.join().unwrap(), Some(3));
    assert_eq!((count(pfs, "statement/life/get"), pfs.threads().count()), (4, 1));
    never.thread().unpark();
    never.join().unwrap();
    assert_eq!(pfs.threads().count(), 1);

    // Condvars and what was dropped.
    drop((lock, unnamed));
    assert_eq!((pfs.mutex_instances().count(), pfs.rwlock_instances().count()), (1, 1));
    drop(COND.wait_timeout(STATIC.lock().unwrap(), std::time::Duration::ZERO));
    assert_eq!(pfs.cond_instances().map(|row| row.name).collect::<Vec<_>>(), ["wait/synch/cond/life/COND"]);
    pfs
}

fn a_second_start_is_an_error_and_changes_nothing(pfs: Pfs) {
    let tables = |pfs: Pfs| {
        [
            "setup_instruments",
            "setup_consumers",
            "global_variables",
            "global_status",
            "engine_status",
            "threads",
        ]
        .map(|table| pfs.table(table).unwrap().json())
    };
    let counts = |pfs: Pfs| pfs.table("events_statements_summary_global_by_event_name").unwrap().json();
    let (before, counted) = (tables(pfs), counts(pfs));
    let error = Config::new().max_connections(7).consumer("events_waits_current", true).start().unwrap_err();
    assert!(matches!(error, StartError::AlreadyStarted));
    assert_eq!(
        error.to_string(),
        "pfs was started before in this process: a process has one schema, and it stays until the process ends"
    );
    assert_eq!((tables(pfs), counts(pfs)), (before, counted));
    assert_eq!(pfs::current().unwrap().memory(), pfs.memory());
    work();
    assert_eq!(count(pfs, "statement/life/get"), 5);
}

fn defaults(pfs: Pfs) {
    for row in pfs.setup_instruments() {
        let timed = if row.name.starts_with("wait/synch/mutex/") || row.name.starts_with("wait/synch/rwlock/")
        {
            Some(Timed::Contended)
        } else if ["thread/", "memory/", "error"].iter().any(|prefix| row.name.starts_with(prefix)) {
            None
        } else {
            Some(Timed::Yes)
        };
        assert_eq!((row.enabled, row.timed), (YesNo::Yes, timed), "{}", row.name);
    }
    let consumers: Vec<_> = pfs.setup_consumers().map(|row| (row.name, row.enabled)).collect();
    assert_eq!(
        consumers,
        [
            ("events_stages_current", YesNo::Yes),
            ("events_stages_history", YesNo::No),
            ("events_stages_history_long", YesNo::No),
            ("events_statements_current", YesNo::Yes),
            ("events_statements_history", YesNo::No),
            ("events_statements_history_long", YesNo::No),
            ("events_transactions_current", YesNo::Yes),
            ("events_transactions_history", YesNo::No),
            ("events_transactions_history_long", YesNo::No),
            ("events_waits_current", YesNo::No),
            ("events_waits_history", YesNo::No),
            ("events_waits_history_long", YesNo::No),
            ("global_instrumentation", YesNo::Yes),
            ("thread_instrumentation", YesNo::Yes),
            ("statements_digest", YesNo::Yes),
        ]
    );
    let mut statement = Command::Get.begin();
    assert!(statement.wants_text());
    statement.text("GET");
    assert_eq!(pfs.events_statements_current().next().unwrap().sql_text.as_deref(), Some("GET"));
    // Of 151 connections, and of the threads that run at once on this machine.
    let workers = thread::available_parallelism().unwrap().get();
    let [conds, mutexes, rwlocks, threads] =
        [558 + 4 * workers, 2232 + 16 * workers, 1628 + 16 * workers, 366 + 2 * workers]
            .map(|size| size.to_string());
    let workers = workers.to_string();
    let variables: Vec<_> =
        pfs.global_variables().map(|row| (row.variable_name, row.variable_value.unwrap())).collect();
    let expected = [
        ("performance_schema", "ON"),
        ("performance_schema_accounts_size", "183"),
        ("performance_schema_digests_size", "1000"),
        ("performance_schema_events_stages_history_long_size", "10000"),
        ("performance_schema_events_stages_history_size", "10"),
        ("performance_schema_events_statements_history_long_size", "3000"),
        ("performance_schema_events_statements_history_size", "10"),
        ("performance_schema_events_transactions_history_long_size", "10000"),
        ("performance_schema_events_transactions_history_size", "10"),
        ("performance_schema_events_waits_history_long_size", "10000"),
        ("performance_schema_events_waits_history_size", "10"),
        ("performance_schema_hosts_size", "183"),
        ("performance_schema_max_cond_instances", &conds),
        ("performance_schema_max_connections", "151"),
        ("performance_schema_max_digest_length", "1024"),
        ("performance_schema_max_digest_sample_age", "60"),
        ("performance_schema_max_mutex_instances", &mutexes),
        ("performance_schema_max_rwlock_instances", &rwlocks),
        ("performance_schema_max_sources", "1024"),
        ("performance_schema_max_sql_text_length", "1024"),
        ("performance_schema_max_stage_stack", "16"),
        ("performance_schema_max_statement_stack", "10"),
        ("performance_schema_max_thread_instances", &threads),
        ("performance_schema_max_transaction_stack", "4"),
        ("performance_schema_max_wait_stack", "5"),
        ("performance_schema_plugin_classes", "0"),
        ("performance_schema_sizing_scale", "1"),
        ("performance_schema_statement_text", "ON"),
        ("performance_schema_users_size", "183"),
        ("performance_schema_worker_threads", &workers),
    ];
    let variables: Vec<_> = variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(variables, expected);
}
