//! Transactions: what their rows say, who is nested in whom, and that each is counted once wherever it ends.

mod own_schema;

use std::sync::Mutex;
use std::thread;

use own_schema::{Own, recording, short};
use pfs_runtime::config::SizeKey;
use pfs_runtime::context::session::Owned;
use pfs_runtime::model::{Ending, NestingType};
use pfs_runtime::schema::EventTable;
use pfs_runtime::stage;
use pfs_runtime::stat::Level;
use pfs_runtime::statement;
use pfs_runtime::tables::events_transactions_current::{AccessMode, TransactionState};
use pfs_runtime::tables::{EventsTransactionsHistoryLong, Scan, Table, YesNo};
use pfs_runtime::transaction::{Isolation, Transaction, TransactionOptions};

#[track_caller]
fn begin(own: &'static Own) -> Transaction {
    TransactionOptions::new().begin_of(own.transaction)
}

#[test]
fn a_row_shows_all_that_was_said() {
    let own = Own::new(recording().constant_step_clock(10));
    let line = own.on_thread(|| {
        let said =
            TransactionOptions::new().isolation(Isolation::Serializable).autocommit(true).read_only(true);
        let line = line!() + 1;
        let mut transaction = said.id(77).begin_of(own.transaction);
        transaction.savepoint();
        transaction.savepoint();
        transaction.rollback_to_savepoint();
        transaction.release_savepoint();
        let open = own.schema.events_transactions_current().next().unwrap();
        assert_eq!((open.state, open.end_event_id), (Some(TransactionState::Active), None));
        assert_eq!(open.number_of_savepoints, Some(2));
        transaction.commit();
        let last = own.schema.events_transactions_current().next().unwrap();
        let kept = own.schema.events_transactions_history().next().unwrap();
        assert_eq!(last, kept);
        line
    });
    let row = own.schema.events_transactions_history_long().next().unwrap();
    assert_eq!((row.thread_id, row.event_id, row.end_event_id), (1, 1, Some(1)));
    assert_eq!((row.event_name, row.state), ("transaction", Some(TransactionState::Committed)));
    assert_eq!(row.source, Some(format!("transactions.rs:{line}")));
    assert_eq!((row.trx_id, row.access_mode), (Some(77), Some(AccessMode::ReadOnly)));
    assert_eq!((row.isolation_level, row.autocommit), (Some("SERIALIZABLE"), YesNo::Yes));
    let savepoints =
        (row.number_of_savepoints, row.number_of_rollback_to_savepoint, row.number_of_release_savepoint);
    assert_eq!(savepoints, (Some(2), Some(1), Some(1)));
    assert_eq!((row.nesting_event_id, row.nesting_event_type), (None, None));
    // 10 was the thread's registration, 20 the begin; the row was read once, at 30, while it was open.
    assert_eq!((row.timer_start, row.timer_end, row.timer_wait), (Some(20), Some(40), Some(20)));
    assert_eq!(row.ended_by, Some(Ending::Itself));
}

#[test]
fn one_that_is_not_ended_is_rolled_back() {
    let own = Own::new(recording());
    own.on_thread(|| {
        drop(begin(own));
        begin(own).rollback();
        std::mem::forget(begin(own));
    });
    let rows: Vec<_> = own
        .schema
        .events_transactions_history_long()
        .map(|row| (row.event_id, row.state, row.ended_by))
        .collect();
    let rolled_back = Some(TransactionState::RolledBack);
    let (itself, context) = (Some(Ending::Itself), Some(Ending::Context));
    assert_eq!(rows, [(1, rolled_back, itself), (2, rolled_back, itself), (3, rolled_back, context)]);
    assert_eq!(own.transactions().count_star, 3);
}

#[test]
fn statements_are_children_of_the_transaction_they_run_in() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let transaction = {
            let _begin = statement::begin(own.set); // 1
            let _parsing = stage::begin(own.outer); // 2
            let transaction = begin(own); // 3
            // Stages and statements that begin within the statement: the statement's own stages stay its own.
            drop(stage::begin(own.inner)); // 4
            drop(statement::begin(own.get)); // 5
            transaction
        };
        {
            let _query = statement::begin(own.get); // 6
            drop(statement::begin(own.get)); // 7
            drop(stage::begin(own.inner)); // 8
        }
        drop(stage::begin(own.inner)); // 9
        let commit = statement::begin(own.set); // 10
        transaction.commit();
        drop(statement::begin(own.get)); // 11
        drop(commit);
        drop(statement::begin(own.get)); // 12
    });
    let parents: Vec<_> = own
        .ended()
        .iter()
        .map(|event| (short(event.class), event.event_id, event.end_event_id.unwrap(), event.nesting))
        .collect();
    let (statement, stage) = (NestingType::Statement, NestingType::Stage);
    let transaction = Some((3, NestingType::Transaction));
    assert_eq!(
        parents,
        [
            ("set", 1, 5, None),
            ("outer", 2, 5, Some((1, statement))),
            // It began in a statement, and outlived it.
            ("transaction", 3, 10, Some((1, statement))),
            ("inner", 4, 4, Some((2, stage))),
            ("get", 5, 5, transaction),
            ("get", 6, 8, transaction),
            ("get", 7, 7, Some((6, statement))),
            ("inner", 8, 8, Some((6, statement))),
            ("inner", 9, 9, None),
            ("set", 10, 11, transaction),
            ("get", 11, 11, Some((10, statement))),
            ("get", 12, 12, None),
        ]
    );
    let levels: Vec<_> =
        own.schema.events_statements_history_long().map(|row| row.nesting_event_level).collect();
    // In the order in which they ended: 5, 1, 7, 6, 11, 10, 12.
    assert_eq!(levels, [1, 0, 1, 0, 1, 0, 0].map(Some));
}

#[test]
fn those_that_write_and_those_that_only_read_are_counted_apart() {
    let own = Own::new(recording().constant_step_clock(10));
    own.on_thread(|| {
        for _ in 0..3 {
            begin(own).commit();
        }
        for _ in 0..2 {
            let reads = TransactionOptions::new().read_only(true).begin_of(own.transaction);
            own.schema.clock().now();
            reads.commit();
        }
        let rows: Vec<_> = own.schema.events_transactions_summary_by_thread_by_event_name().collect();
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].summary, own.transactions());
    });
    let summary = own.transactions();
    assert_eq!((summary.count_star, summary.sum_timer_wait), (5, 70));
    assert_eq!((summary.min_timer_wait, summary.avg_timer_wait, summary.max_timer_wait), (10, 14, 20));
    assert_eq!((summary.count_read_write, summary.sum_timer_read_write), (3, 30));
    assert_eq!((summary.count_read_only, summary.sum_timer_read_only), (2, 40));
    assert_eq!((summary.min_timer_read_only, summary.max_timer_read_only), (20, 20));
    assert_eq!((summary.avg_timer_read_write, summary.avg_timer_read_only), (10, 20));
}

#[test]
fn truncating_moves_and_restarts_as_for_every_kind() {
    let own = Own::new(recording());
    own.on_thread(|| {
        begin(own).commit();
        own.schema.transactions.truncate(own.schema, Level::Thread);
        assert_eq!(own.by_threads(own.transaction), 0);
        assert_eq!(own.transactions().count_star, 1);
        begin(own).commit();
        assert_eq!(own.by_threads(own.transaction), 1);
        assert_eq!(own.transactions().count_star, 2);
        own.schema.transactions.truncate(own.schema, Level::Global);
        assert_eq!((own.by_threads(own.transaction), own.transactions().count_star), (0, 0));
        begin(own).commit();
        assert_eq!((own.by_threads(own.transaction), own.transactions().count_star), (1, 1));
    });
    assert_eq!(own.transactions().count_star, 1);
    // The event tables by themselves.
    assert_eq!(own.schema.events_transactions_history_long().count(), 3);
    EventsTransactionsHistoryLong::truncate(own.schema).unwrap();
    assert_eq!(EventsTransactionsHistoryLong::rows(own.schema, &Scan::ALL).count(), 0);
}

#[test]
fn more_than_four_at_once_are_counted_without_rows() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let open: Vec<_> = (0..6).map(|_| begin(own)).collect();
        assert_eq!(own.schema.events_transactions_current().count(), 4);
        drop(open);
    });
    assert_eq!(own.transactions().count_star, 6);
    assert_eq!(own.status("nested_transaction_lost"), 2);
    assert_eq!(own.schema.events_transactions_history_long().count(), 4);
}

#[test]
fn of_several_that_are_open_the_newest_is_the_parent() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let (first, second) = (begin(own), begin(own)); // 1, 2
        drop(statement::begin(own.get)); // 3, of 2
        second.commit();
        drop(statement::begin(own.get)); // 4, of 1
        first.commit();
        drop(statement::begin(own.get)); // 5
    });
    let parents: Vec<_> =
        own.schema.events_statements_history_long().map(|row| row.nesting_event_id).collect();
    assert_eq!(parents, [Some(2), Some(1), None]);
}

#[test]
fn without_rows_the_statistics_are_the_same() {
    let own = Own::new(recording().consumer("events_transactions_current", false).constant_step_clock(10));
    own.on_thread(|| {
        let transaction = begin(own);
        drop(statement::begin(own.get));
        transaction.commit();
        TransactionOptions::new().read_only(true).begin_of(own.transaction).commit();
    });
    let summary = own.transactions();
    assert_eq!((summary.count_read_write, summary.count_read_only), (1, 1));
    assert_eq!((summary.sum_timer_read_write, summary.sum_timer_read_only), (30, 10));
    assert_eq!(own.schema.events_transactions_current().count(), 0);
    assert_eq!(own.schema.events_statements_history_long().next().unwrap().nesting_event_id, None);
}

#[test]
fn with_no_context_free_they_are_counted_and_nobodys() {
    let own = Own::new(recording().size(SizeKey::MaxThreadInstances, 0));
    own.on_thread(|| {
        begin(own).commit();
        drop(TransactionOptions::new().read_only(true).begin_of(own.transaction));
    });
    let summary = own.transactions();
    assert_eq!((summary.count_read_write, summary.count_read_only), (1, 1));
}

#[test]
fn a_disabled_one_is_nothing() {
    let own = Own::new(recording());
    own.on_thread(|| {
        own.enable(own.transaction, false);
        let transaction = begin(own);
        own.enable(own.transaction, true);
        transaction.commit();
        begin(own).commit();
    });
    assert_eq!(own.transactions().count_star, 1);
}

#[test]
fn one_may_outlive_the_sessions_stay_on_a_thread() {
    let own = Own::new(recording());
    let mut session = Owned::new(Some(own.schema), own.worker);
    let session_id = session.thread_id().unwrap();
    let transaction = {
        let _attached = session.attach();
        begin(own)
    };
    // Moved to another thread with its session.
    thread::scope(|scope| {
        scope
            .spawn(|| {
                let _attached = session.attach();
                drop(statement::begin(own.get));
                transaction.commit();
            })
            .join()
            .unwrap();
    });
    let rows: Vec<_> = own.schema.events_transactions_history_long().collect();
    assert_eq!(rows.len(), 1);
    assert_eq!((rows[0].thread_id, rows[0].state), (session_id, Some(TransactionState::Committed)));
    assert_eq!(own.by_threads(own.transaction), 1);
    assert_eq!(own.schema.events_statements_history_long().next().unwrap().nesting_event_id, Some(1));
}

#[test]
fn one_that_ends_elsewhere_is_counted_at_its_sessions_next_event() {
    let own = Own::new(recording());
    let mut session = Owned::new(Some(own.schema), own.worker);
    let session_id = session.thread_id();
    let (first, second) = {
        let _attached = session.attach();
        (begin(own), begin(own))
    };
    // The session is on no thread; then on another one.
    first.commit();
    assert_eq!(own.transactions().count_star, 0);
    let (taken, give) = (Mutex::new(Some(second)), std::sync::Barrier::new(2));
    thread::scope(|scope| {
        scope.spawn(|| {
            give.wait();
            taken.lock().unwrap().take().unwrap().rollback();
            give.wait();
        });
        let _attached = session.attach();
        drop(statement::begin(own.get));
        assert_eq!(own.transactions().count_read_write, 1);
        give.wait();
        give.wait();
        drop(statement::begin(own.get));
        assert_eq!(own.transactions().count_read_write, 2);
    });
    let rows: Vec<_> = own
        .schema
        .events_transactions_history_long()
        .map(|row| (Some(row.thread_id), row.event_id, row.state, row.ended_by))
        .collect();
    let itself = Some(Ending::Itself);
    assert_eq!(
        rows,
        [
            (session_id, 1, Some(TransactionState::Committed), itself),
            (session_id, 2, Some(TransactionState::RolledBack), itself),
        ]
    );
    assert_eq!(own.schema.events(pfs_runtime::class::EventKind::Transaction, EventTable::Current).count(), 1);
}

#[test]
fn one_that_ended_elsewhere_is_counted_with_its_sessions_end() {
    let own = Own::new(recording());
    let mut session = Owned::new(Some(own.schema), own.worker);
    let transaction = {
        let _attached = session.attach();
        begin(own)
    };
    transaction.commit();
    drop(session);
    let row = own.schema.events_transactions_history_long().next().unwrap();
    assert_eq!((row.state, row.ended_by), (Some(TransactionState::Committed), Some(Ending::Itself)));
    assert_eq!(own.transactions().count_star, 1);
    // After its session it is nobody's: the session rolled it back.
    let mut session = Owned::new(Some(own.schema), own.worker);
    let late = {
        let _attached = session.attach();
        begin(own)
    };
    drop(session);
    late.commit();
    assert_eq!(own.transactions().count_star, 2);
    let row = own.schema.events_transactions_history_long().nth(1).unwrap();
    assert_eq!((row.state, row.ended_by), (Some(TransactionState::RolledBack), Some(Ending::Context)));
}

/// Sessions are served by threads in turn while other threads end the transactions that they began.
#[test]
fn every_transaction_is_counted_once_wherever_it_ends() {
    const ROUNDS: usize = 3_000;
    let own = Own::new(recording());
    thread::scope(|scope| {
        let (send, receive) = std::sync::mpsc::channel::<Transaction>();
        scope.spawn(move || {
            // Those that found no frame are counted by whoever ends them.
            own.on_thread(|| {
                for (at, transaction) in receive.into_iter().enumerate() {
                    if at % 2 == 0 {
                        transaction.commit();
                    }
                }
            });
        });
        for _ in 0..2 {
            let send = send.clone();
            scope.spawn(move || {
                let mut session = Owned::new(Some(own.schema), own.worker);
                for round in 0..ROUNDS {
                    let transaction = {
                        let _attached = session.attach();
                        drop(statement::begin(own.get));
                        begin(own)
                    };
                    send.send(transaction).expect("the other thread receives");
                    if round % 100 == 99 {
                        session = Owned::new(Some(own.schema), own.worker);
                    }
                }
            });
        }
    });
    assert_eq!(own.transactions().count_star, 2 * ROUNDS as u64);
    assert_eq!(own.statements(own.get).count_star, 2 * ROUNDS as u64);
}
