//! What does it cost that a future is a statement: in a session, with a task of its own, and with an event that is a
//! future's rather than a guard's?
//!
//! A future is polled to its end, pending so often in between. Without pfs it is the same future without the attribute.

mod measure;
mod state;

use pfs::Config;
use pfs::prelude::*;
use pfs::session::Session;
use state::{DISABLED, NOT_STARTED, Process, State, TIMED, showing};
use std::future::{Future, poll_fn};
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

const ROUNDS: usize = 101;
const OPERATIONS: u64 = 2000;

async fn pause() {
    let mut paused = false;
    poll_fn(|_| if std::mem::replace(&mut paused, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

async fn raw(pauses: u32) -> Result<u32, u32> {
    for _ in 0..pauses {
        pause().await;
    }
    Ok(black_box(pauses))
}

#[statement("bench/future")]
async fn measured(pauses: u32) -> Result<u32, u32> {
    for _ in 0..pauses {
        pause().await;
    }
    Ok(black_box(pauses))
}

#[statement("bench/nesting")]
async fn nesting(pauses: u32) -> Result<u32, u32> {
    stage(pauses).await
}

#[stage("bench/future")]
async fn stage(pauses: u32) -> Result<u32, u32> {
    for _ in 0..pauses {
        pause().await;
    }
    Ok(black_box(pauses))
}

fn run<F: Future<Output = Result<u32, u32>>>(future: F) {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    while future.as_mut().poll(&mut context).is_pending() {}
}

/// Without and with pfs, each by a function that makes the future of a number of pauses.
fn both<A, B>(pauses: u32, without: fn(u32) -> A, with: fn(u32) -> B) -> [f64; 2]
where
    A: Future<Output = Result<u32, u32>>,
    B: Future<Output = Result<u32, u32>>,
{
    measure::in_turns(
        ROUNDS,
        measure::least,
        || measure::time(OPERATIONS, |all| (0..all).for_each(|_| run(without(black_box(pauses))))),
        || measure::time(OPERATIONS, |all| (0..all).for_each(|_| run(with(black_box(pauses))))),
    )
}

const SHOWN: &[&str] = &["events_statements_current", "events_stages_current"];

fn main() {
    measure::heading("ns a future, polled to its end, least", "without", "with");
    let mut process = Process::new(|| state::start(&Config::new()));
    let states: [(&str, State); 4] = [
        ("not started", NOT_STARTED),
        ("disabled", DISABLED),
        ("timed", TIMED),
        ("timed and current", showing(SHOWN)),
    ];
    for (name, state) in states {
        process.enter(state);
        for pauses in [0, 1, 10] {
            let mut session = Session::new();
            let attached = session.attach();
            let line = |what: &str, figures| {
                measure::line(&format!("{what}, {name}, {pauses} times pending"), figures);
            };
            line("in a session", both(pauses, raw, measured));
            line("and a stage in it", both(pauses, raw, nesting));
            drop(attached);
            line("its own task", both(pauses, raw, measured));
        }
    }
}
