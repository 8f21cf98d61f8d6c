//! Rows are whole: with a clock of constant step each event takes one step, so whatever a reader sees of a row under
//! load, its sum is the step times its count, and its minimum and maximum are the step.

mod own_schema;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use own_schema::{Own, Stop, recording};
use pfs_runtime::class::Class;
use pfs_runtime::config::{Config, SizeKey};
use pfs_runtime::stage;
use pfs_runtime::statement;
use pfs_runtime::sync::{Mutex, mutex};
use pfs_runtime::tables::{
    EventsStagesSummaryByThreadByEventName, EventsStatementsSummaryByThreadByEventName,
    EventsStatementsSummaryGlobalByEventName, EventsWaitsSummaryByInstance,
    EventsWaitsSummaryByThreadByEventName, Table, TimerSummary,
};

const STEP: u64 = 7;
const WRITERS: usize = 3;
const LOAD: Duration = Duration::from_millis(800);

/// What must hold of rows, and how many were seen that had counted something.
struct Seen {
    exact: bool,
    rows: u64,
}

impl Seen {
    fn check(&mut self, name: &str, row: &TimerSummary) {
        let TimerSummary { count_star, sum_timer_wait, min_timer_wait, avg_timer_wait, max_timer_wait } =
            *row;
        if count_star == 0 {
            assert_eq!(*row, TimerSummary::default(), "{name}");
            return;
        }
        self.rows += 1;
        if !self.exact {
            // What holds of any clock, but for rounding to picoseconds.
            assert!(min_timer_wait * count_star <= sum_timer_wait, "{name}: {row}");
            assert!(sum_timer_wait <= (max_timer_wait + 1) * count_star, "{name}: {row}");
            return;
        }
        assert_eq!((sum_timer_wait, min_timer_wait), (STEP * count_star, STEP), "{name}: {row}");
        assert_eq!((avg_timer_wait, max_timer_wait), (STEP, STEP), "{name}: {row}");
    }
}

fn read(own: &Own, seen: &mut Seen) {
    let schema = own.schema;
    for row in schema.events_waits_summary_global_by_event_name() {
        seen.check(row.event_name, &row.summary);
    }
    for row in schema.events_stages_summary_global_by_event_name() {
        seen.check(row.event_name, &row.summary);
    }
    for row in schema.events_statements_summary_global_by_event_name() {
        seen.check(row.event_name, &row.summary);
        // What a statement says of itself is counted with it.
        assert_eq!(row.summary.sum_rows_sent, 3 * row.summary.count_star);
    }
    for row in schema.events_waits_summary_by_thread_by_event_name() {
        seen.check(row.event_name, &row.summary);
    }
    for row in schema.events_stages_summary_by_thread_by_event_name() {
        seen.check(row.event_name, &row.summary);
    }
    for row in schema.events_statements_summary_by_thread_by_event_name() {
        seen.check(row.event_name, &row.summary);
        assert_eq!(row.summary.sum_rows_sent, 3 * row.summary.count_star);
    }
    // Of a mutex: its holder alone writes the row.
    for row in schema.events_waits_summary_by_instance() {
        seen.check(row.event_name, &row.summary);
    }
}

/// Statements, stages and waits side by side on threads that come and go, until `stop`.
fn write(own: &'static Own, lock: &Mutex<u64>, stop: &AtomicBool) -> u64 {
    let mut rounds = 0;
    while !stop.load(Relaxed) {
        own.on_thread(|| {
            for _ in 0..2000 {
                statement::begin(own.get).rows_sent(3);
                drop(stage::begin(own.outer));
                own.wait(|| ());
                *lock.lock().unwrap() += 1;
            }
        });
        rounds += 2000;
    }
    rounds
}

fn rows_are_whole(config: Config, truncate: &[fn(&'static Own)]) {
    rows_are(true, Own::new(config.constant_step_clock(STEP)), truncate);
}

fn rows_are(exact: bool, own: &'static Own, truncate: &[fn(&'static Own)]) {
    let lock = mutex::with_class(own.lock, 0);
    let stop = AtomicBool::new(false);
    let rounds = thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS).map(|_| scope.spawn(|| write(own, &lock, &stop))).collect();
        let ended = Stop(&stop);
        let mut seen = Seen { exact, rows: 0 };
        let began = Instant::now();
        let mut round = 0;
        while began.elapsed() < LOAD {
            read(own, &mut seen);
            if let Some(truncate) = truncate.get(round % 16) {
                truncate(own);
            }
            round += 1;
        }
        drop(ended);
        assert!(seen.rows > 100, "only {} rows", seen.rows);
        writers.into_iter().map(|writer| writer.join().unwrap()).sum::<u64>()
    });
    read(own, &mut Seen { exact, rows: 0 });
    assert_eq!(*lock.lock().unwrap(), rounds);
    if truncate.is_empty() {
        let counts = [own.waits(own.lock).count_star, own.waits(own.disk).count_star];
        assert_eq!((counts, own.stages(own.outer).count_star), ([rounds, rounds], rounds));
        assert_eq!(own.statements(own.get).count_star, rounds);
    }
}

/// Room for each thread, because threads without a context share rows that are not promised to be whole.
fn roomy(config: Config) -> Config {
    config.size(SizeKey::MaxThreadInstances, 2 * WRITERS).instrument("wait/%", "ON")
}

#[test]
fn while_threads_count() {
    rows_are_whole(roomy(Config::new()), &[]);
}

/// The cycle counter has ways of its own through the engine.
#[test]
fn while_threads_count_by_the_cycle_counter() {
    rows_are(false, Own::new(roomy(Config::new())), &[]);
}

#[test]
fn while_threads_record_in_every_table() {
    rows_are_whole(roomy(recording()), &[]);
}

#[test]
fn while_tables_are_truncated() {
    rows_are_whole(
        roomy(Config::new()),
        &[
            |own| EventsWaitsSummaryByThreadByEventName::truncate(own.schema).unwrap(),
            |own| EventsStagesSummaryByThreadByEventName::truncate(own.schema).unwrap(),
            |own| EventsStatementsSummaryByThreadByEventName::truncate(own.schema).unwrap(),
            |own| EventsWaitsSummaryByInstance::truncate(own.schema).unwrap(),
            |own| EventsStatementsSummaryGlobalByEventName::truncate(own.schema).unwrap(),
        ],
    );
}

#[test]
fn an_event_takes_one_step_by_whatever_way() {
    let own = Own::new(recording().constant_step_clock(STEP));
    let expected = |count_star| TimerSummary {
        count_star,
        sum_timer_wait: STEP * count_star,
        min_timer_wait: STEP,
        avg_timer_wait: STEP,
        max_timer_wait: STEP,
    };
    let global = |class: &Class| own.waits(class).timer;
    own.on_thread(|| {
        let lock = mutex::with_class(own.lock, ());
        for _ in 0..5 {
            drop(lock.lock());
            drop(lock.try_lock());
            let held = lock.lock();
            assert!(lock.try_lock().is_err());
            drop(held);
            own.wait(|| ());
            drop(stage::begin(own.outer));
            drop(statement::begin(own.get));
        }
    });
    assert_eq!((global(own.lock), global(own.disk)), (expected(20), expected(5)));
    assert_eq!((own.stages(own.outer), own.statements(own.get).timer), (expected(5), expected(5)));
}
