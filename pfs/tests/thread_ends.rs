//! What runs when a thread is at its end: destructors of thread-locals before and after its context has left, a session
//! that is still attached, the main thread of a process.

#![cfg(feature = "engine")]

use std::cell::{Cell, RefCell};
use std::mem::forget;
use std::sync::mpsc;
use std::thread;

use pfs::Pfs;
use pfs::prelude::*;
use pfs::session::Session;
use pfs::sync::Mutex;

#[instrument_mutex("ends/LOCK")]
static LOCK: Mutex<u64> = Mutex::new(0);

#[statement("ends/query")]
fn query() {
    step();
}

#[stage("ends/step")]
fn step() {
    *LOCK.lock().unwrap() += 1;
    pfs::transaction::begin().commit();
}

/// What its drop runs is instrumented.
struct Late(Cell<Option<mpsc::Sender<Option<u64>>>>);

impl Drop for Late {
    fn drop(&mut self) {
        query();
        if let Some(told) = self.0.take() {
            told.send(pfs_runtime::context::thread::current_id()).unwrap();
        }
    }
}

thread_local! {
    static LATE: [Late; 2] = const { [Late(Cell::new(None)), Late(Cell::new(None))] };
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
}

fn started() -> Pfs {
    pfs::current().unwrap_or_else(|| pfs::Config::new().start().unwrap())
}

fn counts(pfs: Pfs) -> [u64; 4] {
    let waits = pfs.events_waits_summary_global_by_event_name();
    let stages = pfs.events_stages_summary_global_by_event_name();
    let statements = pfs.events_statements_summary_global_by_event_name();
    [
        waits.filter(|row| row.event_name.contains("/ends/")).map(|row| row.summary.count_star).sum(),
        stages.filter(|row| row.event_name.contains("/ends/")).map(|row| row.summary.count_star).sum(),
        statements.filter(|row| row.event_name.contains("/ends/")).map(|row| row.summary.count_star).sum(),
        pfs.events_transactions_summary_global_by_event_name().map(|row| row.summary.count_star).sum(),
    ]
}

/// One thread-local that is made before the thread's first event is dropped after its context left, one that is made after
/// it before.
fn destructors(pfs: Pfs) {
    let (before, threads) = (counts(pfs), pfs.threads().count());
    for made_first in [true, false] {
        let (tell, told) = mpsc::channel();
        let made = move || LATE.with(|late| late[0].0.set(Some(tell.clone())));
        let id = thread::spawn(move || {
            if made_first {
                made();
                query();
            } else {
                query();
                made();
            }
            pfs_runtime::context::thread::current_id()
        });
        let id = id.join().unwrap();
        assert!(id.is_some());
        // The first of the two drops says so. The second one, of the same thread-local, runs right after it.
        let ids: Vec<_> = told.iter().collect();
        assert_eq!(ids, [if made_first { None } else { id }]);
    }
    // 1 in the first thread, none of its destructors; 1 in the second and both.
    assert_eq!(counts(pfs), before.map(|count| count + 1 + 3));
    assert_eq!(*LOCK.lock().unwrap(), 6);
    assert_eq!(pfs.threads().count(), threads);
}

/// A thread whose only events are in a destructor registers in it, and is gone.
fn only_in_a_destructor(pfs: Pfs) {
    let (before, threads) = (counts(pfs), pfs.threads().count());
    let thread = std::thread::spawn(|| LATE.with(|_| ()));
    thread.join().unwrap();
    assert_eq!(counts(pfs), before.map(|count| count + 2));
    assert_eq!(pfs.threads().count(), threads);
}

/// A session that is attached when its thread ends goes on on another one.
fn attached_at_the_end(pfs: Pfs) {
    let (before, threads) = (counts(pfs), pfs.threads().count());
    let session = thread::spawn(|| {
        query();
        let mut outer = Session::new();
        let mut inner = Session::new();
        forget(outer.attach());
        forget(inner.attach());
        query();
        [outer, inner]
    });
    let mut sessions = session.join().unwrap();
    assert_eq!(pfs.threads().count(), threads + 2);
    assert!(pfs.threads().all(|row| row.processlist_id.is_none() || row.thread_os_id.is_none()));
    for session in &mut sessions {
        let id = session.thread_id();
        let attached = session.attach();
        assert_eq!(pfs_runtime::context::thread::current_id(), id);
        query();
        drop(attached);
    }
    assert_eq!(pfs_runtime::context::thread::current_id(), Some(1));
    drop(sessions);
    assert_eq!(pfs.threads().count(), threads);
    assert_eq!(counts(pfs), before.map(|count| count + 4));
}

/// Also one that a thread-local owns, whose guard is forgotten: it ends with the thread, whichever goes first.
fn owned_by_the_thread(pfs: Pfs) {
    let (before, threads) = (counts(pfs), pfs.threads().count());
    for made_first in [true, false] {
        let work = move || {
            let own = || SESSION.with(|session| *session.borrow_mut() = Some(Session::new()));
            if made_first {
                own();
                query();
            } else {
                query();
                own();
            }
            SESSION.with(|session| forget(session.borrow_mut().as_mut().unwrap().attach()));
            query();
        };
        // std's, so that nothing is registered before.
        std::thread::spawn(work).join().unwrap();
        assert_eq!(pfs.threads().count(), threads);
    }
    assert_eq!(counts(pfs), before.map(|count| count + 4));
}

#[test]
fn ends_of_threads() {
    let pfs = started();
    destructors(pfs);
    only_in_a_destructor(pfs);
    attached_at_the_end(pfs);
    owned_by_the_thread(pfs);
}
