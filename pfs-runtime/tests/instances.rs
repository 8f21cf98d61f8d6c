//! Instances: which lock a row is of, what was counted of it, and what truncating that view does.

mod own_schema;

use std::sync::Barrier;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

use own_schema::{Own, recording};
use pfs_runtime::class::Class;
use pfs_runtime::config::Config;
use pfs_runtime::sync::{condvar, mutex, rwlock};
use pfs_runtime::tables::{EventsWaitsSummaryByInstance, Table, WaitSummary};

/// Address and count of each live instance of a class.
fn instances(own: &Own, class: &Class) -> Vec<(u64, u64)> {
    own.schema
        .events_waits_summary_by_instance()
        .filter(|row| row.event_name == class.name())
        .map(|row| (row.object_instance_begin, row.summary.count_star))
        .collect()
}

#[test]
fn a_lock_that_moves_stays_the_same_instance() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let lock = mutex::with_class(own.lock, [0_u8; 100]);
        drop(lock.lock());
        let moved = Box::new(lock);
        drop(moved.lock());
        let [(address, 2)] = instances(own, own.lock)[..] else { panic!("one instance, used twice") };
        // Its events name it.
        assert!(own.schema.events_waits_history().all(|row| row.object_instance_begin == address));
        assert_eq!(own.schema.mutex_instances().next().unwrap().object_instance_begin, address);
        let other = mutex::with_class(own.lock, ());
        drop(other.lock());
        let both = instances(own, own.lock);
        assert_eq!((both.len(), both[0]), (2, (address, 2)));
        assert_ne!(both[1].0, address);
    });
}

#[test]
fn an_instance_in_a_used_slot_starts_at_nothing() {
    let own = Own::new(Config::new());
    own.on_thread(|| {
        for uses in 1..5 {
            let (lock, shared) = (mutex::with_class(own.lock, ()), rwlock::with_class(own.shared, ()));
            let cond = condvar::with_class(own.cond);
            for _ in 0..uses {
                drop(lock.lock());
                drop(shared.read());
                let plain = mutex::Mutex::new(());
                drop(cond.wait_timeout(plain.lock().unwrap(), Duration::ZERO));
            }
            for class in [own.lock, own.shared, own.cond] {
                let rows = instances(own, class);
                assert_eq!((rows.len(), rows[0].1), (1, uses), "{}", class.name());
            }
        }
        assert_eq!(own.waits(own.lock).count_star, 10);
    });
}

#[test]
fn truncating_restarts_that_view_alone() {
    let own = Own::new(Config::new().instrument("wait/%", "ON"));
    own.on_thread(|| {
        let (lock, shared) = (mutex::with_class(own.lock, ()), rwlock::with_class(own.shared, ()));
        for round in 0..3 {
            drop(lock.lock());
            drop(lock.lock());
            drop(shared.write());
            let held = lock.lock();
            let counts = || [own.lock, own.shared].map(|class| instances(own, class)[0].1);
            assert_eq!(counts(), [3, 1]);
            EventsWaitsSummaryByInstance::truncate(own.schema).unwrap();
            assert_eq!(counts(), [0, 0]);
            let row = own.schema.events_waits_summary_by_instance().next().unwrap();
            assert_eq!(row.summary, WaitSummary::default());
            drop(held);
            assert_eq!(counts(), [0, 0]);
            assert_eq!(own.waits(own.lock).count_star, 3 * (round + 1));
            assert_eq!(own.by_threads(own.lock), 3 * (round + 1));
        }
    });
}

/// What began after the truncation is counted, and what had ended before it is not.
#[test]
fn truncating_under_load_is_exact() {
    const THREADS: usize = 3;
    let own = Own::new(Config::new());
    let lock = mutex::with_class(own.lock, ());
    for _ in 0..30 {
        let (phase, go) = (AtomicU32::new(0), Barrier::new(THREADS + 1));
        let (after, between) = (AtomicU64::new(0), AtomicU64::new(0));
        thread::scope(|scope| {
            let threads = scope.spawn(|| {
                own.on_threads(THREADS, || {
                    go.wait();
                    loop {
                        let began = phase.load(SeqCst);
                        drop(lock.lock());
                        match (began, phase.load(SeqCst)) {
                            (3, _) => break after.fetch_add(1, SeqCst),
                            (2, _) => after.fetch_add(1, SeqCst),
                            (0, 0) => 0,
                            _ => between.fetch_add(1, SeqCst),
                        };
                    }
                })
            });
            go.wait();
            thread::sleep(Duration::from_millis(2));
            phase.store(1, SeqCst);
            EventsWaitsSummaryByInstance::truncate(own.schema).unwrap();
            phase.store(2, SeqCst);
            thread::sleep(Duration::from_millis(2));
            phase.store(3, SeqCst);
            threads.join().unwrap();
        });
        let (after, between) = (after.into_inner(), between.into_inner());
        let count = instances(own, own.lock)[0].1;
        assert!(after <= count && count <= after + between, "{count}, {after} after and {between} meanwhile");
    }
}

#[test]
fn a_lock_first_used_by_many_threads_at_once_is_one_instance() {
    const THREADS: usize = 4;
    let own = Own::new(Config::new());
    let locks: Vec<_> = (0..200).map(|_| mutex::with_class(own.lock, ())).collect();
    let go = Barrier::new(THREADS);
    own.on_threads(THREADS, || {
        for lock in &locks {
            go.wait();
            drop(lock.lock());
        }
    });
    let rows = instances(own, own.lock);
    assert_eq!((rows.len(), own.status("mutex_instances_lost")), (200, 0));
    assert_eq!(own.waits(own.lock).count_star, 200 * THREADS as u64);
    assert!(rows.iter().all(|(_, count)| *count == THREADS as u64));
}
