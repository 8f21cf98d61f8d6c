//! Every size at its least, at 1 and at a few more: what fits exactly is all there and nothing is lost; one more is lost
//! once, and counts all the same.

mod own_schema;

use std::sync::Barrier;

use own_schema::{Own, recording};
use pfs_runtime::class::{Class, EventKind};
use pfs_runtime::config::{Config, SizeKey};
use pfs_runtime::context::thread::current_id;
use pfs_runtime::schema::EventTable;
use pfs_runtime::stage;
use pfs_runtime::statement;
use pfs_runtime::sync::{condvar, mutex, rwlock};
use pfs_runtime::transaction::TransactionOptions;

/// The sizes of one kind of event and what they are called.
struct Kind {
    event: EventKind,
    history: SizeKey,
    long: SizeKey,
    stack: SizeKey,
    lost: &'static str,
}

const KINDS: [Kind; 4] = [
    Kind {
        event: EventKind::Wait,
        history: SizeKey::EventsWaitsHistorySize,
        long: SizeKey::EventsWaitsHistoryLongSize,
        stack: SizeKey::MaxWaitStack,
        lost: "locker_lost",
    },
    Kind {
        event: EventKind::Stage,
        history: SizeKey::EventsStagesHistorySize,
        long: SizeKey::EventsStagesHistoryLongSize,
        stack: SizeKey::MaxStageStack,
        lost: "nested_stage_lost",
    },
    Kind {
        event: EventKind::Statement,
        history: SizeKey::EventsStatementsHistorySize,
        long: SizeKey::EventsStatementsHistoryLongSize,
        stack: SizeKey::MaxStatementStack,
        lost: "nested_statement_lost",
    },
    Kind {
        event: EventKind::Transaction,
        history: SizeKey::EventsTransactionsHistorySize,
        long: SizeKey::EventsTransactionsHistoryLongSize,
        stack: SizeKey::MaxTransactionStack,
        lost: "nested_transaction_lost",
    },
];

impl Kind {
    /// Runs `depth` events, each in the one before.
    fn nest(&self, own: &Own, depth: usize) {
        if depth == 0 {
            return;
        }
        match self.event {
            EventKind::Wait => own.wait(|| self.nest(own, depth - 1)),
            EventKind::Stage => {
                let _stage = stage::begin(own.outer);
                self.nest(own, depth - 1);
            }
            EventKind::Statement => {
                let _statement = statement::begin(own.get);
                self.nest(own, depth - 1);
            }
            EventKind::Transaction => {
                let _transaction = TransactionOptions::new().begin_of(own.transaction);
                self.nest(own, depth - 1);
            }
        }
    }

    fn class(&self, own: &Own) -> &'static Class {
        match self.event {
            EventKind::Wait => own.disk,
            EventKind::Stage => own.outer,
            EventKind::Statement => own.get,
            EventKind::Transaction => own.transaction,
        }
    }

    fn ids(&self, own: &Own, table: EventTable) -> Vec<u64> {
        let mut ids: Vec<_> = own.schema.events(self.event, table).map(|event| event.event_id).collect();
        ids.sort_unstable();
        ids
    }
}

#[test]
fn histories() {
    for kind in &KINDS {
        for (key, table, sizes) in [
            (kind.history, EventTable::History, [0, 1, 2, 1024]),
            (kind.long, EventTable::HistoryLong, [0, 1, 2, 100]),
        ] {
            for size in sizes {
                let own = Own::new(recording().size(key, size));
                own.on_thread(|| {
                    for last in 1..=size + 3_usize {
                        kind.nest(own, 1);
                        let kept: Vec<_> = (1..=last as u64).skip(last.saturating_sub(size)).collect();
                        if last + 2 > size {
                            assert_eq!(kind.ids(own, table), kept, "{} = {size}", key.name());
                        }
                    }
                    assert_eq!(own.by_threads(kind.class(own)), size as u64 + 3);
                });
                assert_eq!(own.status("events_history_long_lost"), 0);
            }
        }
    }
}

#[test]
fn stacks() {
    for kind in &KINDS {
        for size in [1, 2, 64] {
            let own = Own::new(recording().size(kind.stack, size));
            own.on_thread(|| {
                kind.nest(own, size);
                assert_eq!(own.status(kind.lost), 0, "{} = {size}", kind.stack.name());
                assert_eq!(kind.ids(own, EventTable::HistoryLong).len(), size);
                kind.nest(own, size + 1);
                assert_eq!(own.status(kind.lost), 1, "{} = {size}", kind.stack.name());
                assert_eq!(kind.ids(own, EventTable::HistoryLong).len(), 2 * size);
                assert_eq!(own.by_threads(kind.class(own)), 2 * size as u64 + 1);
                // There is room again.
                kind.nest(own, size);
                assert_eq!(own.status(kind.lost), 1);
                assert_eq!(kind.ids(own, EventTable::HistoryLong).len(), 3 * size);
            });
        }
    }
}

#[test]
fn threads() {
    for size in [0, 1, 5, 64] {
        for more in [0, 1] {
            let own = Own::new(recording().size(SizeKey::MaxThreadInstances, size));
            let threads = size + more;
            let all = Barrier::new(threads);
            let ids = own.on_threads(threads, || {
                all.wait();
                own.wait(|| ());
                let id = current_id();
                all.wait();
                id
            });
            assert_eq!(ids.iter().filter(|id| id.is_some()).count(), size);
            assert_eq!(own.status("thread_instances_lost"), more as u64, "{size}");
            assert_eq!(own.waits(own.disk).count_star, threads as u64);
        }
    }
}

#[test]
fn instances() {
    for size in [0, 1, 64, 65] {
        let own = Own::new(
            Config::new()
                .size(SizeKey::MaxMutexInstances, size)
                .size(SizeKey::MaxRwlockInstances, size)
                .size(SizeKey::MaxCondInstances, size),
        );
        let lost = || ["mutex", "rwlock", "cond"].map(|kind| own.status(&format!("{kind}_instances_lost")));
        let live = || {
            let schema = own.schema;
            [
                schema.mutex_instances().count(),
                schema.rwlock_instances().count(),
                schema.cond_instances().count(),
            ]
        };
        own.on_thread(|| {
            let make = || {
                let mutex = mutex::with_class(own.lock, ());
                let rwlock = rwlock::with_class(own.shared, ());
                let cond = condvar::with_class(own.cond);
                drop(rwlock.write());
                cond.notify_one();
                // A condvar registers when it is waited for.
                let _ = cond.wait_timeout(mutex.lock().unwrap(), std::time::Duration::ZERO).unwrap();
                (mutex, rwlock, cond)
            };
            let kept: Vec<_> = (0..size).map(|_| make()).collect();
            assert_eq!((live(), lost()), ([size; 3], [0; 3]));
            let past = make();
            assert_eq!((live(), lost()), ([size; 3], [1; 3]));
            // Lost once, however often it is used.
            for _ in 0..3 {
                drop((past.0.lock(), past.1.read()));
            }
            assert_eq!((live(), lost()), ([size; 3], [1; 3]));
            drop((kept, past));
            assert_eq!((live(), lost()), ([0; 3], [1; 3]));
        });
        assert_eq!(own.waits(own.shared).count_star, size as u64 + 1 + 3);
        assert_eq!(own.waits(own.cond).count_star, size as u64 + 1);
    }
}

#[test]
fn texts() {
    for (size, fits, past, cut) in [
        (0, None, "G", None),
        // Less than the dots that tell of a cut.
        (1, Some("G"), "GE", Some("G")),
        (3, Some("GET"), "GET k", Some("...")),
        (8, Some("GET kéy"), "GET keyed", Some("GET k...")),
    ] {
        let own = Own::new(recording().size(SizeKey::MaxSqlTextLength, size));
        own.on_thread(|| {
            for text in [fits.unwrap_or_default(), past] {
                statement::begin(own.get).text(text);
            }
        });
        let texts: Vec<_> = own.schema.events_statements_history_long().map(|row| row.sql_text).collect();
        assert_eq!(texts, [fits, cut].map(|text| text.map(str::to_owned)), "{size}");
        assert_eq!(own.statements(own.get).count_star, 2);
    }
}

/// What is known of the buffers before they are mapped is what they are, at every size.
#[test]
fn memory() {
    let configurations = [
        recording(),
        SizeKey::ALL.iter().fold(Config::new(), |config, key| config.size(*key, *key.limits().start())),
        SizeKey::ALL.iter().fold(Config::new(), |config, key| config.size(*key, 1)),
        SizeKey::ALL.iter().fold(Config::new(), |config, key| config.size(*key, 64)),
        Config::new().max_connections(10_000).worker_threads(64),
    ];
    for config in configurations {
        let own = Own::new(config);
        let memory = own.schema.memory();
        let sum: usize = memory.buffers().iter().map(|buffer| buffer.row_size * buffer.row_count).sum();
        assert_eq!(sum, memory.total());
        let rows = |name: &str| memory.buffers().iter().find(|buffer| buffer.name == name).unwrap().row_count;
        let size = |key| own.schema.sizes().get(key) as usize;
        let threads = size(SizeKey::MaxThreadInstances);
        assert_eq!(rows("threads"), threads);
        assert_eq!(rows("mutex_instances"), size(SizeKey::MaxMutexInstances));
        assert_eq!(rows("rwlock_instances"), size(SizeKey::MaxRwlockInstances));
        assert_eq!(rows("cond_instances"), size(SizeKey::MaxCondInstances));
        for (name, kind) in ["waits", "stages", "statements", "transactions"].into_iter().zip(&KINDS) {
            let of = |table: &str| rows(&format!("events_{name}_{table}"));
            assert_eq!(of("history_long"), size(kind.long));
            assert_eq!(of("history"), size(kind.history) * threads);
            assert_eq!(of("current"), size(kind.stack) * threads);
        }
    }
}
