//! `kv bench`: what its tables say agrees with the load that its clients saw, and with itself.

mod harness;

use std::collections::{BTreeMap, BTreeSet, HashMap};
#[cfg(unix)]
use std::io::Read;
use std::process::Command;
#[cfg(unix)]
use std::process::Stdio;
use std::sync::OnceLock;

use harness::KV;
use serde_json::Value;

/// The tables of one run.
fn tables() -> &'static Value {
    static TABLES: OnceLock<Value> = OnceLock::new();
    TABLES.get_or_init(|| {
        let output =
            Command::new(KV).args(["bench", "--seconds", "4", "--clients", "6", "--json"]).output().unwrap();
        assert!(output.status.success());
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
        assert_eq!(output.stdout.iter().position(|&byte| byte == b'\n'), Some(output.stdout.len() - 1));
        serde_json::from_slice(&output.stdout).unwrap()
    })
}

fn rows(table: &str) -> &'static [Value] {
    tables()[table].as_array().unwrap_or_else(|| panic!("no table {table}"))
}

/// `count_star` by class, summed over the rows.
fn sums(table: &str, column: &str) -> BTreeMap<&'static str, u64> {
    let mut sums = BTreeMap::new();
    for row in rows(table) {
        *sums.entry(row["event_name"].as_str().unwrap()).or_default() += row[column].as_u64().unwrap();
    }
    sums
}

#[test]
fn statements_are_exactly_the_answers() {
    let load = &tables()["load"];
    let answered = load["by_command"].as_object().unwrap().iter();
    let answered: BTreeMap<String, u64> =
        answered.map(|(name, count)| (format!("statement/kv/{name}"), count.as_u64().unwrap())).collect();
    let counted: BTreeMap<String, u64> = sums("events_statements_summary_global_by_event_name", "count_star")
        .into_iter()
        .filter(|&(_, count)| count > 0)
        .map(|(name, count)| (name.to_owned(), count))
        .collect();
    assert_eq!(counted, answered);
    assert_eq!(answered.values().sum::<u64>(), load["requests"].as_u64().unwrap());
    for name in ["get", "set", "incr", "lpush", "lpop", "rpush", "rpop", "lrange", "exists", "select"] {
        assert!(answered.get(&format!("statement/kv/{name}")).is_some_and(|&count| count > 0), "{name}");
    }
    // Of no database is there a SELECT now and then.
    let errors = sums("events_statements_summary_global_by_event_name", "sum_errors");
    assert!(errors["statement/kv/select"] > 0);
    assert_eq!(errors.values().sum::<u64>(), load["errors"].as_u64().unwrap());
}

#[test]
fn statements_ran_in_the_databases_that_the_load_selects() {
    let long = rows("events_statements_history_long").iter();
    let schemas: BTreeSet<&str> = long.map(|row| row["current_schema"].as_str().unwrap()).collect();
    assert!(schemas.len() > 1 && schemas.contains("db0"), "{schemas:?}");
    assert!(schemas.is_subset(&BTreeSet::from(["db0", "db1", "db2", "db3"])), "{schemas:?}");
}

#[test]
fn buffers_that_are_too_small_lose_events_and_count_none_wrong() {
    let output = Command::new(KV)
        .args(["bench", "--seconds", "1", "--clients", "40", "--sizing-scale", "0.1", "--json"])
        // Sizes follow from how many threads a machine runs at once, too.
        .env("PFS_WORKER_THREADS", "2")
        .output()
        .unwrap();
    assert!(output.status.success());
    let tables: Value = serde_json::from_slice(&output.stdout).unwrap();
    let value = |table: &str, name: &str| {
        let row = tables[table].as_array().unwrap().iter().find(|row| row["variable_name"] == name).unwrap();
        row["variable_value"].as_str().unwrap().parse::<u64>().unwrap()
    };
    // The server has 44 threads.
    let threads = value("global_variables", "performance_schema_max_thread_instances");
    assert!(threads < 44, "{threads}");
    assert_eq!(tables["threads"].as_array().unwrap().len() as u64, threads);
    assert_eq!(value("global_status", "Performance_schema_thread_instances_lost"), 44 - threads);
    let global = tables["events_statements_summary_global_by_event_name"].as_array().unwrap().iter();
    let counted: u64 = global.map(|row| row["count_star"].as_u64().unwrap()).sum();
    assert_eq!(counted, tables["load"]["requests"].as_u64().unwrap());
}

#[test]
fn the_report_says_what_it_leaves_out() {
    let output = Command::new(KV)
        .args(["bench", "--seconds", "1", "--clients", "8"])
        .env("PFS_MAX_THREAD_INSTANCES", "5")
        .output()
        .unwrap();
    let report = String::from_utf8(output.stdout).unwrap();
    // Eight clients, acceptor, flusher, expirer, and the thread that started them.
    for remark in [
        "WAITS OF CLIENTS  locks and condition variables of the threads that serve them, but for 7 threads without a row",
        "WAITS IN THE BACKGROUND  of all other threads; on their condition variables they wait for work",
        "THREADS  by class, with what they did, but for 7 threads without a row",
        "  Performance_schema_thread_instances_lost 7",
    ] {
        assert!(report.lines().any(|line| line == remark), "{remark} in\n{report}");
    }
}

#[test]
fn threads_add_up_to_the_whole() {
    // No thread has ended: connections are still open when the tables are read.
    for kind in ["waits", "stages", "statements"] {
        for column in ["count_star", "sum_timer_wait"] {
            let global = sums(&format!("events_{kind}_summary_global_by_event_name"), column);
            let by_thread = sums(&format!("events_{kind}_summary_by_thread_by_event_name"), column);
            assert_eq!(by_thread, global, "{kind} {column}");
        }
    }
    let classes = rows("threads").iter().map(|row| row["name"].as_str().unwrap());
    let mut threads: BTreeMap<&str, usize> = BTreeMap::new();
    classes.for_each(|name| *threads.entry(name).or_default() += 1);
    assert_eq!(threads["thread/kv/connection"], 6);
    for one in ["thread/kv/acceptor", "thread/kv/flusher", "thread/kv/expirer"] {
        assert_eq!(threads[one], 1, "{one}");
    }
    // Whoever drives the server is not of it: what is left is the thread that started it.
    assert_eq!(threads.values().sum::<usize>(), 10);
}

#[test]
fn every_lock_has_a_name() {
    assert_eq!(tables()["unnamed_locks"], Value::Array(Vec::new()));
    let sources = rows("events_waits_summary_by_source").iter();
    let locks: BTreeSet<&str> = sources.map(|row| row["event_name"].as_str().unwrap()).collect();
    let named = [
        "wait/synch/cond/kv/COND_expirer",
        "wait/synch/cond/kv/COND_log_durable",
        "wait/synch/cond/kv/COND_log_work",
        "wait/synch/mutex/kv/LOCK_connections",
        "wait/synch/mutex/kv/LOCK_expirer",
        "wait/synch/mutex/kv/LOCK_log",
        "wait/synch/rwlock/kv/Shard::map",
    ];
    assert_eq!(locks, BTreeSet::from(named));
}

#[test]
fn nothing_is_lost_and_the_long_histories_are_filled() {
    let counters =
        rows("global_status").iter().filter(|row| row["variable_name"].as_str().unwrap().ends_with("_lost"));
    let mut seen = 0;
    for row in counters {
        assert_eq!(row["variable_value"], "0", "{}", row["variable_name"]);
        seen += 1;
    }
    assert!(seen > 0);
    for kind in ["waits", "stages", "statements"] {
        assert!(rows(&format!("events_{kind}_history_long")).len() >= 1000, "{kind}");
    }
}

struct Event {
    id: u64,
    end_id: Option<u64>,
    parent: Option<(u64, String)>,
    start: u64,
    end: u64,
}

/// Every event that some table still holds, by thread, in the order of ids.
fn events() -> BTreeMap<u64, Vec<Event>> {
    let mut threads: BTreeMap<u64, BTreeMap<u64, Event>> = BTreeMap::new();
    for kind in ["waits", "stages", "statements"] {
        for window in ["current", "history", "history_long"] {
            for row in rows(&format!("events_{kind}_{window}")) {
                let number = |column: &str| row[column].as_u64();
                let id = number("event_id").unwrap();
                let parent = number("nesting_event_id").map(|id| {
                    (id, format!("{}S", row["nesting_event_type"].as_str().unwrap()).to_lowercase())
                });
                let event = Event {
                    id,
                    end_id: number("end_event_id"),
                    parent,
                    start: number("timer_start").unwrap(),
                    end: number("timer_end").unwrap(),
                };
                threads.entry(number("thread_id").unwrap()).or_default().insert(id, event);
            }
        }
    }
    threads.into_iter().map(|(thread, events)| (thread, events.into_values().collect())).collect()
}

#[test]
fn ids_are_nested_as_events_are() {
    // How far back each long history reaches, by kind and thread.
    let mut oldest: HashMap<(String, u64), u64> = HashMap::new();
    for kind in ["waits", "stages", "statements"] {
        for row in rows(&format!("events_{kind}_history_long")) {
            let (thread, id) = (row["thread_id"].as_u64().unwrap(), row["event_id"].as_u64().unwrap());
            let first = oldest.entry((kind.to_owned(), thread)).or_insert(id);
            *first = id.min(*first);
        }
    }
    let mut children = 0;
    for (thread, events) in events() {
        let known: BTreeSet<u64> = events.iter().map(|event| event.id).collect();
        // The events that contain the one looked at, outermost first.
        let mut open: Vec<&Event> = Vec::new();
        for event in &events {
            let end_id = event.end_id.unwrap_or(u64::MAX);
            open.retain(|outer| event.id <= outer.end_id.unwrap_or(u64::MAX));
            match &event.parent {
                None => {
                    assert!(open.is_empty(), "thread {thread}: {} has no parent but is contained", event.id);
                }
                Some((parent, kind)) if known.contains(parent) => {
                    children += 1;
                    let innermost = open.last().expect("a parent contains its child");
                    assert_eq!(innermost.id, *parent, "thread {thread}: parent of {}", event.id);
                    assert!(
                        end_id <= innermost.end_id.unwrap_or(u64::MAX),
                        "{kind} {parent} ends in {}",
                        event.id
                    );
                    assert!(
                        innermost.start <= event.start,
                        "thread {thread}: {} began before {parent}",
                        event.id
                    );
                    if event.end_id.is_some() && innermost.end_id.is_some() {
                        assert!(
                            event.end <= innermost.end,
                            "thread {thread}: {} ended after {parent}",
                            event.id
                        );
                    }
                }
                Some((parent, kind)) => {
                    let first = oldest.get(&(kind.clone(), thread)).copied().unwrap_or(u64::MAX);
                    assert!(*parent < first, "thread {thread}: {kind} {parent} is not there");
                }
            }
            open.push(event);
        }
    }
    assert!(children > 1000, "{children}");
}

#[test]
fn the_report_has_its_sections_and_no_colours_in_a_pipe() {
    let output = Command::new(KV).args(["bench", "--seconds", "1", "--sync", "never"]).output().unwrap();
    assert!(output.status.success());
    let report = String::from_utf8(output.stdout).unwrap();
    let sections = [
        "LOAD",
        "STATEMENTS",
        "DIGESTS",
        "STAGES",
        "WAITS OF CLIENTS",
        "WAITS IN THE BACKGROUND",
        "LOCKS WITHOUT A NAME",
        "THREADS",
        "LOST",
        "MEMORY",
    ];
    let found: Vec<&str> =
        sections.into_iter().filter(|title| report.contains(&format!("\n{title}  "))).collect();
    assert_eq!(found, sections);
    for name in
        ["kv/get", "kv/committing", "cond/kv/COND_log_durable", "cond/kv/COND_log_work", "kv/connection"]
    {
        assert!(report.contains(name), "{name}");
    }
    let answer = report.lines().next().unwrap();
    assert!(
        answer.starts_with("Clients wait most for wait/synch/") && answer.ends_with(" on average."),
        "{answer}"
    );
    assert!(
        report.contains(" answered with an error, as is meant: the load has INCR of a text and SELECT of no database in it; "),
        "{report}"
    );
    assert!(report.contains("lost counters are 0"));
    assert!(report.contains("\n  none: every lock that was counted has a name\n"), "{report}");
    assert!(!report.contains('\x1b'));
}

#[test]
fn a_schema_that_is_switched_off_says_so() {
    let output = Command::new(KV)
        .args(["bench", "--seconds", "1", "--clients", "2"])
        .env("PFS", "off")
        .output()
        .unwrap();
    assert!(output.status.success());
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(report.contains("\nLOAD  ") && !report.contains("STATEMENTS"), "{report}");
    let why = "pfs is switched off by its settings (performance_schema, or PFS in the environment)";
    assert!(report.ends_with(&format!("\n{why}: it cannot tell where the time went\n")), "{report}");
}

#[test]
#[cfg(unix)]
fn a_reader_that_leaves_is_no_error() {
    let mut bench = Command::new(KV)
        .args(["bench", "--seconds", "1", "--clients", "2", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(bench.stdout.take());
    let mut complaints = String::new();
    bench.stderr.take().unwrap().read_to_string(&mut complaints).unwrap();
    assert_eq!(complaints, "");
    assert_eq!(bench.wait().unwrap().code(), Some(0));
}

/// Waits until a process has its own idea of what SIGINT means.
#[cfg(target_os = "linux")]
fn until_interruptible(process: u32) {
    for _ in 0..1000 {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        if u64::from_str_radix(caught.trim(), 16).unwrap() & 0b10 != 0 {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("no handler for SIGINT after ten seconds");
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_the_load_early_and_still_reports() {
    let bench = Command::new(KV)
        .args(["bench", "--seconds", "600", "--clients", "2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until_interruptible(bench.id());
    let sent = Command::new("kill").args(["-s", "INT", &bench.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = bench.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8(output.stdout).unwrap().contains("STATEMENTS"));
}
