//! What a plugin counts: nothing before it joins, and then as the program does, in the same rows.

use crate::library::{FIRST, Plugin, SECOND};
use crate::{
    CLASSES_OF_PLUGIN, LOCK_OF_PLUGIN, LOCK_OF_PROGRAM, SHARED, SHARED_LOCK, config, count, count_in,
    in_a_process, lock, nothing, serving, thread_id,
};
use pfs::Pfs;
use pfs::tables::YesNo;
use pfs::tables::events_transactions_current::TransactionState;
use std::collections::BTreeSet;

/// The first plugin, joined to a program that records every event.
fn recording() -> (Pfs, Plugin) {
    let everything = ["events_waits_current", "events_waits_history", "events_stages_history"]
        .into_iter()
        .chain(["events_statements_history", "events_transactions_history"])
        .fold(config(), |config, consumer| config.consumer(consumer, true))
        .instrument("wait/synch/%", "ON");
    let (pfs, plugin) = (everything.start().unwrap(), FIRST.plugin());
    assert_eq!(plugin.join(pfs).unwrap().lost, 0);
    (pfs, plugin)
}

#[test]
fn classes_come_when_the_plugin_joins_and_count_from_then_on() {
    in_a_process("counts::classes_come_when_the_plugin_joins_and_count_from_then_on", &[], || {
        let plugin = FIRST.plugin();
        plugin.times("lock", 3);
        let pfs = config().start().unwrap();
        let names = || pfs.setup_instruments().map(|row| row.name).collect::<BTreeSet<_>>();
        let before = names();
        for function in ["lock", "hammer", "read_and_write"] {
            plugin.times(function, 3);
        }
        plugin.within("query", lock);
        plugin.within("serve", lock);
        plugin.within("spawn", lock);
        assert_eq!(names(), before);
        // What ran in the program was counted: as the program's own thread's.
        assert_eq!(count(pfs, LOCK_OF_PROGRAM), 3);
        assert_eq!(count_in(pfs, thread_id().unwrap(), LOCK_OF_PROGRAM), 2);
        assert_eq!(count(pfs, SHARED_LOCK), 0);

        let joined = plugin.join(pfs).unwrap();
        let new: Vec<_> = names().difference(&before).copied().collect();
        assert_eq!(
            new,
            [
                "stage/plugin/first",
                "stage/plugin/parsing",
                "stage/plugin/second",
                "statement/plugin/async",
                "statement/plugin/explain",
                "statement/plugin/query",
                "thread/plugin/session",
                "thread/plugin/worker",
                "wait/synch/cond/plugin/COND_local",
                "wait/synch/mutex/plugin/LOCK_heap",
                "wait/synch/mutex/plugin/LOCK_lazy",
                "wait/synch/mutex/plugin/LOCK_local",
                "wait/synch/mutex/plugin/LOCK_once",
                "wait/synch/mutex/plugin/LOCK_static",
                "wait/synch/rwlock/plugin/LOCK_late",
            ]
        );
        assert_eq!(new.len(), CLASSES_OF_PLUGIN as usize);
        // The engine's own classes are in both, and so is one that both have named alike.
        let engine_s = pfs.setup_instruments().filter(|row| row.sources.contains("builtin.rs")).count();
        assert_eq!((joined.classes, joined.lost), (new.len() + engine_s + 1, 0));
        for name in &new {
            assert!(new_count(pfs, name).is_none_or(|count| count == 0), "{name}");
        }

        plugin.times("lock", 10);
        plugin.times("lock_shared", 5);
        *SHARED.lock().unwrap() += 1;
        plugin.times("read_and_write", 2);
        plugin.run("wait_on_condition");
        plugin.run("two_stages");
        plugin.within("query", lock);
        assert_eq!(count(pfs, LOCK_OF_PLUGIN), 11);
        assert_eq!(count(pfs, SHARED_LOCK), 6);
        assert_eq!(count(pfs, "wait/synch/rwlock/plugin/LOCK_late"), 6);
        assert_eq!(count(pfs, "wait/synch/mutex/plugin/LOCK_local"), 1);
        assert_eq!(count(pfs, "wait/synch/cond/plugin/COND_local"), 1);
        for stage in ["first", "second", "parsing"] {
            assert_eq!(count(pfs, &format!("stage/plugin/{stage}")), 1);
        }
        assert_eq!(count(pfs, "statement/plugin/query"), 1);
        assert_eq!(count(pfs, "statement/plugin/explain"), 0);
        assert_eq!(count(pfs, LOCK_OF_PROGRAM), 4);
        // All of it in the row that this thread had before.
        let thread = thread_id().unwrap();
        for (name, times) in [(LOCK_OF_PLUGIN, 11), (SHARED_LOCK, 6), (LOCK_OF_PROGRAM, 3)] {
            assert_eq!(count_in(pfs, thread, name), times, "{name}");
        }
        let threads: Vec<_> = pfs.threads().map(|row| row.name).collect();
        assert_eq!(threads, ["thread/pfs/main"]);
    });
}

/// How often a class was counted, if it is one that makes events.
fn new_count(pfs: Pfs, name: &str) -> Option<u64> {
    (!name.starts_with("thread/")).then(|| count(pfs, name))
}

#[test]
fn a_class_of_two_places_is_one_row() {
    in_a_process("counts::a_class_of_two_places_is_one_row", &[], || {
        let pfs = config().start().unwrap();
        let (first, second) = (FIRST.plugin(), SECOND.plugin());
        assert_eq!(first.join(pfs).unwrap().lost, 0);
        let joined = second.join(pfs).unwrap();
        let names: Vec<_> = pfs.setup_instruments().map(|row| row.name).collect();
        assert_eq!(names.iter().filter(|name| name.contains("/second/")).count(), 2);
        assert_eq!(names.iter().filter(|name| **name == SHARED_LOCK).count(), 1);
        let engine_s = pfs.setup_instruments().filter(|row| row.sources.contains("builtin.rs")).count();
        assert_eq!((joined.classes, joined.lost), (2 + 1 + engine_s, 0));

        first.times("hammer", 7);
        second.times("hammer", 20);
        *SHARED.lock().unwrap() += 1;
        assert_eq!(count(pfs, SHARED_LOCK), 28);
        assert_eq!(count_in(pfs, thread_id().unwrap(), SHARED_LOCK), 28);
        assert_eq!(count(pfs, "statement/plugin/query"), 7);
        assert_eq!(count(pfs, "statement/second/query"), 20);
        assert_eq!(count(pfs, LOCK_OF_PLUGIN), 14);
        assert_eq!(count(pfs, "wait/synch/mutex/second/LOCK"), 20);

        // Every place is shown, those of the program first; each object is an instance of its own.
        let row = pfs.setup_instruments().find(|row| row.name == SHARED_LOCK).unwrap();
        let places: Vec<_> = row.sources.split(", ").map(|place| place.split(':').next().unwrap()).collect();
        assert_eq!(places, ["main.rs", "lib.rs", "lib.rs"]);
        assert_eq!(pfs.mutex_instances().filter(|row| row.name == SHARED_LOCK).count(), 3);
        let by_instance = pfs.events_waits_summary_by_instance().filter(|row| row.event_name == SHARED_LOCK);
        let mut counts: Vec<_> = by_instance.map(|row| row.summary.count_star).collect();
        counts.sort_unstable();
        assert_eq!(counts, [1, 7, 20]);
    });
}

#[test]
fn events_of_both_stand_in_each_other() {
    in_a_process("counts::events_of_both_stand_in_each_other", &[], || {
        let (pfs, plugin) = recording();
        std::thread::spawn(move || {
            lock();
            let thread = thread_id().unwrap();
            serving(|| plugin.within("query", lock));
            let mut events: Vec<(u64, Option<u64>, Option<u64>, &str)> = Vec::new();
            let mut add = |thread_id, id, end, nesting, name| {
                if thread_id == thread {
                    events.push((id, end, nesting, name));
                }
            };
            for row in pfs.events_waits_history() {
                add(row.thread_id, row.event_id, row.end_event_id, row.nesting_event_id, row.event_name);
            }
            for row in pfs.events_stages_history() {
                add(row.thread_id, row.event_id, row.end_event_id, row.nesting_event_id, row.event_name);
            }
            for row in pfs.events_statements_history() {
                add(row.thread_id, row.event_id, row.end_event_id, row.nesting_event_id, row.event_name);
            }
            events.sort_unstable();
            assert_eq!(
                events,
                [
                    (1, Some(1), None, LOCK_OF_PROGRAM),
                    (2, Some(6), None, "statement/program/serving"),
                    (3, Some(6), Some(2), "statement/plugin/query"),
                    (4, Some(6), Some(3), "stage/plugin/parsing"),
                    (5, Some(5), Some(4), LOCK_OF_PLUGIN),
                    (6, Some(6), Some(4), LOCK_OF_PROGRAM),
                ]
            );
            let mut statements = pfs.events_statements_history().filter(|row| row.thread_id == thread);
            let query = statements.find(|row| row.event_name == "statement/plugin/query").unwrap();
            assert_eq!((query.nesting_event_level, query.errors), (Some(1), 1));
            assert_eq!(query.message_text.as_deref(), Some("refused"));
            assert!(query.event.source.unwrap().starts_with("lib.rs:"));

            // A lock that the plugin holds shows whose thread it is.
            extern "C" fn look() {
                let pfs = pfs::current().unwrap();
                let mut held = pfs.mutex_instances().filter(|row| row.name == LOCK_OF_PLUGIN);
                assert_eq!(held.next().unwrap().locked_by_thread_id, thread_id());
            }
            plugin.within("hold", look);
            let free = pfs.mutex_instances().find(|row| row.name == LOCK_OF_PLUGIN).unwrap();
            assert_eq!(free.locked_by_thread_id, None);
        })
        .join()
        .unwrap();
    });
}

#[test]
fn everything_that_can_be_said_of_an_event_is_kept() {
    in_a_process("counts::everything_that_can_be_said_of_an_event_is_kept", &[], || {
        let (pfs, plugin) = recording();
        plugin.run("explain");
        let row = pfs.events_statements_history().next().unwrap();
        assert_eq!(row.event_name, "statement/plugin/explain");
        assert_eq!(row.sql_text.as_deref(), Some("EXPLAIN plugin"));
        assert_eq!(row.current_schema.as_deref(), Some("plugin_db"));
        assert_eq!((row.rows_sent, row.rows_examined, row.warnings), (3, 4, 1));

        plugin.run("transfer");
        let row = pfs.events_transactions_history().next().unwrap();
        let committed = Some(TransactionState::Committed);
        assert_eq!((row.state, row.number_of_savepoints), (committed, Some(1)));
        let query = pfs.events_statements_history().last().unwrap();
        assert_eq!(query.nesting_event_id, Some(row.event_id));

        plugin.run("two_stages");
        plugin.run("out_of_order");
        let stages: Vec<_> = pfs
            .events_stages_history()
            .filter(|row| row.event_name != "stage/plugin/parsing")
            .map(|row| (row.event_name, row.nesting_event_id.is_some()))
            .collect();
        let (first, second) = ("stage/plugin/first", "stage/plugin/second");
        // Of two that end in the wrong order, the outer one ends the inner.
        assert_eq!(stages, [(first, false), (second, false), (second, true), (first, false)]);
        assert_eq!((count(pfs, first), count(pfs, second)), (2, 2));
        assert_eq!(pfs.events_stages_current().count(), 0);
    });
}

#[test]
fn settings_reach_the_plugin_s_classes() {
    in_a_process("counts::settings_reach_the_plugin_s_classes", &[], || {
        let pfs = config()
            .instrument("statement/plugin/%", "OFF")
            .instrument("wait/synch/mutex/plugin/LOCK_static", "COUNTED")
            .start()
            .unwrap();
        let plugin = FIRST.plugin();
        assert_eq!(plugin.join(pfs).unwrap().lost, 0);
        let counted = || {
            plugin.within("query", nothing);
            ["statement/plugin/query", "stage/plugin/parsing", LOCK_OF_PLUGIN].map(|name| count(pfs, name))
        };
        assert_eq!(counted(), [0, 1, 1]);
        pfs.set_instruments("statement/plugin/%", Some(true), None).unwrap();
        pfs.set_instrument("stage/plugin/parsing", Some(false), None).unwrap();
        assert_eq!(counted(), [1, 1, 2]);
        pfs.set_consumer("global_instrumentation", false).unwrap();
        assert_eq!(counted(), [1, 1, 2]);
        pfs.set_consumer("global_instrumentation", true).unwrap();
        pfs.set_consumer("thread_instrumentation", false).unwrap();
        assert_eq!(counted(), [2, 1, 3]);
        assert_eq!(count_in(pfs, thread_id().unwrap(), LOCK_OF_PLUGIN), 2);
        pfs.set_consumer("thread_instrumentation", true).unwrap();
        pfs.set_thread(thread_id().unwrap(), Some(false), None).unwrap();
        assert_eq!(counted(), [2, 1, 3]);
        pfs.set_thread(thread_id().unwrap(), Some(true), None).unwrap();

        // What the program restarts, the plugin's next event carries out.
        pfs.table("events_waits_summary_by_thread_by_event_name").unwrap().truncate().unwrap();
        assert_eq!(counted(), [3, 1, 4]);
        assert_eq!(count_in(pfs, thread_id().unwrap(), LOCK_OF_PLUGIN), 1);
        pfs.table("events_waits_summary_global_by_event_name").unwrap().truncate().unwrap();
        assert_eq!(counted(), [4, 1, 1]);

        // The plugin has the same handle.
        let switch = plugin.get::<extern "C" fn(bool)>("switch_lock");
        switch(false);
        assert_eq!(counted(), [5, 1, 1]);
        let row = pfs.setup_instruments().find(|row| row.name == LOCK_OF_PLUGIN).unwrap();
        assert_eq!(row.enabled, YesNo::No);
        switch(true);
        assert_eq!(counted(), [6, 1, 2]);
        let instruments = plugin.get::<extern "C" fn() -> u64>("instruments")();
        assert_eq!(instruments, pfs.setup_instruments().count() as u64);
    });
}

#[test]
fn a_coarser_timer_is_the_program_s() {
    in_a_process("counts::a_coarser_timer_is_the_program_s", &[], || {
        let (pfs, plugin) = recording();
        pfs.set_timer("wait", "MICROSECOND").unwrap();
        pfs.set_timer("statement", "NANOSECOND").unwrap();
        serving(|| plugin.within("query", lock));
        let times = |start: Option<u64>, end: Option<u64>| (start.unwrap(), end.unwrap());
        let of = |name: &str| {
            let mut rows = pfs.events_statements_history();
            let row = rows.find(|row| row.event_name == name).unwrap();
            times(row.event.timer_start, row.event.timer_end)
        };
        let (outer, inner) = (of("statement/program/serving"), of("statement/plugin/query"));
        assert!(outer.0 <= inner.0 && inner.0 <= inner.1 && inner.1 <= outer.1, "{outer:?} {inner:?}");
        let wait = pfs.events_waits_history().find(|row| row.event_name == LOCK_OF_PLUGIN).unwrap();
        let (start, end) = times(wait.event.timer_start, wait.event.timer_end);
        // A tick is less than a nanosecond, and a step is cut down to it.
        assert!(start % 1_000_000 < 1000 && end % 1_000_000 < 1000, "{start} {end}");
    });
}
