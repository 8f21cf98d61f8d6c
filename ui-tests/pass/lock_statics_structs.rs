//! Structs that hold locks: by the names of their own fields, or all of a kind by one name.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};
use std::sync::{LazyLock, OnceLock};

#[path = "support/mod.rs"]
mod support;

#[derive(Instrument)]
#[instrument(component = "ui")]
struct Queue<T> {
    #[mutex]
    jobs: Mutex<Vec<T>>,
    #[condvar]
    added: Condvar,
    limit: usize,
}

impl<T> Queue<T> {
    const fn new(limit: usize) -> Self {
        Self { jobs: Mutex::new(Vec::new()), added: Condvar::new(), limit }
    }

    fn push(&self, job: T) -> bool {
        let mut jobs = self.jobs.lock().unwrap();
        let room = jobs.len() < self.limit;
        if room {
            jobs.push(job);
            self.added.notify_one();
        }
        room
    }
}

#[derive(Instrument)]
struct Server {
    #[instrument]
    queues: [Queue<u8>; 2],
    #[rwlock("ui/Server::config")]
    config: RwLock<u8>,
}

impl Server {
    const fn new() -> Self {
        Self { queues: [Queue::new(1), Queue::new(2)], config: RwLock::new(0) }
    }

    fn serve(&self) -> bool {
        self.queues.iter().all(|queue| queue.push(*self.config.read().unwrap()))
    }
}

#[instrument]
static SERVER: Server = Server::new();

#[instrument]
static LATER: OnceLock<Box<Server>> = OnceLock::new();

/// Visible, lazy, and an array.
#[instrument()]
pub(crate) static LAZY: LazyLock<[Server; 2]> = LazyLock::new(|| [Server::new(), Server::new()]);

// What the type calls them is not asked here.
#[instrument_mutex("ui/one name")]
#[instrument_rwlock]
static ONE_NAME: Server = Server::new();

fn main() {
    support::start();
    assert!(SERVER.serve());
    assert!(LATER.get_or_init(|| Box::new(Server::new())).serve());
    assert!(LAZY.iter().all(Server::serve));
    for (name, count) in [("mutex/ui/Queue::jobs", 8), ("rwlock/ui/Server::config", 8), ("cond/ui/Queue::added", 0)] {
        assert_eq!(support::waits(&format!("wait/synch/{name}")), count, "{name}");
    }
    assert!(ONE_NAME.serve());
    assert_eq!(support::waits("wait/synch/mutex/ui/one name"), 2);
    assert_eq!(support::waits(&format!("wait/synch/rwlock/{}/ONE_NAME", module_path!())), 2);
    assert_eq!(support::waits("wait/synch/mutex/ui/Queue::jobs"), 8);
    assert_eq!(support::waits("wait/synch/mutex/pfs/unnamed"), 0);
}
