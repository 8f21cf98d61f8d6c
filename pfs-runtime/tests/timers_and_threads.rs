//! What `setup_timers` and `setup_threads` change, and from when on.

mod own_schema;

use own_schema::{Own, recording, short};
use pfs_runtime::class::EventKind;
use pfs_runtime::context::thread::current_id;
use pfs_runtime::schema::EventTable;
use pfs_runtime::stage;
use pfs_runtime::statement;
use pfs_runtime::sync::mutex;
use pfs_runtime::tables::YesNo;
use pfs_runtime::transaction::TransactionOptions;

/// Every reading is 400 ns after the one before.
fn own() -> &'static Own {
    Own::new(recording().constant_step_clock(400_000))
}

#[test]
fn a_coarser_timer_cuts_begin_and_end() {
    let own = own();
    own.schema.set_timer("statement", "MICROSECOND").unwrap();
    own.on_thread(|| {
        // Readings: 0.4 was the registration; 0.8 and 1.2, then 1.6 and 2.0 µs.
        drop(statement::begin(own.get));
        drop(statement::begin(own.get));
        // 2.4, 2.8: stages are timed as before.
        drop(stage::begin(own.outer));
    });
    let times = |kind| -> Vec<_> {
        let events = own.schema.events(kind, EventTable::HistoryLong);
        events.map(|event| (event.start.unwrap_or(0), event.end.unwrap_or(0))).collect()
    };
    assert_eq!(times(EventKind::Statement), [(1, 1_000_000), (1_000_000, 2_000_000)]);
    assert_eq!(times(EventKind::Stage), [(2_400_000, 2_800_000)]);
    let summary = own.statements(own.get);
    assert_eq!((summary.count_star, summary.sum_timer_wait), (2, 1_999_999));
}

#[test]
fn an_update_starts_the_kind_again_and_no_other() {
    let own = own();
    own.on_thread(|| {
        let lock = mutex::with_class(own.lock, ());
        let run = || {
            drop(lock.lock());
            drop(stage::begin(own.outer));
            statement::begin(own.get).text("select 1");
            TransactionOptions::new().begin_of(own.transaction).commit();
        };
        // The other views of statements: by digest, and both histograms.
        let digested = || {
            [
                own.schema.events_statements_summary_by_digest().map(|row| row.count_star).sum::<u64>(),
                own.schema.events_statements_histogram_by_digest().map(|row| row.count_bucket).sum(),
                own.schema.events_statements_histogram_global().map(|row| row.count_bucket).sum(),
            ]
        };
        let counts = || {
            [
                own.waits(own.lock).count_star,
                own.stages(own.outer).count_star,
                own.statements(own.get).count_star,
                own.transactions().count_star,
            ]
        };
        let by_instance =
            || own.schema.events_waits_summary_by_instance().map(|row| row.summary.count_star).sum::<u64>();
        run();
        assert_eq!((counts(), by_instance()), ([1, 1, 1, 1], 1));
        own.schema.set_timer("stage", "TICK").unwrap();
        assert_eq!((counts(), by_instance()), ([1, 0, 1, 1], 1));
        own.schema.set_timer("wait", "MILLISECOND").unwrap();
        assert_eq!((counts(), by_instance(), digested()), ([0, 0, 1, 1], 0, [1; 3]));
        run();
        own.schema.set_timer("transaction", "MICROSECOND").unwrap();
        assert_eq!(digested(), [2; 3]);
        own.schema.set_timer("statement", "MICROSECOND").unwrap();
        assert_eq!((counts(), by_instance(), digested()), ([1, 1, 0, 0], 1, [0; 3]));
        // The same again changes nothing.
        run();
        own.schema.set_timer("statement", "microsecond").unwrap();
        assert_eq!((counts(), digested()), ([2, 2, 1, 1], [1; 3]));
        own.schema.set_timer("idle", "TICK").unwrap();
        assert_eq!(counts(), [0, 2, 1, 1]);
    });
}

#[test]
fn an_open_event_ends_with_the_timer_it_began_with() {
    let own = own();
    own.on_thread(|| {
        own.schema.set_timer("statement", "MILLISECOND").unwrap();
        let coarse = statement::begin(own.get);
        own.schema.set_timer("statement", "NANOSECOND").unwrap();
        let fine = statement::begin(own.get);
        drop(fine);
        drop(coarse);
    });
    let events: Vec<_> = own.schema.events(EventKind::Statement, EventTable::HistoryLong).collect();
    // In the order in which they ended. The fine one's readings were the third and fourth, 1.2 and 1.6 µs.
    assert_eq!((events[0].start, events[0].end), (Some(1_200_000), Some(1_600_000)));
    assert_eq!((events[1].start, events[1].end), (Some(1), Some(1)));
}

#[test]
fn threads_begin_with_what_their_class_says() {
    let own = Own::new(recording());
    let begin = || {
        own.on_thread(|| {
            drop(statement::begin(own.get));
            let id = current_id().unwrap();
            let row = own.schema.threads().find(|row| row.thread_id == id).unwrap();
            let history = own.schema.events_statements_history().filter(|row| row.thread_id == id).count();
            (row.instrumented, row.history, history)
        })
    };
    assert_eq!(begin(), (YesNo::Yes, YesNo::Yes, 1));
    own.schema.set_thread_class(own.worker.name(), None, Some(false)).unwrap();
    assert_eq!(begin(), (YesNo::Yes, YesNo::No, 0));
    assert_eq!(own.statements(own.get).count_star, 2);
    own.schema.set_thread_class(own.worker.name(), Some(false), None).unwrap();
    assert_eq!(begin(), (YesNo::No, YesNo::No, 0));
    assert_eq!(own.statements(own.get).count_star, 2);
    // One that lives is changed by itself, and keeps that.
    own.on_thread(|| {
        own.thread(true, false);
        own.schema.set_thread_class(own.worker.name(), Some(true), Some(true)).unwrap();
        drop(statement::begin(own.get));
        assert_eq!(own.statements(own.get).count_star, 3);
        assert_eq!(own.schema.events_statements_history().count(), 0);
    });
    assert_eq!(begin(), (YesNo::Yes, YesNo::Yes, 1));
    assert!(own.ended().iter().all(|event| short(event.class) == "get"));
}

#[test]
fn a_class_of_threads_that_starts_disabled() {
    let own = Own::new(recording().instrument("thread/own/%", "OFF"));
    own.on_thread(|| drop(statement::begin(own.get)));
    assert_eq!(own.statements(own.get).count_star, 0);
}
