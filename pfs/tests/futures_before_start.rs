//! Futures of a program that starts pfs later: what began before is the raw operation to its end.

#![cfg(feature = "engine")]

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use pfs::prelude::*;
use pfs::session::Session;

async fn pause() {
    let mut paused = false;
    poll_fn(|_| if std::mem::replace(&mut paused, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

#[stage("before/stage")]
async fn stage() {
    pause().await;
}

#[statement("before/statement", text = text)]
async fn statement(text: &str) -> Result<usize, String> {
    pfs::statement::current().rows_sent(1);
    stage().await;
    Ok(text.len())
}

fn poll<F: Future + ?Sized>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn what_began_before_start_is_not_counted() {
    let mut begun = Box::pin(statement("begun"));
    let mut made = Box::pin(statement("made"));
    let mut dropped = Box::pin(statement("dropped").in_task(pfs::thread_class!("before/task")));
    let mut served = Box::pin(statement("served").in_session(Session::new()));
    assert!(poll(begun.as_mut()).is_pending());
    assert!(poll(dropped.as_mut()).is_pending());
    assert!(poll(served.as_mut()).is_pending());
    assert_eq!(pfs::session::current().thread_id(), None);

    let pfs = pfs::Config::new().start().unwrap();
    assert_eq!(poll(begun.as_mut()), Poll::Ready(Ok(5)));
    drop(dropped);
    let count = || {
        let mut rows = pfs.events_statements_summary_global_by_event_name();
        let row = rows.find(|row| row.event_name == "statement/before/statement").unwrap();
        (row.count_star, row.sum_rows_sent)
    };
    assert_eq!(count(), (0, 0));
    assert_eq!(pfs.threads().count(), 1);

    // Made before and polled after: it is one like any other.
    assert!(poll(made.as_mut()).is_pending());
    assert_eq!(pfs.threads().count(), 2);
    assert_eq!(poll(made.as_mut()), Poll::Ready(Ok(4)));
    assert_eq!(count(), (1, 1));
    // A session of before has no row, and what goes on in it neither.
    assert_eq!(poll(served.as_mut()), Poll::Ready(Ok(6)));
    let stages = pfs.events_stages_summary_global_by_event_name().next().unwrap();
    assert_eq!((stages.event_name, stages.count_star), ("stage/before/stage", 1));
    assert_eq!((count(), pfs.threads().count()), ((1, 1), 1));
}
