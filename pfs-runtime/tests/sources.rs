//! Where locks were made: what is counted of those that live and those that live no more, what fills the table, what
//! truncating it does, and that nothing is counted twice or lost while they come and go.

mod own_schema;

use std::collections::HashMap;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

use own_schema::{Own, Stop, class, recording};
use pfs_runtime::class::{Class, Kind};
use pfs_runtime::config::{Config, SizeKey};
use pfs_runtime::context::thread::enter_schema;
use pfs_runtime::schema::Schema;
use pfs_runtime::sync::{Condvar, Mutex, RwLock, condvar, mutex, rwlock};
use pfs_runtime::tables::events_waits_current::EventsWaitsRow;
use pfs_runtime::tables::events_waits_summary_by_source::EventsWaitsSummaryBySourceRow;
use pfs_runtime::tables::{
    EventsWaitsSummaryByInstance, EventsWaitsSummaryBySource, Scan, Table, Value, WaitSummary,
};

fn rows(own: &Own) -> Vec<EventsWaitsSummaryBySourceRow> {
    own.schema.events_waits_summary_by_source().collect()
}

/// The last part of the class's name, how many live, and the count of each row.
fn shown(own: &Own) -> Vec<(&'static str, u64, u64)> {
    let short = |name: &'static str| name.rsplit('/').next().unwrap();
    rows(own).iter().map(|row| (short(row.event_name), row.count_instances, row.summary.count_star)).collect()
}

fn by_instance(own: &Own) -> u64 {
    own.schema.events_waits_summary_by_instance().map(|row| row.summary.count_star).sum()
}

fn here(line: u32) -> String {
    format!("sources.rs:{line}")
}

#[test]
fn a_row_is_of_a_class_and_a_place_and_stays_when_its_locks_are_gone() {
    let own = Own::new(Config::new());
    own.on_thread(|| {
        assert_eq!(rows(own), []);
        let (line, locks) = (line!(), [1, 2, 3].map(|value| mutex::with_class(own.lock, value)));
        for lock in &locks {
            drop(lock.lock());
        }
        let other = mutex::with_class(own.lock, 4);
        drop((other.lock(), other.try_lock()));
        let shared = rwlock::with_class(own.shared, 5);
        drop(shared.read());
        // Never used, so never seen.
        let _unused = condvar::with_class(own.cond);
        assert_eq!(shown(own), [("lock", 3, 3), ("lock", 1, 1), ("shared", 1, 1)]);
        assert_eq!(rows(own)[0].source, here(line));

        drop(other);
        assert_eq!(shown(own), [("lock", 3, 3), ("lock", 0, 1), ("shared", 1, 1)]);
        drop(locks);
        let again = mutex::with_class(own.lock, 5);
        drop(again.lock());
        assert_eq!(shown(own), [("lock", 0, 3), ("lock", 0, 1), ("lock", 1, 1), ("shared", 1, 1)]);

        let name = own.shared.name();
        let eq = [(0, Value::Text(name))];
        let found: Vec<_> = EventsWaitsSummaryBySource::rows(own.schema, &Scan { eq: &eq }).collect();
        assert_eq!((found.len(), found[0].event_name), (1, name));
        let eq = [(0, Value::Text(own.lock.name())), (1, Value::Text(&here(line)))];
        assert_eq!(EventsWaitsSummaryBySource::rows(own.schema, &Scan { eq: &eq }).count(), 1);
    });
}

#[test]
fn every_column_is_that_of_the_class_also_when_the_locks_are_gone() {
    let own = Own::new(recording().constant_step_clock(10));
    let of = |class: &Class| rows(own).into_iter().find(|row| row.event_name == class.name()).unwrap();
    let use_all = |lock: &Mutex<()>, shared: &RwLock<()>, cond: &Condvar| {
        thread::scope(|scope| {
            let held = lock.lock().unwrap();
            let reader = shared.read().unwrap();
            let waiter = scope.spawn(|| own.on_thread(|| (drop(lock.lock()), drop(shared.write()))));
            let waits = |row: &EventsWaitsRow| row.end_event_id.is_none();
            while !own.schema.events_waits_current().any(|row| waits(&row)) {
                thread::yield_now();
            }
            drop((held, reader));
            waiter.join().unwrap();
        });
        drop((shared.try_read(), cond.wait_timeout(lock.lock().unwrap(), Duration::ZERO)));
    };
    own.on_thread(|| {
        for _ in 0..3 {
            let (lock, shared) = (mutex::with_class(own.lock, ()), rwlock::with_class(own.shared, ()));
            let cond = condvar::with_class(own.cond);
            for _ in 0..2 {
                use_all(&lock, &shared, &cond);
            }
            for class in [own.lock, own.shared, own.cond] {
                assert_eq!((of(class).summary, of(class).count_instances), (own.waits(class), 1));
            }
        }
        for class in [own.lock, own.shared, own.cond] {
            assert_eq!((of(class).summary, of(class).count_instances), (own.waits(class), 0));
        }
        assert_eq!(of(own.lock).summary.count_waited, 6);
    });
}

#[test]
fn places_and_classes_that_are_shown_alike_are_one_row() {
    // Two declarations of one name.
    let [one, two] = [1, 2].map(|_| class(Kind::Mutex, "wait/synch/mutex/own/twice"));
    let worker = class(Kind::Thread, "thread/own/worker");
    let schema = Schema::new(&Config::new(), [one, two, worker]).unwrap();
    let counts = || {
        let rows = schema.events_waits_summary_by_source();
        rows.map(|row| (row.count_instances, row.summary.count_star)).collect::<Vec<_>>()
    };
    thread::spawn(move || {
        enter_schema(schema, worker);
        // Two columns of one line are two places to the compiler.
        #[rustfmt::skip]
        let locks = [mutex::with_class(one, ()), mutex::with_class(two, ()), mutex::with_class(one, ())];
        for lock in &locks {
            drop(lock.lock());
        }
        assert_eq!(counts(), [(3, 3)]);
        // Another line is another row.
        let other = mutex::with_class(one, ());
        drop(other.lock());
        assert_eq!(counts(), [(3, 3), (1, 1)]);
        drop(locks);
        assert_eq!(counts(), [(0, 3), (1, 1)]);
    })
    .join()
    .unwrap();
}

#[test]
fn each_view_is_truncated_by_itself() {
    let own = Own::new(Config::new().instrument("wait/%", "ON"));
    own.on_thread(|| {
        let (lock, shared) = (mutex::with_class(own.lock, ()), rwlock::with_class(own.shared, ()));
        let use_both = || drop((lock.lock(), shared.read()));
        let counts = || shown(own).iter().map(|(.., count)| *count).sum::<u64>();
        let truncate_instances = || EventsWaitsSummaryByInstance::truncate(own.schema).unwrap();
        let truncate_sources = || EventsWaitsSummaryBySource::truncate(own.schema).unwrap();

        (0..3).for_each(|_| use_both());
        assert_eq!((by_instance(own), counts()), (6, 6));
        truncate_instances();
        assert_eq!((by_instance(own), counts()), (0, 6));
        use_both();
        assert_eq!((by_instance(own), counts()), (2, 8));
        truncate_sources();
        assert_eq!((by_instance(own), counts()), (2, 0));
        assert!(rows(own).iter().all(|row| row.summary == WaitSummary::default()));
        use_both();
        assert_eq!((by_instance(own), counts()), (4, 2));
        truncate_instances();
        truncate_instances();
        use_both();
        assert_eq!((by_instance(own), counts()), (2, 4));
        // Both, with no event in between; and while the locks are held.
        let held = (lock.lock(), shared.write());
        truncate_sources();
        truncate_instances();
        assert_eq!((by_instance(own), counts()), (0, 0));
        drop(held);
        use_both();
        assert_eq!((by_instance(own), counts()), (2, 2));

        // What was forgotten is not left behind by locks that end, and what was not is.
        truncate_instances();
        drop((lock, shared));
        assert_eq!((by_instance(own), counts()), (0, 2));
        let (lock, shared) = (mutex::with_class(own.lock, ()), rwlock::with_class(own.shared, ()));
        drop((lock.lock(), shared.read()));
        truncate_sources();
        assert_eq!((by_instance(own), counts()), (2, 0));
        drop((lock, shared));
        assert_eq!((by_instance(own), counts()), (0, 0));
        assert_eq!(own.waits(own.lock).count_star, 9);
    });
}

#[test]
fn a_full_table_counts_the_instances_that_found_no_row_once() {
    let own = Own::new(Config::new().size(SizeKey::MaxSources, 2));
    let named = |line: u32| rows(own).iter().filter(|row| row.source == here(line)).count();
    own.on_thread(|| {
        let (first, one) = (line!(), mutex::with_class(own.lock, ()));
        let (second, two) = (line!(), mutex::with_class(own.lock, ()));
        drop((one.lock(), two.lock()));
        assert_eq!(own.status("sources_lost"), 0);
        let third = line!() + 2;
        for lost in 1..4 {
            let lock = mutex::with_class(own.lock, ());
            (0..5).for_each(|_| drop(lock.lock()));
            assert_eq!(own.status("sources_lost"), lost);
        }
        // The rows there are go on, and a place that has one finds it.
        drop((one.lock(), two.lock()));
        assert_eq!((named(first), named(second), named(third)), (1, 1, 0));
        assert_eq!(shown(own), [("lock", 1, 2), ("lock", 1, 2)]);
        // Those without a row are instances like others.
        assert_eq!((own.waits(own.lock).count_star, own.status("mutex_instances_lost")), (19, 0));
    });
}

#[test]
fn a_table_of_nothing_loses_each_instance_and_no_event() {
    let own = Own::new(Config::new().size(SizeKey::MaxSources, 0));
    own.on_thread(|| {
        let locks = [1, 2].map(|value| mutex::with_class(own.lock, value));
        (0..3).for_each(|_| locks.iter().for_each(|lock| drop(lock.lock())));
        assert_eq!((rows(own), own.status("sources_lost")), (vec![], 2));
        EventsWaitsSummaryBySource::truncate(own.schema).unwrap();
        assert_eq!((by_instance(own), own.waits(own.lock).count_star), (6, 6));
    });
}

#[test]
fn an_instance_without_a_slot_is_in_no_row() {
    let own = Own::new(Config::new().size(SizeKey::MaxMutexInstances, 1));
    own.on_thread(|| {
        let locks = [1, 2].map(|value| mutex::with_class(own.lock, value));
        for lock in &locks {
            drop(lock.lock());
        }
        assert_eq!(shown(own), [("lock", 1, 1)]);
        assert_eq!((own.status("mutex_instances_lost"), own.status("sources_lost")), (1, 0));
    });
}

/// Locks come and go on several threads, instances are truncated, and no reader sees a count fall.
#[test]
fn no_count_is_lost_or_falls_while_locks_come_and_go() {
    const THREADS: usize = 3;
    const ROUNDS: u64 = 1500;
    let own = Own::new(Config::new().size(SizeKey::MaxMutexInstances, 64));
    let (lock, shared) = (mutex::with_class(own.lock, ()), rwlock::with_class(own.shared, ()));
    let stop = AtomicBool::new(false);
    let reads = thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let (mut last, mut reads) = (HashMap::new(), 0_u64);
            while !stop.load(SeqCst) {
                for row in rows(own) {
                    let count = row.summary.count_star;
                    let before = last.insert((row.event_name, row.source.clone()), count).unwrap_or(0);
                    assert!(before <= count, "{} at {}: {before}, then {count}", row.event_name, row.source);
                    reads += 1;
                }
            }
            reads
        });
        let truncater = scope.spawn(|| {
            while !stop.load(SeqCst) {
                EventsWaitsSummaryByInstance::truncate(own.schema).unwrap();
                thread::yield_now();
            }
        });
        let _stop = Stop(&stop);
        own.on_threads(THREADS, || {
            for round in 0..ROUNDS {
                let short = [(); 2].map(|()| mutex::with_class(own.lock, ()));
                let many = rwlock::with_class(own.shared, ());
                drop((short[0].lock(), short[1].lock(), lock.lock(), many.read(), shared.read()));
                drop(many.write());
                if round % 7 == 0 {
                    drop(
                        condvar::with_class(own.cond)
                            .wait_timeout(mutex::Mutex::new(()).lock().unwrap(), Duration::ZERO),
                    );
                }
            }
        });
        stop.store(true, SeqCst);
        truncater.join().unwrap();
        reader.join().unwrap()
    });
    assert!(reads > 0);
    let rounds = THREADS as u64 * ROUNDS;
    let conds = THREADS as u64 * ROUNDS.div_ceil(7);
    let mut shown = shown(own);
    shown.sort_unstable();
    let mut expected = [
        ("cond", 0, conds),
        ("lock", 0, 2 * rounds),
        ("lock", 1, rounds),
        ("shared", 0, 2 * rounds),
        ("shared", 1, rounds),
    ];
    expected.sort_unstable();
    assert_eq!(shown, expected);
    assert_eq!((own.status("mutex_instances_lost"), own.status("sources_lost")), (0, 0));
}

/// What began after a truncation is counted, and what had ended before it is not, also of locks that ended.
#[test]
fn truncating_under_load_is_exact() {
    const THREADS: usize = 3;
    let own = Own::new(Config::new());
    let shared = rwlock::with_class(own.shared, ());
    own.on_thread(|| drop(shared.read()));
    for _ in 0..30 {
        let (phase, go) = (AtomicU32::new(0), Barrier::new(THREADS + 1));
        let (after, between) = (AtomicU64::new(0), AtomicU64::new(0));
        thread::scope(|scope| {
            let threads = scope.spawn(|| {
                own.on_threads(THREADS, || {
                    go.wait();
                    loop {
                        let began = phase.load(SeqCst);
                        drop((mutex::with_class(own.lock, ()).lock(), shared.read()));
                        match (began, phase.load(SeqCst)) {
                            (3, _) => break after.fetch_add(2, SeqCst),
                            (2, _) => after.fetch_add(2, SeqCst),
                            (0, 0) => 0,
                            _ => between.fetch_add(2, SeqCst),
                        };
                    }
                })
            });
            go.wait();
            thread::sleep(Duration::from_millis(2));
            phase.store(1, SeqCst);
            EventsWaitsSummaryBySource::truncate(own.schema).unwrap();
            phase.store(2, SeqCst);
            thread::sleep(Duration::from_millis(2));
            phase.store(3, SeqCst);
            threads.join().unwrap();
        });
        let (after, between) = (after.into_inner(), between.into_inner());
        let count = shown(own).iter().map(|(.., count)| *count).sum::<u64>();
        assert!(after <= count && count <= after + between, "{count}, {after} after and {between} meanwhile");
    }
}

/// Many threads come to many new places at once: each place has one row.
#[test]
fn a_place_that_many_threads_come_to_at_once_has_one_row() {
    const THREADS: usize = 4;
    for _ in 0..20 {
        let own = Own::new(Config::new());
        let go = Barrier::new(THREADS);
        own.on_threads(THREADS, || {
            go.wait();
            drop(mutex::with_class(own.lock, 1).lock());
            drop(mutex::with_class(own.lock, 2).lock());
            drop(mutex::with_class(own.lock, 3).lock());
        });
        assert_eq!(shown(own), [("lock", 0, 4), ("lock", 0, 4), ("lock", 0, 4)]);
    }
}
