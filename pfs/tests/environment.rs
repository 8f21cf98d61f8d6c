//! The process's own environment, and starts that fail: each case is a process of its own, this program again.

#![cfg(feature = "engine")]

use std::ffi::OsString;
use std::process::Command as Process;

use pfs::prelude::*;
use pfs::sync::{Mutex, RwLock};
use pfs::{Config, ConfigError, Pfs, SizeKey, StartError};
use pfs_runtime::class::classes;

#[instrument_mutex("environment/LOCK_a")]
static LOCK_A: Mutex<u32> = Mutex::new(0);
#[instrument_mutex("environment/LOCK_b")]
static LOCK_B: Mutex<u32> = Mutex::new(0);
#[instrument_rwlock("environment/map")]
static MAP: RwLock<u32> = RwLock::new(0);

const TOLD: &str = "ENVIRONMENT_TEST";

/// What a process prints that runs the case `told` in an environment with these variables.
fn run<V: Into<OsString>>(told: &str, variables: impl IntoIterator<Item = (&'static str, V)>) -> String {
    let mut process = Process::new(std::env::current_exe().unwrap());
    process.args(["--exact", "child", "--nocapture", "--test-threads=1"]).env(TOLD, told);
    printed(process.envs(variables.into_iter().map(|(name, value)| (name, value.into()))))
}

fn printed(process: &mut Process) -> String {
    let output = process.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let said = text.lines().filter_map(|line| line.split_once("said: ")).map(|(_, said)| said);
    said.collect::<Vec<_>>().join("\n")
}

#[test]
fn child() {
    match std::env::var(TOLD).as_deref() {
        Ok("start") => show(Config::from_env().unwrap().start().unwrap()),
        Ok("read") => println!("said: {}", Config::from_env().unwrap_err()),
        Ok("refused by start") => {
            let refused = Config::from_env().unwrap().start().unwrap_err();
            assert!(matches!(refused, StartError::Config(_)));
            println!("said: {refused}");
            start_again();
        }
        Ok("no memory") => {
            let config = Config::new().size(SizeKey::EventsStatementsHistoryLongSize, 1_048_576);
            let wanted = config.memory().unwrap().total();
            let refused = config.start().unwrap_err();
            let StartError::Memory { bytes, .. } = &refused else { panic!("{refused}") };
            assert_eq!(*bytes, wanted);
            println!("said: {refused}");
            start_again();
        }
        Ok("memory") => {
            let config = Config::from_env().unwrap();
            let before = config.memory().unwrap();
            assert!(pfs::current().is_none());
            let pfs = config.start().unwrap();
            assert_eq!(before.total(), pfs.memory());
            if pfs.memory() > 0 {
                assert!(before.engine_status().eq(pfs.engine_status()));
            }
            println!("said: {}", if before.total() > 0 { "the same" } else { "nothing" });
        }
        Ok(other) => panic!("no case {other}"),
        Err(_) => {}
    }
}

/// What the settings came to.
fn show(pfs: Pfs) {
    let variable = |name: &str| {
        let mut rows = pfs.global_variables();
        rows.find(|row| row.variable_name == name).and_then(|row| row.variable_value)
    };
    for name in
        ["max_connections", "worker_threads", "sizing_scale", "statement_text", "max_thread_instances"]
    {
        let value = variable(&format!("performance_schema_{name}"));
        println!("said: {name} {}", value.as_deref().unwrap_or("none"));
    }
    for row in pfs.setup_instruments().filter(|row| row.name.contains("/environment/")) {
        println!("said: {} {:?} {:?}", row.name, row.enabled, row.timed.unwrap());
    }
    for row in pfs.setup_consumers().filter(|row| row.name.starts_with("events_waits_")) {
        println!("said: {} {:?}", row.name, row.enabled);
    }
}

/// A start that failed left nothing, and the next one is as if it were the first.
fn start_again() {
    assert!(pfs::current().is_none());
    assert!(classes().iter().all(|class| class.word().is_off()));
    *LOCK_A.lock().unwrap() += 1;
    let pfs = Config::new().max_connections(1).start().unwrap();
    assert_eq!(pfs.threads().map(|row| row.thread_id).collect::<Vec<_>>(), [1]);
    *LOCK_A.lock().unwrap() += 1;
    *LOCK_B.lock().unwrap() += 1;
    *MAP.write().unwrap() += 1;
    let counts = pfs.events_waits_summary_global_by_event_name();
    let counts = counts.filter(|row| row.event_name.contains("/environment/")).map(|row| row.count_star);
    assert_eq!(counts.collect::<Vec<_>>(), [1, 1, 1]);
    assert!(Config::new().start().is_err());
}

#[test]
fn the_environment_decides() {
    let said = run(
        "start",
        [
            ("PFS", "on"),
            ("PFS_MAX_CONNECTIONS", " 100 "),
            ("PFS_WORKER_THREADS", "8"),
            ("PFS_SIZING_SCALE", "0.5"),
            ("PFS_STATEMENT_TEXT", "OFF"),
            ("PFS_CONSUMER_EVENTS_WAITS_CURRENT", "ON"),
            ("PFS_CONSUMER_EVENTS_WAITS_HISTORY_LONG", "yes"),
            ("PFS_INSTRUMENT", "%/LOCK_b=OFF; wait/synch/mutex/%=COUNTED, wait/synch/%=ON"),
        ],
    );
    assert_eq!(
        said,
        "max_connections 100\nworker_threads 8\nsizing_scale 0.5\nstatement_text OFF\nmax_thread_instances 140\n\
         wait/synch/mutex/environment/LOCK_a Yes No\n\
         wait/synch/mutex/environment/LOCK_b Yes No\n\
         wait/synch/rwlock/environment/map Yes Yes\n\
         events_waits_current Yes\nevents_waits_history No\nevents_waits_history_long Yes"
    );
}

#[test]
fn the_master_switch_leaves_every_table_empty() {
    let said = run("start", [("PFS", "OFF"), ("PFS_MAX_CONNECTIONS", "100")]);
    assert_eq!(
        said,
        "max_connections none\nworker_threads none\nsizing_scale none\nstatement_text none\nmax_thread_instances none"
    );
}

#[test]
fn a_wrong_environment_is_refused_when_it_is_read() {
    assert_eq!(
        run("read", [("PFS_MAX_COND_INSTANCES", "lots")]),
        "environment variable PFS_MAX_COND_INSTANCES = lots: allowed are -1 (automatic) and 0 to 1048576"
    );
    let said = run("read", [("PFS_MAX_COND_INSTANCE", "1")]);
    let begin =
        "there is no environment variable PFS_MAX_COND_INSTANCE (did you mean `PFS_MAX_COND_INSTANCES`?)";
    assert!(said.starts_with(begin), "{said}");
}

#[cfg(unix)]
#[test]
fn an_environment_that_is_no_utf_8_is_refused() {
    use std::os::unix::ffi::OsStringExt;

    assert_eq!(
        run("read", [("PFS", OsString::from_vec(b"O\xffN".to_vec()))]),
        "environment variable PFS = \"O\u{fffd}N\": allowed is text in UTF-8"
    );
}

#[test]
fn what_only_the_program_s_instruments_refuse_is_refused_by_start() {
    assert_eq!(
        run("refused by start", [("PFS_INSTRUMENT", "environment/LOCK_?=OFF")]),
        "environment variable PFS_INSTRUMENT: instrument pattern `environment/LOCK_?` matches no instrument of this program (did you mean \
         `wait/synch/mutex/environment/LOCK_a`?): patterns are of whole names, `wait/synch/mutex/…`; see \
         setup_instruments"
    );
    assert_eq!(
        run("refused by start", [("PFS_INSTRUMENT", "thread/%=CONTENDED")]),
        "environment variable PFS_INSTRUMENT: instrument pattern `thread/%` = `CONTENDED`: it matches no mutex and no \
         rwlock; allowed for others are ON, OFF and COUNTED"
    );
    let said = run(
        "refused by start",
        [
            ("PFS_MAX_THREAD_INSTANCES", "1048576"),
            ("PFS_MAX_SQL_TEXT_LENGTH", "1048576"),
            ("PFS_EVENTS_STATEMENTS_HISTORY_SIZE", "1024"),
        ],
    );
    assert!(said.starts_with("the buffers would take 1"), "{said}");
    assert!(
        said.ends_with(" bytes of address space: allowed are 2^46; make the largest sizes smaller"),
        "{said}"
    );
}

/// The shell's limit of address space, in KiB: room for the program, not for the buffers that it asks for first.
#[cfg(target_os = "linux")]
#[test]
fn a_start_without_memory_leaves_nothing() {
    let program = std::env::current_exe().unwrap();
    let limited = "ulimit -v 1000000 && exec \"$0\" --exact child --nocapture --test-threads=1";
    let mut process = Process::new("sh");
    let said = printed(process.args(["-c", limited]).arg(program).env(TOLD, "no memory"));
    assert!(
        said.starts_with("no memory for the buffers, ") && said.contains(" bytes of address space: "),
        "{said}"
    );
}

#[test]
fn memory_is_known_before_start() {
    for (variables, said) in [
        ([("PFS_MAX_CONNECTIONS", "1"), ("PFS_WORKER_THREADS", "1")], "the same"),
        ([("PFS_MAX_CONNECTIONS", "5000"), ("PFS_WORKER_THREADS", "200")], "the same"),
        ([("PFS_SIZING_SCALE", "0.1"), ("PFS_MAX_SQL_TEXT_LENGTH", "13")], "the same"),
        ([("PFS_MAX_THREAD_INSTANCES", "0"), ("PFS_MAX_MUTEX_INSTANCES", "0")], "the same"),
        ([("PFS_MAX_THREAD_INSTANCES", "1"), ("PFS_EVENTS_WAITS_HISTORY_LONG_SIZE", "1")], "the same"),
        ([("PFS_MAX_MUTEX_INSTANCES", "104857600"), ("PFS_MAX_RWLOCK_INSTANCES", "104857600")], "the same"),
        ([("PFS", "OFF"), ("PFS_MAX_CONNECTIONS", "5000")], "nothing"),
    ] {
        assert_eq!(run("memory", variables), said, "{variables:?}");
    }
}

/// The variables that a configuration gives for a child start that child with it.
#[test]
fn a_configuration_is_handed_to_a_child() {
    let config = Config::new()
        .max_connections(9)
        .worker_threads(3)
        .sizing_scale(0.25)
        .consumer("events_waits_current", true)
        .instrument("wait/synch/rwlock/%", "OFF");
    let mut process = Process::new(std::env::current_exe().unwrap());
    process.args(["--exact", "child", "--nocapture", "--test-threads=1"]).env(TOLD, "start");
    let said = printed(process.envs(config.to_env()));
    assert_eq!(
        said,
        "max_connections 9\nworker_threads 3\nsizing_scale 0.25\nstatement_text ON\nmax_thread_instances 22\n\
         wait/synch/mutex/environment/LOCK_a Yes Contended\n\
         wait/synch/mutex/environment/LOCK_b Yes Contended\n\
         wait/synch/rwlock/environment/map No No\n\
         events_waits_current Yes\nevents_waits_history No\nevents_waits_history_long No"
    );
}

#[test]
fn errors_are_typed() {
    let read = |name: &str, value: &str| Config::new().env_from([(name, value)]).unwrap_err();
    let ConfigError::Value { from, setting, value } = read("PFS_MAX_CONNECTIONS", "0") else { panic!() };
    assert_eq!(from, pfs::config::Origin::Variable("PFS_MAX_CONNECTIONS".to_owned()));
    assert_eq!((setting, value.as_str()), (pfs::config::Setting::MaxConnections, "0"));
    let ConfigError::Unknown { name, meant, .. } = read("PFS_MAX_CONNECTION", "0") else { panic!() };
    assert_eq!((name.as_str(), meant.as_deref()), ("PFS_MAX_CONNECTION", Some("PFS_MAX_CONNECTIONS")));
}
