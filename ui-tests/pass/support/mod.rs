//! What the files of the catalogue ask of pfs: a start with everything on, and what the tables say of one class.

#![allow(dead_code, reason = "no file asks for all of it")]

use pfs::Pfs;
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// Starts pfs with every history on.
pub fn start() {
    let mut config = pfs::Config::new();
    for kind in ["waits", "stages", "statements"] {
        for table in ["current", "history", "history_long"] {
            config = config.consumer(format!("events_{kind}_{table}"), true);
        }
    }
    config.start().expect("it starts once");
}

fn pfs() -> Pfs {
    let pfs = pfs::current().expect("it was started");
    if !pfs::COMPILED_IN {
        nothing_to_ask(pfs);
    }
    pfs
}

/// Ends a program over the null engine where it first asks: it compiled and ran up to there, and that is what the
/// catalogue shows of it.
fn nothing_to_ask(pfs: Pfs) -> ! {
    for table in pfs.tables() {
        assert_eq!(table.json(), "[]", "{}", table.definition().name());
    }
    std::process::exit(0)
}

/// Whether there is a class of that name.
pub fn is_declared(name: &str) -> bool {
    pfs().setup_instruments().any(|row| row.name == name)
}

/// How many waits of the class ended.
pub fn waits(name: &str) -> u64 {
    let row = pfs().events_waits_summary_global_by_event_name().find(|row| row.event_name == name);
    row.unwrap_or_else(|| panic!("no class {name}")).count_star
}

/// How many stages or statements of the class ended.
pub fn count(name: &str) -> u64 {
    if name.starts_with("stage/") {
        let row = pfs().events_stages_summary_global_by_event_name().find(|row| row.event_name == name);
        return row.unwrap_or_else(|| panic!("no class {name}")).count_star;
    }
    let row = pfs().events_statements_summary_global_by_event_name().find(|row| row.event_name == name);
    row.unwrap_or_else(|| panic!("no class {name}")).count_star
}

/// How many errors the statements of the class ended in.
pub fn errors(name: &str) -> u64 {
    let row = pfs().events_statements_summary_global_by_event_name().find(|row| row.event_name == name);
    row.unwrap_or_else(|| panic!("no class {name}")).sum_errors
}

/// Number, SQLSTATE and message of the last error of a statement of the class.
pub fn last_error(name: &str) -> Option<(i32, String, String)> {
    let rows = pfs().events_statements_history_long();
    let row = rows.filter(|row| row.event_name == name && row.errors > 0).max_by_key(|row| row.timer_start)?;
    Some((row.mysql_errno?, row.returned_sqlstate?, row.message_text.unwrap_or_default()))
}

/// The text of the last statement of the class.
pub fn last_text(name: &str) -> Option<String> {
    let rows = pfs().events_statements_history_long().filter(|row| row.event_name == name);
    rows.max_by_key(|row| row.timer_start)?.sql_text
}

/// Polls a future until it is ready.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = poll(future.as_mut()) {
            return value;
        }
    }
}

/// Polls a future once.
pub fn poll<F: Future + ?Sized>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// Is pending once, and then ready.
pub async fn pause() {
    let mut paused = false;
    std::future::poll_fn(|_| {
        if std::mem::replace(&mut paused, true) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// An event that ended: its class, id, parent's id and who ended it.
pub type Ended = (&'static str, u64, Option<u64>, &'static str);

/// The stages and statements that ended, in the order in which they began; for a program with one context.
pub fn ended() -> Vec<Ended> {
    let stages = pfs().events_stages_history_long().map(|row| {
        let by = row.ended_by.map_or("", |by| by.as_str());
        (row.event_name, row.event_id, row.nesting_event_id, by)
    });
    let statements = pfs().events_statements_history_long().map(|row| {
        let by = row.ended_by.map_or("", |by| by.as_str());
        (row.event_name, row.event_id, row.nesting_event_id, by)
    });
    let mut ended: Vec<_> = stages.chain(statements).collect();
    ended.sort_by_key(|event| event.1);
    ended
}

/// Threads, sessions and tasks that live.
pub fn contexts() -> usize {
    pfs().threads().count()
}
