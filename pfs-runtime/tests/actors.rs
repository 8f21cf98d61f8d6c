//! Accounts, users and hosts: whose a count is, at which levels it stands, and what a truncation of each level restarts.

mod own_schema;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use own_schema::{Own, Stop, recording};
use pfs_runtime::class::EventKind;
use pfs_runtime::config::SizeKey;
use pfs_runtime::context::session::Owned;
use pfs_runtime::schema::Who;
use pfs_runtime::stage;
use pfs_runtime::stat::Level;
use pfs_runtime::statement;
use pfs_runtime::tables::{Accounts, Hosts, Table, Users};
use pfs_runtime::transaction::TransactionOptions;

const fn who<'a>(user: &'a str, host: &'a str) -> Who<'a> {
    Who { user: Some(user), host: Some(host) }
}

fn session(own: &'static Own, is: Who<'_>) -> Owned {
    let mut session = Owned::new(Some(own.schema), own.worker);
    session.change_actor(is);
    session
}

/// One event of each kind.
fn work(own: &'static Own, session: &mut Owned) {
    let _attached = session.attach();
    own.wait(|| ());
    drop(stage::begin(own.outer));
    drop(statement::begin(own.get));
    TransactionOptions::new().begin_of(own.transaction).commit();
}

type Count = (String, u64);

/// What is counted by each account, user and host that counted anything, by kind of event.
fn accounts(own: &Own, kind: EventKind) -> Vec<Count> {
    let name = |user: &Option<String>, host: &Option<String>| {
        format!("{}@{}", user.as_deref().unwrap_or("-"), host.as_deref().unwrap_or("-"))
    };
    let schema = own.schema;
    let rows: Vec<Count> = match kind {
        EventKind::Wait => schema
            .events_waits_summary_by_account_by_event_name()
            .map(|row| (name(&row.user, &row.host), row.summary.count_star))
            .collect(),
        EventKind::Stage => schema
            .events_stages_summary_by_account_by_event_name()
            .map(|row| (name(&row.user, &row.host), row.summary.count_star))
            .collect(),
        EventKind::Statement => schema
            .events_statements_summary_by_account_by_event_name()
            .map(|row| (name(&row.user, &row.host), row.summary.count_star))
            .collect(),
        EventKind::Transaction => schema
            .events_transactions_summary_by_account_by_event_name()
            .map(|row| (name(&row.user, &row.host), row.summary.count_star))
            .collect(),
    };
    counted(rows)
}

fn counted(rows: Vec<Count>) -> Vec<Count> {
    let mut counted: Vec<Count> = rows.into_iter().filter(|(_, count)| *count > 0).collect();
    counted.sort();
    counted
}

fn users(own: &Own) -> Vec<Count> {
    let rows = own.schema.events_statements_summary_by_user_by_event_name();
    counted(rows.map(|row| (row.user.unwrap_or_else(|| "-".into()), row.summary.count_star)).collect())
}

fn hosts(own: &Own) -> Vec<Count> {
    let rows = own.schema.events_statements_summary_by_host_by_event_name();
    counted(rows.map(|row| (row.host.unwrap_or_else(|| "-".into()), row.summary.count_star)).collect())
}

fn count(name: &str, count: u64) -> Count {
    (name.to_owned(), count)
}

#[test]
fn events_count_by_account_user_and_host_while_sessions_live_and_after() {
    let own = Own::new(recording());
    let mut first = session(own, who("ann", "here"));
    let mut second = session(own, who("ann", "there"));
    let mut third = session(own, who("bob", "here"));
    work(own, &mut first);
    work(own, &mut second);
    work(own, &mut second);
    work(own, &mut third);
    let check = || {
        for kind in EventKind::ALL {
            let expected = [count("ann@here", 1), count("ann@there", 2), count("bob@here", 1)];
            assert_eq!(accounts(own, kind), expected, "{kind:?}");
        }
        assert_eq!(users(own), [count("ann", 3), count("bob", 1)]);
        assert_eq!(hosts(own), [count("here", 2), count("there", 2)]);
        assert_eq!(own.statements(own.get).count_star, 4);
    };
    check();
    drop(second);
    check();
    drop((first, third));
    check();
}

#[test]
fn what_is_nobodys_counts_in_the_row_without_names() {
    let own = Own::new(recording());
    own.on_thread(|| drop(statement::begin(own.get)));
    let mut early = Owned::new(Some(own.schema), own.worker);
    work(own, &mut early);
    assert_eq!(accounts(own, EventKind::Statement), [count("-@-", 2)]);
    // What it counted before it said who it is stays there.
    early.change_actor(who("ann", "here"));
    work(own, &mut early);
    assert_eq!(accounts(own, EventKind::Statement), [count("-@-", 2), count("ann@here", 1)]);
    early.change_actor(Who { user: Some("bob"), host: None });
    work(own, &mut early);
    assert_eq!(
        accounts(own, EventKind::Statement),
        [count("-@-", 2), count("ann@here", 1), count("bob@-", 1)]
    );
    assert_eq!(users(own), [count("-", 2), count("ann", 1), count("bob", 1)]);
    assert_eq!(hosts(own), [count("-", 3), count("here", 1)]);
}

#[test]
fn connections_are_counted_by_account_user_and_host() {
    let own = Own::new(recording());
    let first = session(own, who("ann", "here"));
    let second = session(own, who("ann", "there"));
    drop(session(own, who("ann", "here")));
    let connections = || {
        let name =
            |user: Option<String>, host: Option<String>| (user.unwrap_or_default(), host.unwrap_or_default());
        let mut accounts: Vec<_> = own
            .schema
            .accounts()
            .map(|row| (name(row.user, row.host), row.current_connections, row.total_connections))
            .collect();
        accounts.sort();
        accounts
    };
    let named = |user: &str, host: &str| (user.to_owned(), host.to_owned());
    // Each was in the background until it said who it is.
    assert_eq!(
        connections(),
        [(named("", ""), 0, 3), (named("ann", "here"), 1, 2), (named("ann", "there"), 1, 1)]
    );
    let ann = own.schema.users().find(|row| row.user.as_deref() == Some("ann")).unwrap();
    assert_eq!((ann.current_connections, ann.total_connections), (2, 3));
    let here = own.schema.hosts().find(|row| row.host.as_deref() == Some("here")).unwrap();
    assert_eq!((here.current_connections, here.total_connections), (1, 2));
    drop(first);
    Accounts::truncate(own.schema).unwrap();
    assert_eq!(connections(), [(named("", ""), 0, 0), (named("ann", "there"), 1, 1)]);
    assert_eq!(own.schema.users().count(), 2, "users are a table of their own");
    Users::truncate(own.schema).unwrap();
    Hosts::truncate(own.schema).unwrap();
    let hosts: Vec<_> = own.schema.hosts().filter_map(|row| row.host).collect();
    assert_eq!(hosts, ["there"]);
    drop(second);
    Hosts::truncate(own.schema).unwrap();
    assert_eq!((own.schema.hosts().count(), own.schema.accounts().count()), (1, 1));
    // A name that comes back has a row again.
    let _again = session(own, who("ann", "there"));
    assert_eq!(connections().len(), 2);
}

#[test]
fn truncating_a_level_restarts_it_and_those_below_and_none_above() {
    let own = Own::new(recording());
    let schema = own.schema;
    let mut live = session(own, who("ann", "here"));
    let mut ended = session(own, who("ann", "there"));
    // By thread, by account, by user, by host, in all.
    let sums = || {
        let sum = |counts: Vec<Count>| counts.into_iter().map(|(_, count)| count).sum::<u64>();
        [
            own.by_threads(own.get),
            sum(accounts(own, EventKind::Statement)),
            sum(users(own)),
            sum(hosts(own)),
            own.statements(own.get).count_star,
        ]
    };
    work(own, &mut live);
    work(own, &mut ended);
    drop(ended);
    assert_eq!(sums(), [1, 2, 2, 2, 2]);
    schema.statements.truncate(schema, Level::Thread);
    assert_eq!(sums(), [0, 2, 2, 2, 2]);
    work(own, &mut live);
    assert_eq!(sums(), [1, 3, 3, 3, 3]);
    schema.statements.truncate(schema, Level::Account);
    assert_eq!(sums(), [0, 0, 3, 3, 3]);
    work(own, &mut live);
    assert_eq!(sums(), [1, 1, 4, 4, 4]);
    schema.statements.truncate(schema, Level::User);
    assert_eq!(sums(), [0, 0, 0, 4, 4]);
    work(own, &mut live);
    assert_eq!(sums(), [1, 1, 1, 5, 5]);
    schema.statements.truncate(schema, Level::Host);
    assert_eq!(sums(), [0, 0, 1, 0, 5]);
    work(own, &mut live);
    assert_eq!(sums(), [1, 1, 2, 1, 6]);
    drop(live);
    assert_eq!(sums(), [0, 1, 2, 1, 6]);
    schema.statements.truncate(schema, Level::Global);
    assert_eq!(sums(), [0; 5]);
    // The other kinds are their own.
    assert_eq!(own.waits(own.disk).count_star, 6);
    // Two at once, carried out together, and a session that ends before it carried them out.
    let mut live = session(own, who("bob", "here"));
    work(own, &mut live);
    schema.statements.truncate(schema, Level::User);
    schema.statements.truncate(schema, Level::Host);
    assert_eq!(sums(), [0, 0, 0, 0, 1]);
    drop(live);
    assert_eq!(sums(), [0, 0, 0, 0, 1]);
}

#[test]
fn with_no_room_for_accounts_users_or_hosts_the_other_levels_still_add_up() {
    for (key, lost) in [
        (SizeKey::AccountsSize, "accounts_lost"),
        (SizeKey::UsersSize, "users_lost"),
        (SizeKey::HostsSize, "hosts_lost"),
    ] {
        for size in [0, 1, 2] {
            let own = Own::new(recording().size(key, size));
            for (user, host) in [("ann", "here"), ("bob", "there"), ("cat", "else")] {
                work(own, &mut session(own, who(user, host)));
            }
            let sum = |counts: Vec<Count>| counts.into_iter().map(|(_, count)| count).sum::<u64>();
            let room = u64::from(u32::try_from(size).unwrap());
            // The background has the first place.
            let kept = room.saturating_sub(1);
            let expect = |of: SizeKey| if of == key { kept } else { 3 };
            assert_eq!(sum(accounts(own, EventKind::Statement)), expect(SizeKey::AccountsSize));
            assert_eq!(sum(users(own)), expect(SizeKey::UsersSize));
            assert_eq!(sum(hosts(own)), expect(SizeKey::HostsSize));
            assert_eq!(own.statements(own.get).count_star, 3);
            let background = u64::from(room == 0);
            assert_eq!(own.status(lost), background + 3 - kept, "{key:?} {size}");
        }
    }
}

#[test]
fn names_are_cut_at_a_character_and_never_refused() {
    let own = Own::new(recording());
    let long = "é".repeat(200);
    let mut live = session(own, Who { user: Some(&long), host: Some("") });
    work(own, &mut live);
    let row = own.schema.accounts().find(|row| row.user.is_some()).unwrap();
    assert_eq!((row.user.as_deref(), row.host.as_deref()), (Some(&*"é".repeat(64)), Some("")));
    // The same name again is the same row.
    drop(session(own, Who { user: Some(&long), host: Some("") }));
    assert_eq!(own.schema.accounts().count(), 2);
}

/// Sessions come, move between threads, become others' and go, while readers look: no total ever falls, and at rest all
/// levels add up to the last picosecond.
#[test]
fn levels_add_up_while_sessions_come_and_go() {
    const ROUNDS: u64 = 400;
    let own = Own::new(recording());
    let (stop, made) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        let readers = scope.spawn(|| {
            let mut last = [0; 4];
            let mut looks = 0;
            while !stop.load(Relaxed) || looks == 0 {
                let sum = |rows: Vec<Count>| rows.into_iter().map(|(_, count)| count).sum::<u64>();
                let global = own.statements(own.get).count_star;
                let now =
                    [sum(accounts(own, EventKind::Statement)), sum(users(own)), sum(hosts(own)), global];
                // A row that could not be read whole is left out and counted.
                if own.status("rows_skipped") == 0 {
                    assert!(now[3] >= last[3], "{last:?} {now:?}");
                    last = now;
                }
                looks += 1;
            }
        });
        let _stop = Stop(&stop);
        let workers: Vec<_> = (0..3)
            .map(|worker| {
                let made = &made;
                scope.spawn(move || {
                    for round in 0..ROUNDS {
                        let user = ["ann", "bob", "cat"][(round % 3) as usize];
                        let host = ["here", "there"][((round + worker) % 2) as usize];
                        let mut live = session(own, who(user, host));
                        work(own, &mut live);
                        if round % 5 == 0 {
                            live.change_actor(who("dan", "here"));
                            work(own, &mut live);
                            made.fetch_add(1, Relaxed);
                        }
                        made.fetch_add(1, Relaxed);
                    }
                })
            })
            .collect();
        for worker in workers {
            worker.join().unwrap();
        }
        stop.store(true, Relaxed);
        readers.join().unwrap();
    });
    let made = made.into_inner();
    for kind in EventKind::ALL {
        assert_eq!(accounts(own, kind).iter().map(|(_, count)| count).sum::<u64>(), made, "{kind:?}");
    }
    let schema = own.schema;
    let global = own.waits(own.disk);
    assert_eq!(global.count_star, made);
    let by_account: u64 =
        schema.events_waits_summary_by_account_by_event_name().map(|row| row.summary.sum_timer_wait).sum();
    let by_user: u64 =
        schema.events_waits_summary_by_user_by_event_name().map(|row| row.summary.sum_timer_wait).sum();
    let by_host: u64 =
        schema.events_waits_summary_by_host_by_event_name().map(|row| row.summary.sum_timer_wait).sum();
    assert_eq!([by_account, by_user, by_host], [global.sum_timer_wait; 3]);
    assert!(schema.accounts().all(|row| row.current_connections == 0));
    assert_eq!(schema.accounts().count(), 8);
}
