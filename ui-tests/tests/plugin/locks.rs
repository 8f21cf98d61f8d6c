//! Locks that no one names, and those that go from a plugin to the program and back.

use crate::library::{FIRST, SECOND};
use crate::{LOCK_OF_PROGRAM, config, count, in_a_process};
use pfs::Pfs;
use pfs::prelude::*;
use pfs::sync::Mutex;
use std::sync::{LazyLock, OnceLock};

#[test]
fn objects_go_from_one_to_the_other() {
    in_a_process("locks::objects_go_from_one_to_the_other", &[], || {
        const UNNAMED: &str = "wait/synch/mutex/pfs/unnamed";
        let plugin = FIRST.plugin();
        let new_lock = plugin.get::<extern "C" fn() -> *mut Mutex<u64>>("new_lock");
        let use_lock = plugin.get::<unsafe extern "C" fn(*const Mutex<u64>)>("use_lock");
        let made_before = new_lock();
        let pfs = config().start().unwrap();
        assert_eq!(plugin.join(pfs).unwrap().lost, 0);
        // SAFETY: the plugin's locks stay.
        for lock in [made_before, new_lock()].map(|lock| unsafe { &*lock }) {
            // Found out by the program what the plugin made.
            *lock.lock().unwrap() += 1;
            // SAFETY: it is a lock.
            unsafe { use_lock(lock) };
        }
        assert_eq!(count(pfs, UNNAMED), 4);
        let (unnamed, named) = (Mutex::new(0), pfs::mutex!("program/LOCK", 0));
        for lock in [&unnamed, &named] {
            // Found out by the plugin what the program made.
            // SAFETY: it is a lock.
            unsafe { use_lock(lock) };
            *lock.lock().unwrap() += 1;
        }
        assert_eq!((count(pfs, UNNAMED), count(pfs, LOCK_OF_PROGRAM)), (6, 2));
        let mut instances: Vec<_> = pfs
            .events_waits_summary_by_instance()
            .filter(|row| row.event_name == UNNAMED || row.event_name == LOCK_OF_PROGRAM)
            .map(|row| (row.event_name, row.summary.count_star))
            .collect();
        instances.sort_unstable();
        assert_eq!(instances, [(UNNAMED, 2), (UNNAMED, 2), (UNNAMED, 2), (LOCK_OF_PROGRAM, 2)]);
        drop((unnamed, named));
        assert_eq!(pfs.mutex_instances().filter(|row| row.name == UNNAMED).count(), 2);
    });
}

/// What is counted in all, by instance and by source of the classes of objects without a name.
fn unnamed(pfs: Pfs) -> Vec<(&'static str, u64, u64, u64)> {
    let names =
        ["mutex/pfs/unnamed", "rwlock/pfs/unnamed", "cond/pfs/unnamed", "cond/std/barrier", "cond/std/once"];
    let of = |name: &'static str| {
        let class = format!("wait/synch/{name}");
        let instances = pfs.events_waits_summary_by_instance().filter(|row| row.event_name == class);
        let sources = pfs.events_waits_summary_by_source().filter(|row| row.event_name == class);
        let by_instance = instances.map(|row| row.summary.count_star).sum();
        (name, count(pfs, &class), by_instance, sources.map(|row| row.summary.count_star).sum())
    };
    names.map(of).to_vec()
}

#[test]
fn objects_without_a_name_count() {
    in_a_process("locks::objects_without_a_name_count", &[], || {
        let pfs = config().start().unwrap();
        let (first, second) = (FIRST.plugin(), SECOND.plugin());
        first.times("use_unnamed", 3);
        assert!(unnamed(pfs).iter().all(|(_, all, ..)| *all == 0));
        assert_eq!(first.join(pfs).unwrap().lost, 0);
        assert_eq!(second.join(pfs).unwrap().lost, 0);
        first.times("use_unnamed", 10);
        second.times("use_unnamed", 5);
        // Each time: of what is made there and of what stays.
        assert_eq!(
            unnamed(pfs),
            [
                ("mutex/pfs/unnamed", 3 * 10 + 2 * 5, 10 + 5, 3 * 10 + 2 * 5),
                ("rwlock/pfs/unnamed", 4 * 10, 2 * 10, 4 * 10),
                ("cond/pfs/unnamed", 10, 0, 10),
                ("cond/std/barrier", 10, 0, 10),
                ("cond/std/once", 0, 0, 0),
            ]
        );
    });
}

#[instrument_mutex("program/LOCK_once")]
static ONCE: OnceLock<Mutex<u64>> = OnceLock::new();
#[instrument_mutex("program/LOCK_heap")]
static HEAP: OnceLock<Vec<Mutex<u64>>> = OnceLock::new();
#[instrument_mutex("program/LOCK_lazy")]
static LAZY: LazyLock<Vec<Mutex<u64>>> = LazyLock::new(|| vec![Mutex::new(0)]);

/// What the plugin has too: see there.
#[repr(C)]
#[derive(Clone, Copy)]
struct Late {
    once: *const OnceLock<Mutex<u64>>,
    heap: *const OnceLock<Vec<Mutex<u64>>>,
    lazy: *const LazyLock<Vec<Mutex<u64>>>,
}

fn use_late(late: Late) {
    // SAFETY: they are statics of the plugin, which stays; program and plugin are built of the same.
    let (once, heap, lazy) = unsafe { (&*late.once, &*late.heap, &*late.lazy) };
    *once.get_or_init(|| Mutex::new(0)).lock().unwrap() += 1;
    *heap.get_or_init(|| vec![Mutex::new(0)])[0].lock().unwrap() += 1;
    *lazy[0].lock().unwrap() += 1;
}

fn counts(pfs: Pfs, component: &str) -> [u64; 3] {
    ["once", "heap", "lazy"].map(|name| count(pfs, &format!("wait/synch/mutex/{component}/LOCK_{name}")))
}

#[test]
fn what_is_made_late_has_its_name_whoever_makes_it() {
    in_a_process("locks::what_is_made_late_has_its_name_whoever_makes_it", &[], || {
        let pfs = config().start().unwrap();
        let (first, second) = (FIRST.plugin(), SECOND.plugin());
        for plugin in [first, second] {
            assert_eq!(plugin.join(pfs).unwrap().lost, 0);
        }
        let late = first.get::<extern "C" fn() -> Late>("made_late")();
        let of_program = Late { once: &raw const ONCE, heap: &raw const HEAP, lazy: &raw const LAZY };
        // The plugin's by the program, and the program's by the plugin.
        use_late(late);
        let use_in_plugin = first.get::<unsafe extern "C" fn(Late)>("use_late");
        // SAFETY: they are statics of the program.
        unsafe { use_in_plugin(of_program) };
        assert_eq!((counts(pfs, "plugin"), counts(pfs, "program")), ([1; 3], [1; 3]));
        // SAFETY: they are statics of the plugin.
        unsafe { use_in_plugin(late) };
        use_late(of_program);
        assert_eq!((counts(pfs, "plugin"), counts(pfs, "program")), ([2; 3], [2; 3]));
        let [mutexes, ..] = unnamed(pfs)[..] else { panic!("there are some") };
        assert_eq!(mutexes, ("mutex/pfs/unnamed", 0, 0, 0));
    });
}

#[test]
fn what_is_made_late_by_another_plugin_has_its_name() {
    in_a_process("locks::what_is_made_late_by_another_plugin_has_its_name", &[], || {
        let pfs = config().start().unwrap();
        let (first, second) = (FIRST.plugin(), SECOND.plugin());
        for plugin in [second, first] {
            assert_eq!(plugin.join(pfs).unwrap().lost, 0);
        }
        let late = first.get::<extern "C" fn() -> Late>("made_late")();
        // SAFETY: they are statics of the first plugin.
        unsafe { second.get::<unsafe extern "C" fn(*const OnceLock<Mutex<u64>>)>("use_once")(late.once) };
        assert_eq!(counts(pfs, "plugin"), [1, 0, 0]);
    });
}
