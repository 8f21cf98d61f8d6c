//! Events as a single context records them: ids, parents, times, and who ends an event that its own code does not end.

mod own_schema;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use own_schema::{Own, recording, short};
use pfs_runtime::config::{Consumer, SizeKey};
use pfs_runtime::event::EventRecord;
use pfs_runtime::model::{Ending, NestingType, Operation};
use pfs_runtime::schema::EventTable;
use pfs_runtime::stage::{self, StageClass};
use pfs_runtime::statement;
use pfs_runtime::sync::mutex;
use pfs_runtime::thread::end_open_events;
use pfs_runtime::transaction::TransactionOptions;

/// Name, id, last id at the end, parent's id.
type Nested = (&'static str, u64, u64, Option<u64>);

fn nested(event: &EventRecord) -> Nested {
    let end = event.end_event_id.expect("an event that ended");
    (short(event.class), event.event_id, end, event.nesting.map(|(id, _)| id))
}

fn ended(own: &Own) -> Vec<Nested> {
    own.ended().iter().map(nested).collect()
}

fn endings(own: &Own) -> Vec<(&'static str, Ending)> {
    own.ended().iter().map(|event| (short(event.class), event.ending)).collect()
}

#[test]
fn a_statement_its_stages_and_their_waits() {
    let own = Own::new(recording().constant_step_clock(10));
    own.on_thread(|| {
        let lock = mutex::with_class(own.lock, ());
        let _statement = statement::begin(own.get);
        {
            let _outer = stage::begin(own.outer);
            drop(lock.lock());
            {
                let _inner = stage::begin(own.inner);
                drop(lock.lock());
            }
            drop(lock.lock());
        }
        drop(lock.lock());
    });
    assert_eq!(
        ended(own),
        [
            ("get", 1, 7, None),
            ("outer", 2, 6, Some(1)),
            ("lock", 3, 3, Some(2)),
            ("inner", 4, 5, Some(2)),
            ("lock", 5, 5, Some(4)),
            ("lock", 6, 6, Some(2)),
            ("lock", 7, 7, Some(1)),
        ]
    );
    // The first reading, 10, was that of the thread's registration.
    let times: Vec<_> = own.ended().iter().map(|event| (event.start, event.end)).collect();
    let expected = [(20, 150), (30, 120), (40, 50), (60, 90), (70, 80), (100, 110), (130, 140)];
    assert_eq!(times, expected.map(|(start, end)| (Some(start), Some(end))));
    let parents: Vec<_> = own.ended().iter().map(|event| event.nesting.map(|(_, kind)| kind)).collect();
    let (statement, stage) = (Some(NestingType::Statement), Some(NestingType::Stage));
    assert_eq!(parents, [None, statement, stage, stage, stage, stage, statement]);
    assert!(endings(own).iter().all(|(_, ending)| *ending == Ending::Itself));
    let operations: Vec<_> = own.ended().iter().filter_map(|event| event.operation).collect();
    assert_eq!(operations, [Operation::Lock; 4]);
    // What the summaries hold is what the events took.
    assert_eq!((own.waits(own.lock).count_star, own.waits(own.lock).sum_timer_wait), (4, 40));
    assert_eq!((own.stages(own.outer).count_star, own.stages(own.outer).sum_timer_wait), (1, 90));
    assert_eq!((own.stages(own.inner).count_star, own.stages(own.inner).sum_timer_wait), (1, 30));
    assert_eq!((own.statements(own.get).count_star, own.statements(own.get).sum_timer_wait), (1, 130));
}

#[test]
fn rows_show_the_same_in_the_columns_of_the_tables() {
    let own = Own::new(recording().constant_step_clock(10));
    let line = own.on_thread(|| {
        let _statement = statement::begin(own.set);
        drop(stage::begin(own.outer));
        own.wait(|| line!())
    });
    let wait = own.schema.events_waits_history_long().next().unwrap();
    assert_eq!((wait.thread_id, wait.event_id, wait.end_event_id), (1, 3, Some(3)));
    assert_eq!(wait.event_name, "wait/io/own/disk");
    assert_eq!(wait.source, Some(format!("event_nesting.rs:{line}")));
    assert_eq!((wait.timer_start, wait.timer_end, wait.timer_wait), (Some(50), Some(60), Some(10)));
    assert_eq!((wait.nesting_event_id, wait.nesting_event_type), (Some(1), Some(NestingType::Statement)));
    assert_eq!((wait.operation, wait.object_instance_begin), ("wait", 0));
    assert_eq!(wait.ended_by, Some(Ending::Itself));
    let stage = own.schema.events_stages_history_long().next().unwrap();
    assert_eq!((stage.event_id, stage.end_event_id, stage.nesting_event_id), (2, Some(2), Some(1)));
    assert_eq!((stage.timer_start, stage.timer_end, stage.timer_wait), (Some(30), Some(40), Some(10)));
    let statement = own.schema.events_statements_history_long().next().unwrap();
    assert_eq!((statement.event_id, statement.end_event_id), (1, Some(3)));
    assert_eq!((statement.nesting_event_id, statement.nesting_event_type), (None, None));
    assert_eq!(statement.nesting_event_level, Some(0));
    assert_eq!(statement.timer_wait, Some(50));
}

#[test]
fn a_wait_between_statements_has_no_parent() {
    let own = Own::new(recording());
    own.on_thread(|| {
        drop(statement::begin(own.get));
        own.wait(|| ());
        drop(statement::begin(own.get));
        own.wait(|| ());
    });
    assert_eq!(
        ended(own),
        [("get", 1, 1, None), ("disk", 2, 2, None), ("get", 3, 3, None), ("disk", 4, 4, None)]
    );
}

#[test]
fn a_wait_within_a_wait_and_a_statement_within_a_wait() {
    let own = Own::new(recording());
    own.on_thread(|| {
        own.wait(|| {
            own.wait(|| ());
            let _statement = statement::begin(own.get);
            own.wait(|| ());
        });
    });
    assert_eq!(
        ended(own),
        [("disk", 1, 4, None), ("disk", 2, 2, Some(1)), ("get", 3, 4, Some(1)), ("disk", 4, 4, Some(3))]
    );
    assert_eq!(own.ended()[1].nesting, Some((1, NestingType::Wait)));
}

#[test]
fn the_parent_is_the_nearest_ancestor_that_is_recorded() {
    let own = Own::new(recording());
    own.consumer(Consumer::EventsStagesCurrent, false);
    own.on_thread(|| {
        let _statement = statement::begin(own.get);
        let _outer = stage::begin(own.outer);
        own.wait(|| ());
        own.enable(own.set, false);
        let _off = statement::begin(own.set);
        own.wait(|| ());
        own.consumer(Consumer::EventsStagesCurrent, true);
        let _inner = stage::begin(own.inner);
        own.wait(|| ());
    });
    assert_eq!(
        ended(own),
        [
            ("get", 1, 5, None),
            ("disk", 2, 2, Some(1)),
            ("disk", 3, 3, Some(1)),
            ("inner", 4, 5, Some(1)),
            ("disk", 5, 5, Some(4)),
        ]
    );
    // What is not recorded counts all the same, unless it is disabled.
    assert_eq!(own.stages(own.outer).count_star, 1);
    assert_eq!(own.statements(own.set).count_star, 0);
}

#[test]
fn statements_have_a_level() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let _first = statement::begin(own.get);
        let _stage = stage::begin(own.outer);
        let _second = statement::begin(own.set);
        own.wait(|| drop(statement::begin(own.get)));
    });
    let rows: Vec<_> = own
        .schema
        .events_statements_history_long()
        .map(|row| (row.event_id, row.nesting_event_id, row.nesting_event_level))
        .collect();
    // Innermost first, as they ended.
    assert_eq!(rows, [(5, Some(4), Some(2)), (3, Some(2), Some(1)), (1, None, Some(0))]);
}

#[test]
fn a_statement_past_the_stack_counts_and_its_children_belong_to_the_last_recorded() {
    let own = Own::new(recording().size(SizeKey::MaxStatementStack, 2));
    own.on_thread(|| {
        let _first = statement::begin(own.get);
        let _second = statement::begin(own.get);
        {
            let mut third = statement::begin(own.set);
            third.text("not kept");
            let _fourth = statement::begin(own.set);
            own.wait(|| ());
        }
        // The third and the fourth have ended, and the second is the innermost still.
        own.wait(|| ());
    });
    assert_eq!(
        ended(own),
        [("get", 1, 4, None), ("get", 2, 4, Some(1)), ("disk", 3, 3, Some(2)), ("disk", 4, 4, Some(2))]
    );
    assert_eq!((own.statements(own.get).count_star, own.statements(own.set).count_star), (2, 2));
    assert_eq!(own.status("nested_statement_lost"), 2);
}

#[test]
fn what_a_statement_past_the_stack_says_of_itself_is_counted() {
    let own = Own::new(recording().size(SizeKey::MaxStatementStack, 1));
    own.on_thread(|| {
        let _first = statement::begin(own.get);
        let mut second = statement::begin(own.set);
        second.rows_sent(3);
        second.rows_sent(4);
        second.record_error(7, "HY000", format_args!("lost"));
    });
    let summary = own.statements(own.set);
    assert_eq!((summary.count_star, summary.sum_rows_sent, summary.sum_errors), (1, 7, 1));
}

#[test]
fn stages_and_waits_past_their_stacks_count() {
    let own = Own::new(recording().size(SizeKey::MaxStageStack, 1));
    own.on_thread(|| {
        let _outer = stage::begin(own.outer);
        drop(stage::begin(own.inner));
        drop(stage::begin(own.inner));
        // Five waits may be open at once.
        fn deep(own: &Own, depth: u32) {
            own.wait(|| {
                if depth > 1 {
                    deep(own, depth - 1);
                }
            });
        }
        deep(own, 7);
        deep(own, 5);
    });
    assert_eq!((own.stages(own.outer).count_star, own.stages(own.inner).count_star), (1, 2));
    assert_eq!(own.waits(own.disk).count_star, 12);
    assert_eq!((own.status("nested_stage_lost"), own.status("locker_lost")), (2, 2));
    let names: Vec<_> = own.ended().iter().map(|event| short(event.class)).collect();
    assert_eq!(names.iter().filter(|name| **name == "disk").count(), 10);
    assert_eq!(names.iter().filter(|name| **name == "outer").count(), 1);
    assert_eq!(names.len(), 11);
}

#[test]
fn what_is_not_recorded_is_not_lost() {
    let own = Own::new(recording().size(SizeKey::MaxStatementStack, 1).size(SizeKey::MaxStageStack, 1));
    for consumer in
        [Consumer::EventsStatementsCurrent, Consumer::EventsStagesCurrent, Consumer::EventsWaitsCurrent]
    {
        own.consumer(consumer, false);
    }
    own.on_thread(|| {
        let _statements = [statement::begin(own.get), statement::begin(own.get), statement::begin(own.get)];
        let _stages = [stage::begin(own.outer), stage::begin(own.outer)];
    });
    assert_eq!((own.statements(own.get).count_star, own.stages(own.outer).count_star), (3, 2));
    assert_eq!((own.status("nested_statement_lost"), own.status("nested_stage_lost")), (0, 0));
}

#[test]
fn a_parent_that_ends_first_ends_what_is_open_in_it() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let statement = statement::begin(own.get);
        let outer = stage::begin(own.outer);
        let inner = stage::begin(own.inner);
        drop(statement);
        own.wait(|| ());
        // Their events have ended: no more events, no more counts.
        drop(outer);
        drop(inner);
    });
    assert_eq!(
        ended(own),
        [("get", 1, 3, None), ("outer", 2, 3, Some(1)), ("inner", 3, 3, Some(2)), ("disk", 4, 4, None)]
    );
    assert_eq!(
        endings(own),
        [
            ("get", Ending::Itself),
            ("outer", Ending::Parent),
            ("inner", Ending::Parent),
            ("disk", Ending::Itself)
        ]
    );
    assert_eq!((own.stages(own.outer).count_star, own.stages(own.inner).count_star), (1, 1));
    let row = own.schema.events_stages_history_long().next().unwrap();
    assert_eq!((row.event_name, row.ended_by), ("stage/own/inner", Some(Ending::Parent)));
}

#[test]
fn a_wait_that_outlives_its_statement_is_counted_once() {
    let own = Own::new(recording().constant_step_clock(10));
    own.on_thread(|| {
        let statement = statement::begin(own.get);
        own.wait(move || drop(statement));
        own.wait(|| ());
    });
    assert_eq!(ended(own), [("get", 1, 2, None), ("disk", 2, 2, Some(1)), ("disk", 3, 3, None)]);
    assert_eq!(endings(own)[1], ("disk", Ending::Parent));
    assert_eq!(own.waits(own.disk).count_star, 2);
}

#[test]
fn guards_dropped_in_the_order_of_their_making() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let (first, second, third) =
            (stage::begin(own.outer), stage::begin(own.inner), stage::begin(own.outer));
        drop(second);
        own.wait(|| ());
        drop(first);
        own.wait(|| ());
        drop(third);
    });
    assert_eq!(
        ended(own),
        [
            ("outer", 1, 4, None),
            ("inner", 2, 3, Some(1)),
            ("outer", 3, 3, Some(2)),
            ("disk", 4, 4, Some(1)),
            ("disk", 5, 5, None)
        ]
    );
    assert_eq!((own.stages(own.outer).count_star, own.stages(own.inner).count_star), (2, 1));
}

#[test]
fn a_forgotten_guard_is_ended_by_its_parent() {
    let own = Own::new(recording());
    own.on_thread(|| {
        // As many as there is room for, so that one left over would be missed.
        for _ in 0..100 {
            let _statement = statement::begin(own.get);
            std::mem::forget(stage::begin(own.outer));
            std::mem::forget(statement::begin(own.set));
        }
        own.wait(|| ());
    });
    let events = ended(own);
    assert_eq!(events.len(), 301);
    assert_eq!(events[0..3], [("get", 1, 3, None), ("outer", 2, 3, Some(1)), ("set", 3, 3, Some(2))]);
    assert_eq!(
        events[297..],
        [
            ("get", 298, 300, None),
            ("outer", 299, 300, Some(298)),
            ("set", 300, 300, Some(299)),
            ("disk", 301, 301, None)
        ]
    );
    let counts = [own.statements(own.get).count_star, own.statements(own.set).count_star];
    assert_eq!((counts, own.stages(own.outer).count_star), ([100, 100], 100));
    assert_eq!((own.status("nested_statement_lost"), own.status("nested_stage_lost")), (0, 0));
}

#[test]
fn what_was_forgotten_with_nothing_around_it_ends_when_it_is_asked() {
    // The depth of statements is 10.
    let own = Own::new(recording());
    own.on_thread(|| {
        assert_eq!(end_open_events(), 0);
        for round in 1..=3 {
            let transaction = TransactionOptions::new().begin_of(own.transaction);
            let stages: Vec<_> = (0..3).map(|_| stage::begin(own.outer)).collect();
            for _ in 0..12 {
                std::mem::forget(statement::begin(own.get));
            }
            assert_eq!(own.status("nested_statement_lost"), 2 * round);
            assert_eq!(end_open_events(), 14);
            // Their guards end nothing, and no other's event.
            let _statement = statement::begin(own.set);
            drop((transaction, stages));
            assert!(statement::current().wants_text());
        }
        drop(statement::begin(own.get));
    });
    // Two of each round had no frame and are never counted, because their guards were forgotten.
    assert_eq!((own.statements(own.get).count_star, own.statements(own.set).count_star), (31, 3));
    assert_eq!((own.stages(own.outer).count_star, own.transactions().timer.count_star), (9, 3));
    let events = own.ended();
    let last = events.last().unwrap();
    assert_eq!((last.nesting, last.level, last.ending), (None, 0, Ending::Itself));
    let asked = events.iter().filter(|event| event.ending == Ending::Context);
    assert_eq!(asked.count(), 3 * 14);
    assert_eq!(own.schema.threads().count(), 0);
}

#[test]
fn a_context_that_ends_ends_what_is_open_in_it() {
    let own = Own::new(recording());
    own.on_thread(|| {
        std::mem::forget(statement::begin(own.get));
        std::mem::forget(stage::begin(own.outer));
        own.wait(|| ());
    });
    assert_eq!(ended(own), [("get", 1, 3, None), ("outer", 2, 3, Some(1)), ("disk", 3, 3, Some(2))]);
    assert_eq!(
        endings(own),
        [("get", Ending::Context), ("outer", Ending::Context), ("disk", Ending::Itself)]
    );
    assert_eq!((own.statements(own.get).count_star, own.stages(own.outer).count_star), (1, 1));
    // It has left the tables of what lives.
    assert_eq!((own.events(EventTable::Current).len(), own.events(EventTable::History).len()), (0, 0));
    assert_eq!(own.schema.threads().count(), 0);
}

#[test]
fn a_panic_ends_events() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let _statement = statement::begin(own.get);
            let _stage = stage::begin(own.outer);
            own.wait(|| resume_unwind(Box::new("expected")))
        }));
        assert_eq!(outcome.unwrap_err().downcast_ref(), Some(&"expected"));
        own.wait(|| ());
    });
    assert_eq!(
        ended(own),
        [("get", 1, 3, None), ("outer", 2, 3, Some(1)), ("disk", 3, 3, Some(2)), ("disk", 4, 4, None)]
    );
    assert!(endings(own).iter().all(|(_, ending)| *ending == Ending::Itself));
    assert_eq!(own.waits(own.disk).count_star, 2);
}

#[test]
fn a_thread_that_panics_ends_its_events() {
    let own = Own::new(recording());
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        own.on_thread(|| {
            let _statement = statement::begin(own.get);
            resume_unwind(Box::new(()))
        })
    }));
    assert!(outcome.is_err());
    assert_eq!(ended(own), [("get", 1, 1, None)]);
    assert_eq!(own.statements(own.get).count_star, 1);
}

#[test]
fn switching_a_stage_ends_it_and_begins_the_next_in_its_place() {
    for config in [recording(), recording().constant_step_clock(10)] {
        let own = Own::new(config);
        own.on_thread(|| {
            let _statement = statement::begin(own.get);
            let mut stage = stage::begin(own.outer);
            let within = stage::begin(own.outer);
            stage.switch(StageClass::new(own.inner));
            drop(within);
            own.wait(|| ());
            stage.switch(StageClass::new(own.outer));
        });
        assert_eq!(
            ended(own),
            [
                ("get", 1, 6, None),
                ("outer", 2, 3, Some(1)),
                ("outer", 3, 3, Some(2)),
                ("inner", 4, 5, Some(1)),
                ("disk", 5, 5, Some(4)),
                ("outer", 6, 6, Some(1)),
            ]
        );
        assert_eq!((own.stages(own.outer).count_star, own.stages(own.inner).count_star), (3, 1));
    }
}

#[test]
fn switching_reads_the_clock_once() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let mut stage = stage::begin(own.outer);
        stage.switch(StageClass::new(own.inner));
    });
    let events = own.ended();
    assert_eq!(events[0].end, events[1].start);
}

#[test]
fn the_current_tables_show_what_is_open_and_the_last_that_ended() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let current = || -> Vec<_> {
            own.events(EventTable::Current)
                .iter()
                .map(|event| (short(event.class), event.event_id, event.end_event_id))
                .collect()
        };
        assert_eq!(current(), []);
        let statement = statement::begin(own.get);
        let nested = statement::begin(own.set);
        let outer = stage::begin(own.outer);
        assert_eq!(current(), [("get", 1, None), ("set", 2, None), ("outer", 3, None)]);
        own.wait(|| {
            assert_eq!(
                current(),
                [("get", 1, None), ("set", 2, None), ("outer", 3, None), ("disk", 4, None)]
            );
        });
        assert_eq!(current(), [("get", 1, None), ("set", 2, None), ("outer", 3, None), ("disk", 4, Some(4))]);
        let inner = stage::begin(own.inner);
        assert_eq!(current().iter().filter(|event| event.2.is_none()).count(), 4);
        drop(inner);
        // A stage that ended is not current; the one around it is again.
        assert_eq!(current(), [("get", 1, None), ("set", 2, None), ("outer", 3, None), ("disk", 4, Some(4))]);
        drop(outer);
        drop(nested);
        assert_eq!(current(), [("get", 1, None), ("disk", 4, Some(4))]);
        drop(statement);
        assert_eq!(current(), [("get", 1, Some(5)), ("disk", 4, Some(4))]);
    });
    assert_eq!(own.events(EventTable::Current).len(), 0);
}

#[test]
fn an_open_event_is_shown_to_other_threads_with_its_thread() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let mut statement = statement::begin(own.get);
        statement.text("GET answer");
        let _stage = stage::begin(own.outer);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let rows: Vec<_> = own.schema.threads().collect();
                assert_eq!(rows.len(), 1);
                assert_eq!((rows[0].thread_id, rows[0].name), (1, "thread/own/worker"));
                assert_eq!(rows[0].processlist_info.as_deref(), Some("GET answer"));
                assert_eq!(rows[0].processlist_state.as_deref(), Some("outer"));
                let row = own.schema.events_statements_current().next().unwrap();
                assert_eq!((row.thread_id, row.sql_text.as_deref()), (1, Some("GET answer")));
                assert_eq!((row.end_event_id, row.ended_by, row.returned_sqlstate), (None, None, None));
            });
        });
    });
}

#[test]
fn each_context_has_ids_of_its_own() {
    let own = Own::new(recording());
    for _ in 0..3 {
        own.on_thread(|| {
            let _statement = statement::begin(own.get);
            own.wait(|| ());
        });
    }
    let ids: Vec<_> = own.ended().iter().map(|event| (event.thread_id, event.event_id)).collect();
    // The slot of the first is used again by the others, and its number is not.
    assert_eq!(ids, [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)]);
}
