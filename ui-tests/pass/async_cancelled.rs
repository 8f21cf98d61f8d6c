//! Futures that are dropped before they complete end their event then; one that is never polled is none. No error is
//! counted that was not returned.

#![deny(warnings)]

use pfs::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::pin;
use support::{block_on, pause, poll};

#[path = "support/mod.rs"]
mod support;

struct Cleanup;

impl Drop for Cleanup {
    fn drop(&mut self) {
        cleaned_up();
    }
}

#[stage("ui/cleanup")]
fn cleaned_up() {}

#[statement("ui/request", text = text)]
async fn request(text: &str, pauses: u32) -> Result<u32, String> {
    let _cleanup = Cleanup;
    for _ in 0..pauses {
        pause().await;
    }
    if pauses == 7 { Err("seven".to_owned()) } else { step(pauses).await }
}

#[stage("ui/step")]
async fn step(pauses: u32) -> Result<u32, String> {
    pause().await;
    Ok(pauses)
}

#[statement("ui/panics")]
async fn panics() -> Result<(), String> {
    let _cleanup = Cleanup;
    pause().await;
    resume_unwind(Box::new("expected"))
}

#[stage("ui/first")]
async fn first(n: u32) -> u32 {
    let mut slow = pin!(request("slow", n));
    assert!(poll(slow.as_mut()).is_pending());
    match block_on(request("quick", 0)) {
        Ok(n) => n,
        Err(_) => block_on(slow).unwrap(),
    }
}

fn main() {
    support::start();
    // Never polled.
    drop(request("never", 1));
    assert_eq!(support::count("statement/ui/request"), 0);

    // Dropped at each of its pauses, and once completed.
    for polls in 1..=4 {
        let mut future = Box::pin(request("dropped", 2));
        for at in 1..=polls {
            assert_eq!(poll(future.as_mut()).is_ready(), at == 4);
        }
        assert_eq!(support::count("statement/ui/request"), polls - u64::from(polls < 4));
        drop(future);
        assert_eq!(support::count("statement/ui/request"), polls);
    }
    assert_eq!((support::count("stage/ui/step"), support::count("stage/ui/cleanup")), (2, 4));
    assert_eq!(support::errors("statement/ui/request"), 0);
    let by = |name: &str| -> Vec<_> {
        support::ended().into_iter().filter(|event| event.0 == name).map(|event| event.3).collect()
    };
    let mut requests = by("statement/ui/request");
    requests.sort_unstable();
    assert_eq!(requests, ["DROP", "DROP", "DROP", "ITSELF"]);
    // What is dropped with the request ends before it, and its cleanup runs within it.
    assert_eq!(by("stage/ui/step"), ["DROP", "ITSELF"]);
    assert!(support::ended().iter().all(|event| (event.2 == Some(1)) == event.0.starts_with("stage/")));

    // One of two that run at once, whose other half is dropped.
    assert_eq!(block_on(first(2)), 0);
    assert_eq!(support::count("statement/ui/request"), 6);
    assert!(block_on(request("fails", 7)).is_err());
    assert_eq!(support::errors("statement/ui/request"), 1);

    // A panic ends the event as it does in a function.
    let mut future = Box::pin(panics());
    assert!(poll(future.as_mut()).is_pending());
    let panicked = catch_unwind(AssertUnwindSafe(|| poll(future.as_mut()))).unwrap_err();
    assert_eq!(panicked.downcast_ref(), Some(&"expected"));
    assert_eq!((support::count("statement/ui/panics"), by("statement/ui/panics")), (1, vec!["ITSELF"]));
    drop(future);
    assert_eq!((support::count("statement/ui/panics"), support::errors("statement/ui/panics")), (1, 0));
    assert_eq!(support::contexts(), 1);
}
