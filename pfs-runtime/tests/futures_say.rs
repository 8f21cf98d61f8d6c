//! What is decided of the statements and stages of futures, and what is said of those that run.

mod own_schema;
mod polling;

use own_schema::Own;
use pfs_runtime::config::{Consumer, SizeKey};
use pfs_runtime::context::thread::current_id;
use pfs_runtime::stage;
use pfs_runtime::statement::{self, StatementClass};
use pfs_runtime::task::{self, InstrumentFuture};
use polling::{block_on, pause, poll, roomy, session, statement, work};

#[test]
fn what_is_decided_at_the_begin_is_kept() {
    let own = Own::new(roomy());
    own.on_thread(|| {
        let mut session = session(own);
        let _attached = session.attach();
        let mut off = Box::pin(statement(own.set, work(own, 1)));
        own.enable(own.set, false);
        assert!(poll(off.as_mut()).is_pending());
        own.enable(own.set, true);
        assert!(poll(off.as_mut()).is_ready());
        let mut on = Box::pin(statement(own.get, work(own, 1)));
        assert!(poll(on.as_mut()).is_pending());
        own.enable(own.get, false);
        own.consumer(Consumer::EventsStatementsHistoryLong, false);
        assert!(poll(on.as_mut()).is_ready());
        own.enable(own.get, true);
        block_on(statement(own.get, work(own, 0)));
    });
    assert_eq!((own.statements(own.set).count_star, own.statements(own.get).count_star), (0, 2));
    assert_eq!(own.schema.events_statements_history_long().count(), 1);
}

#[test]
fn a_disabled_statement_opens_no_task() {
    let own = Own::new(roomy());
    own.on_thread(|| {
        own.enable(own.get, false);
        block_on(statement(own.get, async {
            assert_eq!((current_id(), own.schema.threads().count()), (Some(1), 1));
            work(own, 1).await;
        }));
        own.enable(own.get, true);
        own.consumer(Consumer::ThreadInstrumentation, false);
        block_on(statement(own.get, work(own, 1)));
        assert_eq!(own.by_threads(own.get), 0);
    });
    assert_eq!((own.statements(own.get).count_star, own.waits(own.disk).count_star), (1, 2));
    assert_eq!(own.schema.threads().count(), 0);
}

#[test]
fn current_is_what_runs_here() {
    let own = Own::new(roomy());
    own.on_thread(|| {
        let mut session = session(own);
        let _attached = session.attach();
        let outer = statement(own.get, async {
            statement::current().text("outer");
            pause().await;
            task::stage(own.outer, async {
                stage::current().progress(1, 4);
                pause().await;
                statement::current().rows_examined(2);
                statement(own.set, async {
                    pause().await;
                    statement::current().text("inner");
                    statement::current().rows_sent(3);
                    stage::current().advance(2);
                })
                .await;
            })
            .await;
            statement::current().warnings(1);
            stage::current().progress(9, 9);
        });
        let mut outer = Box::pin(outer);
        while poll(outer.as_mut()).is_pending() {
            statement::current().rows_sent(100);
            stage::current().progress(100, 100);
        }
    });
    let (get, set) = (own.statements(own.get), own.statements(own.set));
    assert_eq!((get.sum_rows_examined, get.sum_rows_sent, get.sum_warnings), (2, 0, 1));
    assert_eq!((set.sum_rows_examined, set.sum_rows_sent, set.sum_warnings), (0, 3, 0));
    let texts: Vec<_> = own.schema.events_statements_history_long().map(|row| row.sql_text).collect();
    assert_eq!(texts, [Some("inner".to_owned()), Some("outer".to_owned())]);
    let stage = own.schema.events_stages_history_long().next().unwrap();
    assert_eq!((stage.work_completed, stage.work_estimated), (Some(3), Some(4)));
}

#[test]
fn a_statement_is_refined_and_counted_to_the_final_class_alone() {
    let own = Own::new(roomy());
    own.on_thread(|| {
        let (get, set) = (StatementClass::new(own.get), StatementClass::new(own.set));
        // Open in a frame, with a child, and past the stack.
        let mut statement = statement::begin(own.get);
        statement.rows_sent(1);
        own.wait(|| ());
        statement.refine(&set);
        let row = own.schema.events_statements_current().next().unwrap();
        assert_eq!((row.event_name, row.event_id), (own.set.name(), 1));
        drop(statement);
        assert_eq!((own.statements(own.get).count_star, own.statements(own.get).sum_rows_sent), (0, 0));
        assert_eq!((own.statements(own.set).count_star, own.statements(own.set).sum_rows_sent), (1, 1));

        // In the midst of a future, by what runs in it.
        block_on(
            async {
                pause().await;
                let _stage = stage::begin(own.inner);
                statement::current().refine(&set);
                pause().await;
            }
            .in_statement(&get),
        );
        assert_eq!((own.statements(own.get).count_star, own.statements(own.set).count_star), (0, 2));

        // To a class that is disabled: neither counted nor shown, and what is in it is as it was.
        own.enable(own.set, false);
        let mut statement = statement::begin(own.get);
        let stage = stage::begin(own.inner);
        statement.refine(&set);
        assert_eq!(own.schema.events_statements_current().count(), 0);
        statement.refine(&get);
        statement.rows_sent(7);
        drop(stage);
        drop(statement);
        own.wait(|| ());
        own.enable(own.set, true);
        assert_eq!((own.statements(own.get).count_star, own.statements(own.set).count_star), (0, 2));
        assert_eq!((own.statements(own.get).sum_rows_sent, own.stages(own.inner).count_star), (0, 2));

        // To one that is not timed.
        own.schema.set_instrument(own.set.name(), None, Some(pfs_runtime::class::Timed::No)).unwrap();
        let mut statement = statement::begin(own.get);
        statement.refine(&set);
        drop(statement);
        let row = own.schema.events_statements_history().last().unwrap();
        assert_eq!((row.event_name, row.timer_start, row.timer_wait), (own.set.name(), None, None));
        let row = own.statements(own.set);
        assert_eq!(row.count_star, 3);
    });
    let names: Vec<_> = own.schema.events_statements_history_long().map(|row| row.event_name).collect();
    assert_eq!(names, [own.set.name(); 3]);
}

#[test]
fn a_refined_statement_that_found_no_frame_is_counted_once() {
    let own = Own::new(roomy().size(SizeKey::MaxStatementStack, 1));
    own.on_thread(|| {
        let _first = statement::begin(own.get);
        let mut past = statement::begin(own.get);
        past.refine(&StatementClass::new(own.set));
        past.rows_sent(2);
        drop(past);
        own.enable(own.set, false);
        let mut past = statement::begin(own.get);
        past.refine(&StatementClass::new(own.set));
        drop(past);
        own.enable(own.set, true);
    });
    assert_eq!((own.statements(own.get).count_star, own.statements(own.set).count_star), (1, 1));
    assert_eq!(own.statements(own.set).sum_rows_sent, 2);
}

#[test]
fn what_waits_shows_its_stage() {
    let own = Own::new(roomy());
    own.on_thread(|| {
        let mut session = session(own);
        let mut future =
            Box::pin(statement(own.get, task::stage(own.outer, task::stage(own.inner, work(own, 1)))));
        {
            let _attached = session.attach();
            assert!(poll(future.as_mut()).is_pending());
        }
        let state = || own.schema.threads().find(|row| row.thread_id == 2).unwrap().processlist_state;
        assert_eq!(state().as_deref(), Some("inner"));
        {
            let _attached = session.attach();
            assert!(poll(future.as_mut()).is_ready());
        }
        assert_eq!(state(), None);
    });
}
