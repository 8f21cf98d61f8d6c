//! A plugin with a class of most kinds, and functions that a program calls to have them used.
//!
//! What a program does within an event of the plugin is a function that it gives, so that events of both stand in each
//! other.
#![allow(missing_docs, clippy::missing_panics_doc, reason = "the functions are called by their names")]

pub mod futures;
pub mod locks;
pub mod program;
pub mod sessions;
pub mod threads;

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};
use std::sync::OnceLock;

pfs::plugin!();

/// What the program does within an event of the plugin.
pub type Within = extern "C" fn();

extern "C" fn nothing() {}

#[instrument_mutex("shared/LOCK")]
static SHARED: Mutex<u64> = Mutex::new(0);
#[instrument_mutex("plugin/LOCK_static")]
static LOCK: Mutex<u64> = Mutex::new(0);
#[instrument_rwlock("plugin/LOCK_late")]
static LATE: OnceLock<RwLock<u64>> = OnceLock::new();

/// Acquires the plugin's lock.
#[unsafe(no_mangle)]
pub extern "C" fn lock(times: u64) {
    for _ in 0..times {
        *LOCK.lock().unwrap() += 1;
    }
}

/// Acquires a lock of a class that others have too.
#[unsafe(no_mangle)]
pub extern "C" fn lock_shared(times: u64) {
    for _ in 0..times {
        *SHARED.lock().unwrap() += 1;
    }
}

/// Holds the plugin's lock while the program does something.
#[unsafe(no_mangle)]
pub extern "C" fn hold(within: Within) {
    let _held = LOCK.lock().unwrap();
    within();
}

/// Acquires a lock that is made where it is first used: for writing, for reading, and for reading by a try.
#[unsafe(no_mangle)]
pub extern "C" fn read_and_write(times: u64) {
    let lock = LATE.get_or_init(|| RwLock::new(0));
    for _ in 0..times {
        *lock.write().unwrap() += 1;
        assert!(*lock.read().unwrap() > 0);
        assert!(lock.try_read().is_ok());
    }
}

/// Waits on a condition that never comes, for a moment.
#[unsafe(no_mangle)]
pub extern "C" fn wait_on_condition() {
    let (lock, cond): (Mutex<()>, Condvar) =
        (pfs::mutex!("plugin/LOCK_local", ()), pfs::condvar!("plugin/COND_local"));
    let moment = std::time::Duration::from_millis(1);
    drop(cond.wait_timeout(lock.lock().unwrap(), moment).unwrap());
}

/// A statement with a stage with a lock in it, and what the program does.
#[statement("plugin/query")]
fn query_of(within: Within) -> Result<(), String> {
    parse(within);
    Err("refused".to_owned())
}

#[stage("plugin/parsing")]
fn parse(within: Within) {
    *LOCK.lock().unwrap() += 1;
    within();
}

#[unsafe(no_mangle)]
pub extern "C" fn query(within: Within) {
    query_of(within).unwrap_err();
}

/// Counts, each round, a statement, a stage and two acquisitions of the plugin's lock, and one of the shared lock.
#[unsafe(no_mangle)]
pub extern "C" fn hammer(rounds: u64) {
    for _ in 0..rounds {
        query(nothing);
        lock(1);
        lock_shared(1);
    }
}

#[derive(Statement)]
#[statement(component = "plugin")]
enum Command {
    Explain,
}

/// A statement that says of itself what it can.
#[unsafe(no_mangle)]
pub extern "C" fn explain() {
    let mut statement = Command::Explain.begin();
    if statement.wants_text() {
        statement.text("EXPLAIN plugin");
    }
    statement.schema("plugin_db");
    statement.rows_sent(3);
    statement.rows_examined(4);
    statement.warnings(1);
}

/// Two stages by one guard.
#[unsafe(no_mangle)]
pub extern "C" fn two_stages() {
    let mut stage = pfs::stage_class!("plugin/first").begin();
    stage.switch(pfs::stage_class!("plugin/second"));
}

/// The outer of two stages ends first.
#[unsafe(no_mangle)]
pub extern "C" fn out_of_order() {
    let outer = pfs::stage_class!("plugin/first").begin();
    let inner = pfs::stage_class!("plugin/second").begin();
    drop(outer);
    drop(inner);
}

/// A transaction with a statement in it.
#[unsafe(no_mangle)]
pub extern "C" fn transfer() {
    let mut transaction = pfs::transaction::begin();
    transaction.savepoint();
    query(nothing);
    transaction.commit();
}
