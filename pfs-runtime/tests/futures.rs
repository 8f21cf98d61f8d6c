//! Statements and stages of futures: in sessions and in tasks of their own, and in turns.

mod own_schema;
mod polling;

use std::rc::Rc;

use own_schema::{Own, recording, short};
use pfs_runtime::config::SizeKey;
use pfs_runtime::context::thread::current_id;
use pfs_runtime::model::Ending;
use pfs_runtime::schema::EventTable;
use pfs_runtime::stage::{self, StageGuard};
use pfs_runtime::statement;
use pfs_runtime::task;
use polling::{block_on, ended, poll, roomy, session, statement, told, work};

fn threads(own: &Own) -> Vec<(&'static str, Option<u64>, Option<u64>)> {
    own.schema.threads().map(|row| (row.name, row.parent_thread_id, row.processlist_id)).collect()
}

#[test]
fn where_there_is_no_session_a_statement_is_a_task() {
    let own = Own::new(roomy());
    own.on_thread(|| {
        let mut future = Box::pin(statement(own.get, work(own, 2)));
        assert_eq!(own.schema.threads().count(), 1);
        assert!(poll(future.as_mut()).is_pending());
        assert_eq!(threads(own), [("thread/own/worker", None, None), ("thread/pfs/task", Some(1), None)]);
        // What runs on the thread in between is the thread's.
        own.wait(|| ());
        assert_eq!(current_id(), Some(1));
        assert!(poll(future.as_mut()).is_pending());
        let row = own.schema.threads().find(|row| row.thread_id == 2).unwrap();
        assert_eq!((row.kind.to_string(), row.thread_os_id), ("BACKGROUND".to_owned(), None));
        assert_eq!(own.by_threads(own.get), 0);
        assert!(poll(future.as_mut()).is_ready());
        assert_eq!(own.schema.threads().count(), 1);
        drop(future);
    });
    assert_eq!(
        ended(own),
        [
            ("disk", 1, 1, None, Ending::Itself),
            ("get", 2, 1, None, Ending::Itself),
            ("disk", 2, 2, Some(1), Ending::Itself),
            ("disk", 2, 3, Some(1), Ending::Itself)
        ]
    );
    assert_eq!((own.statements(own.get).count_star, own.waits(own.disk).count_star), (1, 3));
}

#[test]
fn a_stage_and_what_is_in_it_is_a_task_too_and_only_one() {
    let own = Own::new(roomy());
    own.on_thread(|| {
        block_on(task::stage(own.outer, async {
            assert_eq!(own.schema.threads().count(), 2);
            statement(own.get, task::stage(own.inner, work(own, 1))).await;
            assert_eq!(own.schema.threads().count(), 2);
        }));
    });
    assert_eq!(
        ended(own),
        [
            ("outer", 2, 1, None, Ending::Itself),
            ("get", 2, 2, Some(1), Ending::Itself),
            ("inner", 2, 3, Some(2), Ending::Itself),
            ("disk", 2, 4, Some(3), Ending::Itself)
        ]
    );
}

#[test]
fn in_a_session_everything_is_the_sessions() {
    let own = Own::new(roomy());
    own.on_thread(|| {
        let mut session = session(own);
        let mut future = Box::pin(statement(own.get, async {
            work(own, 1).await;
            statement(own.set, task::stage(own.inner, work(own, 1))).await;
            let _stage = stage::begin(own.outer);
        }));
        for polls in 0..3 {
            let _attached = session.attach();
            assert_eq!(poll(future.as_mut()).is_ready(), polls == 2);
            own.wait(|| ());
        }
        assert_eq!(own.schema.threads().count(), 2);
        let history: Vec<_> = own.events(EventTable::History).iter().map(told).collect();
        assert_eq!(
            history,
            [
                ("get", 2, 1, None, Ending::Itself),
                ("disk", 2, 2, Some(1), Ending::Itself),
                ("disk", 2, 3, None, Ending::Itself),
                ("set", 2, 4, Some(1), Ending::Itself),
                ("inner", 2, 5, Some(4), Ending::Itself),
                ("disk", 2, 6, Some(5), Ending::Itself),
                ("disk", 2, 7, None, Ending::Itself),
                ("outer", 2, 8, Some(1), Ending::Itself),
                ("disk", 2, 9, None, Ending::Itself)
            ]
        );
        let levels: Vec<_> =
            own.schema.events_statements_history().map(|row| row.nesting_event_level).collect();
        assert_eq!(levels, [Some(1), Some(0)]);
    });
}

#[test]
fn futures_of_one_session_take_turns() {
    let own = Own::new(roomy());
    own.on_thread(|| {
        let mut session = session(own);
        let _attached = session.attach();
        let around = statement::begin(own.set);
        let mut one = Box::pin(statement(own.get, task::stage(own.outer, work(own, 3))));
        let mut other = Box::pin(statement(own.get, task::stage(own.inner, work(own, 3))));
        // 2 get, 3 outer, 4 disk; 5 get, 6 inner, 7 disk; then a wait in each, and one outside.
        for _ in 0..2 {
            assert!(poll(one.as_mut()).is_pending());
            assert!(poll(other.as_mut()).is_pending());
        }
        own.wait(|| ());
        assert!(poll(other.as_mut()).is_pending());
        assert!(poll(other.as_mut()).is_ready());
        assert!(poll(one.as_mut()).is_pending());
        assert!(poll(one.as_mut()).is_ready());
        drop(around);
        own.wait(|| ());
    });
    let parents: Vec<_> = own
        .ended()
        .iter()
        .map(|event| (short(event.class), event.event_id, event.nesting.map(|(id, _)| id)))
        .collect();
    assert_eq!(
        parents,
        [
            ("set", 1, None),
            ("get", 2, Some(1)),
            ("outer", 3, Some(2)),
            ("disk", 4, Some(3)),
            ("get", 5, Some(1)),
            ("inner", 6, Some(5)),
            ("disk", 7, Some(6)),
            ("disk", 8, Some(3)),
            ("disk", 9, Some(6)),
            ("disk", 10, Some(1)),
            ("disk", 11, Some(6)),
            ("disk", 12, Some(3)),
            ("disk", 13, None)
        ]
    );
    assert!(own.ended().iter().all(|event| event.ending == Ending::Itself));
    let levels: Vec<_> = own
        .schema
        .events_statements_history_long()
        .map(|row| (row.event_id, row.nesting_event_level))
        .collect();
    assert_eq!(levels.iter().filter(|(_, level)| *level == Some(1)).count(), 2);
}

#[test]
fn guards_stay_open_over_an_await() {
    let own = Own::new(roomy());
    own.on_thread(|| {
        let mut session = session(own);
        let _attached = session.attach();
        let local = || async {
            let _stage = stage::begin(own.inner);
            work(own, 1).await;
            own.wait(|| ());
        };
        let mut one = Box::pin(statement(own.get, local()));
        let mut other = Box::pin(statement(own.set, local()));
        assert!(poll(one.as_mut()).is_pending());
        assert!(poll(other.as_mut()).is_pending());
        own.wait(|| ());
        assert!(poll(one.as_mut()).is_ready());
        assert!(poll(other.as_mut()).is_ready());
    });
    assert_eq!(
        ended(own),
        [
            ("get", 2, 1, None, Ending::Itself),
            ("inner", 2, 2, Some(1), Ending::Itself),
            ("disk", 2, 3, Some(2), Ending::Itself),
            ("set", 2, 4, None, Ending::Itself),
            ("inner", 2, 5, Some(4), Ending::Itself),
            ("disk", 2, 6, Some(5), Ending::Itself),
            ("disk", 2, 7, None, Ending::Itself),
            ("disk", 2, 8, Some(2), Ending::Itself),
            ("disk", 2, 9, Some(5), Ending::Itself)
        ]
    );
}

#[test]
fn a_guard_that_leaves_its_future_is_dropped_where_it_is() {
    let own = Own::new(roomy());
    own.on_thread(|| {
        let mut session = session(own);
        let _attached = session.attach();
        let held: Rc<std::cell::Cell<Option<StageGuard>>> = Rc::default();
        let given = Rc::clone(&held);
        let mut future = Box::pin(statement(own.get, async move {
            given.set(Some(stage::begin(own.inner)));
            work(own, 1).await;
            // The stage has ended meanwhile, and its frame may hold another.
            work(own, 1).await;
        }));
        assert!(poll(future.as_mut()).is_pending());
        drop(held.take());
        let other = stage::begin(own.outer);
        assert!(poll(future.as_mut()).is_pending());
        assert!(poll(future.as_mut()).is_ready());
        own.wait(|| ());
        drop(other);
        own.wait(|| ());
    });
    assert_eq!(
        ended(own),
        [
            ("get", 2, 1, None, Ending::Itself),
            ("inner", 2, 2, Some(1), Ending::Itself),
            ("disk", 2, 3, Some(2), Ending::Itself),
            ("outer", 2, 4, None, Ending::Itself),
            ("disk", 2, 5, Some(1), Ending::Itself),
            ("disk", 2, 6, Some(4), Ending::Itself),
            ("disk", 2, 7, None, Ending::Itself)
        ]
    );
}

#[test]
fn with_no_context_free_events_count_and_each_task_is_lost_once() {
    let own = Own::new(recording().size(SizeKey::MaxThreadInstances, 1));
    own.on_thread(|| {
        for _ in 0..10 {
            let mut future = Box::pin(statement(
                own.get,
                task::stage(own.inner, async {
                    statement::current().rows_sent(5);
                    work(own, 3).await;
                }),
            ));
            while poll(future.as_mut()).is_pending() {}
        }
        drop(Box::pin(statement(own.get, work(own, 1))));
        let mut dropped = Box::pin(statement(own.get, work(own, 1)));
        assert!(poll(dropped.as_mut()).is_pending());
        drop(dropped);
        assert_eq!(own.status("thread_instances_lost"), 11);
        // A session that found none is no reason to look for one again.
        let mut session = session(own);
        let _attached = session.attach();
        block_on(statement(own.get, work(own, 1)));
        assert_eq!(own.status("thread_instances_lost"), 12);
    });
    assert_eq!((own.statements(own.get).count_star, own.stages(own.inner).count_star), (12, 10));
    assert_eq!(own.waits(own.disk).count_star, 32);
    assert_eq!(own.statements(own.get).sum_rows_sent, 0);
    assert_eq!(ended(own), []);
}

#[test]
fn contexts_come_back() {
    let own = Own::new(roomy());
    own.on_thread(|| {
        let before = own.schema.threads().count();
        for round in 0..10_000 {
            let mut future = Box::pin(statement(own.get, work(own, 1)));
            assert!(poll(future.as_mut()).is_pending());
            if round % 2 == 0 {
                assert!(poll(future.as_mut()).is_ready());
            }
        }
        assert_eq!(own.schema.threads().count(), before);
        // As many at once as there is room for.
        let mut some: Vec<_> = (0..7).map(|_| Box::pin(statement(own.get, work(own, 1)))).collect();
        for future in &mut some {
            assert!(poll(future.as_mut()).is_pending());
        }
        assert_eq!(own.schema.threads().count(), 8);
        drop(some);
        assert_eq!(own.schema.threads().count(), before);
    });
    assert_eq!((own.statements(own.get).count_star, own.waits(own.disk).count_star), (10_007, 10_007));
    assert_eq!(own.status("thread_instances_lost"), 0);
}

#[test]
fn past_the_stack_a_statement_is_counted_and_the_ones_around_it_are_as_they_were() {
    let own = Own::new(roomy().size(SizeKey::MaxStatementStack, 2));
    own.on_thread(|| {
        let deep = statement(own.set, async {
            work(own, 1).await;
            statement(own.set, task::stage(own.inner, work(own, 1))).await;
        });
        block_on(statement(own.get, deep));
    });
    assert_eq!((own.statements(own.get).count_star, own.statements(own.set).count_star), (1, 2));
    assert_eq!((own.status("nested_statement_lost"), own.stages(own.inner).count_star), (1, 1));
    let parents: Vec<_> = ended(own).iter().map(|event| (event.0, event.2, event.3)).collect();
    assert_eq!(
        parents,
        [
            ("get", 1, None),
            ("set", 2, Some(1)),
            ("disk", 3, Some(2)),
            ("inner", 4, Some(2)),
            ("disk", 5, Some(4))
        ]
    );
}
