//! Counts events of threads in a program whose panics abort, and lets a process of its own panic in the middle of them.

use pfs::prelude::*;
use pfs::sync::Mutex;
use pfs::thread;
use std::process::{Command, Stdio};

#[instrument_mutex("abort/LOCK")]
static LOCK: Mutex<u64> = Mutex::new(0);

#[statement("abort/query")]
fn query(panics: bool) {
    step(panics);
}

#[stage("abort/step")]
fn step(panics: bool) {
    let mut held = LOCK.lock().unwrap();
    *held += 1;
    assert!(!panics, "as it is meant");
}

/// What is counted of the lock, the stage and the statement, and how many threads are left.
fn counted(pfs: pfs::Pfs) -> [u64; 4] {
    let waits =
        pfs.events_waits_summary_global_by_event_name().filter(|row| row.event_name.ends_with("abort/LOCK"));
    let stages = pfs.events_stages_summary_global_by_event_name();
    let statements = pfs.events_statements_summary_global_by_event_name();
    [
        waits.map(|row| row.summary.count_star).sum(),
        stages.filter(|row| row.event_name.ends_with("abort/step")).map(|row| row.summary.count_star).sum(),
        statements.map(|row| row.summary.count_star).sum(),
        pfs.threads().count() as u64,
    ]
}

fn main() {
    let pfs = pfs::Config::new().instrument("wait/%", "ON").start().unwrap();
    let panics = std::env::args().nth(1).is_some();
    let threads: Vec<_> = (0..4).map(|_| thread::spawn(|| (0..250).for_each(|_| query(false)))).collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(counted(pfs), [1000, 1000, 1000, 1]);
    if panics {
        thread::spawn(|| query(true)).join().unwrap_err();
        return;
    }
    let itself = std::env::current_exe().unwrap();
    let output = Command::new(itself).arg("panics").stderr(Stdio::piped()).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("as it is meant"), "{message}");
    #[cfg(unix)]
    let ended = std::os::unix::process::ExitStatusExt::signal(&output.status);
    #[cfg(not(unix))]
    let ended = output.status.code();
    println!("aborts: {}, ended by {ended:?}, counted {:?}", cfg!(panic = "abort"), counted(pfs));
}
