//! Prints every class that this program was linked with, but for the engine's own, and how many events of it ended.
//!
//! Most of what declares one is never called, and it is registered all the same: that must hold whatever compiler and
//! linker do with code that nobody calls. What the program prints is compared with `classes.txt`.

#![forbid(unsafe_code)]
#![allow(dead_code, reason = "what is never called is registered all the same")]

mod never_called;

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex};
use pfs_ui_tests_registered_library as library;

#[instrument_mutex("program/static")]
static LOCK: Mutex<u64> = Mutex::new(0);

static IN_A_STATIC: Mutex<u64> = pfs::mutex!("program/in a static", 0);

thread_local! {
    static IN_A_THREAD_LOCAL: Mutex<u64> = const { pfs::mutex!("program/in a thread-local", 0) };
}

/// Machine code for two types, and one class.
#[statement("program/generic")]
fn generic<T: Default>() -> T {
    T::default()
}

/// Declared twice under one name.
fn twice() -> [Mutex<u64>; 2] {
    [pfs::mutex!("program/twice", 0), pfs::mutex!("program/twice", 0)]
}

fn closures() -> impl Fn() -> Condvar {
    || {
        let within = || pfs::condvar!("program/closure in a closure");
        within().notify_all();
        pfs::condvar!("program/closure")
    }
}

/// Whether a class is the engine's own.
fn is_engine_s(name: &str) -> bool {
    let component = name.rsplit('/').nth(1).unwrap_or(name);
    matches!(component, "pfs" | "std" | "idle" | "transaction" | "error")
}

fn main() -> Result<(), pfs::StartError> {
    let pfs = pfs::Config::new().start()?;
    *LOCK.lock().unwrap() += library::called();
    assert_eq!((generic::<u8>(), generic::<String>()), (0, String::new()));
    assert_eq!(library::inlined::<u16>(), 0);
    for lock in twice() {
        drop(lock.lock());
    }
    closures()().notify_one();

    let counts: Vec<_> = (pfs.events_waits_summary_global_by_event_name())
        .map(|row| (row.event_name, row.count_star))
        .chain(pfs.events_stages_summary_global_by_event_name().map(|row| (row.event_name, row.count_star)))
        .chain(
            pfs.events_statements_summary_global_by_event_name().map(|row| (row.event_name, row.count_star)),
        )
        .collect();
    let mut lines: Vec<_> = pfs
        .setup_instruments()
        .filter(|row| !is_engine_s(row.name))
        .map(|row| {
            let places = row.sources.split(", ").count();
            let count = counts.iter().find(|(name, _)| *name == row.name).map(|(_, count)| count.to_string());
            format!("{}\t{places}\t{}", row.name, count.unwrap_or_default())
        })
        .collect();
    lines.sort_unstable();
    for line in lines {
        println!("{}", line.trim_end());
    }
    Ok(())
}
