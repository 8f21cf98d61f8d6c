//! Tasks that sessions bring forth: whose what they count is, while they live and after, whoever ends first.

#![cfg(feature = "engine")]

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::{Context, Poll, Waker};
use std::thread;

use pfs::prelude::*;
use pfs::session::Session;
use pfs::{Config, Pfs, SizeKey};

#[statement("tasks/query")]
fn query() {}

/// Counts a statement at each of so many polls.
async fn work(polls: u32) {
    for _ in 0..polls {
        query();
        pause().await;
    }
}

async fn pause() {
    let mut paused = false;
    poll_fn(|_| if std::mem::replace(&mut paused, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

type Boxed = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A task that the thread's session, or task, brings forth.
fn task(future: impl Future<Output = ()> + Send + 'static) -> Boxed {
    Box::pin(future.in_task(pfs::thread_class!("tasks/task")))
}

fn poll(future: &mut Boxed) -> bool {
    future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready()
}

fn session(user: &str, host: &str) -> Session {
    let mut session = Session::of(pfs::thread_class!("tasks/session"));
    session.authenticate(Some(user), Some(host));
    session
}

const QUERY: &str = "statement/tasks/query";

/// Statements by account, which must add up to those by user, by host and of all.
fn accounts(pfs: Pfs) -> Vec<(String, u64)> {
    let name = |user: Option<String>, host: Option<String>| {
        format!("{}@{}", user.unwrap_or_else(|| "-".into()), host.unwrap_or_else(|| "-".into()))
    };
    let mut rows: Vec<_> = pfs
        .events_statements_summary_by_account_by_event_name()
        .filter(|row| row.event_name == QUERY && row.summary.count_star > 0)
        .map(|row| (name(row.user, row.host), row.summary.count_star))
        .collect();
    rows.sort();
    rows
}

fn sums(pfs: Pfs) -> [u64; 4] {
    let by_user = pfs.events_statements_summary_by_user_by_event_name();
    let by_host = pfs.events_statements_summary_by_host_by_event_name();
    let global = pfs.events_statements_summary_global_by_event_name();
    [
        accounts(pfs).iter().map(|(_, count)| count).sum(),
        by_user.filter(|row| row.event_name == QUERY).map(|row| row.summary.count_star).sum(),
        by_host.filter(|row| row.event_name == QUERY).map(|row| row.summary.count_star).sum(),
        global.filter(|row| row.event_name == QUERY).map(|row| row.summary.count_star).sum(),
    ]
}

/// Present and all connections of a user.
fn connections(pfs: Pfs, user: &str) -> Option<(i64, i64)> {
    let mut rows = pfs.users().filter(|row| row.user.as_deref() == Some(user));
    rows.next().map(|row| (row.current_connections, row.total_connections))
}

fn of(name: &str, count: u64) -> (String, u64) {
    (name.to_owned(), count)
}

/// What a task does is its session's, whenever each begins and ends.
fn a_task_is_whose_its_session_was(pfs: Pfs) {
    let background = pfs.users().find(|row| row.user.is_none()).unwrap().current_connections;
    let mut ann = session("ann", "here");
    let id = ann.thread_id();
    let (mut first, mut second, third) = {
        let _attached = ann.attach();
        query();
        (task(work(3)), task(async { work(1).await }), task(work(9)))
    };
    // In no session: a task of the background's.
    let mut nobodys = task(work(1));
    assert_eq!(accounts(pfs), [of("ann@here", 1)]);
    for future in [&mut first, &mut second, &mut nobodys] {
        assert!(!poll(future));
    }
    let parents: Vec<_> =
        pfs.threads().filter(|row| row.name == "thread/tasks/task").map(|row| row.parent_thread_id).collect();
    let main = pfs.threads().find(|row| row.name == "thread/pfs/main").map(|row| row.thread_id);
    assert_eq!(parents, [id, id, main]);
    assert_eq!(accounts(pfs), [of("-@-", 1), of("ann@here", 3)]);
    // A task is no connection, nor is one of the background's.
    assert_eq!(connections(pfs, "ann"), Some((1, 1)));
    let now = pfs.users().find(|row| row.user.is_none()).unwrap().current_connections;
    assert_eq!(now, background);
    // One ends before its session, one after it; who the session is by then does not matter.
    assert!(poll(&mut second));
    ann.authenticate(Some("bob"), Some("there"));
    {
        let _attached = ann.attach();
        query();
        assert!(!poll(&mut first));
    }
    drop(ann);
    assert!(poll(&mut nobodys));
    assert_eq!(accounts(pfs), [of("-@-", 1), of("ann@here", 4), of("bob@there", 1)]);
    assert_eq!(sums(pfs), [6; 4]);
    // Its account stays as long as the task does, be it begun or not.
    for table in ["accounts", "users", "hosts"] {
        pfs.table(table).unwrap().truncate().unwrap();
    }
    assert_eq!((connections(pfs, "ann"), connections(pfs, "bob")), (Some((0, 0)), None));
    assert!(!poll(&mut first));
    assert!(poll(&mut first));
    assert_eq!((accounts(pfs), sums(pfs)), (vec![of("ann@here", 1)], [1, 1, 1, 7]));
    pfs.table("accounts").unwrap().truncate().unwrap();
    assert!(connections(pfs, "ann").is_some());
    drop(third);
    pfs.table("users").unwrap().truncate().unwrap();
    assert_eq!(connections(pfs, "ann"), None);
}

/// A task that a task brings forth is whose that one is.
fn tasks_of_tasks(pfs: Pfs) {
    let mut ann = session("ann", "here");
    let mut outer = {
        let _attached = ann.attach();
        task(async {
            let mut inner = task(work(2));
            assert!(!poll(&mut inner));
            pause().await;
            assert!(!poll(&mut inner));
            assert!(poll(&mut inner));
        })
    };
    drop(ann);
    assert!(!poll(&mut outer));
    assert_eq!(accounts(pfs), [of("ann@here", 1)]);
    assert!(poll(&mut outer));
    assert_eq!(accounts(pfs), [of("ann@here", 2)]);
}

/// Sums are exact, and never fall, while sessions and tasks come and go and rows without connections are taken away.
fn under_load(pfs: Pfs) {
    const USERS: [&str; 3] = ["ann", "bob", "cid"];
    const HOSTS: [&str; 2] = ["here", "there"];
    const ROUNDS: usize = 300;
    let (sender, receiver) = std::sync::mpsc::channel::<Boxed>();
    let receiver = Mutex::new(receiver);
    let stop = AtomicBool::new(false);
    let global = || sums(pfs)[3];
    let before = global();
    thread::scope(|scope| {
        let runners: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    loop {
                        let next = receiver.lock().unwrap().recv();
                        let Ok(mut task) = next else { return };
                        while !poll(&mut task) {}
                    }
                })
            })
            .collect();
        scope.spawn(|| {
            let mut last = before;
            while !stop.load(Relaxed) {
                let now = global();
                assert!(now >= last, "{now} after {last}");
                last = now;
                // Somebody who comes and goes without a task.
                drop(session("transient", "nowhere"));
            }
        });
        let servers: Vec<_> = USERS
            .into_iter()
            .map(|user| {
                let sender = sender.clone();
                scope.spawn(move || {
                    for round in 0..ROUNDS {
                        let mut session = session(user, HOSTS[round % 2]);
                        let _attached = session.attach();
                        query();
                        sender.send(task(work(2))).unwrap();
                        // Never polled, and not run to its end.
                        drop(task(work(5)));
                        let mut left = task(work(5));
                        assert!(!poll(&mut left));
                    }
                })
            })
            .collect();
        for server in servers {
            server.join().unwrap();
        }
        drop(sender);
        for runner in runners {
            runner.join().unwrap();
        }
        stop.store(true, Relaxed);
    });
    // The session's own, two of the task that ran to its end, one of the one that did not.
    let each = ROUNDS as u64 / 2 * 4;
    let expected: Vec<_> =
        USERS.iter().flat_map(|user| HOSTS.map(|host| of(&format!("{user}@{host}"), each))).collect();
    assert_eq!(accounts(pfs), expected);
    let all = 6 * each;
    assert_eq!(sums(pfs), [all, all, all, before + all]);
    assert!(pfs.users().filter(|row| row.user.is_some()).all(|row| row.current_connections == 0));
    pfs.table("users").unwrap().truncate().unwrap();
    assert_eq!(pfs.users().filter(|row| row.user.is_some()).count(), 0);
}

/// Tasks and sessions come and go while accounts are truncated: what is shown of all is exact, and no row that is left has
/// a connection that is not there.
fn truncated_under_load(pfs: Pfs) {
    const ROUNDS: u64 = 400;
    let before = sums(pfs)[3];
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Relaxed) {
                for table in ["accounts", "users", "hosts"] {
                    pfs.table(table).unwrap().truncate().unwrap();
                }
            }
        });
        let servers: Vec<_> = ["ann", "bob"]
            .into_iter()
            .map(|user| {
                scope.spawn(move || {
                    for _ in 0..ROUNDS {
                        let mut session = session(user, "here");
                        let (mut first, second) = {
                            let _attached = session.attach();
                            (task(work(2)), task(work(1)))
                        };
                        assert!(!poll(&mut first));
                        drop(session);
                        assert!(!poll(&mut first));
                        assert!(connections(pfs, user).is_some(), "its tasks keep it");
                        assert!(poll(&mut first));
                        drop(second);
                    }
                })
            })
            .collect();
        for server in servers {
            server.join().unwrap();
        }
        stop.store(true, Relaxed);
    });
    assert_eq!(sums(pfs)[3], before + 2 * 2 * ROUNDS);
    pfs.table("users").unwrap().truncate().unwrap();
    assert_eq!(pfs.users().filter(|row| row.user.is_some()).count(), 0);
    assert_eq!(pfs.accounts().filter(|row| row.user.is_some()).count(), 0);
}

#[test]
fn tasks() {
    let early = task(work(1));
    let pfs = Config::new().max_connections(20).size(SizeKey::MaxThreadInstances, 100).start().unwrap();
    // Brought forth before anyone was anybody.
    let mut early = early;
    assert!(!poll(&mut early) && poll(&mut early));
    assert_eq!(accounts(pfs), [of("-@-", 1)]);
    pfs.table("events_statements_summary_global_by_event_name").unwrap().truncate().unwrap();
    a_task_is_whose_its_session_was(pfs);
    tasks_of_tasks(pfs);
    for table in ["users", "hosts"] {
        pfs.table(table).unwrap().truncate().unwrap();
    }
    under_load(pfs);
    truncated_under_load(pfs);
    for row in pfs.global_status().filter(|row| row.variable_name.ends_with("lost")) {
        assert_eq!(row.variable_value.as_deref(), Some("0"), "{}", row.variable_name);
    }
}
