//! How statements and stages of futures end: dropped, by a panic, with their parent, away from their session, after it.

mod own_schema;
mod polling;

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;

use own_schema::Own;
use pfs_runtime::config::SizeKey;
use pfs_runtime::context::thread::current_id;
use pfs_runtime::model::Ending;
use pfs_runtime::stage::{self, StageGuard};
use pfs_runtime::statement;
use pfs_runtime::task;
use polling::{ended, poll, roomy, session, statement, take_elsewhere, work};

#[test]
fn what_is_around_a_future_may_end_while_it_is_polled() {
    let own = Own::new(roomy());
    own.on_thread(|| {
        let mut session = session(own);
        let _attached = session.attach();
        // Not its parent: it goes on, and what was around it before is around it again.
        let slot: Rc<std::cell::Cell<Option<StageGuard>>> = Rc::default();
        let taken = Rc::clone(&slot);
        let mut future = Box::pin(statement(
            own.get,
            poll_fn(move |_| {
                drop(taken.take());
                own.wait(|| ());
                Poll::<()>::Pending
            }),
        ));
        let around = stage::begin(own.outer);
        assert!(poll(future.as_mut()).is_pending());
        slot.set(Some(stage::begin(own.inner)));
        assert!(poll(future.as_mut()).is_pending());
        own.wait(|| ());
        drop(around);
        own.wait(|| ());
        assert!(poll(future.as_mut()).is_pending());
    });
    let parents: Vec<_> = ended(own).iter().map(|event| (event.0, event.2, event.3, event.4)).collect();
    assert_eq!(
        parents,
        [
            ("outer", 1, None, Ending::Itself),
            ("get", 2, Some(1), Ending::Parent),
            ("disk", 3, Some(2), Ending::Itself),
            ("inner", 4, Some(1), Ending::Itself),
            ("disk", 5, Some(2), Ending::Itself),
            ("disk", 6, Some(1), Ending::Itself),
            ("disk", 7, None, Ending::Itself),
            ("disk", 8, None, Ending::Itself)
        ]
    );
}

#[test]
fn a_future_outlives_its_parent() {
    let own = Own::new(roomy());
    own.on_thread(|| {
        let mut session = session(own);
        let _attached = session.attach();
        for _ in 0..20 {
            let mut slow = Box::pin(task::stage(own.outer, task::stage(own.inner, work(own, 3))));
            {
                let _statement = statement::begin(own.get);
                assert!(poll(slow.as_mut()).is_pending());
            }
            // Other events take the frames that came free; they are no parents of what was left behind, nor it theirs.
            let others = [statement::begin(own.set), statement::begin(own.set)];
            let stage = stage::begin(own.outer);
            assert!(poll(slow.as_mut()).is_pending());
            drop(stage);
            assert!(poll(slow.as_mut()).is_pending());
            assert!(poll(slow.as_mut()).is_ready());
            drop(others);
        }
    });
    let all = ended(own);
    let first: Vec<_> = all[..9].to_vec();
    assert_eq!(
        first,
        [
            ("get", 2, 1, None, Ending::Itself),
            ("outer", 2, 2, Some(1), Ending::Parent),
            ("inner", 2, 3, Some(2), Ending::Parent),
            ("disk", 2, 4, Some(3), Ending::Itself),
            ("set", 2, 5, None, Ending::Itself),
            ("set", 2, 6, Some(5), Ending::Parent),
            ("outer", 2, 7, Some(6), Ending::Itself),
            ("disk", 2, 8, Some(7), Ending::Itself),
            ("disk", 2, 9, Some(6), Ending::Itself)
        ]
    );
    assert_eq!((own.statements(own.get).count_star, own.statements(own.set).count_star), (20, 40));
    assert_eq!((own.stages(own.outer).count_star, own.stages(own.inner).count_star), (40, 20));
    assert_eq!((own.status("nested_stage_lost"), own.status("nested_statement_lost")), (0, 0));
}

#[test]
fn a_wait_and_a_switched_stage_end_the_futures_in_them() {
    let own = Own::new(roomy());
    own.on_thread(|| {
        let mut session = session(own);
        let _attached = session.attach();
        let mut left = Box::pin(task::stage(own.inner, work(own, 1)));
        own.wait(|| assert!(poll(left.as_mut()).is_pending()));
        let mut stage = stage::begin(own.outer);
        let mut second = Box::pin(statement(own.get, work(own, 1)));
        assert!(poll(second.as_mut()).is_pending());
        stage.switch(stage::StageClass::new(own.inner));
        assert!(poll(second.as_mut()).is_ready());
        assert!(poll(left.as_mut()).is_ready());
    });
    assert_eq!(
        ended(own),
        [
            ("disk", 2, 1, None, Ending::Itself),
            ("inner", 2, 2, Some(1), Ending::Parent),
            ("disk", 2, 3, Some(2), Ending::Itself),
            ("outer", 2, 4, None, Ending::Itself),
            ("get", 2, 5, Some(4), Ending::Parent),
            ("disk", 2, 6, Some(5), Ending::Itself),
            ("inner", 2, 7, None, Ending::Itself)
        ]
    );
}

#[test]
fn a_future_that_is_dropped_ends_its_event_and_what_is_in_it() {
    let own = Own::new(roomy().constant_step_clock(10));
    own.on_thread(|| {
        let mut session = session(own);
        let _attached = session.attach();
        let mut future = Box::pin(statement(
            own.get,
            task::stage(own.outer, async {
                let _stage = stage::begin(own.inner);
                work(own, 1).await;
            }),
        ));
        assert!(poll(future.as_mut()).is_pending());
        drop(future);
        own.wait(|| ());
    });
    assert_eq!(
        ended(own),
        [
            ("get", 2, 1, None, Ending::Drop),
            ("outer", 2, 2, Some(1), Ending::Drop),
            // Its guard was dropped with the future.
            ("inner", 2, 3, Some(2), Ending::Itself),
            ("disk", 2, 4, Some(3), Ending::Itself),
            ("disk", 2, 5, None, Ending::Itself)
        ]
    );
    assert_eq!(own.statements(own.get).sum_errors, 0);
    let row = own.schema.events_statements_history_long().next().unwrap();
    assert_eq!(row.ended_by.map(Ending::as_str), Some("DROP"));
}

#[test]
fn a_panic_ends_the_event() {
    let own = Own::new(roomy());
    own.on_thread(|| {
        let mut session = session(own);
        let _attached = session.attach();
        let panics = || {
            statement(own.get, async {
                work(own, 1).await;
                let _stage = stage::begin(own.inner);
                resume_unwind(Box::new("expected"))
            })
        };
        let mut future = Box::pin(panics());
        assert!(poll(future.as_mut()).is_pending());
        let outcome: Result<Poll<()>, _> = catch_unwind(AssertUnwindSafe(|| poll(future.as_mut())));
        assert_eq!(outcome.unwrap_err().downcast_ref(), Some(&"expected"));
        own.wait(|| ());
        assert_eq!(own.by_threads(own.get), 1);
        drop(future);
    });
    let mut future = Box::pin(statement(own.get, async { resume_unwind(Box::new(())) }));
    own.on_thread(|| {
        let outcome: Result<Poll<()>, _> = catch_unwind(AssertUnwindSafe(|| poll(future.as_mut())));
        assert!(outcome.is_err());
        assert_eq!((current_id(), own.schema.threads().count()), (Some(3), 1));
    });
    assert_eq!(
        ended(own),
        [
            ("get", 2, 1, None, Ending::Itself),
            ("disk", 2, 2, Some(1), Ending::Itself),
            ("inner", 2, 3, Some(1), Ending::Itself),
            ("disk", 2, 4, None, Ending::Itself),
            ("get", 4, 1, None, Ending::Itself)
        ]
    );
    assert_eq!(own.statements(own.get).count_star, 2);
}

#[test]
fn polled_in_another_session_the_event_stays_and_the_rest_is_the_others() {
    let own = Own::new(roomy());
    own.on_thread(|| {
        let (mut home, mut away) = (session(own), session(own));
        let mut future = Box::pin(statement(own.get, task::stage(own.inner, work(own, 3))));
        {
            let _attached = home.attach();
            assert!(poll(future.as_mut()).is_pending());
        }
        {
            let _attached = away.attach();
            assert!(poll(future.as_mut()).is_pending());
        }
        {
            let _attached = home.attach();
            assert!(poll(future.as_mut()).is_pending());
        }
        {
            let _attached = away.attach();
            assert!(poll(future.as_mut()).is_ready());
            assert_eq!((own.by_threads(own.get), own.by_threads(own.inner)), (0, 0));
            own.wait(|| ());
        }
        // Its end is carried out where it belongs, before what comes next there.
        let _attached = home.attach();
        own.wait(|| ());
        assert_eq!((own.by_threads(own.get), own.by_threads(own.inner)), (1, 1));
    });
    assert_eq!(
        ended(own),
        [
            ("get", 2, 1, None, Ending::Itself),
            ("inner", 2, 2, Some(1), Ending::Itself),
            ("disk", 2, 3, Some(2), Ending::Itself),
            ("disk", 2, 4, Some(2), Ending::Itself),
            ("disk", 2, 5, None, Ending::Itself),
            ("disk", 3, 1, None, Ending::Itself),
            ("disk", 3, 2, None, Ending::Itself)
        ]
    );
}

#[test]
fn dropped_elsewhere_it_ends_when_its_session_gets_to_it_or_ends() {
    let own = Own::new(roomy());
    let mut homes: Vec<_> = (0..2).map(|_| session(own)).collect();
    let mut left = Vec::new();
    for home in &mut homes {
        let future: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(statement(own.get, work(own, 1)));
        left.push(own.on_thread(move || {
            let _attached = home.attach();
            let mut future = future;
            assert!(poll(future.as_mut()).is_pending());
            future
        }));
    }
    std::thread::spawn(move || drop(left)).join().unwrap();
    assert_eq!(own.by_threads(own.get), 0);
    let mut home = homes.remove(0);
    own.on_thread(move || {
        let _attached = home.attach();
        own.wait(|| ());
        assert_eq!(own.by_threads(own.get), 1);
    });
    drop(homes);
    assert_eq!(own.statements(own.get).count_star, 2);
    let ended: Vec<_> =
        ended(own).iter().map(|event| (event.0, event.1, event.2, event.3, event.4)).collect();
    assert_eq!(
        ended,
        [
            ("get", 1, 1, None, Ending::Drop),
            ("disk", 1, 2, Some(1), Ending::Itself),
            ("disk", 1, 3, None, Ending::Itself),
            ("get", 2, 1, None, Ending::Drop),
            ("disk", 2, 2, Some(1), Ending::Itself)
        ]
    );
}

#[test]
fn a_session_that_ended_before_its_future_is_not_touched_again() {
    let own = Own::new(roomy().size(SizeKey::MaxThreadInstances, 2));
    own.on_thread(|| {
        let mut future = Box::pin(statement(own.get, work(own, 2)));
        {
            let mut home = session(own);
            let _attached = home.attach();
            assert!(poll(future.as_mut()).is_pending());
        }
        assert_eq!(own.statements(own.get).count_star, 1);
        // The next session has the same slot.
        let mut next = session(own);
        let _attached = next.attach();
        let open = statement::begin(own.set);
        assert!(poll(future.as_mut()).is_pending());
        assert!(poll(future.as_mut()).is_ready());
        drop(future);
        own.wait(|| ());
        drop(open);
    });
    assert_eq!(
        ended(own),
        [
            ("get", 2, 1, None, Ending::Context),
            ("disk", 2, 2, Some(1), Ending::Itself),
            ("set", 3, 1, None, Ending::Itself),
            ("disk", 3, 2, Some(1), Ending::Itself),
            ("disk", 3, 3, Some(1), Ending::Itself)
        ]
    );
    assert_eq!(own.statements(own.get).count_star, 1);
}

#[test]
fn whoever_drops_them_each_is_counted_once() {
    const SESSIONS: u64 = 3;
    const ROUNDS: u64 = 2000;
    let own = Own::new(roomy().size(SizeKey::MaxStatementStack, 4));
    let (sender, left) = std::sync::mpsc::channel::<Pin<Box<dyn Future<Output = ()> + Send>>>();
    let left = std::sync::Mutex::new(left);
    std::thread::scope(|scope| {
        // One thread drops what it gets in a session of its own, the other polls it to its end.
        take_elsewhere(scope, own, &left, |mut future, number| {
            if number == 1 {
                while poll(future.as_mut()).is_pending() {}
            }
        });
        for _ in 0..SESSIONS {
            let sender = sender.clone();
            scope.spawn(move || {
                let mut home = session(own);
                for round in 0..ROUNDS {
                    let _attached = home.attach();
                    let stage = task::stage(own.inner, work(own, 1 + u32::from(round % 3 == 0)));
                    let mut future: Pin<Box<dyn Future<Output = ()> + Send>> =
                        Box::pin(statement(own.get, stage));
                    assert!(poll(future.as_mut()).is_pending());
                    // Past the stack there is no frame to find it by, and it counts where it ends.
                    sender.send(future).unwrap();
                    let around = statement::begin(own.set);
                    own.wait(|| ());
                    drop(around);
                }
            });
        }
        drop(sender);
    });
    let all = SESSIONS * ROUNDS;
    assert_eq!((own.statements(own.get).count_star, own.stages(own.inner).count_star), (all, all));
    assert_eq!(own.statements(own.set).count_star, all);
    assert_eq!((own.by_threads(own.get), own.schema.threads().count()), (0, 0));
    let ended = own.ended();
    assert!(ended.iter().all(|event| event.nesting.is_none_or(|(parent, _)| parent < event.event_id)));
}
