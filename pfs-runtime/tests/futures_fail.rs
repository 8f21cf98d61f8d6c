//! Errors that statements of futures return: in their session, and away from it, where the session has to be told.

mod own_schema;
mod polling;

use std::future::Future;
use std::pin::Pin;
use std::sync::Mutex;
use std::task::Poll;
use std::thread;

use own_schema::Own;
use pfs_runtime::class::Class;
use pfs_runtime::config::{Config, SizeKey};
use pfs_runtime::event::EventRecord;
use pfs_runtime::tables::events_statements_current::EventsStatementsRow;
use pfs_runtime::task;
use polling::{pause, poll, roomy, session, take_elsewhere};

type Boxed = Pin<Box<dyn Future<Output = Result<(), u32>> + Send>>;

/// A statement that is pending once, and then returns an error of that number, or none of 0.
fn failing(class: &'static Class, number: u32) -> Boxed {
    let future = async move {
        pause().await;
        if number == 0 { Ok(()) } else { Err(number) }
    };
    Box::pin(task::watched(class, future, |returned: &Result<(), u32>, statement| {
        if let Err(number) = returned {
            let errno = i32::try_from(*number).unwrap();
            statement.record_error(errno, "42S02", format_args!("no table {number}"));
        }
    }))
}

fn finish(mut future: Boxed) {
    assert!(matches!(poll(future.as_mut()), Poll::Ready(_)));
}

/// Number, SQLSTATE, message and errors of a statement.
type Told = (Option<i32>, Option<String>, Option<String>, u64);

/// Those of each statement that ended, by thread and id.
fn errors(own: &Own) -> Vec<Told> {
    let mut rows: Vec<EventsStatementsRow> = own.schema.events_statements_history_long().collect();
    rows.sort_by_key(|row| (row.thread_id, row.event_id));
    let told =
        |row: EventsStatementsRow| (row.mysql_errno, row.returned_sqlstate, row.message_text, row.errors);
    rows.into_iter().map(told).collect()
}

fn error(number: i32) -> Told {
    (Some(number), Some("42S02".to_owned()), Some(format!("no table {number}")), 1)
}

fn success() -> Told {
    (Some(0), Some("00000".to_owned()), None, 0)
}

fn sum_errors(own: &Own) -> (u64, u64) {
    let summary = own.statements(own.get);
    (summary.count_star, summary.sum_errors)
}

#[test]
fn an_error_is_the_statements_wherever_it_is_returned() {
    let own = Own::new(roomy());
    own.on_thread(|| {
        let (mut home, mut away) = (session(own), session(own));
        let attached = home.attach();
        let mut futures: Vec<_> = (1..=4).map(|number| failing(own.get, number)).collect();
        futures.push(failing(own.get, 0));
        for future in &mut futures {
            assert!(poll(future.as_mut()).is_pending());
        }
        drop(attached);
        let mut futures = futures.into_iter();
        let mut next = || futures.next().unwrap();
        // In another session, on the thread itself, on one that pfs has not seen; at home; and one that succeeds.
        {
            let _attached = away.attach();
            finish(next());
        }
        finish(next());
        let elsewhere = next();
        thread::spawn(move || finish(elsewhere)).join().unwrap();
        assert_eq!(sum_errors(own), (0, 0));
        let attached = home.attach();
        finish(next());
        // The others are carried out before its end.
        assert_eq!(sum_errors(own), (4, 4));
        drop(attached);
        finish(next());
    });
    assert_eq!(sum_errors(own), (5, 4));
    assert_eq!(errors(own), [error(1), error(2), error(3), error(4), success()]);
}

#[test]
fn as_many_may_fail_at_once_as_can_be_open() {
    const OPEN: u32 = 10;
    let own = Own::new(roomy().size(SizeKey::MaxStatementStack, OPEN as usize));
    let mut home = session(own);
    // Again and again: what is left with an end is used once.
    for round in 0..20_u32 {
        let start = |number| failing(own.get, round * OPEN + number);
        let home = &mut home;
        let futures: Vec<_> = own.on_thread(move || {
            let _attached = home.attach();
            let mut futures: Vec<_> = (1..=OPEN).map(start).collect();
            for future in &mut futures {
                assert!(poll(future.as_mut()).is_pending());
            }
            futures
        });
        thread::scope(|scope| {
            for future in futures {
                scope.spawn(|| finish(future));
            }
        });
    }
    drop(home);
    assert_eq!(sum_errors(own), (200, 200));
    let expected: Vec<_> = (1..=200).map(error).collect();
    assert_eq!(errors(own), expected);
}

#[test]
fn an_error_that_no_row_shows_is_counted() {
    let own = Own::new(Config::new().size(SizeKey::MaxThreadInstances, 8));
    own.schema.switch_consumer("events_statements_current", false).unwrap();
    own.on_thread(|| {
        let mut home = session(own);
        let mut future = failing(own.get, 7);
        {
            let _attached = home.attach();
            assert!(poll(future.as_mut()).is_pending());
        }
        finish(future);
        assert_eq!(sum_errors(own), (0, 0));
    });
    assert_eq!(sum_errors(own), (1, 1));
}

#[test]
fn each_error_is_counted_once_whoever_ends_the_statement() {
    const SESSIONS: u64 = 3;
    const ROUNDS: u64 = 1500;
    let own = Own::new(roomy().size(SizeKey::MaxStatementStack, 3));
    let (sender, left) = std::sync::mpsc::channel::<Boxed>();
    let left = Mutex::new(left);
    thread::scope(|scope| {
        take_elsewhere(scope, own, &left, |future, _| finish(future));
        for _ in 0..SESSIONS {
            let sender = sender.clone();
            scope.spawn(move || {
                let mut home = session(own);
                for round in 0..ROUNDS {
                    let attached = home.attach();
                    let number = if round % 3 == 0 { 0 } else { 7 };
                    let mut future = failing(own.get, number);
                    assert!(poll(future.as_mut()).is_pending());
                    match round % 4 {
                        0 => finish(future),
                        _ => sender.send(future).unwrap(),
                    }
                    drop(attached);
                }
                // What is still on its way has no session to be an error of.
                while own.statements(own.get).count_star < SESSIONS * ROUNDS {
                    let _attached = home.attach();
                    own.wait(|| ());
                    thread::yield_now();
                }
            });
        }
        drop(sender);
    });
    let all = SESSIONS * ROUNDS;
    assert_eq!(sum_errors(own), (all, all / 3 * 2));
    let rows: Vec<EventRecord> = own.ended();
    assert!(rows.iter().all(|event| event.end_event_id.is_some()));
    let (with, without) = (error(7), success());
    assert!(errors(own).iter().all(|row| *row == with || *row == without));
}
