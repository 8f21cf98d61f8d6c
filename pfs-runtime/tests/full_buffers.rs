//! Buffers that are full, or have no room at all: what finds none is lost once, its events are counted all the same,
//! and what comes free is used again.

mod own_schema;

use std::sync::Barrier;
use std::time::Duration;

use own_schema::{Own, recording};
use pfs_runtime::class::Class;
use pfs_runtime::config::{Config, SizeKey};
use pfs_runtime::context::session::Owned;
use pfs_runtime::context::thread::current_id;
use pfs_runtime::schema::EventTable;
use pfs_runtime::stage;
use pfs_runtime::statement;
use pfs_runtime::sync::{Condvar, Mutex, RwLock, condvar, mutex, rwlock};
use pfs_runtime::tables::{Scan, TABLES};

/// An instrumented object and one event of it.
trait Object: Sync + Send {
    const SIZE: SizeKey;
    const LOST: &'static str;
    fn class(own: &Own) -> &'static Class;
    fn make(own: &Own) -> Self;
    fn touch(&self);
    fn instances(own: &Own) -> usize;
}

impl Object for Mutex<()> {
    const SIZE: SizeKey = SizeKey::MaxMutexInstances;
    const LOST: &'static str = "mutex_instances_lost";
    fn class(own: &Own) -> &'static Class {
        own.lock
    }
    fn make(own: &Own) -> Self {
        mutex::with_class(own.lock, ())
    }
    fn touch(&self) {
        drop(self.lock());
    }
    fn instances(own: &Own) -> usize {
        own.schema.mutex_instances().count()
    }
}

impl Object for RwLock<()> {
    const SIZE: SizeKey = SizeKey::MaxRwlockInstances;
    const LOST: &'static str = "rwlock_instances_lost";
    fn class(own: &Own) -> &'static Class {
        own.shared
    }
    fn make(own: &Own) -> Self {
        rwlock::with_class(own.shared, ())
    }
    fn touch(&self) {
        drop(self.read());
    }
    fn instances(own: &Own) -> usize {
        own.schema.rwlock_instances().count()
    }
}

impl Object for Condvar {
    const SIZE: SizeKey = SizeKey::MaxCondInstances;
    const LOST: &'static str = "cond_instances_lost";
    fn class(own: &Own) -> &'static Class {
        own.cond
    }
    fn make(own: &Own) -> Self {
        condvar::with_class(own.cond)
    }
    fn touch(&self) {
        // A mutex of its own for each wait, of a class that is in no schema, so that a condvar is all that is counted;
        // a condvar may be used with one mutex only while another thread waits, and none does.
        let lock = Mutex::new(());
        drop(self.wait_timeout(lock.lock().unwrap(), Duration::ZERO));
    }
    fn instances(own: &Own) -> usize {
        own.schema.cond_instances().count()
    }
}

const SLOTS: usize = 70;
const PAST: usize = 30;

fn each_is_lost_once<O: Object>() {
    for config in [Config::new(), recording()] {
        let own = Own::new(config.size(O::SIZE, SLOTS));
        own.on_thread(|| {
            let objects: Vec<O> = (0..SLOTS + PAST).map(|_| O::make(own)).collect();
            // None is registered before its first use.
            assert_eq!((O::instances(own), own.status(O::LOST)), (0, 0));
            for round in 1..=10 {
                for object in &objects {
                    object.touch();
                }
                assert_eq!((O::instances(own), own.status(O::LOST)), (SLOTS, PAST as u64));
                let counted = own.waits(O::class(own)).count_star;
                assert_eq!(counted, round * (SLOTS + PAST) as u64);
            }
            let summed: u64 =
                own.schema.events_waits_summary_by_instance().map(|row| row.summary.count_star).sum();
            assert_eq!(summed, 10 * SLOTS as u64);

            // A slot that comes free goes to the next new object; one that was lost stays so.
            let mut objects = objects;
            objects.remove(3);
            assert_eq!(O::instances(own), SLOTS - 1);
            objects[SLOTS + 5].touch();
            assert_eq!((O::instances(own), own.status(O::LOST)), (SLOTS - 1, PAST as u64));
            let next = O::make(own);
            next.touch();
            assert_eq!((O::instances(own), own.status(O::LOST)), (SLOTS, PAST as u64));
            let newest =
                own.schema.events_waits_summary_by_instance().map(|row| row.summary.count_star).min();
            assert_eq!(newest, Some(1));
            drop((objects, next));
            assert_eq!(O::instances(own), 0);
        });
        assert_eq!(own.waits(O::class(own)).count_star, 10 * (SLOTS + PAST) as u64 + 2);
    }
}

/// Threads that each use their own objects and those that all share, as many threads at once as there can be.
fn each_is_lost_once_in_a_race<O: Object>() {
    const THREADS: usize = 4;
    const EACH: usize = 25;
    let own = Own::new(Config::new().size(O::SIZE, SLOTS));
    let shared: Vec<O> = (0..EACH).map(|_| O::make(own)).collect();
    let (begin, full) = (Barrier::new(THREADS), Barrier::new(THREADS));
    own.on_threads(THREADS, || {
        let objects: Vec<O> = (0..EACH).map(|_| O::make(own)).collect();
        begin.wait();
        for _ in 0..20 {
            for (object, shared) in objects.iter().zip(&shared) {
                object.touch();
                shared.touch();
            }
        }
        // All live until each has had its slot or lost it.
        full.wait();
    });
    let objects = (THREADS + 1) * EACH;
    assert_eq!(own.status(O::LOST), (objects - SLOTS) as u64);
    assert_eq!(own.waits(O::class(own)).count_star, (2 * THREADS * EACH * 20) as u64);
    assert!(O::instances(own) <= EACH);
    drop(shared);
    assert_eq!(O::instances(own), 0);
}

fn none_is_lost_while_there_is_room<O: Object>() {
    const THREADS: usize = 4;
    let own = Own::new(Config::new().size(O::SIZE, 3 * THREADS));
    own.on_threads(THREADS, || {
        for _ in 0..2000 {
            let objects = [O::make(own), O::make(own), O::make(own)];
            objects.iter().for_each(Object::touch);
        }
    });
    assert_eq!((own.status(O::LOST), O::instances(own)), (0, 0));
    assert_eq!(own.waits(O::class(own)).count_star, 3 * 2000 * THREADS as u64);
}

#[test]
fn mutexes_past_the_slots() {
    each_is_lost_once::<Mutex<()>>();
    each_is_lost_once_in_a_race::<Mutex<()>>();
    none_is_lost_while_there_is_room::<Mutex<()>>();
}

#[test]
fn rwlocks_past_the_slots() {
    each_is_lost_once::<RwLock<()>>();
    each_is_lost_once_in_a_race::<RwLock<()>>();
    none_is_lost_while_there_is_room::<RwLock<()>>();
}

#[test]
fn condvars_past_the_slots() {
    each_is_lost_once::<Condvar>();
    each_is_lost_once_in_a_race::<Condvar>();
    none_is_lost_while_there_is_room::<Condvar>();
}

fn work(own: &Own) {
    let mut statement = statement::begin(own.get);
    statement.text("GET k");
    statement.rows_sent(2);
    statement.record_error(1, "HY000", format_args!("none"));
    let _stage = stage::begin(own.outer);
    own.wait(|| ());
    let lock = mutex::with_class(own.lock, ());
    drop(lock.lock());
    drop(lock.try_lock());
}

#[test]
fn threads_past_the_contexts_count_in_global() {
    const CONTEXTS: usize = 2;
    const THREADS: usize = 5;
    for config in [Config::new(), recording()] {
        let own = Own::new(config.size(SizeKey::MaxThreadInstances, CONTEXTS));
        let (ready, done) = (Barrier::new(THREADS), Barrier::new(THREADS));
        let ids: Vec<Option<u64>> = own.on_threads(THREADS, || {
            ready.wait();
            for _ in 0..100 {
                work(own);
            }
            if ready.wait().is_leader() {
                assert_eq!(own.schema.threads().count(), CONTEXTS);
                let by_threads = [own.get, own.outer, own.disk].map(|class| own.by_threads(class));
                assert_eq!(by_threads, [100 * CONTEXTS as u64; 3]);
                assert_eq!(own.statements(own.get).count_star, 100 * THREADS as u64);
            }
            done.wait();
            current_id()
        });
        assert_eq!(own.status("thread_instances_lost"), (THREADS - CONTEXTS) as u64);
        assert_eq!(ids.iter().filter(|id| id.is_some()).count(), CONTEXTS);
        let all = 100 * THREADS as u64;
        let statements = own.statements(own.get);
        assert_eq!(
            (statements.count_star, statements.sum_rows_sent, statements.sum_errors),
            (all, 2 * all, all)
        );
        assert_eq!(own.stages(own.outer).count_star, all);
        assert_eq!((own.waits(own.disk).count_star, own.waits(own.lock).count_star), (all, 2 * all));
        // Nobody's events are in no table of events.
        let mine = |id: u64| ids.contains(&Some(id));
        assert!(own.events(EventTable::HistoryLong).iter().all(|event| mine(event.thread_id)));

        // There is room again.
        own.on_thread(|| {
            assert!(current_id().is_some());
            work(own);
            assert_eq!(own.by_threads(own.get), 1);
        });
        assert_eq!(own.status("thread_instances_lost"), (THREADS - CONTEXTS) as u64);
    }
}

#[test]
fn sessions_past_the_contexts_count_in_global() {
    let own = Own::new(recording().size(SizeKey::MaxThreadInstances, 2));
    own.on_thread(|| {
        let mut sessions = [(); 3].map(|()| Owned::new(Some(own.schema), own.worker));
        assert_eq!(sessions.each_ref().map(Owned::thread_id), [Some(2), None, None]);
        assert_eq!(own.status("thread_instances_lost"), 2);
        for _ in 0..10 {
            for session in &mut sessions {
                let _attached = session.attach();
                work(own);
            }
            work(own);
        }
        assert_eq!((own.statements(own.get).count_star, own.by_threads(own.get)), (40, 20));
        assert_eq!(own.status("thread_instances_lost"), 2);
        drop(sessions);
        assert_eq!((own.statements(own.get).count_star, own.by_threads(own.get)), (40, 10));
        assert_eq!(own.statements(own.get).sum_errors, 40);
        // The thread is its own again.
        work(own);
        assert_eq!(own.by_threads(own.get), 11);
        assert!(Owned::new(Some(own.schema), own.worker).thread_id().is_some());
    });
}

#[test]
fn with_no_room_at_all_everything_counts() {
    let mut config = recording();
    for key in SizeKey::ALL {
        config = config.size(*key, *key.limits().start());
    }
    let own = Own::new(config);
    for key in SizeKey::ALL {
        // A stack holds the event that runs.
        let least = u32::from(key.name().ends_with("_stack"));
        assert_eq!(own.schema.sizes().get(*key), least, "{}", key.name());
    }
    own.on_threads(3, || (0..50).for_each(|_| work(own)));
    own.on_thread(|| {
        RwLock::<()>::make(own).touch();
        Condvar::make(own).touch();
    });
    let statements = own.statements(own.get);
    assert_eq!((statements.count_star, statements.sum_rows_sent, statements.sum_errors), (150, 300, 150));
    assert_eq!((own.stages(own.outer).count_star, own.waits(own.disk).count_star), (150, 150));
    assert_eq!(own.waits(own.lock).count_star, 300);
    assert_eq!((own.waits(own.shared).count_star, own.waits(own.cond).count_star), (1, 1));
    assert_eq!(own.status("thread_instances_lost"), 4);
    assert_eq!(own.status("mutex_instances_lost"), 150);
    assert_eq!((own.status("rwlock_instances_lost"), own.status("cond_instances_lost")), (1, 1));
    assert_eq!(own.status("nested_statement_lost"), 0);
    for table in [EventTable::Current, EventTable::History, EventTable::HistoryLong] {
        assert_eq!(own.events(table).len(), 0);
    }
    for table in TABLES {
        let mut rows = 0;
        let mut cursor = table.rows(own.schema, &Scan::ALL);
        while cursor.next().is_some() {
            rows += 1;
        }
        let empty = rows == 0;
        let fixed = ["engine_status", "global_status", "global_variables", "performance_timers"];
        let has_rows = table.name().starts_with("setup_")
            || table.name().ends_with("_global_by_event_name")
            || fixed.contains(&table.name());
        assert_eq!(empty, !has_rows, "{}: {rows}", table.name());
    }
}

#[test]
fn histories_of_no_size_and_threads_with_room() {
    let own = Own::new(
        recording()
            .size(SizeKey::EventsWaitsHistorySize, 0)
            .size(SizeKey::EventsStagesHistoryLongSize, 0)
            .size(SizeKey::EventsStatementsHistorySize, 0)
            .size(SizeKey::EventsStatementsHistoryLongSize, 0)
            .size(SizeKey::MaxSqlTextLength, 0),
    );
    own.on_thread(|| {
        work(own);
        let kinds = |table| {
            let events = own.events(table);
            ["wait", "stage", "statement"]
                .map(|kind| events.iter().filter(|e| e.class.name().starts_with(kind)).count())
        };
        assert_eq!(kinds(EventTable::History), [0, 1, 0]);
        assert_eq!(kinds(EventTable::HistoryLong), [3, 0, 0]);
        assert_eq!(own.status("events_history_long_lost"), 0);
    });
}
