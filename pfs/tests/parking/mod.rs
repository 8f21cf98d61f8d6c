//! What the tests of `pfs::parking_lot` share: what the tables say of a lock by its name.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::collections::BTreeMap;
use std::sync::Once;

use pfs::{Config, Pfs, SizeKey};

/// pfs, started before the first test that asks: every wait is timed, recorded and kept.
pub(crate) fn recorded() -> Pfs {
    static START: Once = Once::new();
    START.call_once(|| {
        ["events_waits_current", "events_waits_history", "events_waits_history_long"]
            .into_iter()
            .fold(Config::new(), |config, consumer| config.consumer(consumer, true))
            .instrument("wait/synch/%", "ON")
            .size(SizeKey::EventsWaitsHistoryLongSize, 100_000)
            .start()
            .unwrap();
    });
    pfs::current().unwrap()
}

/// How often each operation was done on the objects of a class, of all that was kept.
pub(crate) fn operations(pfs: Pfs, class: &str) -> BTreeMap<&'static str, u64> {
    let mut operations = BTreeMap::new();
    for row in pfs.events_waits_history_long().filter(|row| row.event_name == class) {
        *operations.entry(row.operation).or_default() += 1;
    }
    operations
}

/// All acquisitions of a class, and those of them that did not succeed at once.
pub(crate) fn counts(pfs: Pfs, class: &str) -> (u64, u64) {
    let mut rows = pfs.events_waits_summary_global_by_event_name();
    let row = rows.find(|row| row.event_name == class).expect("a class of that name");
    (row.summary.count_star, row.summary.count_waited)
}

/// Waits until a thread is seen waiting by an operation for an object of a class.
pub(crate) fn until_waiting(pfs: Pfs, class: &str, operation: &str) {
    let waits = || {
        pfs.events_waits_current().any(|row| {
            (row.event.event_name, row.operation) == (class, operation) && row.event.end_event_id.is_none()
        })
    };
    while !waits() {
        std::thread::yield_now();
    }
}

/// What the rows of the live instances of a class add up to.
pub(crate) fn by_instance(pfs: Pfs, class: &str) -> u64 {
    let rows = pfs.events_waits_summary_by_instance().filter(|row| row.event_name == class);
    rows.map(|row| row.summary.count_star).sum()
}

/// Whether the only mutex of a class is shown as held by the calling thread; by another one is an error.
pub(crate) fn held(pfs: Pfs, class: &str) -> bool {
    let mut rows = pfs.mutex_instances().filter(|row| row.name == class);
    let row = rows.next().expect("a mutex of that class");
    assert!(rows.next().is_none(), "one mutex of that class");
    by_me(row.locked_by_thread_id)
}

/// Whether the only rwlock of a class is shown as written by the calling thread, and how many readers are shown.
pub(crate) fn holders(pfs: Pfs, class: &str) -> (bool, u32) {
    let mut rows = pfs.rwlock_instances().filter(|row| row.name == class);
    let row = rows.next().expect("an rwlock of that class");
    assert!(rows.next().is_none(), "one rwlock of that class");
    (by_me(row.write_locked_by_thread_id), row.read_locked_by_count)
}

fn by_me(holder: Option<u64>) -> bool {
    let me = pfs_runtime::context::thread::current_id().expect("the calling thread is registered");
    holder.inspect(|holder| assert_eq!(*holder, me)).is_some()
}

/// A map of operations, to compare with.
pub(crate) fn exactly<const N: usize>(operations: [(&'static str, u64); N]) -> BTreeMap<&'static str, u64> {
    operations.into()
}
