//! `thread_class!` as an expression, once and shared by many threads.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::thread::ThreadClass;

#[path = "support/mod.rs"]
mod support;

static WORKER: ThreadClass = thread_class!("ui/worker");

fn main() {
    support::start();
    let workers: Vec<_> = (0..3_u32).map(|n| WORKER.spawn(move || n * n)).collect();
    let sum: u32 = workers.into_iter().map(|worker| worker.join().unwrap()).sum();
    assert_eq!(sum, 5);
    let flusher = pfs::thread_class!("ui/flusher").builder().name("flusher".to_owned());
    let name = flusher.spawn(|| std::thread::current().name().map(str::to_owned)).unwrap().join().unwrap();
    assert_eq!(name.as_deref(), Some("flusher"));
    assert!(support::is_declared("thread/ui/worker"));
    assert!(support::is_declared("thread/ui/flusher"));
}
