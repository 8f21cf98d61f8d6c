//! Futures that threads hand to each other between polls: what waits is the session or task, whoever polls it, and
//! nothing is counted twice or lost.

#![cfg(feature = "engine")]

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex as Plain};
use std::task::{Context, Poll, Waker};
use std::thread;

use pfs::Pfs;
use pfs::prelude::*;
use pfs::session::Session;
use pfs::statement::StatementClass;
use pfs::sync::Mutex;

#[instrument_mutex("futures/LOCK")]
static LOCK: Mutex<u64> = Mutex::new(0);
static PACKET: StatementClass = pfs::statement_class!("futures/packet");

async fn pause() {
    let mut paused = false;
    poll_fn(|_| if std::mem::replace(&mut paused, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

#[stage("futures/reading")]
async fn read(pauses: u64) {
    for _ in 0..pauses {
        *LOCK.lock().unwrap() += 1;
        pause().await;
    }
}

#[statement("futures/query", text = "query")]
async fn query(pauses: u64) -> Result<u64, String> {
    read(pauses).await;
    pfs::statement::current().rows_sent(pauses);
    if pauses == 3 { Err("three".to_owned()) } else { Ok(pauses) }
}

async fn command(pauses: u64) {
    pause().await;
    pfs::statement::current().refine(&pfs::statement_class!("futures/refined"));
    read(pauses).await;
}

/// What a context that lives has counted, by its id: waits, stages, statements.
fn counted(pfs: Pfs, thread_id: u64) -> [u64; 3] {
    let waits = pfs.events_waits_summary_by_thread_by_event_name();
    let waits = waits.filter(|row| row.thread_id == thread_id && row.event_name.ends_with("futures/LOCK"));
    let stages = pfs.events_stages_summary_by_thread_by_event_name().filter(|row| row.thread_id == thread_id);
    let statements =
        pfs.events_statements_summary_by_thread_by_event_name().filter(|row| row.thread_id == thread_id);
    [
        waits.map(|row| row.count_star).sum(),
        stages.map(|row| row.count_star).sum(),
        statements.map(|row| row.count_star).sum(),
    ]
}

type Job = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Futures that wait for a thread to poll them, in turns.
#[derive(Default)]
struct Jobs {
    ready: Plain<VecDeque<Job>>,
    left: AtomicU64,
    more: Condvar,
}

impl Jobs {
    fn add(&self, job: Job) {
        self.left.fetch_add(1, Relaxed);
        self.ready.lock().unwrap().push_back(job);
    }

    /// Polls until none are left.
    fn work(&self) {
        let mut ready = self.ready.lock().unwrap();
        loop {
            if let Some(mut job) = ready.pop_front() {
                drop(ready);
                let done = job.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready();
                drop(if done { Some(job) } else { self.again(job) });
                ready = self.ready.lock().unwrap();
                if done && self.left.fetch_sub(1, Relaxed) == 1 {
                    self.more.notify_all();
                }
            } else if self.left.load(Relaxed) == 0 {
                return;
            } else {
                ready = self.more.wait(ready).unwrap();
            }
        }
    }

    fn again(&self, job: Job) -> Option<Job> {
        self.ready.lock().unwrap().push_back(job);
        self.more.notify_one();
        None
    }
}

const THREADS: usize = 4;
const SESSIONS: u64 = 24;
const QUERIES: u64 = 40;

/// How often a session's or task's number is that of one whose query fails.
const fn pauses(number: u64) -> u64 {
    number % 6
}

async fn serve(pfs: Pfs, number: u64) {
    let id = pfs::session::current().thread_id().unwrap();
    for round in 1..=QUERIES {
        let failed = query(pauses(number)).await.is_err();
        assert_eq!(failed, pauses(number) == 3);
        command(1).in_statement(&PACKET).await;
        assert_eq!(pfs::session::current().thread_id(), Some(id));
        assert_eq!(counted(pfs, id), [round * (pauses(number) + 1), round * 2, round * 2]);
    }
}

#[test]
fn sessions_and_tasks_move_between_threads() {
    let pfs = pfs::Config::new().max_connections(100).start().unwrap();
    let jobs = Jobs::default();
    for number in 0..SESSIONS {
        let session = Session::of(pfs::thread_class!("futures/session"));
        jobs.add(Box::pin(serve(pfs, number).in_session(session)));
        // A task of nobody's, and statements that are tasks themselves, some of them dropped half-way.
        let task = async move {
            for _ in 0..QUERIES {
                let _ = query(pauses(number)).await;
            }
        };
        jobs.add(Box::pin(task.in_task(pfs::thread_class!("futures/task"))));
        jobs.add(Box::pin(async move {
            for round in 0..QUERIES {
                let mut single = Box::pin(query(pauses(number)));
                let wanted = if round % 2 == 0 { u64::MAX } else { 1 };
                let mut polls = 0;
                poll_fn(|cx| {
                    polls += 1;
                    let polled = single.as_mut().poll(cx).map(drop);
                    if polls >= wanted { Poll::Ready(()) } else { polled }
                })
                .await;
            }
        }));
    }
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| jobs.work());
        }
    });

    let all: u64 = (0..SESSIONS).map(pauses).sum();
    let partly: u64 = (0..SESSIONS).map(|number| pauses(number).min(1)).sum();
    let locked = all * QUERIES * 2 + SESSIONS * QUERIES + (all + partly) * QUERIES / 2;
    assert_eq!(*LOCK.lock().unwrap(), locked);
    let mut waits = pfs.events_waits_summary_global_by_event_name();
    let lock = waits.find(|row| row.event_name.ends_with("futures/LOCK")).unwrap();
    assert_eq!(lock.count_star, locked + 1);
    let stages = pfs.events_stages_summary_global_by_event_name().next().unwrap();
    assert_eq!((stages.event_name, stages.count_star), ("stage/futures/reading", SESSIONS * QUERIES * 4));
    let statements: Vec<_> = pfs
        .events_statements_summary_global_by_event_name()
        .map(|row| (row.event_name, row.count_star, row.sum_errors, row.sum_rows_sent))
        .collect();
    let threes = (0..SESSIONS).filter(|number| pauses(*number) == 3).count() as u64;
    // Those without a pause complete at the first poll.
    let completed = |of: fn(u64) -> u64| -> u64 {
        let whole: u64 = (0..SESSIONS).map(of).sum::<u64>() * QUERIES / 2 * 5;
        whole + (0..SESSIONS).filter(|number| pauses(*number) == 0).map(of).sum::<u64>() * QUERIES / 2
    };
    assert_eq!(
        statements,
        [
            ("statement/futures/packet", 0, 0, 0),
            ("statement/futures/query", SESSIONS * QUERIES * 3, threes * QUERIES / 2 * 5, completed(pauses)),
            ("statement/futures/refined", SESSIONS * QUERIES, 0, 0),
        ]
    );
    // Only this thread is left, and nothing was lost.
    assert_eq!(pfs.threads().map(|row| row.name).collect::<Vec<_>>(), ["thread/pfs/main"]);
    for row in pfs.global_status().filter(|row| row.variable_name.ends_with("_lost")) {
        assert_eq!(row.variable_value.as_deref(), Some("0"), "{}", row.variable_name);
    }
}
