//! The reserve: filled to the last place, and what finds none is lost, by kind, once.

use crate::library::{FIRST, SECOND};
use crate::{CLASSES_OF_PLUGIN, LOCK_OF_PLUGIN, SHARED_LOCK, config, count, in_a_process};
use pfs::tables::SetupInstruments;
use pfs::{Config, Pfs, SizeKey};

fn with_reserve(classes: u32) -> Config {
    config().size(SizeKey::PluginClasses, classes)
}

/// Kinds of which classes were lost, and how many.
fn lost(pfs: Pfs) -> Vec<(String, String)> {
    pfs.global_status()
        .filter_map(|row| {
            let kind =
                row.variable_name.strip_prefix("Performance_schema_")?.strip_suffix("_classes_lost")?;
            let value = row.variable_value.filter(|value| value != "0")?;
            Some((kind.to_owned(), value))
        })
        .collect()
}

fn owned(lost: &[(&str, &str)]) -> Vec<(String, String)> {
    lost.iter().map(|(kind, value)| ((*kind).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn a_reserve_that_is_just_enough() {
    in_a_process("reserve::a_reserve_that_is_just_enough", &[], || {
        let pfs = with_reserve(CLASSES_OF_PLUGIN).start().unwrap();
        let (first, second) = (FIRST.plugin(), SECOND.plugin());
        assert_eq!(first.join(pfs).unwrap().lost, 0);
        assert_eq!(lost(pfs), []);
        // Not one more, but for what is there already.
        assert_eq!(second.join(pfs).unwrap().lost, 2);
        assert_eq!(lost(pfs), owned(&[("mutex", "1"), ("statement", "1")]));
        assert!(pfs.setup_instruments().all(|row| !row.name.contains("/second/")));
        first.times("hammer", 3);
        second.times("hammer", 4);
        assert_eq!(count(pfs, SHARED_LOCK), 7);
        assert_eq!(count(pfs, LOCK_OF_PLUGIN), 6);
        // A row a class, and none of a place that no class has taken.
        let waits = pfs.setup_instruments().filter(|row| row.name.starts_with("wait/") || row.name == "idle");
        assert_eq!(pfs.events_waits_summary_global_by_event_name().count(), waits.count());
    });
}

#[test]
fn past_the_reserve_classes_are_lost_by_kind() {
    in_a_process(
        "reserve::past_the_reserve_classes_are_lost_by_kind",
        &[("PFS_PLUGIN_CLASSES", "8")],
        || {
            let pfs = config().env().unwrap().start().unwrap();
            let (first, second) = (FIRST.plugin(), SECOND.plugin());
            let joined = first.join(pfs).unwrap();
            assert_eq!(joined.lost, CLASSES_OF_PLUGIN as usize - 8);
            // Kinds and names in their order: five mutexes, a rwlock and a cond have a place, and the first stage.
            let brought: Vec<_> = pfs
                .setup_instruments()
                .map(|row| row.name)
                .filter(|name| name.contains("/plugin/"))
                .collect();
            assert_eq!(
                brought,
                [
                    "wait/synch/mutex/plugin/LOCK_heap",
                    "wait/synch/mutex/plugin/LOCK_lazy",
                    "wait/synch/mutex/plugin/LOCK_local",
                    "wait/synch/mutex/plugin/LOCK_once",
                    LOCK_OF_PLUGIN,
                    "wait/synch/rwlock/plugin/LOCK_late",
                    "wait/synch/cond/plugin/COND_local",
                    "stage/plugin/first",
                ]
            );
            assert_eq!(lost(pfs), owned(&[("stage", "2"), ("statement", "3"), ("thread", "2")]));
            assert_eq!(second.join(pfs).unwrap().lost, 2);
            assert_eq!(
                lost(pfs),
                owned(&[("mutex", "1"), ("stage", "2"), ("statement", "4"), ("thread", "2")])
            );

            // What is lost is the raw operation; the rest counts.
            first.times("hammer", 3);
            first.run("two_stages");
            assert_eq!(count(pfs, LOCK_OF_PLUGIN), 6);
            assert_eq!(count(pfs, "stage/plugin/first"), 1);
            assert!(
                pfs.events_statements_summary_global_by_event_name().all(|row| row.summary.count_star == 0)
            );
            // A thread of a class that was lost has a row all the same.
            extern "C" fn look() {
                let pfs = pfs::current().unwrap();
                assert!(pfs.threads().any(|row| row.name == "thread/plugin/worker"));
            }
            first.within("spawn", look);
        },
    );
}

#[test]
fn with_no_reserve_all_are_lost() {
    in_a_process("reserve::with_no_reserve_all_are_lost", &[], || {
        let pfs = Config::new().max_connections(10).start().unwrap();
        let before = pfs.setup_instruments().count();
        let plugin = FIRST.plugin();
        assert_eq!(plugin.join(pfs).unwrap().lost, CLASSES_OF_PLUGIN as usize);
        assert_eq!(pfs.setup_instruments().count(), before);
        plugin.times("hammer", 3);
        assert_eq!(count(pfs, SHARED_LOCK), 3);
        let all = pfs.table("setup_instruments").unwrap();
        assert_eq!(all.definition().name(), <SetupInstruments as pfs::tables::Table>::NAME);
    });
}
