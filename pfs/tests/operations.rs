//! What a wait of each of std's types was doing: the column `OPERATION` of its rows.

#![cfg(feature = "engine")]

use pfs::Pfs;
use pfs::sync::{Condvar, Mutex, mpsc};
use pfs::thread;
use std::time::Duration;

/// The class and the operation of each wait that `f` makes, in order.
fn operations(pfs: Pfs, f: impl FnOnce()) -> Vec<(&'static str, &'static str)> {
    pfs.table("events_waits_history").unwrap().truncate().unwrap();
    f();
    let mut rows: Vec<_> = pfs.events_waits_history().collect();
    rows.sort_by_key(|row| row.event_id);
    rows.iter().map(|row| (row.event_name, row.operation)).collect()
}

fn of<const N: usize>(
    name: &'static str,
    operations: [&'static str; N],
) -> [(&'static str, &'static str); N] {
    operations.map(|operation| (name, operation))
}

#[test]
fn every_wait_says_what_it_was_doing() {
    let config = pfs::Config::new()
        .consumer("events_waits_current", true)
        .consumer("events_waits_history", true)
        .instrument("wait/%", "ON")
        // Of locks that are only there for a condvar.
        .instrument("wait/synch/mutex/pfs/unnamed", "OFF");
    let pfs = config.start().unwrap();

    let lock = pfs::mutex!("operations/LOCK", 0);
    let mutex = operations(pfs, || {
        drop(lock.lock());
        drop(lock.try_lock());
    });
    assert_eq!(mutex, of("wait/synch/mutex/operations/LOCK", ["lock", "try_lock"]));

    let lock = pfs::rwlock!("operations/LOCK", 0);
    let rwlock = operations(pfs, || {
        drop(lock.read());
        drop(lock.write());
        drop(lock.try_read());
        drop(lock.try_write());
    });
    let name = "wait/synch/rwlock/operations/LOCK";
    assert_eq!(rwlock, of(name, ["read_lock", "write_lock", "try_read_lock", "try_write_lock"]));

    let (lock, cond): (_, Condvar) = (Mutex::new(0), pfs::condvar!("operations/COND"));
    let waits = operations(pfs, || {
        drop(cond.wait_timeout(lock.lock().unwrap(), Duration::ZERO));
    });
    assert_eq!(waits, of("wait/synch/cond/operations/COND", ["timed_wait"]));
    // One that another thread ends, which notifies until this one says that it has waited.
    let waited = std::sync::atomic::AtomicBool::new(false);
    let waits = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !waited.load(std::sync::atomic::Ordering::Relaxed) {
                cond.notify_one();
                std::thread::yield_now();
            }
        });
        operations(pfs, || {
            drop(cond.wait(lock.lock().unwrap()));
            waited.store(true, std::sync::atomic::Ordering::Relaxed);
        })
    });
    assert_eq!(waits, of("wait/synch/cond/operations/COND", ["wait"]));

    let barrier = pfs::barrier!("operations/BARRIER", 1);
    let waits = operations(pfs, || {
        barrier.wait();
    });
    assert_eq!(waits, of("wait/synch/cond/operations/BARRIER", ["wait"]));

    let (sender, receiver): (_, mpsc::Receiver<u8>) = pfs::channel!("operations/CHANNEL");
    let waits = operations(pfs, || {
        sender.send(1).unwrap();
        receiver.recv().unwrap();
        receiver.recv_timeout(Duration::ZERO).unwrap_err();
    });
    assert_eq!(waits, of("wait/synch/cond/operations/CHANNEL", ["wait", "timed_wait"]));

    let waits = operations(pfs, || {
        thread::sleep(Duration::ZERO);
        thread::park_timeout(Duration::ZERO);
        thread::current().unpark();
        thread::park();
    });
    let names = ["wait/synch/cond/std/sleep", "wait/synch/cond/std/park", "wait/synch/cond/std/park"];
    let expected: Vec<_> = names.into_iter().zip(["timed_wait", "timed_wait", "wait"]).collect();
    assert_eq!(waits, expected);

    let waits = operations(pfs, || {
        std::thread::spawn(|| ()).join().unwrap();
        thread::spawn(|| ()).join().unwrap();
    });
    assert_eq!(waits, of("wait/synch/cond/std/join", ["wait"]));
}
