//! Truncating who is connected, and timing by another timer, while sessions come and go: what had ended before is gone
//! wherever it was, what began after is counted once, and levels that are not restarted miss nothing.

mod own_schema;

use std::sync::Barrier;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

use own_schema::Own;
use pfs_runtime::config::{Config, SizeKey};
use pfs_runtime::context::session::Owned;
use pfs_runtime::schema::Who;
use pfs_runtime::stat::Level;
use pfs_runtime::statement;

const THREADS: usize = 3;
const ROUNDS: u64 = 25;
const USERS: [&str; 3] = ["ann", "bob", "cid"];
const HOSTS: [&str; 2] = ["here", "there"];

/// Statements by account, by user, by host and of all.
fn sums(own: &Own) -> [u64; 4] {
    let name = own.get.name();
    let by_account = own.schema.events_statements_summary_by_account_by_event_name();
    let by_user = own.schema.events_statements_summary_by_user_by_event_name();
    let by_host = own.schema.events_statements_summary_by_host_by_event_name();
    [
        by_account.filter(|row| row.event_name == name).map(|row| row.summary.count_star).sum(),
        by_user.filter(|row| row.event_name == name).map(|row| row.summary.count_star).sum(),
        by_host.filter(|row| row.event_name == name).map(|row| row.summary.count_star).sum(),
        own.statements(own.get).count_star,
    ]
}

/// Restarts by `restart` while sessions come and go; `restarted` says which of [`sums`] that starts anew.
fn under_load(restarted: [bool; 4], restart: impl Fn(&'static Own, u64)) {
    let own = Own::new(Config::new().size(SizeKey::MaxThreadInstances, 20));
    let mut all = 0;
    for round in 0..ROUNDS {
        let (phase, go) = (AtomicU32::new(0), Barrier::new(THREADS + 1));
        let (done, after, between) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        let count = |began: u32| {
            done.fetch_add(1, SeqCst);
            match (began, phase.load(SeqCst)) {
                (2.., _) => after.fetch_add(1, SeqCst),
                (0, 0) => 0,
                _ => between.fetch_add(1, SeqCst),
            };
            began == 3
        };
        let serve = |turn: usize| {
            let mut session = Owned::new(Some(own.schema), own.worker);
            for part in 0..2 {
                let names = turn + part;
                let (user, host) = (USERS[names % USERS.len()], HOSTS[names % HOSTS.len()]);
                session.change_actor(Who { user: Some(user), host: Some(host) });
                let _attached = session.attach();
                let began = phase.load(SeqCst);
                drop(statement::begin(own.get));
                if count(began) {
                    return true;
                }
            }
            false
        };
        thread::scope(|scope| {
            let threads = scope.spawn(|| {
                own.on_threads(THREADS, || {
                    go.wait();
                    let mut turn = 0;
                    while !serve(turn) {
                        turn += 1;
                    }
                });
            });
            go.wait();
            thread::sleep(Duration::from_millis(1));
            phase.store(1, SeqCst);
            restart(own, round);
            phase.store(2, SeqCst);
            thread::sleep(Duration::from_millis(1));
            phase.store(3, SeqCst);
            threads.join().unwrap();
        });
        let [done, after, between] = [done, after, between].map(AtomicU64::into_inner);
        all = if restarted[3] { 0 } else { all + done };
        for (shown, restarted) in sums(own).into_iter().zip(restarted) {
            if restarted {
                assert!(
                    after <= shown && shown <= after + between,
                    "{shown}, {after} after, {between} meanwhile"
                );
            } else {
                assert_eq!(shown, all);
            }
        }
        // What is shown is shown again, by whoever it is.
        let rows = own.schema.accounts().filter(|row| row.user.is_some());
        assert!(rows.into_iter().all(|row| row.current_connections == 0));
    }
    assert_eq!(["accounts_lost", "users_lost", "hosts_lost"].map(|name| own.status(name)), [0; 3]);
}

#[test]
fn timing_by_another_timer_restarts_every_level() {
    under_load([true; 4], |own, round| {
        let timer = ["NANOSECOND", "MICROSECOND"][usize::try_from(round % 2).unwrap()];
        own.schema.set_timer("statement", timer).unwrap();
    });
}

#[test]
fn truncating_accounts_restarts_them_alone() {
    under_load([true, false, false, false], |own, _| own.schema.truncate_actors(Level::Account));
}

#[test]
fn truncating_users_restarts_their_accounts_too() {
    under_load([true, true, false, false], |own, _| own.schema.truncate_actors(Level::User));
}

#[test]
fn truncating_hosts_restarts_their_accounts_too() {
    under_load([true, false, true, false], |own, _| own.schema.truncate_actors(Level::Host));
}
