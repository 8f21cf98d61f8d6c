//! The classes that a plugin brings to a schema that runs: which of them find a place, and that those have rows, settings
//! and memory as the program's own.

mod own_schema;

use own_schema::class;
use pfs_runtime::class::{Class, EventKind, Instrument, Kind, Timed};
use pfs_runtime::config::{Config, SizeKey};
use pfs_runtime::context::thread::enter_schema;
use pfs_runtime::schema::{Schema, StartError, Taken};
use pfs_runtime::stage;
use pfs_runtime::stat::Level;
use pfs_runtime::tables::YesNo;

fn start(config: Config, plugin_classes: u32) -> &'static Schema {
    let own = [
        class(Kind::Mutex, "wait/synch/mutex/own/LOCK"),
        class(Kind::Stage, "stage/own/parsing"),
        class(Kind::Thread, "thread/own/worker"),
    ];
    Schema::new(&config.size(SizeKey::PluginClasses, plugin_classes), own).unwrap()
}

fn small() -> Config {
    Config::new().max_connections(1).worker_threads(1)
}

fn stages(schema: &Schema) -> Vec<(&'static str, u64)> {
    let rows = schema.events_stages_summary_global_by_event_name();
    rows.map(|row| (row.event_name, row.summary.count_star)).collect()
}

fn lost(schema: &Schema) -> Vec<(&'static str, String)> {
    let rows = schema.global_status().filter(|row| row.variable_name.ends_with("_classes_lost"));
    let rows = rows.map(|row| (row.variable_name, row.variable_value.unwrap()));
    rows.filter(|(_, value)| value != "0").collect()
}

#[test]
fn a_class_that_comes_late_counts_as_the_others() {
    let schema = start(small(), 1);
    let thread = class(Kind::Thread, "thread/own/worker");
    let brought = class(Kind::Stage, "stage/plugin/loading");
    enter_schema(schema, thread);

    // Before, it is the raw operation, and there is no row of it.
    drop(stage::begin(brought));
    assert_eq!(stages(schema), [("stage/own/parsing", 0)]);
    assert_eq!(schema.take_in([brought], []), Taken { classes: 1, lost: 0 });
    assert_eq!(stages(schema), [("stage/own/parsing", 0), ("stage/plugin/loading", 0)]);
    drop(stage::begin(brought));
    drop(stage::begin(brought));
    assert_eq!(stages(schema), [("stage/own/parsing", 0), ("stage/plugin/loading", 2)]);
    let by_thread: Vec<_> = schema
        .events_stages_summary_by_thread_by_event_name()
        .map(|row| (row.event_name, row.summary.count_star))
        .collect();
    assert_eq!(by_thread, stages(schema));
    let shown = schema.setup_instruments().find(|row| row.name == "stage/plugin/loading").unwrap();
    assert_eq!((shown.enabled, shown.timed), (YesNo::Yes, Some(Timed::Yes)));

    schema.set_instrument("stage/plugin/loading", Some(false), None).unwrap();
    drop(stage::begin(brought));
    assert_eq!(stages(schema)[1].1, 2);
    schema.set_instrument("stage/plugin/loading", Some(true), None).unwrap();
    schema.stages.truncate(schema, Level::Global);
    drop(stage::begin(brought));
    assert_eq!(stages(schema)[1].1, 1);
}

#[test]
fn a_name_that_is_there_is_one_more_declaration() {
    let schema = start(small(), 0);
    let again = class(Kind::Stage, "stage/own/parsing");
    enter_schema(schema, class(Kind::Thread, "thread/own/worker"));
    schema.set_instrument("stage/own/parsing", None, Some(Timed::No)).unwrap();
    assert_eq!(schema.take_in([again], []), Taken { classes: 1, lost: 0 });
    drop(stage::begin(again));
    assert_eq!(stages(schema), [("stage/own/parsing", 1)]);
    let row = schema.setup_instruments().find(|row| row.name == "stage/own/parsing").unwrap();
    assert_eq!((row.timed, row.sources.split(", ").count()), (Some(Timed::No), 2));
}

#[test]
fn the_reserve_is_filled_in_the_order_of_kinds_and_names_and_the_rest_is_lost_once() {
    let schema = start(small(), 3);
    let brought: [&'static Class; 7] = [
        class(Kind::Thread, "thread/plugin/worker"),
        class(Kind::Stage, "stage/plugin/b"),
        class(Kind::Stage, "stage/plugin/a"),
        class(Kind::Stage, "stage/own/parsing"),
        class(Kind::File, "wait/io/file/plugin/log"),
        class(Kind::Stage, "stage/plugin/c"),
        class(Kind::Memory, "memory/plugin/cache"),
    ];
    assert_eq!(schema.take_in(brought, []), Taken { classes: 4, lost: 3 });
    let names: Vec<_> = schema.setup_instruments().map(|row| row.name).collect();
    assert_eq!(
        names,
        [
            "wait/synch/mutex/own/LOCK",
            "stage/own/parsing",
            "thread/own/worker",
            "wait/io/file/plugin/log",
            "stage/plugin/a",
            "stage/plugin/b",
        ]
    );
    assert_eq!(
        lost(schema),
        ["memory", "stage", "thread"]
            .map(|kind| (format!("Performance_schema_{kind}_classes_lost"), "1".to_owned()))
            .each_ref()
            .map(|(name, value)| (name.as_str(), value.clone()))
    );

    // The same again: those that have a place keep it, and none is lost twice.
    assert_eq!(schema.take_in(brought, []), Taken { classes: 4, lost: 3 });
    assert_eq!(lost(schema).len(), 3);
    assert!(lost(schema).iter().all(|(_, value)| value == "1"));
    // A class that was lost is the raw operation.
    enter_schema(schema, class(Kind::Thread, "thread/own/worker"));
    assert!(brought[5].word().is_off());
    drop(stage::begin(brought[5]));
    drop(stage::begin(brought[1]));
    assert_eq!(stages(schema), [("stage/own/parsing", 0), ("stage/plugin/a", 0), ("stage/plugin/b", 1)]);
}

#[test]
fn startup_rules_apply_when_a_class_comes() {
    let rules = small()
        .instrument("stage/plugin/%", "COUNTED")
        .instrument("stage/plugin/secret", "OFF")
        .instrument("wait/synch/mutex/plugin/LOCK_b", "ON");
    let schema = start(rules, 10);
    schema.take_in(
        [
            class(Kind::Stage, "stage/plugin/loading"),
            class(Kind::Stage, "stage/plugin/secret"),
            class(Kind::Mutex, "wait/synch/mutex/plugin/LOCK_a"),
            class(Kind::Mutex, "wait/synch/mutex/plugin/LOCK_b"),
        ],
        [],
    );
    let settings = |name: &str| {
        let row = schema.setup_instruments().find(|row| row.name == name).unwrap();
        (row.enabled, row.timed.unwrap())
    };
    assert_eq!(settings("stage/plugin/loading"), (YesNo::Yes, Timed::No));
    assert_eq!(settings("stage/plugin/secret"), (YesNo::No, Timed::No));
    assert_eq!(settings("wait/synch/mutex/plugin/LOCK_a"), (YesNo::Yes, Timed::Contended));
    assert_eq!(settings("wait/synch/mutex/plugin/LOCK_b"), (YesNo::Yes, Timed::Yes));
}

#[test]
fn a_reserve_is_memory_that_is_known_before_start() {
    let rows = |plugin_classes: u32, name: &str| {
        let schema = start(small(), plugin_classes);
        let memory = schema.memory();
        let buffer = memory.buffers().iter().find(|buffer| buffer.name == name).unwrap();
        (buffer.row_count, memory.total())
    };
    const STAGES: &str = "events_stages_summary_global_by_event_name";
    let (none, without) = rows(0, STAGES);
    let (some, with) = rows(100, STAGES);
    assert_eq!((none, some), (1, 101));
    assert!(with > without);
    assert_eq!(rows(100, "events_waits_summary_global_by_event_name").0, 101);
    assert_eq!(rows(100, "events_statements_summary_global_by_event_name").0, 100);
    assert_eq!(rows(100, "events_transactions_summary_global_by_event_name").0, 0);

    let config = |plugin_classes: u32| Config::new().size(SizeKey::PluginClasses, plugin_classes);
    let memory = config(100).memory().unwrap().total();
    assert!(memory > config(0).memory().unwrap().total());
    assert!(matches!(config(65_537).memory(), Err(StartError::Config(_))));
}

#[test]
fn readers_see_whole_rows_while_classes_come() {
    let schema = start(small(), 300);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut seen = 0;
            while seen < 301 {
                let rows: Vec<_> = schema.events_stages_summary_global_by_event_name().collect();
                assert!(rows.len() >= seen);
                assert!(rows.iter().all(|row| row.summary.count_star == 0));
                seen = rows.len();
                let instruments = schema.setup_instruments().filter(|row| row.name.starts_with("stage/"));
                assert!(instruments.map(|row| row.sources).all(|sources| !sources.is_empty()));
            }
        });
        for at in 0..300 {
            let name: &'static str = Box::leak(format!("stage/plugin/{at}").into_boxed_str());
            assert_eq!(schema.take_in([class(Kind::Stage, name)], []), Taken { classes: 1, lost: 0 });
        }
        reader.join().unwrap();
    });
    let indices: Vec<_> = schema.instruments().of_event(EventKind::Stage).map(Instrument::index).collect();
    assert!(indices.into_iter().eq(0..301));
}
