//! `once!`, `once_lock!`, `lazy_lock!`, `barrier!`, `channel!`, `sync_channel!` wherever an expression may stand.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::sync::mpsc::{Receiver, SyncSender};
use pfs::sync::{Barrier, LazyLock, Mutex, Once, OnceLock};
use std::collections::HashMap;

#[path = "support/mod.rs"]
mod support;

static ONCE: Once = once!("ui/once");
static CELL: OnceLock<String> = once_lock!("ui/cell");
static LAZY: LazyLock<HashMap<&str, u32>> = lazy_lock!("ui/lazy", || HashMap::from([("a", 1)]));
static LAZY_OF_A_FUNCTION: LazyLock<u8, fn() -> u8> = lazy_lock!("ui/lazy of a function", seven);
static LAZY_LOCKED: LazyLock<Mutex<Vec<u8>>> = lazy_lock!("ui/lazy locked", || mutex!("ui/inside", vec![5]));
static ARRAY: [OnceLock<u8>; 3] = [const { once_lock!("ui/array") }; 3];
static BARRIER: Barrier = barrier!("ui/barrier", 1);

thread_local! {
    static LOCAL: OnceLock<u8> = const { once_lock!("ui/local") };
}

fn seven() -> u8 {
    7
}

struct Queue<T> {
    sender: SyncSender<T>,
    receiver: Receiver<T>,
    closed: Once,
}

impl<T> Queue<T> {
    fn new(bound: usize) -> Self {
        let (sender, receiver) = sync_channel!("ui/Queue::jobs", bound);
        Self { sender, receiver, closed: once!("ui/Queue::closed") }
    }
}

const fn in_a_const_fn() -> Barrier {
    barrier!("ui/in a const fn", 2 - 1)
}

fn main() {
    support::start();
    ONCE.call_once(|| ());
    assert!(ONCE.is_completed());
    assert_eq!(CELL.get_or_init(|| "value".to_owned()), "value");
    assert_eq!((LAZY["a"], *LAZY_OF_A_FUNCTION), (1, 7));
    assert_eq!(*LAZY_LOCKED.lock().unwrap(), [5]);
    assert_eq!(ARRAY[1].set(8), Ok(()));
    assert!(BARRIER.wait().is_leader() && in_a_const_fn().wait().is_leader());
    LOCAL.with(|local| assert_eq!(local.get_or_init(seven), &7));

    let queue = Queue::new(2);
    queue.sender.send("first").unwrap();
    queue.sender.clone().send("second").unwrap();
    queue.closed.call_once(|| ());
    assert_eq!(queue.receiver.recv(), Ok("first"));
    assert_eq!(queue.receiver.iter().next(), Some("second"));

    // A trailing comma, `name =`, types inferred from use.
    let (sender, receiver) = channel!("ui/channel",);
    sender.send(9_u64).unwrap();
    assert_eq!(receiver.into_iter().next(), Some(9));
    let text = String::from("captured");
    let lazy = lazy_lock!(name = "ui/captures", move || text.len(),);
    assert_eq!(*lazy, 8);
    let (sender, receiver) = pfs::sync_channel!(name = "ui/rendezvous", 0);
    pfs::thread::spawn(move || sender.send('x').unwrap());
    assert_eq!(receiver.recv(), Ok('x'));

    for name in ["once", "cell", "lazy", "lazy of a function", "lazy locked", "array", "local", "Queue::closed", "captures"] {
        let name = format!("wait/synch/cond/ui/{name}");
        assert!(support::is_declared(&name), "{name}");
        assert_eq!(support::waits(&name), 0, "{name}");
    }
    for (name, count) in [("barrier", 1), ("in a const fn", 1), ("Queue::jobs", 2), ("channel", 1)] {
        assert_eq!(support::waits(&format!("wait/synch/cond/ui/{name}")), count, "{name}");
    }
    assert_eq!(support::waits("wait/synch/mutex/ui/inside"), 1);
    // The sender's wait, if it came first, and the receiver's.
    assert!((1..=2).contains(&support::waits("wait/synch/cond/ui/rendezvous")));
}
