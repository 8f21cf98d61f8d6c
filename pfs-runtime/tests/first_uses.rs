//! Locks that several threads meet at once before any thread did: each event is in the lock's row, there is one row a lock,
//! and what the threads took for nothing leaves no trace.

mod own_schema;

use std::sync::Barrier;
use std::time::Duration;

use own_schema::Own;
use pfs_runtime::config::{Config, SizeKey};
use pfs_runtime::sync::{Condvar, Mutex, RwLock, condvar, mutex, rwlock};

const THREADS: usize = 4;
const LOCKS: usize = 64;
const ROUNDS: u64 = 40;

struct Locks {
    mutex: Mutex<u64>,
    rwlock: RwLock<u64>,
    cond: Condvar,
}

impl Locks {
    fn new(own: &Own) -> Self {
        Self {
            mutex: mutex::with_class(own.lock, 0),
            rwlock: rwlock::with_class(own.shared, 0),
            cond: condvar::with_class(own.cond),
        }
    }

    /// One event of each that is one of the instance's, and one that is the thread's alone.
    fn touch(&self) {
        *self.mutex.lock().unwrap() += 1;
        let _ = *self.rwlock.read().unwrap();
        // A mutex that no schema has: a condvar is used with one only while another thread waits by it.
        let held = Mutex::new(());
        drop(self.cond.wait_timeout(held.lock().unwrap(), Duration::ZERO));
    }
}

/// What is counted by instance, by source, and for all; how many instances live.
fn counted(own: &Own) -> ([u64; 3], u64) {
    let by_instance = own.schema.events_waits_summary_by_instance().map(|row| row.summary.count_star).sum();
    let sources: Vec<_> = own.schema.events_waits_summary_by_source().collect();
    let by_source = sources.iter().map(|row| row.summary.count_star).sum();
    let global = [own.lock, own.shared, own.cond].map(|class| own.waits(class).count_star).iter().sum();
    ([by_instance, by_source, global], sources.iter().map(|row| row.count_instances).sum())
}

/// Threads meet fresh locks at once, one after the other.
fn meet(own: &'static Own, locks: &[Locks]) {
    let go = Barrier::new(THREADS);
    own.on_threads(THREADS, || {
        go.wait();
        locks.iter().for_each(Locks::touch);
    });
}

const SIZES: [SizeKey; 3] =
    [SizeKey::MaxMutexInstances, SizeKey::MaxRwlockInstances, SizeKey::MaxCondInstances];
const LOST: [&str; 3] = ["mutex_instances_lost", "rwlock_instances_lost", "cond_instances_lost"];

fn own(size: usize, config: Config) -> &'static Own {
    Own::new(SIZES.into_iter().fold(config, |config, key| config.size(key, size)))
}

#[test]
fn no_event_is_without_its_instance() {
    for config in [Config::new(), own_schema::recording()] {
        let own = own(LOCKS + THREADS, config.max_connections(8));
        for round in 1..=ROUNDS {
            let locks: Vec<_> = (0..LOCKS).map(|_| Locks::new(own)).collect();
            meet(own, &locks);
            let events = (3 * THREADS * LOCKS) as u64;
            assert_eq!(counted(own), ([events, round * events, round * events], 3 * LOCKS as u64));
            drop(locks);
            assert_eq!(counted(own), ([0, round * events, round * events], 0));
        }
        assert_eq!(LOST.map(|name| own.status(name)), [0; 3]);
        assert_eq!(own.status("sources_lost"), 0);
    }
}

/// With no slot to spare, an event may find that another thread has the last one in its hand; its lock is not lost for
/// that.
#[test]
fn no_lock_is_lost_for_what_is_taken_for_nothing() {
    let own = own(LOCKS, Config::new());
    for _ in 0..ROUNDS {
        let locks: Vec<_> = (0..LOCKS).map(|_| Locks::new(own)).collect();
        meet(own, &locks);
        own.on_thread(|| locks.iter().for_each(Locks::touch));
        assert_eq!(counted(own).1, 3 * LOCKS as u64);
        assert_eq!(LOST.map(|name| own.status(name)), [0; 3]);
    }
}

#[test]
fn each_lock_that_is_one_too_many_is_lost_once() {
    const PAST: usize = 5;
    let own = own(LOCKS, Config::new());
    for round in 1..=ROUNDS {
        let locks: Vec<_> = (0..LOCKS + PAST).map(|_| Locks::new(own)).collect();
        meet(own, &locks);
        own.on_thread(|| locks.iter().for_each(Locks::touch));
        assert_eq!(counted(own).1, 3 * LOCKS as u64);
        assert_eq!(LOST.map(|name| own.status(name)), [round * PAST as u64; 3]);
    }
}

/// With a row for each place and none to spare, a thread may find that another has the last one in its hand: the place has
/// its row all the same.
#[test]
fn no_place_is_lost_for_a_row_that_is_taken_for_nothing() {
    for _ in 0..10 * ROUNDS {
        let own = Own::new(Config::new().size(SizeKey::MaxSources, 3));
        let go = Barrier::new(THREADS);
        let locks: Vec<_> = own.on_threads(THREADS, || {
            go.wait();
            let one = mutex::with_class(own.lock, 1);
            drop(one.lock());
            let two = mutex::with_class(own.lock, 2);
            drop(two.lock());
            let three = mutex::with_class(own.lock, 3);
            drop(three.lock());
            drop(two);
            [one, three]
        });
        let rows = || own.schema.events_waits_summary_by_source();
        let counts: Vec<_> = rows().map(|row| (row.count_instances, row.summary.count_star)).collect();
        let each = THREADS as u64;
        assert_eq!(counts, [(each, each), (0, each), (each, each)]);
        assert_eq!(own.status("sources_lost"), 0);
        drop(locks);
        assert_eq!(rows().map(|row| row.summary.count_star).collect::<Vec<_>>(), [each; 3]);
    }
}
