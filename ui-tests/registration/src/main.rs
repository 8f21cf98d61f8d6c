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
use std::pin::pin;
use std::task::{Context, Poll, Waker};

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

/// Async, and machine code for two types.
#[statement("program/async")]
async fn later<T: Default>() -> T {
    T::default()
}

/// What something can do in its own time.
trait Later {
    async fn double(&self) -> u64;
}

impl Later for u64 {
    #[stage("program/async method")]
    async fn double(&self) -> u64 {
        *self * 2
    }
}

fn async_closure() -> impl AsyncFn(u64) -> u64 {
    async |add| {
        let lock = pfs::mutex!("program/in an async closure", add);
        let sum = async { *lock.lock().unwrap() + 1 };
        sum.in_stage(pfs::stage_class!("program/stage of a block")).await
    }
}

/// What a future gives that never has to wait.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => unreachable!("nothing here waits"),
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
    assert_eq!((now(later::<u8>()), now(later::<String>())), (0, String::new()));
    assert_eq!(now(7.double()), 14);
    assert_eq!(now(async_closure()(1)), 2);
    assert_eq!((now(library::awaited()), now(library::awaited_inlined::<u16>())), (1, 0));

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
