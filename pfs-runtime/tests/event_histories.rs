//! The histories: which of the ended events they keep, for how long, and what truncation leaves.

mod own_schema;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use own_schema::{Own, Stop, recording};
use pfs_runtime::class::EventKind;
use pfs_runtime::config::{Consumer, SizeKey};
use pfs_runtime::schema::EventTable;
use pfs_runtime::stage;
use pfs_runtime::statement;
use pfs_runtime::tables::{
    EventsStagesHistory, EventsStatementsCurrent, EventsStatementsHistoryLong, EventsTransactionsCurrent,
    EventsTransactionsHistory, EventsWaitsCurrent, EventsWaitsHistory, Table,
};
use pfs_runtime::transaction::TransactionOptions;

fn ids(own: &Own, kind: EventKind, table: EventTable) -> Vec<u64> {
    let mut ids: Vec<_> = own.schema.events(kind, table).map(|event| event.event_id).collect();
    ids.sort_unstable();
    ids
}

#[test]
fn a_history_keeps_the_last_events_of_its_thread() {
    let own = Own::new(
        recording()
            .size(SizeKey::EventsWaitsHistorySize, 3)
            .size(SizeKey::EventsStagesHistorySize, 1)
            .size(SizeKey::EventsStatementsHistorySize, 0),
    );
    own.on_thread(|| {
        let waits: Vec<u64> = (1..=28).step_by(3).collect();
        for round in 0..10 {
            let last = &waits[round.max(3) - 3..round];
            assert_eq!(ids(own, EventKind::Wait, EventTable::History), last);
            own.wait(|| ());
            drop(stage::begin(own.outer));
            drop(statement::begin(own.get));
        }
        assert_eq!(ids(own, EventKind::Wait, EventTable::History), [22, 25, 28]);
        assert_eq!(ids(own, EventKind::Stage, EventTable::History), [29]);
        assert!(ids(own, EventKind::Statement, EventTable::History).is_empty());
    });
    assert!(ids(own, EventKind::Wait, EventTable::History).is_empty());
    // The long history does not end with the thread.
    for (kind, first) in [(EventKind::Wait, 1), (EventKind::Stage, 2), (EventKind::Statement, 3)] {
        assert_eq!(ids(own, kind, EventTable::HistoryLong), (first..=30).step_by(3).collect::<Vec<_>>());
    }
}

#[test]
fn the_next_thread_in_the_slot_begins_with_an_empty_history() {
    let own = Own::new(recording());
    own.on_thread(|| own.wait(|| ()));
    own.on_thread(|| {
        assert_eq!(own.events(EventTable::History).len(), 0);
        assert_eq!(own.events(EventTable::Current).len(), 0);
        own.wait(|| ());
        let events = own.events(EventTable::History);
        assert_eq!((events.len(), events[0].thread_id, events[0].event_id), (1, 2, 1));
    });
}

#[test]
fn a_long_history_keeps_the_last_events_of_all() {
    // Chunks of one record, of one that does not divide the size, and of the largest size.
    for (size, chunk) in [(0, 1), (1, 1), (7, 1), (130, 2), (1000, 15), (1500, 16_usize)] {
        let own = Own::new(recording().size(SizeKey::EventsWaitsHistoryLongSize, size));
        let total = 4000;
        own.on_thread(|| {
            for _ in 0..total {
                own.wait(|| ());
            }
        });
        let kept = ids(own, EventKind::Wait, EventTable::HistoryLong);
        // One thread: what is kept are its last events, but for the part of a chunk that it has not written yet.
        assert!(kept.len() <= size && kept.len() + chunk > size, "{} of {size}", kept.len());
        let last: Vec<_> = (total + 1 - kept.len() as u64..=total).collect();
        let fresh = kept.iter().filter(|id| last.contains(id)).count();
        assert!(fresh + chunk > size, "{fresh} of {size}");
        assert_eq!(kept.last().copied(), (size > 0).then_some(total));
        assert_eq!((own.waits(own.disk).count_star, own.status("events_history_long_lost")), (total, 0));
    }
}

#[test]
fn a_long_history_is_whole_while_threads_go_round_it() {
    let own = Own::new(
        recording().max_connections(8).size(SizeKey::EventsWaitsHistoryLongSize, 64).constant_step_clock(7),
    );
    let (stop, written) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        let writers = scope.spawn(|| {
            own.on_threads(4, || {
                while !stop.load(Relaxed) {
                    let _stage = stage::begin(own.outer);
                    own.wait(|| ());
                    written.fetch_add(1, Relaxed);
                }
            })
        });
        let ended = Stop(&stop);
        let began = Instant::now();
        let mut seen = 0;
        while seen < 2000 {
            for event in own.schema.events(EventKind::Wait, EventTable::HistoryLong) {
                // The clock of each thread begins with 7 for its registration; then a stage begins, a wait begins and
                // ends, the stage ends: an event's times follow from its id.
                let round = event.event_id / 2 - 1;
                assert_eq!(event.event_id % 2, 0);
                assert_eq!(event.end_event_id, Some(event.event_id));
                assert_eq!(event.nesting.map(|(id, _)| id), Some(event.event_id - 1));
                assert_eq!(event.start, Some(7 * (4 * round + 3)));
                assert_eq!(event.end, Some(7 * (4 * round + 4)));
                seen += 1;
            }
            assert!(began.elapsed() < Duration::from_secs(30), "only {seen} rows could be read");
        }
        drop(ended);
        writers.join().unwrap();
    });
    assert_eq!(own.waits(own.disk).count_star, written.into_inner());
    assert!(ids(own, EventKind::Wait, EventTable::HistoryLong).len() <= 64);
}

#[test]
fn truncating_an_event_table_empties_that_table_alone() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let all = || {
            [EventTable::Current, EventTable::History, EventTable::HistoryLong]
                .map(|table| EventKind::ALL.map(|kind| ids(own, kind, table)))
        };
        let one_of_each = || {
            own.wait(|| ());
            drop(stage::begin(own.outer));
            drop(statement::begin(own.get));
            TransactionOptions::new().begin_of(own.transaction).commit();
        };
        let none = || Vec::<u64>::new();
        let full = || [vec![1], vec![2], vec![3], vec![4]];
        one_of_each();
        assert_eq!(all(), [[vec![1], none(), vec![3], vec![4]], full(), full()]);

        EventsWaitsHistory::truncate(own.schema).unwrap();
        EventsStagesHistory::truncate(own.schema).unwrap();
        let history = || [none(), none(), vec![3], vec![4]];
        assert_eq!(all(), [[vec![1], none(), vec![3], vec![4]], history(), full()]);

        EventsWaitsCurrent::truncate(own.schema).unwrap();
        EventsStatementsHistoryLong::truncate(own.schema).unwrap();
        let long = || [vec![1], vec![2], none(), vec![4]];
        assert_eq!(all(), [[none(), none(), vec![3], vec![4]], history(), long()]);

        EventsTransactionsHistory::truncate(own.schema).unwrap();
        EventsTransactionsCurrent::truncate(own.schema).unwrap();
        let history = || [none(), none(), vec![3], none()];
        assert_eq!(all(), [[none(), none(), vec![3], none()], history(), long()]);

        // They fill again, with new ids.
        one_of_each();
        assert_eq!(
            all(),
            [
                [vec![5], none(), vec![7], vec![8]],
                [vec![5], vec![6], vec![3, 7], vec![8]],
                [vec![1, 5], vec![2, 6], vec![7], vec![4, 8]]
            ]
        );
    });
    // Counts are another thing.
    assert_eq!(own.waits(own.disk).count_star, 2);
}

#[test]
fn an_event_that_is_open_when_its_table_is_truncated_is_in_the_histories_when_it_ends() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let statement = statement::begin(own.get);
        EventsStatementsCurrent::truncate(own.schema).unwrap();
        EventsStatementsHistoryLong::truncate(own.schema).unwrap();
        assert!(ids(own, EventKind::Statement, EventTable::Current).is_empty());
        own.wait(|| ());
        drop(statement);
        assert_eq!(ids(own, EventKind::Statement, EventTable::History), [1]);
        assert_eq!(ids(own, EventKind::Statement, EventTable::HistoryLong), [1]);
        assert_eq!(
            own.schema.events(EventKind::Wait, EventTable::History).next().unwrap().nesting.unwrap().0,
            1
        );
    });
}

#[test]
fn each_history_needs_the_consumers_above_it() {
    let own = Own::new(recording());
    let kept = |own: &Own| {
        [EventTable::Current, EventTable::History, EventTable::HistoryLong]
            .map(|table| own.schema.events(EventKind::Wait, table).count())
    };
    own.on_thread(|| {
        own.consumer(Consumer::EventsWaitsHistory, false);
        own.wait(|| ());
        assert_eq!(kept(own), [1, 0, 1]);
        own.consumer(Consumer::EventsWaitsHistory, true);
        own.consumer(Consumer::EventsWaitsHistoryLong, false);
        own.wait(|| ());
        assert_eq!(kept(own), [1, 1, 1]);
        own.consumer(Consumer::EventsWaitsHistoryLong, true);
        own.consumer(Consumer::EventsWaitsCurrent, false);
        own.wait(|| ());
        assert_eq!(kept(own), [1, 1, 1]);
        own.consumer(Consumer::EventsWaitsCurrent, true);
        own.consumer(Consumer::ThreadInstrumentation, false);
        own.wait(|| ());
        assert_eq!(kept(own), [1, 1, 1]);
        own.consumer(Consumer::ThreadInstrumentation, true);
        own.wait(|| ());
        assert_eq!(kept(own), [1, 2, 2]);
    });
    assert_eq!(own.waits(own.disk).count_star, 5);
}
