//! Plugins, real ones: libraries that are built here, loaded while the program runs, and let join.
//!
//! A process has one pfs, so each test is this program again, told by an environment variable which of them to run.
#![cfg(all(feature = "engine", any(target_os = "linux", target_os = "macos")))]

#[path = "../nested/mod.rs"]
mod nested;

mod concurrency;
mod counts;
mod futures;
mod joining;
mod library;
mod locks;
mod reserve;
mod sessions;
mod threads;

use pfs::prelude::*;
use pfs::sync::Mutex;
use pfs::{Config, Pfs, SizeKey};
use std::cell::RefCell;
use std::process::Command;

// The program is no plugin, but may be taken for one.
pfs::plugin!();

unsafe extern "C" {
    safe fn pfs_plugin() -> *const pfs::plugin::Offer;
}

#[instrument_mutex("program/LOCK")]
static LOCK: Mutex<u64> = Mutex::new(0);
#[instrument_mutex("shared/LOCK")]
static SHARED: Mutex<u64> = Mutex::new(0);

#[statement("program/serving")]
fn serving(within: impl FnOnce()) {
    within();
}

/// Acquires a lock of the program's: what plugins are given to do.
extern "C" fn lock() {
    *LOCK.lock().unwrap() += 1;
}

extern "C" fn nothing() {}

const LOCK_OF_PLUGIN: &str = "wait/synch/mutex/plugin/LOCK_static";
const LOCK_OF_PROGRAM: &str = "wait/synch/mutex/program/LOCK";
const SHARED_LOCK: &str = "wait/synch/mutex/shared/LOCK";

/// As many classes as the first plugin has that the program has not.
const CLASSES_OF_PLUGIN: u32 = 15;

fn config() -> Config {
    Config::new().max_connections(10).size(SizeKey::PluginClasses, CLASSES_OF_PLUGIN + 2)
}

/// How often a class was counted in all.
fn count(pfs: Pfs, name: &str) -> u64 {
    let waits =
        pfs.events_waits_summary_global_by_event_name().map(|row| (row.event_name, row.summary.count_star));
    let stages =
        pfs.events_stages_summary_global_by_event_name().map(|row| (row.event_name, row.summary.count_star));
    let statements = pfs
        .events_statements_summary_global_by_event_name()
        .map(|row| (row.event_name, row.summary.count_star));
    let mut all = waits.chain(stages).chain(statements);
    all.find(|row| row.0 == name).unwrap_or_else(|| panic!("there is no row of {name}")).1
}

/// How often a wait was counted in a thread, by the thread's id.
fn count_in(pfs: Pfs, thread_id: u64, name: &str) -> u64 {
    let mut rows = pfs.events_waits_summary_by_thread_by_event_name();
    let row = rows.find(|row| row.thread_id == thread_id && row.event_name == name);
    row.unwrap_or_else(|| panic!("there is no row of {name} in thread {thread_id}")).summary.count_star
}

/// The calling thread's id in pfs.
fn thread_id() -> Option<u64> {
    pfs_runtime::context::thread::current_id()
}

thread_local! {
    /// What [`see`] saw.
    static SEEN: RefCell<Vec<Option<u64>>> = const { RefCell::new(Vec::new()) };
}

/// Remembers which of pfs's threads the program's code runs in.
extern "C" fn see() {
    SEEN.with_borrow_mut(|seen| seen.push(thread_id()));
}

/// What was seen since the last time.
fn seen() -> Vec<Option<u64>> {
    SEEN.with_borrow_mut(std::mem::take)
}

/// Runs the body of the test `name` in a process of its own, with these variables set.
fn in_a_process(name: &str, variables: &[(&str, &str)], body: impl FnOnce()) {
    const TEST: &str = "PLUGIN_TEST";
    if std::env::var(TEST).is_ok_and(|test| test == name) {
        return body();
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(TEST, name)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (printed, told) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{name}: {}\n{printed}{told}", output.status);
    assert!(printed.contains("test result: ok. 1 passed"), "{printed}");
}
