//! Threads of a plugin: each has a row of the program's.

use crate::library::{FIRST, Plugin};
use crate::{
    LOCK_OF_PLUGIN, LOCK_OF_PROGRAM, SizeKey, config, count, count_in, in_a_process, lock, thread_id,
};
use pfs::Pfs;
use std::sync::Mutex;

fn joined() -> (Pfs, Plugin) {
    let (pfs, plugin) = (config().start().unwrap(), FIRST.plugin());
    assert_eq!(plugin.join(pfs).unwrap().lost, 0);
    (pfs, plugin)
}

/// Name, parent and `THREAD_ID` of the thread that was looked at.
static LOOKED_AT: Mutex<Option<(&str, Option<u64>, u64)>> = Mutex::new(None);

/// Looks at the calling thread's row.
extern "C" fn look() {
    lock();
    let (pfs, id) = (pfs::current().unwrap(), thread_id().unwrap());
    let row = pfs.threads().find(|row| row.thread_id == id).unwrap();
    assert_eq!((count_in(pfs, id, LOCK_OF_PLUGIN), count_in(pfs, id, LOCK_OF_PROGRAM)), (2, 1));
    assert!(row.thread_os_id.is_some());
    *LOOKED_AT.lock().unwrap() = Some((row.name, row.parent_thread_id, id));
}

#[test]
fn threads_of_a_plugin_have_rows() {
    in_a_process("threads::threads_of_a_plugin_have_rows", &[], || {
        let (pfs, plugin) = joined();
        let main = thread_id().unwrap();
        let looked_at = || LOOKED_AT.lock().unwrap().take().unwrap();
        plugin.within("spawn", look);
        let (name, parent, first) = looked_at();
        assert_eq!((name, parent), ("thread/plugin/worker", Some(main)));
        plugin.within("spawn_by_std", look);
        let (name, parent, second) = looked_at();
        assert_eq!((name, parent), ("thread/pfs/unnamed", None));
        assert!(main < first && first < second);
        // They have ended, and what they counted is kept.
        assert_eq!(pfs.threads().count(), 1);
        assert_eq!((count(pfs, LOCK_OF_PLUGIN), count(pfs, LOCK_OF_PROGRAM)), (4, 2));
        assert_eq!(count(pfs, "wait/synch/cond/std/join"), 1);

        // As they begin with what is set for their class.
        pfs.set_thread_class("thread/plugin/worker", Some(false), None).unwrap();
        extern "C" fn lock_only() {
            lock();
        }
        plugin.within("spawn", lock_only);
        assert_eq!((count(pfs, LOCK_OF_PLUGIN), count(pfs, LOCK_OF_PROGRAM)), (4, 2));
    });
}

#[test]
fn what_a_thread_does_after_its_end_is_not_counted() {
    in_a_process("threads::what_a_thread_does_after_its_end_is_not_counted", &[], || {
        let (pfs, plugin) = joined();
        let drop_late = plugin.get::<extern "C" fn(bool)>("drop_late");
        for first in [true, false] {
            let before = count(pfs, LOCK_OF_PLUGIN);
            drop_late(first);
            let counted = count(pfs, LOCK_OF_PLUGIN) - before;
            // What is made first is dropped last: when pfs has left the thread.
            let expected = if first { 1 } else { 2 };
            assert!(
                counted == expected || cfg!(not(target_env = "gnu")) && (1..=2).contains(&counted),
                "{counted}"
            );
            assert_eq!(pfs.threads().count(), 1);
        }
    });
}

#[test]
fn with_no_row_free_events_are_nobody_s() {
    in_a_process("threads::with_no_row_free_events_are_nobody_s", &[], || {
        let (pfs, plugin) = (config().size(SizeKey::MaxThreadInstances, 1).start().unwrap(), FIRST.plugin());
        assert_eq!(plugin.join(pfs).unwrap().lost, 0);
        extern "C" fn lock_only() {
            lock();
        }
        plugin.within("spawn", lock_only);
        plugin.within("spawn_by_std", lock_only);
        let serve = plugin.get::<extern "C" fn(extern "C" fn()) -> u64>("serve");
        assert_eq!(serve(lock_only), 0);
        assert_eq!((count(pfs, LOCK_OF_PLUGIN), count(pfs, LOCK_OF_PROGRAM)), (5, 3));
        assert_eq!(count_in(pfs, thread_id().unwrap(), LOCK_OF_PLUGIN), 0);
        let lost = pfs
            .global_status()
            .find(|row| row.variable_name == "Performance_schema_thread_instances_lost")
            .unwrap();
        assert_eq!(lost.variable_value.as_deref(), Some("3"));
    });
}
