//! Every size at its least, at 1 and at some, with as much as fits, with one more and with more than that: what the program
//! does goes on, what found no room is lost by the counter of that buffer alone and to the exact number, every table is
//! readable, and the totals are those of what was done.
//!
//! What is done for a size is decided by a `match` of all keys, so that a new one has its case here.

mod own_schema;

use std::sync::Barrier;
use std::time::Duration;

use own_schema::{Own, class, recording};
use pfs_runtime::class::{Class, EventKind, Kind};
use pfs_runtime::config::{Config, SizeKey};
use pfs_runtime::context::session::Owned;
use pfs_runtime::report::Text;
use pfs_runtime::schema::{EventTable, Who};
use pfs_runtime::stage;
use pfs_runtime::statement;
use pfs_runtime::sync::{Mutex, condvar, mutex, rwlock};
use pfs_runtime::tables::{Scan, TABLES, TableDef};
use pfs_runtime::transaction::TransactionOptions;

/// What is seen while all that was made is there.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    /// How many are in the buffer.
    kept: usize,
    /// How many events of a class ended, and of which.
    counted: u64,
}

/// What becomes of what finds no room.
enum Past {
    /// It is lost, by that counter of `global_status`.
    Lost(&'static str),
    /// The same of the actors of sessions, with one more, which is there from the start: nobody.
    LostActor(&'static str),
    /// It is lost, by that counter, and counted in a row of the buffer that is there from the start.
    Together(&'static str),
    /// It takes the place of what came before it.
    Replaces,
    /// It is cut off.
    Cut,
    /// The same, by two.
    CutByTwo,
}

/// Makes `n` of what the buffer of `key` holds, `n` in all and at once, on the calling thread and others.
fn fill(own: &'static Own, key: SizeKey, n: usize) -> Seen {
    use SizeKey as Key;
    match key {
        Key::AccountsSize => sessions(own, n, |own| own.schema.accounts().count(), |at| (Some(at), Some(at))),
        Key::UsersSize => sessions(own, n, |own| own.schema.users().count(), |at| (Some(at), None)),
        Key::HostsSize => sessions(own, n, |own| own.schema.hosts().count(), |at| (None, Some(at))),
        Key::EventsWaitsHistorySize => ended(own, EventKind::Wait, EventTable::History, n),
        Key::EventsWaitsHistoryLongSize => ended(own, EventKind::Wait, EventTable::HistoryLong, n),
        Key::EventsStagesHistorySize => ended(own, EventKind::Stage, EventTable::History, n),
        Key::EventsStagesHistoryLongSize => ended(own, EventKind::Stage, EventTable::HistoryLong, n),
        Key::EventsStatementsHistorySize => ended(own, EventKind::Statement, EventTable::History, n),
        Key::EventsStatementsHistoryLongSize => ended(own, EventKind::Statement, EventTable::HistoryLong, n),
        Key::EventsTransactionsHistorySize => ended(own, EventKind::Transaction, EventTable::History, n),
        Key::EventsTransactionsHistoryLongSize => {
            ended(own, EventKind::Transaction, EventTable::HistoryLong, n)
        }
        Key::MaxMutexInstances => instances(
            own,
            n,
            |own| mutex::with_class(own.lock, ()),
            |lock| drop(lock.lock()),
            |own| (own.schema.mutex_instances().count(), own.lock),
        ),
        Key::MaxRwlockInstances => instances(
            own,
            n,
            |own| rwlock::with_class(own.shared, ()),
            |lock| drop(lock.read()),
            |own| (own.schema.rwlock_instances().count(), own.shared),
        ),
        Key::MaxCondInstances => instances(
            own,
            n,
            |own| condvar::with_class(own.cond),
            |cond| {
                // Of a class that is in no schema; one for each, for a condvar is of one mutex.
                let lock = Mutex::new(());
                drop(cond.wait_timeout(lock.lock().unwrap(), Duration::ZERO));
            },
            |own| (own.schema.cond_instances().count(), own.cond),
        ),
        Key::MaxSources => own.on_thread(|| {
            let made = places(own.lock);
            made.iter().take(n).for_each(|lock| drop(lock.lock()));
            let kept = own.schema.events_waits_summary_by_source().count();
            Seen { kept, counted: own.waits(own.lock).count_star }
        }),
        Key::MaxSqlTextLength => own.on_thread(|| {
            statement::begin(own.get).text("T".repeat(n));
            let row = own.schema.events_statements_history_long().next().unwrap();
            // One character of a text is one of the `n`, and the statement is the one event.
            let kept = row.sql_text.map_or(0, |text| text.len());
            Seen { kept, counted: own.statements(own.get).count_star * n as u64 }
        }),
        Key::DigestsSize => own.on_thread(|| {
            (0..n).for_each(|at| statement::begin(own.get).text(format!("SELECT{}", " ALL".repeat(at))));
            let alone =
                own.schema.events_statements_summary_by_digest().filter(|row| row.digest.is_some()).count();
            let together = own.schema.sizes().get(key).min(1) as usize;
            Seen { kept: alone + together, counted: own.statements(own.get).count_star }
        }),
        Key::MaxDigestLength => own.on_thread(|| {
            // A word is two bytes.
            statement::begin(own.get).text("SELECT ".repeat(n / 2));
            let row = own.schema.events_statements_history_long().next().unwrap();
            let kept = row.digest_text.map_or(0, |text| 2 * text.split_whitespace().count());
            Seen { kept, counted: own.statements(own.get).count_star * n as u64 }
        }),
        Key::MaxDigestSampleAge => unreachable!("an age is no buffer"),
        Key::MaxWaitStack => open(own, EventKind::Wait, n),
        Key::MaxStageStack => open(own, EventKind::Stage, n),
        Key::MaxStatementStack => open(own, EventKind::Statement, n),
        Key::MaxTransactionStack => open(own, EventKind::Transaction, n),
        Key::MaxThreadInstances => {
            let (all, seen) = (Barrier::new(n), Barrier::new(n));
            let kept = own.on_threads(n, || {
                own.wait(|| ());
                all.wait();
                let kept = own.schema.threads().count();
                seen.wait();
                kept
            });
            assert!(kept.iter().all(|one| *one == kept[0]));
            Seen { kept: kept[0], counted: own.waits(own.disk).count_star }
        }
        Key::PluginClasses => {
            const NAMES: [&str; MOST] = [
                "stage/late/a",
                "stage/late/b",
                "stage/late/c",
                "stage/late/d",
                "stage/late/e",
                "stage/late/f",
            ];
            let brought = NAMES.map(|name| class(Kind::Stage, name));
            let taken = own.schema.take_in(brought[..n].iter().copied(), []);
            own.on_thread(|| brought[..n].iter().for_each(|late| drop(stage::begin(late))));
            let rows = own.schema.events_stages_summary_global_by_event_name();
            let late: Vec<_> = rows.filter(|row| row.event_name.contains("late")).collect();
            // A class that found no place is the raw operation.
            let counted: u64 = late.iter().map(|row| row.summary.count_star).sum();
            assert_eq!((taken.classes, taken.lost, counted), (late.len(), n - late.len(), late.len() as u64));
            Seen { kept: late.len(), counted: n as u64 }
        }
    }
}

fn past(key: SizeKey) -> Past {
    use SizeKey as Key;
    match key {
        Key::AccountsSize => Past::LostActor("accounts_lost"),
        Key::UsersSize => Past::LostActor("users_lost"),
        Key::HostsSize => Past::LostActor("hosts_lost"),
        Key::EventsWaitsHistorySize
        | Key::EventsWaitsHistoryLongSize
        | Key::EventsStagesHistorySize
        | Key::EventsStagesHistoryLongSize
        | Key::EventsStatementsHistorySize
        | Key::EventsStatementsHistoryLongSize
        | Key::EventsTransactionsHistorySize
        | Key::EventsTransactionsHistoryLongSize => Past::Replaces,
        Key::MaxMutexInstances => Past::Lost("mutex_instances_lost"),
        Key::MaxRwlockInstances => Past::Lost("rwlock_instances_lost"),
        Key::MaxCondInstances => Past::Lost("cond_instances_lost"),
        Key::MaxSources => Past::Lost("sources_lost"),
        Key::DigestsSize => Past::Together("digest_lost"),
        Key::MaxDigestLength => Past::CutByTwo,
        Key::MaxDigestSampleAge => unreachable!("an age is no buffer"),
        Key::MaxSqlTextLength => Past::Cut,
        Key::MaxWaitStack => Past::Lost("locker_lost"),
        Key::MaxStageStack => Past::Lost("nested_stage_lost"),
        Key::MaxStatementStack => Past::Lost("nested_statement_lost"),
        Key::MaxTransactionStack => Past::Lost("nested_transaction_lost"),
        Key::MaxThreadInstances => Past::Lost("thread_instances_lost"),
        Key::PluginClasses => Past::Lost("stage_classes_lost"),
    }
}

/// As many sessions of different clients, each with one event.
fn sessions(
    own: &'static Own,
    n: usize,
    rows: impl Fn(&Own) -> usize,
    who: impl Fn(&'static str) -> (Option<&'static str>, Option<&'static str>),
) -> Seen {
    const NAMES: [&str; MOST] = ["a", "b", "c", "d", "e", "f"];
    let sessions: Vec<_> = NAMES[..n]
        .iter()
        .map(|name| {
            let (user, host) = who(name);
            let mut session = Owned::new(Some(own.schema), own.worker);
            session.change_actor(Who { user, host });
            drop((session.attach(), own.wait(|| ())));
            session
        })
        .collect();
    let kept = rows(own);
    drop(sessions);
    Seen { kept, counted: own.waits(own.disk).count_star }
}

fn ended(own: &'static Own, kind: EventKind, table: EventTable, n: usize) -> Seen {
    own.on_thread(|| {
        (0..n).for_each(|_| nest(own, kind, 1));
        Seen { kept: own.schema.events(kind, table).count(), counted: own.by_threads(of_kind(own, kind)) }
    })
}

/// As many events, each in the one before.
fn open(own: &'static Own, kind: EventKind, n: usize) -> Seen {
    own.on_thread(|| {
        nest(own, kind, n);
        let kept = own.schema.events(kind, EventTable::HistoryLong).count();
        Seen { kept, counted: own.by_threads(of_kind(own, kind)) }
    })
}

fn of_kind(own: &Own, kind: EventKind) -> &'static Class {
    match kind {
        EventKind::Wait => own.disk,
        EventKind::Stage => own.outer,
        EventKind::Statement => own.get,
        EventKind::Transaction => own.transaction,
    }
}

fn nest(own: &Own, kind: EventKind, depth: usize) {
    if depth == 0 {
        return;
    }
    match kind {
        EventKind::Wait => own.wait(|| nest(own, kind, depth - 1)),
        EventKind::Stage => {
            let _stage = stage::begin(own.outer);
            nest(own, kind, depth - 1);
        }
        EventKind::Statement => {
            let _statement = statement::begin(own.get);
            nest(own, kind, depth - 1);
        }
        EventKind::Transaction => {
            let _transaction = TransactionOptions::new().begin_of(own.transaction);
            nest(own, kind, depth - 1);
        }
    }
}

/// As many objects, each used once while all are there.
fn instances<O: Send>(
    own: &'static Own,
    n: usize,
    make: impl Fn(&Own) -> O + Sync,
    touch: impl Fn(&O) + Sync,
    shown: impl Fn(&Own) -> (usize, &'static Class) + Sync,
) -> Seen {
    own.on_thread(|| {
        let objects: Vec<O> = (0..n).map(|_| make(own)).collect();
        objects.iter().for_each(&touch);
        let (kept, class) = shown(own);
        Seen { kept, counted: own.waits(class).count_star }
    })
}

/// A mutex of each of as many places.
fn places(of: &'static Class) -> [Mutex<()>; MOST] {
    [
        mutex::with_class(of, ()),
        mutex::with_class(of, ()),
        mutex::with_class(of, ()),
        mutex::with_class(of, ()),
        mutex::with_class(of, ()),
        mutex::with_class(of, ()),
    ]
}

const SIZES: [usize; 3] = [0, 1, 3];
const MOST: usize = 6;

/// Every counter of what was lost that is not zero.
fn lost(own: &Own) -> Vec<(&'static str, u64)> {
    own.schema
        .global_status()
        .filter(|row| row.variable_name.ends_with("_lost"))
        .map(|row| (row.variable_name, row.variable_value.unwrap().parse().unwrap()))
        .filter(|(_, value)| *value > 0)
        .collect()
}

/// Every table is read to its end and shown; how many lines that are.
fn read_all(own: &Own) -> usize {
    let shown = |table: &'static TableDef| Text::rows(table, table.rows(own.schema, &Scan::ALL)).to_string();
    TABLES.iter().map(|table| shown(table).lines().count()).sum()
}

/// All waits by context, live and gone, are those of all.
fn totals_agree(own: &Own) {
    let by_account: u64 =
        own.schema.events_waits_summary_by_account_by_event_name().map(|row| row.summary.count_star).sum();
    let by_user: u64 =
        own.schema.events_waits_summary_by_user_by_event_name().map(|row| row.summary.count_star).sum();
    let global: u64 =
        own.schema.events_waits_summary_global_by_event_name().map(|row| row.summary.count_star).sum();
    assert!(by_account <= global && by_user <= global);
    let lost = own.status("accounts_lost") + own.status("users_lost") + own.status("thread_instances_lost");
    if lost == 0 && own.schema.sizes().get(SizeKey::AccountsSize) > 0 {
        assert_eq!((by_account, by_user), (global, global));
    }
}

fn check(key: SizeKey, config: Config, size: usize, n: usize) {
    let own = Own::new(config.size(key, size));
    let seen = fill(own, key, n);
    let at = format!("{} = {size}, {n} made", key.name());
    let past = past(key);
    let rows = n + usize::from(matches!(past, Past::LostActor(_) | Past::Together(_)));
    let kept = match past {
        Past::CutByTwo => n.min(size) / 2 * 2,
        _ => rows.min(size),
    };
    assert_eq!(seen, Seen { kept, counted: n as u64 }, "{at}");
    let more = match past {
        // Without the row for what finds none, nothing is looked for.
        Past::Together(_) if size == 0 => 0,
        _ => rows.saturating_sub(size) as u64,
    };
    let expected = match past {
        Past::Lost(counter) | Past::LostActor(counter) | Past::Together(counter) if more > 0 => {
            vec![(format!("Performance_schema_{counter}"), more)]
        }
        _ => vec![],
    };
    let lost: Vec<_> = lost(own).into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    assert_eq!(lost, expected, "{at}");
    assert!(read_all(own) > TABLES.len(), "{at}");
    totals_agree(own);
}

#[test]
fn every_size_at_its_least_at_one_and_full() {
    // `digests.rs` tests the age of samples.
    for key in SizeKey::ALL.iter().filter(|key| **key != SizeKey::MaxDigestSampleAge) {
        for size in SIZES.into_iter().filter(|size| *size >= *key.limits().start() as usize) {
            for n in [1, size, size + 1, size + 3].into_iter().filter(|n| (1..=MOST).contains(n)) {
                check(*key, recording(), size, n);
            }
        }
    }
}
