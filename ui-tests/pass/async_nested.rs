//! Async stages in async statements, guards in async functions, futures that take turns: parents are right, and each
//! goes on where it was.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::session::Session;
use pfs::stage::StageClass;
use pfs::sync::Mutex;
use std::future::Future;
use std::pin::pin;
use std::task::Poll;
use support::{block_on, pause, poll};

#[path = "support/mod.rs"]
mod support;

#[instrument_mutex("ui/LOCK")]
static LOCK: Mutex<u32> = Mutex::new(0);
static WORKING: StageClass = pfs::stage_class!("ui/working");

#[statement("ui/outer")]
async fn outer(name: &str) -> Result<u32, String> {
    let read = reading(1).await;
    inner(name).await?;
    Ok(read + reading(2).await)
}

#[statement("ui/inner")]
async fn inner(name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err("no name".to_owned());
    }
    reading(3).await;
    Ok(())
}

#[stage("ui/reading")]
async fn reading(n: u32) -> u32 {
    pause().await;
    *LOCK.lock().unwrap() += n;
    pause().await;
    n
}

#[statement("ui/local")]
async fn local(pauses: u32) {
    // A guard may stay open over an `.await` where the future stays on its thread.
    let _working = WORKING.begin();
    for _ in 0..pauses {
        pause().await;
    }
}

/// Polls both in turns until both are done.
async fn both<A: Future, B: Future>(a: A, b: B) -> (A::Output, B::Output) {
    let (mut a, mut b) = (pin!(a), pin!(b));
    let mut done = (None, None);
    std::future::poll_fn(move |cx| {
        if done.0.is_none()
            && let Poll::Ready(value) = a.as_mut().poll(cx)
        {
            done.0 = Some(value);
        }
        if done.1.is_none()
            && let Poll::Ready(value) = b.as_mut().poll(cx)
        {
            done.1 = Some(value);
        }
        match (done.0.take(), done.1.take()) {
            (Some(a), Some(b)) => Poll::Ready((a, b)),
            pending => {
                done = pending;
                Poll::Pending
            }
        }
    })
    .await
}

#[statement("ui/joined")]
async fn joined() -> Result<u32, String> {
    let (a, b) = both(outer("a"), outer("b")).await;
    both(local(2), local(3)).await;
    Ok(a? + b?)
}

fn main() {
    support::start();
    let mut session = Session::new();
    assert_eq!(block_on(outer("one").in_session(&mut session)), Ok(3));
    let nested = |from: u64| -> Vec<_> {
        let ended = support::ended().into_iter().filter(|event| event.1 > from);
        ended.map(|(name, id, parent, _)| (name.rsplit('/').next().unwrap(), id, parent)).collect()
    };
    assert_eq!(
        nested(0),
        [("outer", 1, None), ("reading", 2, Some(1)), ("inner", 3, Some(1)), ("reading", 4, Some(3)), ("reading", 5, Some(1))]
    );
    assert!(block_on(outer("").in_session(&mut session)).is_err());
    assert_eq!((support::errors("statement/ui/outer"), support::errors("statement/ui/inner")), (1, 1));

    let before = nested(0).last().unwrap().1;
    assert_eq!(block_on(joined().in_session(&mut session)), Ok(6));
    let events = nested(before);
    let start = events[0].1;
    assert_eq!(events[0], ("joined", start, None));
    let of = |name: &str| -> Vec<_> { events.iter().filter(|event| event.0 == name).collect() };
    let outers: Vec<_> = of("outer").iter().map(|event| event.1).collect();
    assert_eq!(outers.len(), 2);
    assert!(of("outer").iter().all(|event| event.2 == Some(start)));
    // In turns: each has its own children, however they were interleaved.
    for outer in &outers {
        let children: Vec<_> = events.iter().filter(|event| event.2 == Some(*outer)).map(|event| event.0).collect();
        assert_eq!(children, ["reading", "inner", "reading"]);
    }
    for inner in of("inner") {
        assert_eq!(events.iter().filter(|event| event.2 == Some(inner.1)).count(), 1);
    }
    for local in of("local") {
        assert_eq!(local.2, Some(start));
        let children: Vec<_> = events.iter().filter(|event| event.2 == Some(local.1)).map(|event| event.0).collect();
        assert_eq!(children, ["working"]);
    }

    // The first of two: the other is dropped half-way.
    let mut slow = Box::pin(outer("slow").in_session(&mut session));
    assert!(poll(slow.as_mut()).is_pending());
    drop(slow);
    drop(session);
    assert_eq!((support::count("statement/ui/outer"), support::count("stage/ui/reading")), (5, 11));
    assert_eq!((support::count("statement/ui/local"), support::count("stage/ui/working")), (2, 2));
    assert_eq!(support::waits("wait/synch/mutex/ui/LOCK"), 10);
    assert_eq!(support::contexts(), 1);
}
