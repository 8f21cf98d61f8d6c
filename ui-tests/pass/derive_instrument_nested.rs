//! `#[instrument]` on a field: what it holds names its locks itself. A name further out goes before one further in.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};
use std::time::Duration;

#[path = "support/mod.rs"]
mod support;

#[derive(Default, Instrument)]
#[instrument(component = "ui")]
struct Slots {
    #[mutex]
    free: Mutex<Vec<usize>>,
    #[condvar]
    freed: Condvar,
}

impl Slots {
    fn wait(&self) {
        drop(self.freed.wait_timeout(self.free.lock().unwrap(), Duration::ZERO));
    }
}

#[derive(Default, Instrument)]
#[instrument(component = "ui")]
struct Pool {
    #[instrument]
    slots: Slots,
    #[instrument]
    more: Vec<Box<Slots>>,
    #[rwlock]
    config: RwLock<u32>,
}

#[derive(Default, Instrument)]
struct Server {
    #[instrument]
    pools: [Pool; 2],
    // One name for all mutexes in it; its other locks have none.
    #[mutex("ui/Server::special")]
    special: Pool,
    // And one each kind.
    #[mutex("ui/Server::both")]
    #[condvar("ui/Server::both")]
    #[rwlock("ui/Server::both")]
    both: Pool,
    // Not looked into.
    plain: Slots,
}

/// Holds another of its own.
#[derive(Default, Instrument)]
#[instrument(component = "ui")]
struct Node {
    #[mutex]
    value: Mutex<u32>,
    #[instrument]
    next: Option<Box<Node>>,
    #[instrument]
    others: Vec<Self>,
}

fn use_all(pool: &Pool) {
    pool.slots.wait();
    pool.more.iter().for_each(|slots| slots.wait());
    drop(pool.config.read());
}

fn pool() -> Pool {
    Pool { more: vec![Box::default()], ..Pool::default() }
}

fn main() {
    support::start();
    let server =
        Server { pools: [pool(), pool()], special: pool(), both: pool(), plain: Slots::default() }.instrumented();
    server.pools.iter().chain([&server.special, &server.both]).for_each(use_all);
    server.plain.wait();
    let leaf = || Node::default();
    let tree = Node { next: Some(Box::new(leaf())), others: vec![leaf(), leaf()], ..leaf() }.instrumented();
    *tree.value.lock().unwrap() = 1;
    tree.next.iter().for_each(|node| *node.value.lock().unwrap() += 1);
    tree.others.iter().for_each(|node| *node.value.lock().unwrap() += 1);

    for (name, count) in [
        ("mutex/ui/Slots::free", 4),
        ("cond/ui/Slots::freed", 4),
        ("rwlock/ui/Pool::config", 2),
        ("mutex/ui/Server::special", 2),
        ("mutex/ui/Server::both", 2),
        ("cond/ui/Server::both", 2),
        ("rwlock/ui/Server::both", 1),
        ("mutex/ui/Node::value", 4),
        // `plain`, and in `special` what is no mutex.
        ("mutex/pfs/unnamed", 1),
        ("cond/pfs/unnamed", 1 + 2),
        ("rwlock/pfs/unnamed", 1),
    ] {
        assert_eq!(support::waits(&format!("wait/synch/{name}")), count, "{name}");
    }
}
