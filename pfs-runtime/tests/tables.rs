//! Every table over events that are known to the tick: a schema with a clock whose every reading is 10 later than
//! the one before on the same thread, and one thread that does a few things in it.

mod os_thread;

use pfs_runtime::class::{Class, Kind, Timed};
use pfs_runtime::config::Config;
use pfs_runtime::context::thread::{current_id, enter_schema};
use pfs_runtime::model::{Ending, NestingType};
#[cfg(feature = "json")]
use pfs_runtime::report::{Text, json};
use pfs_runtime::schema::Schema;
use pfs_runtime::sync::{Condvar, Mutex, RwLock, condvar, mutex, rwlock};
#[cfg(feature = "json")]
use pfs_runtime::tables::TABLES;
use pfs_runtime::tables::{Scan, TableDef, Value, YesNo, find};
use pfs_runtime::{stage, statement};

/// A schema of its own, and its classes.
struct Fixture {
    schema: &'static Schema,
    mutex: &'static Class,
    rwlock: &'static Class,
    cond: &'static Class,
    stage: &'static Class,
    statement: &'static Class,
    thread: &'static Class,
}

impl Fixture {
    /// Every consumer is on and every instrument is timed.
    fn new() -> Self {
        let class =
            |kind, name| -> &'static Class { Box::leak(Box::new(Class::new(kind, name, "src/kv.rs", 7))) };
        let mutex = class(Kind::Mutex, "wait/synch/mutex/kv/LOCK_index");
        let rwlock = class(Kind::RwLock, "wait/synch/rwlock/kv/map");
        let cond = class(Kind::Cond, "wait/synch/cond/kv/flushed");
        let stage = class(Kind::Stage, "stage/kv/parsing");
        let statement = class(Kind::Statement, "statement/kv/get");
        let thread = class(Kind::Thread, "thread/kv/flusher");
        let mut config = Config::new().max_connections(2).constant_step_clock(10);
        for kind in ["waits", "stages", "statements"] {
            for table in ["current", "history", "history_long"] {
                config = config.consumer(format!("events_{kind}_{table}"), true);
            }
        }
        let schema = Schema::new(&config, [mutex, rwlock, cond, stage, statement, thread]);
        let schema = schema.expect("the schema starts");
        schema.set_instruments(|_| true, None, Some(Timed::Yes)).expect("everything can be timed");
        Fixture { schema, mutex, rwlock, cond, stage, statement, thread }
    }

    /// Runs `body` on a thread of the schema, with its THREAD_ID.
    fn on_thread<R: Send>(&self, body: impl FnOnce(u64) -> R + Send) -> R {
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                enter_schema(self.schema, self.thread);
                body(current_id().expect("the thread is registered"))
            });
            thread.join().expect("the thread ends well")
        })
    }
}

fn table(name: &str) -> &'static TableDef {
    find(name).expect("the table is there")
}

fn count(schema: &Schema, table: &TableDef, eq: &[(usize, Value<'_>)]) -> usize {
    let mut rows = table.rows(schema, &Scan { eq });
    let mut count = 0;
    while rows.next().is_some() {
        count += 1;
    }
    count
}

#[test]
fn waits_are_summed_by_class_thread_and_instance() {
    let fixture = Fixture::new();
    let schema = fixture.schema;
    let lock = mutex::with_class(fixture.mutex, ());
    fixture.on_thread(|thread_id| {
        for _ in 0..3 {
            drop(lock.lock());
        }
        let global: Vec<_> =
            schema.events_waits_summary_global_by_event_name().filter(|row| row.count_star > 0).collect();
        assert_eq!(global.len(), 1);
        let row = &global[0];
        assert_eq!(row.event_name, "wait/synch/mutex/kv/LOCK_index");
        assert_eq!((row.count_star, row.sum_timer_wait), (3, 30));
        assert_eq!((row.min_timer_wait, row.avg_timer_wait, row.max_timer_wait), (10, 10, 10));
        assert_eq!((row.summary.count_waited, row.summary.avg_timer_waited), (0, 0));
        assert_eq!(
            row.to_string(),
            "event_name=wait/synch/mutex/kv/LOCK_index count_star=3 sum_timer_wait=30 ps min_timer_wait=10 ps \
             avg_timer_wait=10 ps max_timer_wait=10 ps count_waited=0 avg_timer_waited=0 ps"
        );

        let by_thread: Vec<_> = schema.events_waits_summary_by_thread_by_event_name().collect();
        assert_eq!(by_thread.len(), 3, "a row a class, those that counted nothing among them");
        let of_lock = by_thread.iter().find(|other| other.event_name == row.event_name).unwrap();
        assert_eq!((of_lock.thread_id, of_lock.summary), (thread_id, row.summary));

        let by_instance: Vec<_> = schema.events_waits_summary_by_instance().collect();
        assert_eq!(by_instance.len(), 1);
        assert_eq!((by_instance[0].event_name, by_instance[0].summary), (row.event_name, row.summary));
    });
}

#[test]
fn truncate_follows_the_levels() {
    let fixture = Fixture::new();
    let schema = fixture.schema;
    let lock = mutex::with_class(fixture.mutex, ());
    let counts = || {
        let global: u64 = schema.events_waits_summary_global_by_event_name().map(|row| row.count_star).sum();
        let thread: u64 =
            schema.events_waits_summary_by_thread_by_event_name().map(|row| row.count_star).sum();
        let instance: u64 = schema.events_waits_summary_by_instance().map(|row| row.count_star).sum();
        (global, thread, instance)
    };
    fixture.on_thread(|_| {
        let use_lock = |times: u32| (0..times).for_each(|_| drop(lock.lock()));
        use_lock(4);
        assert_eq!(counts(), (4, 4, 4));
        table("events_waits_summary_by_thread_by_event_name").truncate(schema).unwrap();
        assert_eq!(counts(), (4, 0, 4));
        use_lock(2);
        assert_eq!(counts(), (6, 2, 6));
        table("events_waits_summary_by_instance").truncate(schema).unwrap();
        assert_eq!(counts(), (6, 2, 0));
        use_lock(1);
        assert_eq!(counts(), (7, 3, 1));
        table("events_waits_summary_global_by_event_name").truncate(schema).unwrap();
        assert_eq!(counts(), (0, 0, 1));
        use_lock(1);
        assert_eq!(counts(), (1, 1, 2));
    });
    assert_eq!(counts(), (1, 0, 2), "a thread that ended is still in the total");
}

#[test]
fn events_nest_and_their_times_lie_within_each_other() {
    let fixture = Fixture::new();
    let schema = fixture.schema;
    let lock = mutex::with_class(fixture.mutex, ());
    fixture.on_thread(|thread_id| {
        let mut get = statement::begin(fixture.statement);
        get.text("GET a\n");
        get.schema("db0");
        get.rows_sent(3);
        {
            let _parsing = stage::begin(fixture.stage);
            drop(lock.lock());
            let open: Vec<_> = schema.events_stages_current().collect();
            assert_eq!(open.len(), 1);
            assert_eq!((open[0].event_id, open[0].end_event_id, open[0].ended_by), (2, None, None));
            assert!(open[0].timer_wait.unwrap() > 0);
        }
        assert_eq!(schema.events_stages_current().count(), 0, "a stage that ended is not current");
        drop(get);

        let statement = schema.events_statements_current().next().unwrap();
        let stage = schema.events_stages_history().next().unwrap();
        let wait = schema.events_waits_history().next().unwrap();
        for event in [&*statement, &*stage, &*wait] {
            assert_eq!(event.thread_id, thread_id);
            let [start, end, wait] =
                [event.timer_start, event.timer_end, event.timer_wait].map(Option::unwrap);
            assert_eq!(end - start, wait);
        }
        assert_eq!((statement.event_id, statement.end_event_id), (1, Some(3)));
        assert_eq!((stage.event_id, stage.end_event_id), (2, Some(3)));
        assert_eq!((wait.event_id, wait.end_event_id), (3, Some(3)));
        assert_eq!((statement.nesting_event_id, statement.nesting_event_type), (None, None));
        assert_eq!(
            (stage.nesting_event_id, stage.nesting_event_type),
            (Some(1), Some(NestingType::Statement))
        );
        assert_eq!((wait.nesting_event_id, wait.nesting_event_type), (Some(2), Some(NestingType::Stage)));
        assert!(statement.timer_start < stage.timer_start && stage.timer_start < wait.timer_start);
        assert!(wait.timer_end < stage.timer_end && stage.timer_end < statement.timer_end);
        assert_eq!(wait.ended_by, Some(Ending::Itself));
        assert_eq!((wait.operation, wait.timer_wait), ("lock", Some(10)));
        assert_eq!(wait.source.as_deref().unwrap().split(':').next(), Some("tables.rs"));
        let instance = schema.mutex_instances().next().unwrap();
        assert_eq!(wait.object_instance_begin, instance.object_instance_begin);

        assert_eq!(statement.sql_text.as_deref(), Some("GET a\n"));
        assert_eq!(statement.current_schema.as_deref(), Some("db0"));
        assert_eq!((statement.rows_sent, statement.errors, statement.nesting_event_level), (3, 0, Some(0)));
        assert_eq!((statement.mysql_errno, statement.returned_sqlstate.as_deref()), (Some(0), Some("00000")));
        assert_eq!(schema.events_statements_history().next().as_ref(), Some(&statement));
        assert_eq!(schema.events_statements_history_long().next().as_ref(), Some(&statement));
        let summary = schema.events_statements_summary_global_by_event_name().next().unwrap();
        assert_eq!((summary.count_star, summary.summary.sum_rows_sent), (1, 3));
        assert_eq!(Some(summary.sum_timer_wait), statement.timer_wait);
    });
    for name in ["events_stages_history", "events_waits_history", "events_statements_current"] {
        assert_eq!(count(schema, table(name), &[]), 0, "{name}: rows go with their thread");
    }
    for name in ["events_stages_history_long", "events_waits_history_long", "events_statements_history_long"]
    {
        assert_eq!(count(schema, table(name), &[]), 1, "{name}: rows outlive their thread");
        table(name).truncate(schema).unwrap();
        assert_eq!(count(schema, table(name), &[]), 0, "{name}");
    }
}

#[test]
fn an_error_of_a_statement_is_in_its_row_and_sum() {
    let fixture = Fixture::new();
    fixture.on_thread(|_| {
        let mut get = statement::begin(fixture.statement);
        get.record_error(1064, "42000", format_args!("no such command"));
        drop(get);
        let row = fixture.schema.events_statements_history().next().unwrap();
        assert_eq!((row.mysql_errno, row.errors), (Some(1064), 1));
        assert_eq!(row.returned_sqlstate.as_deref(), Some("42000"));
        assert_eq!(row.message_text.as_deref(), Some("no such command"));
        let sum = fixture.schema.events_statements_summary_by_thread_by_event_name().next().unwrap();
        assert_eq!(sum.summary.sum_errors, 1);
    });
}

#[test]
fn a_thread_shows_what_it_does() {
    let fixture = Fixture::new();
    let schema = fixture.schema;
    fixture.on_thread(|thread_id| {
        let row = schema.threads().next().unwrap();
        assert_eq!((row.thread_id, row.name), (thread_id, "thread/kv/flusher"));
        assert_eq!(
            (row.kind.as_str(), row.processlist_id, row.processlist_command),
            ("BACKGROUND", None, None)
        );
        assert_eq!((row.instrumented, row.history), (YesNo::Yes, YesNo::Yes));
        assert_eq!((&row.processlist_state, &row.processlist_info), (&None, &None));
        assert_eq!(row.thread_os_id, os_thread::id());
        let mut get = statement::begin(fixture.statement);
        get.text("GET a");
        let _parsing = stage::begin(fixture.stage);
        let row = schema.threads().next().unwrap();
        assert_eq!(row.processlist_state.as_deref(), Some("parsing"));
        assert_eq!(row.processlist_info.as_deref(), Some("GET a"));
    });
    assert_eq!(schema.threads().count(), 0);
}

#[test]
fn a_thread_can_be_switched_off() {
    let fixture = Fixture::new();
    let (schema, threads) = (fixture.schema, table("threads"));
    let lock = mutex::with_class(fixture.mutex, ());
    let set = |column: &str, value: &str| {
        let mut rows = threads.rows(schema, &Scan::ALL);
        let row = rows.next().expect("the thread lives");
        threads.update(schema, row, threads.column(column).unwrap(), &Value::Text(value)).unwrap();
    };
    let seen = || {
        let counted: u64 = schema.events_waits_summary_global_by_event_name().map(|row| row.count_star).sum();
        (counted, schema.events_waits_history().count())
    };
    fixture.on_thread(|_| {
        drop(lock.lock());
        assert_eq!(seen(), (1, 1));
        set("HISTORY", "NO");
        drop(lock.lock());
        assert_eq!(seen(), (2, 1));
        set("INSTRUMENTED", "NO");
        drop(lock.lock());
        assert_eq!(seen(), (2, 1));
        set("INSTRUMENTED", "YES");
        drop(lock.lock());
        assert_eq!(seen(), (3, 1), "HISTORY is still NO");
        let row = schema.threads().next().unwrap();
        assert_eq!((row.instrumented, row.history), (YesNo::Yes, YesNo::No));
    });
    let gone = {
        let row = fixture.on_thread(|_| schema.threads().next().unwrap());
        threads.update(schema, &row, threads.column("HISTORY").unwrap(), &Value::Text("NO"))
    };
    assert!(gone.unwrap_err().to_string().starts_with("table `threads` has no row "));
}

#[test]
fn instances_show_their_holders() {
    let fixture = Fixture::new();
    let schema = fixture.schema;
    let lock: Mutex<()> = mutex::with_class(fixture.mutex, ());
    let map: RwLock<()> = rwlock::with_class(fixture.rwlock, ());
    let flushed: Condvar = condvar::with_class(fixture.cond);
    fixture.on_thread(|thread_id| {
        let mutexes = || schema.mutex_instances().map(|row| row.locked_by_thread_id).collect::<Vec<_>>();
        let rwlocks = || {
            let holders = |row: pfs_runtime::tables::rwlock_instances::RwlockInstancesRow| {
                (row.write_locked_by_thread_id, row.read_locked_by_count)
            };
            schema.rwlock_instances().map(holders).collect::<Vec<_>>()
        };
        let held = lock.lock().unwrap();
        assert_eq!(mutexes(), [Some(thread_id)]);
        let timeout = std::time::Duration::from_millis(1);
        let held = flushed.wait_timeout(held, timeout).unwrap().0;
        assert_eq!(
            schema.cond_instances().map(|row| row.name).collect::<Vec<_>>(),
            ["wait/synch/cond/kv/flushed"]
        );
        drop(held);
        assert_eq!(mutexes(), [None]);
        let writing = map.write().unwrap();
        assert_eq!(rwlocks(), [(Some(thread_id), 0)]);
        drop(writing);
        let (_one, _two) = (map.read().unwrap(), map.read().unwrap());
        assert_eq!(rwlocks(), [(None, 2)]);
        let by_holder = table("mutex_instances");
        let column = by_holder.column("LOCKED_BY_THREAD_ID").unwrap();
        assert_eq!(count(schema, by_holder, &[(column, Value::U64(thread_id))]), 0);
    });
    drop((lock, map, flushed));
    let left = ["mutex_instances", "rwlock_instances", "cond_instances", "events_waits_summary_by_instance"]
        .map(|name| count(schema, table(name), &[]));
    assert_eq!(left, [0, 0, 0, 0]);
}

#[test]
fn keys_find_their_rows_alone() {
    let fixture = Fixture::new();
    let schema = fixture.schema;
    let lock = mutex::with_class(fixture.mutex, ());
    fixture.on_thread(|thread_id| {
        (0..3).for_each(|_| drop(lock.lock()));
        let address = schema.mutex_instances().next().unwrap().object_instance_begin;
        let name = Value::Text("wait/synch/mutex/kv/lock_INDEX");
        let by_thread = table("events_waits_summary_by_thread_by_event_name");
        assert_eq!(count(schema, by_thread, &[(0, Value::U64(thread_id)), (1, name)]), 1);
        assert_eq!(
            count(schema, by_thread, &[(0, Value::I64(-1)), (1, name)]),
            1,
            "no hint is no restriction"
        );
        assert_eq!(count(schema, by_thread, &[(0, Value::U64(thread_id + 1))]), 0);
        assert_eq!(count(schema, table("events_waits_summary_global_by_event_name"), &[(0, name)]), 1);
        assert_eq!(count(schema, table("mutex_instances"), &[(1, Value::U64(address))]), 1);
        assert_eq!(count(schema, table("mutex_instances"), &[(1, Value::U64(address + 1))]), 0);
        assert_eq!(count(schema, table("events_waits_summary_by_instance"), &[(0, name)]), 1);
        for history in ["events_waits_history", "events_waits_history_long"] {
            let eq = [(0, Value::U64(thread_id)), (1, Value::U64(2))];
            assert_eq!(count(schema, table(history), &eq), 1);
            assert_eq!(count(schema, table(history), &eq[..1]), 3);
        }
        let os_id = schema.threads().next().unwrap().thread_os_id;
        if let Some(os_id) = os_id {
            let column = table("threads").column("THREAD_OS_ID").unwrap();
            assert_eq!(count(schema, table("threads"), &[(column, Value::U64(os_id))]), 1);
            assert_eq!(count(schema, table("threads"), &[(column, Value::U64(os_id + 1))]), 0);
        }
    });
}

#[cfg(feature = "json")]
#[test]
fn every_table_reads_as_text_and_as_json() {
    let fixture = Fixture::new();
    let schema = fixture.schema;
    let lock = mutex::with_class(fixture.mutex, ());
    fixture.on_thread(|_| {
        let mut get = statement::begin(fixture.statement);
        get.text("GET \"a\"\n");
        drop(lock.lock());
        drop(stage::begin(fixture.stage));
        for table in TABLES {
            let rows = count(schema, table, &[]);
            let text = Text::table(table, schema);
            assert_eq!(text.len(), rows, "{}", table.name());
            assert_eq!(text.to_string().lines().count(), rows + 1, "{}", table.name());
            let json: serde_json::Value = serde_json::from_str(&json::to_string(table, schema)).unwrap();
            let objects = json.as_array().unwrap();
            assert_eq!(objects.len(), rows, "{}", table.name());
            for object in objects {
                let keys = object.as_object().unwrap();
                assert_eq!(keys.len(), table.columns().len());
                assert!(table.columns().iter().all(|column| keys.contains_key(column.lower)));
            }
        }
        let statements = json::to_string(table("events_statements_current"), schema);
        assert!(statements.contains(r#""sql_text":"GET \"a\"\n""#), "{statements}");
    });
}
