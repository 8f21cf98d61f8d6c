//! Sessions: contexts that are owned, attached to the thread that serves them, and moved between threads.

mod os_thread;
mod own_schema;

use std::mem::forget;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

use own_schema::{Own, recording, short};
use pfs_runtime::config::{Config, SizeKey};
use pfs_runtime::context::session::Owned;
use pfs_runtime::context::thread::current_id;
use pfs_runtime::model::Ending;
use pfs_runtime::schema::EventTable;
use pfs_runtime::statement;
use pfs_runtime::sync::mutex;

fn session(own: &'static Own) -> Owned {
    Owned::new(Some(own.schema), own.worker)
}

fn work(own: &Own) {
    let _statement = statement::begin(own.get);
    own.wait(|| ());
}

fn by_thread(own: &Own, thread_id: Option<u64>) -> u64 {
    own.schema
        .events_statements_summary_by_thread_by_event_name()
        .filter(|row| Some(row.thread_id) == thread_id)
        .map(|row| row.summary.count_star)
        .sum()
}

#[test]
fn what_runs_while_a_session_is_attached_is_the_sessions() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let thread = current_id();
        let mut session = session(own);
        assert_eq!((thread, session.thread_id(), session.processlist_id()), (Some(1), Some(2), Some(1)));
        work(own);
        {
            let _attached = session.attach();
            assert_eq!(current_id(), session_id(own));
            work(own);
            work(own);
        }
        assert_eq!(current_id(), thread);
        work(own);
        assert_eq!((by_thread(own, thread), by_thread(own, session.thread_id())), (2, 2));
        let ids: Vec<_> = own.ended().iter().map(|event| (event.thread_id, event.event_id)).collect();
        assert_eq!(ids, [(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2), (2, 3), (2, 4)]);
        drop(session);
        assert_eq!((by_thread(own, thread), own.schema.threads().count()), (2, 1));
        assert_eq!(own.statements(own.get).count_star, 4);
    });
    assert_eq!(own.statements(own.get).count_star, 4);
}

fn session_id(own: &Own) -> Option<u64> {
    own.schema.threads().find(|row| row.processlist_id.is_some()).map(|row| row.thread_id)
}

#[test]
fn a_session_goes_on_where_it_was_on_another_thread() {
    let own = Own::new(recording());
    let mut session = session(own);
    for _ in 0..3 {
        session = own.on_thread(move || {
            {
                let _attached = session.attach();
                work(own);
            }
            work(own);
            session
        });
    }
    let mine = session.thread_id().unwrap();
    let ids: Vec<_> =
        own.ended().iter().filter(|event| event.thread_id == mine).map(|event| event.event_id).collect();
    assert_eq!(ids, [1, 2, 3, 4, 5, 6]);
    assert_eq!((by_thread(own, Some(mine)), own.statements(own.get).count_star), (3, 6));
    assert_eq!(own.events(EventTable::History).len(), 6);
    // It may end on a thread that has no context.
    drop(session);
    assert_eq!((own.by_threads(own.get), own.statements(own.get).count_star), (0, 6));
    assert_eq!(own.events(EventTable::History).len(), 0);
}

#[test]
fn a_session_attached_within_another_gives_way_to_it() {
    let own = Own::new(Config::new());
    own.on_thread(|| {
        let (mut first, mut second) = (session(own), session(own));
        {
            let _first = first.attach();
            work(own);
            {
                let _second = second.attach();
                work(own);
            }
            work(own);
        }
        work(own);
        let counts = [first.thread_id(), second.thread_id(), current_id()].map(|id| by_thread(own, id));
        assert_eq!(counts, [2, 1, 1]);
    });
    assert_eq!(own.statements(own.get).count_star, 4);
}

#[test]
fn a_row_tells_whose_session_it_is_and_where_it_runs() {
    let own = Own::new(Config::new());
    own.on_thread(|| {
        let mut session = session(own);
        let row = || own.schema.threads().find(|row| row.processlist_id == Some(1)).unwrap();
        assert_eq!((row().thread_id, row().parent_thread_id), (2, Some(1)));
        assert_eq!((row().name, row().kind.to_string()), ("thread/own/worker", "FOREGROUND".to_owned()));
        assert_eq!((row().processlist_command, row().thread_os_id), (Some("Sleep"), None));
        {
            let _attached = session.attach();
            assert_eq!(row().thread_os_id, os_thread::id());
            let mut statement = statement::begin(own.get);
            statement.text("GET k");
            assert_eq!(row().processlist_command, Some("Query"));
            assert_eq!(row().processlist_info.as_deref(), Some("GET k"));
        }
        assert_eq!((row().processlist_command, row().thread_os_id), (Some("Sleep"), None));
        let own_row = own.schema.threads().find(|row| row.thread_id == 1).unwrap();
        assert_eq!((own_row.processlist_id, own_row.kind.to_string()), (None, "BACKGROUND".to_owned()));
        assert_eq!((own_row.thread_os_id, own_row.parent_thread_id), (os_thread::id(), None));
        // A thread on which nothing was counted yet is not known.
        thread::scope(|scope| {
            let session = &mut session;
            scope.spawn(move || {
                let _attached = session.attach();
                assert_eq!(row().thread_os_id, None);
            });
        });
        assert_eq!(row().thread_os_id, None);
    });
}

#[test]
fn a_session_that_is_never_attached_leaves_nothing() {
    let own = Own::new(recording());
    for _ in 0..1000 {
        drop(session(own));
    }
    assert_eq!((own.schema.threads().count(), own.status("thread_instances_lost")), (0, 0));
    assert_eq!(session(own).processlist_id(), Some(1001));
}

#[test]
fn a_session_without_a_schema_leaves_the_thread_as_it_is() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let mut session = Owned::new(None, own.worker);
        let _attached = session.attach();
        work(own);
        assert_eq!(by_thread(own, current_id()), 1);
    });
}

#[test]
fn a_statement_open_in_a_session_goes_with_it() {
    let own = Own::new(recording());
    let session = own.on_thread(|| {
        let mut session = session(own);
        {
            let _attached = session.attach();
            forget(statement::begin(own.set));
        }
        // The thread's own events are in no statement of the session.
        own.wait(|| ());
        session
    });
    own.on_thread(|| {
        let mut session = session;
        {
            let _attached = session.attach();
            own.wait(|| ());
        }
        drop(session);
    });
    let events: Vec<_> = own
        .ended()
        .iter()
        .map(|event| (event.thread_id, short(event.class), event.nesting.map(|(id, _)| id), event.ending))
        .collect();
    assert_eq!(
        events,
        [
            (1, "disk", None, Ending::Itself),
            (2, "set", None, Ending::Context),
            (2, "disk", Some(1), Ending::Itself)
        ]
    );
    assert_eq!(own.statements(own.set).count_star, 1);
}

#[test]
fn a_guard_that_outlives_the_attachment_leaves_its_event_to_the_session() {
    let own = Own::new(recording().size(SizeKey::MaxStatementStack, 1));
    own.on_thread(|| {
        let mut session = session(own);
        let attached = session.attach();
        let mut open = statement::begin(own.get);
        // Past the stack: known to its guard alone, and counted where that ends.
        let mut past = statement::begin(own.set);
        drop(attached);
        open.rows_sent(1);
        past.rows_sent(1);
        drop(open);
        drop(past);
        assert_eq!((own.statements(own.get).count_star, own.by_threads(own.set)), (0, 1));
        assert_eq!((own.statements(own.set).count_star, own.statements(own.set).sum_rows_sent), (1, 1));
        work(own);
        assert_eq!(by_thread(own, current_id()), 2);
        drop(session);
        assert_eq!((own.statements(own.get).count_star, own.statements(own.get).sum_rows_sent), (2, 0));
    });
}

#[test]
fn a_statement_around_an_attachment_goes_on_after_it() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let mut session = session(own);
        let statement = statement::begin(own.set);
        {
            let _attached = session.attach();
            work(own);
        }
        own.wait(|| ());
        drop(statement);
    });
    let nested: Vec<_> = own
        .ended()
        .iter()
        .map(|event| (event.thread_id, short(event.class), event.event_id, event.nesting.map(|(id, _)| id)))
        .collect();
    assert_eq!(
        nested,
        [(1, "set", 1, None), (1, "disk", 2, Some(1)), (2, "get", 1, None), (2, "disk", 2, Some(1))]
    );
}

#[test]
fn a_forgotten_attachment_lasts_until_the_session_ends() {
    let own = Own::new(Config::new());
    own.on_thread(|| {
        let thread = current_id();
        let mut session = session(own);
        forget(session.attach());
        assert_eq!(current_id(), session.thread_id());
        work(own);
        // Attached already: nothing to do, and nothing to undo.
        drop(session.attach());
        work(own);
        assert_eq!(by_thread(own, session.thread_id()), 2);
        drop(session);
        assert_eq!(current_id(), thread);
        work(own);
        assert_eq!((by_thread(own, thread), own.statements(own.get).count_star), (1, 3));
    });
}

#[test]
fn a_session_whose_attachment_was_forgotten_elsewhere_stays_where_it_is() {
    let own = Own::new(Config::new());
    let (give, given) = mpsc::channel();
    let (end, ends) = mpsc::channel();
    thread::scope(|scope| {
        let first = scope.spawn(move || {
            own.enter();
            work(own);
            let mut session = session(own);
            forget(session.attach());
            work(own);
            give.send(session).unwrap();
            ends.recv().unwrap();
        });
        own.on_thread(move || {
            let mut session = given.recv().unwrap();
            let id = session.thread_id();
            {
                // The first thread may be writing still, for all that is known: what runs here is this thread's.
                let _attached = session.attach();
                work(own);
            }
            assert_eq!((by_thread(own, current_id()), by_thread(own, id)), (1, 1));
            // When it has ended, it has written its last.
            end.send(()).unwrap();
            first.join().unwrap();
            {
                let _attached = session.attach();
                work(own);
            }
            assert_eq!((by_thread(own, current_id()), by_thread(own, id)), (1, 2));
            drop(session);
            work(own);
            assert_eq!((by_thread(own, current_id()), by_thread(own, id)), (2, 0));
        });
    });
    assert_eq!(own.statements(own.get).count_star, 5);
    assert_eq!(own.schema.threads().count(), 0);
}

#[test]
fn a_session_that_is_attached_to_a_living_thread_is_kept_until_the_process_ends() {
    let own = Own::new(Config::new());
    let (give, given) = mpsc::channel();
    let (end, ends) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(move || {
            own.enter();
            let mut session = session(own);
            forget(session.attach());
            work(own);
            give.send(session).unwrap();
            ends.recv().unwrap();
            work(own);
        });
        // Its thread goes on writing.
        drop(given.recv().unwrap());
        assert_eq!(own.schema.threads().count(), 2);
        end.send(()).unwrap();
    });
    assert_eq!(own.statements(own.get).count_star, 2);
}

#[test]
fn a_guard_of_a_lock_outlives_an_attachment() {
    let own = Own::new(Config::new());
    own.on_thread(|| {
        let lock = mutex::with_class(own.lock, ());
        let holder = || own.schema.mutex_instances().next().unwrap().locked_by_thread_id;
        let mut session = session(own);
        let attached = session.attach();
        let held = lock.lock();
        assert_eq!(holder(), Some(2));
        drop(attached);
        drop(held);
        assert_eq!(holder(), None);
        drop(lock.lock());
        assert_eq!((own.waits(own.lock).count_star, own.by_threads(own.lock)), (2, 2));
    });
}

#[test]
fn many_sessions_move_between_threads_and_none_of_their_events_is_lost() {
    const THREADS: usize = 4;
    const ROUNDS: u64 = 2000;
    for config in [Config::new().max_connections(8), recording().max_connections(8)] {
        let own = Own::new(config);
        let pool = Mutex::new((0..6).map(|_| session(own)).collect::<Vec<_>>());
        let ended = AtomicU64::new(0);
        own.on_threads(THREADS, || {
            for round in 0..ROUNDS {
                let mut served = pool.lock().unwrap().remove(0);
                {
                    let _attached = served.attach();
                    work(own);
                }
                if round % 50 == 0 {
                    ended.fetch_add(by_thread(own, served.thread_id()), Relaxed);
                    served = session(own);
                }
                pool.lock().unwrap().push(served);
            }
        });
        let all = THREADS as u64 * ROUNDS;
        assert_eq!((own.statements(own.get).count_star, own.waits(own.disk).count_star), (all, all));
        // Those that live have what those that ended have not.
        let live = own.by_threads(own.get);
        assert_eq!(live + ended.into_inner(), all);
        drop(pool);
        assert_eq!((own.by_threads(own.get), own.statements(own.get).count_star), (0, all));
        assert_eq!(own.status("thread_instances_lost"), 0);
    }
}

#[test]
fn sessions_detached_in_any_order_leave_the_one_that_is_still_attached() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let thread = current_id();
        let (mut one, mut two, mut three) = (session(own), session(own), session(own));
        let ids = [&one, &two, &three].map(Owned::thread_id);
        let (first, second, third) = (one.attach(), two.attach(), three.attach());
        drop(second);
        assert_eq!(current_id(), ids[2]);
        work(own);
        drop(first);
        assert_eq!(current_id(), ids[2], "the innermost stays");
        work(own);
        drop(third);
        assert_eq!(current_id(), thread, "nothing lies under it any more");
        work(own);
        assert_eq!(ids.map(|id| by_thread(own, id)), [0, 0, 2]);

        let (first, second) = (one.attach(), two.attach());
        drop(first);
        drop(one);
        work(own);
        drop(second);
        assert_eq!(current_id(), thread, "not the context of a session that ended");
        work(own);
        assert_eq!((by_thread(own, thread), by_thread(own, ids[1])), (2, 1));
    });
    assert_eq!(own.statements(own.get).count_star, 5);
}

#[test]
fn a_session_on_a_session_runs_on_its_thread() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let (mut one, mut two) = (session(own), session(own));
        let os_ids = || -> Vec<_> { own.schema.threads().map(|row| row.thread_os_id).collect() };
        let mine = os_ids()[0];
        assert_eq!(os_ids(), [mine, None, None]);
        let _one = one.attach();
        let _two = two.attach();
        assert_eq!(os_ids(), [mine; 3]);
    });
}
