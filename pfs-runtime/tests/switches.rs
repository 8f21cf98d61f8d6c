//! What is switched while the schema runs: instruments, consumers, threads; what each lets through, and what becomes
//! of the events that are open then.

mod own_schema;

use std::panic::Location;
use std::sync::mpsc;

use own_schema::{Own, recording, short};
use pfs_runtime::class::{Class, Instrument, Kind, Settings, Timed};
use pfs_runtime::config::{Config, Consumer};
use pfs_runtime::context::thread::current_id;
use pfs_runtime::instance::Instance;
use pfs_runtime::model::Operation;
use pfs_runtime::probe::lock as probe;
use pfs_runtime::schema::EventTable;
use pfs_runtime::setup::SetupError;
use pfs_runtime::stage;
use pfs_runtime::statement;
use pfs_runtime::sync::{condvar, mutex};
use pfs_runtime::tables::{TimerSummary, WaitSummary};

/// One event of each kind.
fn work(own: &Own) {
    let mut statement = statement::begin(own.get);
    statement.rows_sent(1);
    let _stage = stage::begin(own.outer);
    own.wait(|| ());
}

/// Events of the classes of [`work`]: in global and in the threads that live.
fn counted(own: &Own) -> [[u64; 3]; 2] {
    let global = [
        own.statements(own.get).count_star,
        own.stages(own.outer).count_star,
        own.waits(own.disk).count_star,
    ];
    [global, [own.get, own.outer, own.disk].map(|class| own.by_threads(class))]
}

#[test]
fn an_instrument_counts_from_the_event_that_begins_after_it_is_enabled() {
    let own = Own::new(recording());
    own.on_thread(|| {
        for class in [own.get, own.outer, own.disk] {
            own.enable(class, false);
        }
        let before = statement::begin(own.get);
        for class in [own.get, own.outer, own.disk] {
            own.enable(class, true);
        }
        drop(before);
        assert_eq!(counted(own), [[0, 0, 0]; 2]);
        work(own);
        assert_eq!(counted(own), [[1, 1, 1]; 2]);
        // What is open when it is disabled still counts, and only that.
        let mut open = statement::begin(own.get);
        let stage = stage::begin(own.outer);
        own.wait(|| {
            for class in [own.get, own.outer, own.disk] {
                own.enable(class, false);
            }
            work(own);
        });
        open.rows_sent(5);
        drop(stage);
        drop(open);
        work(own);
        assert_eq!(counted(own), [[2, 2, 2]; 2]);
        assert_eq!(own.statements(own.get).sum_rows_sent, 6);
        assert_eq!(own.ended().len(), 6);
    });
}

#[test]
fn an_event_does_what_was_decided_when_it_began() {
    let own = Own::new(recording().consumer("statements_digest", false));
    own.on_thread(|| {
        let recorded = statement::begin(own.get);
        own.consumer(Consumer::EventsStatementsCurrent, false);
        let mut counted = statement::begin(own.set);
        assert!(!counted.wants_text());
        own.consumer(Consumer::EventsStatementsCurrent, true);
        counted.text("not kept");
        drop(counted);
        drop(recorded);
        own.consumer(Consumer::EventsStatementsHistory, false);
        let no_history = statement::begin(own.get);
        own.consumer(Consumer::EventsStatementsHistory, true);
        drop(no_history);
    });
    let events: Vec<_> = own.ended().iter().map(|event| (short(event.class), event.event_id)).collect();
    assert_eq!(events, [("get", 1), ("get", 2)]);
    assert_eq!((own.statements(own.get).count_star, own.statements(own.set).count_star), (2, 1));
}

#[test]
fn without_thread_instrumentation_events_are_global_only() {
    let own = Own::new(recording());
    own.on_thread(|| {
        work(own);
        own.consumer(Consumer::ThreadInstrumentation, false);
        work(own);
        let lock = mutex::with_class(own.lock, ());
        drop(lock.lock());
        assert!(lock.try_lock().is_ok());
        assert_eq!(counted(own), [[2, 2, 2], [1, 1, 1]]);
        assert_eq!((own.waits(own.lock).count_star, own.by_threads(own.lock)), (2, 0));
        assert_eq!(own.statements(own.get).sum_rows_sent, 2);
        assert_eq!(own.events(EventTable::History).len(), 3);
        // An event that began before goes where it was bound.
        own.consumer(Consumer::ThreadInstrumentation, true);
        let open = statement::begin(own.get);
        own.consumer(Consumer::ThreadInstrumentation, false);
        drop(open);
        assert_eq!(counted(own), [[3, 2, 2], [2, 1, 1]]);
        let open = statement::begin(own.get);
        own.consumer(Consumer::ThreadInstrumentation, true);
        drop(open);
        assert_eq!(counted(own), [[4, 2, 2], [2, 1, 1]]);
    });
    assert_eq!(counted(own), [[4, 2, 2], [0, 0, 0]]);
}

#[test]
fn without_global_instrumentation_there_is_nothing() {
    let own = Own::new(recording());
    own.on_thread(|| {
        own.consumer(Consumer::GlobalInstrumentation, false);
        let lock = mutex::with_class(own.lock, ());
        drop(lock.lock());
        work(own);
        assert_eq!(counted(own), [[0, 0, 0]; 2]);
        assert_eq!(own.schema.mutex_instances().count(), 0);
        own.consumer(Consumer::GlobalInstrumentation, true);
        work(own);
        assert_eq!(counted(own), [[1, 1, 1]; 2]);
        assert_eq!(own.ended()[0].event_id, 1);
    });
}

#[test]
fn a_thread_that_is_not_instrumented_records_nothing_anywhere() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let id = current_id().unwrap();
        let lock = mutex::with_class(own.lock, ());
        work(own);
        own.thread(false, true);
        for _ in 0..3 {
            work(own);
            drop(lock.lock());
        }
        assert_eq!(counted(own), [[1, 1, 1]; 2]);
        assert_eq!((own.waits(own.lock).count_star, own.schema.mutex_instances().count()), (0, 0));
        own.consumer(Consumer::ThreadInstrumentation, false);
        work(own);
        own.consumer(Consumer::ThreadInstrumentation, true);
        assert_eq!(counted(own), [[1, 1, 1]; 2]);
        assert_eq!(own.ended().len(), 3);
        let row = own.schema.threads().next().unwrap();
        assert_eq!((row.thread_id, row.instrumented, row.history), (id, false.into(), true.into()));
        // Another thread is none of it.
        std::thread::scope(|scope| scope.spawn(|| own.on_thread(|| work(own))).join().unwrap());
        assert_eq!(counted(own), [[2, 2, 2], [1, 1, 1]]);
        own.thread(true, true);
        work(own);
        assert_eq!(counted(own), [[3, 3, 3], [2, 2, 2]]);
    });
}

#[test]
fn an_event_open_while_its_thread_is_switched_off_still_counts() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let open = statement::begin(own.get);
        own.thread(false, true);
        let raw = stage::begin(own.outer);
        drop(open);
        own.thread(true, true);
        drop(raw);
        assert_eq!(counted(own), [[1, 0, 0]; 2]);
        assert_eq!(own.events(EventTable::History).len(), 1);
    });
}

#[test]
fn a_thread_without_a_history_is_in_no_history() {
    let own = Own::new(recording());
    own.on_thread(|| {
        own.thread(true, false);
        work(own);
        assert_eq!(counted(own), [[1, 1, 1]; 2]);
        assert_eq!((own.events(EventTable::History).len(), own.ended().len()), (0, 0));
        // The statement and the wait that ended last; a stage that ended is not current.
        assert_eq!(own.events(EventTable::Current).len(), 2);
        own.thread(true, true);
        work(own);
        assert_eq!((own.events(EventTable::History).len(), own.ended().len()), (3, 3));
    });
}

#[test]
fn counted_only_has_no_times() {
    let own = Own::new(
        recording().instrument("wait/%", "COUNTED").instrument("%", "COUNTED").constant_step_clock(10),
    );
    own.on_thread(|| {
        let lock = mutex::with_class(own.lock, ());
        for _ in 0..3 {
            work(own);
            drop(lock.lock());
            drop(lock.try_lock());
        }
        let counted = |count_star| TimerSummary { count_star, ..TimerSummary::default() };
        assert_eq!(own.waits(own.disk), WaitSummary { timer: counted(3), ..WaitSummary::default() });
        assert_eq!(own.waits(own.lock), WaitSummary { timer: counted(6), ..WaitSummary::default() });
        assert_eq!(own.stages(own.outer), counted(3));
        assert_eq!(own.statements(own.get).timer, counted(3));
        let instance = own.schema.events_waits_summary_by_instance().next().unwrap();
        assert_eq!(instance.summary.timer, counted(6));
        let row = own.schema.events_statements_history().next().unwrap();
        assert_eq!((row.timer_start, row.timer_end, row.timer_wait), (None, None, None));
    });
}

#[test]
fn timed_is_switched_between_events() {
    let own = Own::new(recording().constant_step_clock(10));
    let set = |timed| own.schema.set_instrument(own.disk.name(), None, Some(timed)).unwrap();
    own.on_thread(|| {
        own.wait(|| set(Timed::No));
        own.wait(|| set(Timed::Yes));
        own.wait(|| ());
    });
    let expected = TimerSummary {
        count_star: 3,
        sum_timer_wait: 20,
        min_timer_wait: 10,
        avg_timer_wait: 6,
        max_timer_wait: 10,
    };
    assert_eq!(own.waits(own.disk).timer, expected);
    let waits: Vec<_> = own.schema.events_waits_history_long().map(|row| row.timer_wait).collect();
    assert_eq!(waits, [Some(10), None, Some(10)]);
}

/// A lock of which the test says whether an acquisition succeeds at once.
struct Lock(Instance);

impl Lock {
    fn new(class: &'static Class) -> Self {
        Self(Instance::new(class, Location::caller()))
    }

    fn lock(&self, waits: bool) {
        let now = || (!waits).then_some(());
        drop(probe::exclusive(&self.0, Operation::Lock, Location::caller(), now, || ()));
    }

    fn read(&self, waits: bool) {
        let now = || (!waits).then_some(());
        drop(probe::shared(&self.0, Operation::ReadLock, Location::caller(), now, || ()));
    }

    fn try_lock(&self, succeeds: bool) {
        let now = || succeeds.then_some(());
        let held = probe::try_exclusive(&self.0, Operation::TryLock, Location::caller(), now);
        assert_eq!(held.is_some(), succeeds);
    }
}

fn at_once(count_star: u64) -> WaitSummary {
    WaitSummary { timer: TimerSummary { count_star, ..TimerSummary::default() }, ..WaitSummary::default() }
}

fn of_instances(own: &Own) -> Vec<(&'static str, WaitSummary)> {
    let rows = own.schema.events_waits_summary_by_instance();
    rows.map(|row| (row.event_name.rsplit('/').next().unwrap(), row.summary)).collect()
}

/// By the clock of tests everything goes the way of events that are recorded; by the cycle counter the short way.
fn by_both_clocks(config: &Config) -> [(&'static Own, bool); 2] {
    [(Own::new(config.clone()), false), (Own::new(config.clone().constant_step_clock(10)), true)]
}

#[test]
fn contended_times_only_what_does_not_succeed_at_once() {
    for (own, exact) in by_both_clocks(&Config::new().max_connections(1)) {
        for class in [own.lock, own.shared] {
            let settings = own.schema.instruments().find(class.name()).unwrap().settings();
            assert_eq!(settings, Settings { enabled: true, timed: Timed::Contended });
        }
        own.on_thread(|| {
            let (lock, shared) = (Lock::new(own.lock), Lock::new(own.shared));
            for _ in 0..5 {
                lock.lock(false);
                lock.try_lock(true);
                lock.try_lock(false);
                shared.read(false);
                shared.lock(false);
            }
            assert_eq!((own.waits(own.lock), own.waits(own.shared)), (at_once(15), at_once(10)));
            // A failed attempt is not in the instance's row: without the lock that is another's to write.
            assert_eq!(of_instances(own), [("lock", at_once(10)), ("shared", at_once(10))]);
            lock.lock(true);
            shared.read(true);
            shared.lock(true);
            let (waits, reads) = (own.waits(own.lock), own.waits(own.shared));
            assert_eq!((waits.count_star, waits.count_waited, waits.min_timer_wait), (16, 1, 0));
            assert_eq!((reads.count_star, reads.count_waited, reads.min_timer_wait), (12, 2, 0));
            assert!(waits.sum_timer_wait > 0);
            assert_eq!(waits.max_timer_wait, waits.sum_timer_wait);
            assert_eq!(waits.avg_timer_wait, waits.sum_timer_wait / 16);
            assert_eq!(waits.avg_timer_waited, waits.sum_timer_wait);
            if exact {
                assert_eq!((waits.sum_timer_wait, reads.sum_timer_wait, reads.max_timer_wait), (10, 20, 10));
                assert_eq!((reads.avg_timer_wait, reads.avg_timer_waited), (1, 10));
            }
            let instances = of_instances(own);
            assert_eq!((instances[0].1.count_star, instances[1].1), (11, reads));
            assert_eq!(instances[0].1.sum_timer_wait, waits.sum_timer_wait);
        });
    }
}

#[test]
fn contended_records_only_what_waits() {
    let own = Own::new(recording().instrument("wait/synch/mutex/%", "CONTENDED").constant_step_clock(10));
    own.on_thread(|| {
        let lock = Lock::new(own.lock);
        lock.lock(false);
        own.wait(|| ());
        lock.try_lock(true);
        lock.try_lock(false);
        lock.lock(true);
        own.wait(|| ());
    });
    let events: Vec<_> =
        own.ended().iter().map(|event| (event.event_id, short(event.class), event.end)).collect();
    // The first reading, 10, was the registration's; what succeeds at once reads no clock and takes no id.
    assert_eq!(events, [(1, "disk", Some(30)), (2, "lock", Some(50)), (3, "disk", Some(70))]);
    assert_eq!((own.waits(own.lock).count_star, own.waits(own.lock).count_waited), (4, 1));
}

#[test]
fn timed_yes_times_all_and_tells_what_waited() {
    let config = Config::new().max_connections(1).instrument("wait/%", "ON");
    for (own, exact) in by_both_clocks(&config).into_iter().chain([(Own::new(recording()), false)]) {
        own.on_thread(|| {
            let lock = Lock::new(own.lock);
            lock.lock(false);
            lock.try_lock(true);
            lock.try_lock(false);
            lock.lock(true);
            let waits = own.waits(own.lock);
            assert_eq!((waits.count_star, waits.count_waited), (4, 1));
            assert!(waits.min_timer_wait > 0 && waits.sum_timer_wait > waits.avg_timer_waited);
            if exact {
                assert_eq!((waits.sum_timer_wait, waits.min_timer_wait, waits.max_timer_wait), (40, 10, 10));
                assert_eq!((waits.avg_timer_wait, waits.avg_timer_waited), (10, 10));
            }
            assert_eq!(of_instances(own)[0].1.count_star, 3);
        });
    }
}

#[test]
fn a_condition_gives_its_mutex_up_and_takes_it_back_within_the_wait() {
    let own = Own::new(recording().constant_step_clock(10));
    let (lock, cond) = (mutex::with_class(own.lock, ()), condvar::with_class(own.cond));
    own.on_thread(|| {
        let id = current_id();
        let holder = || own.schema.mutex_instances().next().unwrap().locked_by_thread_id;
        let held = lock.lock().unwrap();
        assert_eq!(holder(), id);
        let (send, released) = mpsc::channel();
        let (lock, cond) = (&lock, &cond);
        let held = std::thread::scope(|scope| {
            let notifier = scope.spawn(move || {
                own.enter();
                // The lock can be had once the other thread waits.
                let held = lock.lock().unwrap();
                send.send(holder()).unwrap();
                drop(held);
                assert_eq!(holder(), None);
                cond.notify_one();
            });
            let held = cond.wait(held).unwrap();
            notifier.join().unwrap();
            held
        });
        assert_eq!(released.recv().unwrap(), Some(2));
        assert_eq!(holder(), id);
        drop(held);
        assert_eq!(holder(), None);
    });
    assert_eq!((own.waits(own.lock).count_star, own.waits(own.cond).count_star), (2, 1));
    assert_eq!(own.waits(own.cond).sum_timer_wait, 10);
}

#[test]
fn what_is_unknown_or_not_allowed_is_an_error_and_changes_nothing() {
    let own = Own::new(Config::new());
    let settings = || -> Vec<_> { own.schema.instruments().all().map(Instrument::settings).collect() };
    let (before, consumers) = (settings(), own.schema.consumers());
    let text = |result: Result<(), SetupError>| result.unwrap_err().to_string();
    assert_eq!(
        text(own.schema.set_instrument("wait/synch/mutex/own/none", Some(false), None)),
        "there is no instrument `wait/synch/mutex/own/none`: see setup_instruments for those of this program"
    );
    assert_eq!(
        text(own.schema.set_instrument(own.get.name(), Some(false), Some(Timed::Contended))),
        "`statement/own/get` cannot be TIMED = CONTENDED: allowed are YES and NO; CONTENDED is for mutexes and rwlocks"
    );
    assert_eq!(
        text(own.schema.set_instruments(|_| true, Some(false), Some(Timed::Contended)).map(|_| ())),
        "`wait/synch/cond/own/cond` cannot be TIMED = CONTENDED: allowed are YES and NO; CONTENDED is for mutexes \
         and rwlocks"
    );
    assert!(
        text(own.schema.switch_consumer("events_waits", true))
            .starts_with("there is no consumer `events_waits`: ")
    );
    assert_eq!(
        text(own.schema.set_thread(17, Some(false), None)),
        "there is no thread 17: see threads for those that live"
    );
    assert_eq!((settings(), own.schema.consumers()), (before, consumers));
}

#[test]
fn timed_of_what_cannot_be_timed_is_ignored() {
    let own = Own::new(Config::new());
    let settings = |class: &Class| own.schema.instruments().find(class.name()).unwrap().settings();
    assert_eq!(own.worker.kind(), Kind::Thread);
    for timed in [Timed::Yes, Timed::Contended, Timed::No] {
        own.schema.set_instrument(own.worker.name(), None, Some(timed)).unwrap();
        assert_eq!(settings(own.worker), Settings { enabled: true, timed: Timed::No });
    }
}

#[test]
fn the_longest_startup_pattern_wins_and_of_equals_the_last() {
    let own = Own::new(
        Config::new()
            .instrument("wait/synch/mutex/own/lock", "OFF")
            .instrument("wait/synch/%", "ON")
            .instrument("%", "COUNTED")
            .instrument("stage/own/?????", "OFF")
            .instrument("stage/own/inner", "ON")
            .instrument("stage/own/outer", "ON")
            .instrument("stage/own/o%ter", "OFF"),
    );
    let settings = |class: &Class| {
        let Settings { enabled, timed } = own.schema.instruments().find(class.name()).unwrap().settings();
        (enabled, timed)
    };
    assert_eq!(settings(own.lock), (false, Timed::No));
    assert_eq!(settings(own.shared), (true, Timed::Yes));
    assert_eq!(settings(own.get), (true, Timed::No));
    assert_eq!(settings(own.inner), (true, Timed::Yes));
    assert_eq!(settings(own.outer), (false, Timed::No));
}
