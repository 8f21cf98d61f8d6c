//! The process's schema, started with its waits shown while they go on, and what it counted of a class.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::sync::Once;

use pfs_runtime::class::{Class, EventKind};
use pfs_runtime::config::Config;
use pfs_runtime::schema::{self, Schema};
use pfs_runtime::stat::WaitStat;
use pfs_runtime::tables::{
    CondInstances, EventsWaitsCurrent, EventsWaitsSummaryByInstance, Scan, Table,
    events_waits_current::EventsWaitsRow,
};

pub(crate) fn started() -> &'static Schema {
    static START: Once = Once::new();
    START.call_once(|| {
        let config =
            Config::new().consumer("events_waits_current", true).consumer("events_waits_history", true);
        assert!(schema::start(&config, |_| ()).unwrap().is_some());
    });
    schema::process().unwrap()
}

pub(crate) fn waits(class: &'static Class) -> WaitStat {
    let schema = started();
    let mut instruments = schema.instruments().of_event(EventKind::Wait);
    let index = instruments.position(|instrument| instrument.name() == class.name()).unwrap();
    schema.waits.global(schema, index).unwrap().stat
}

/// All events of a class, and those of them that waited.
pub(crate) fn count(class: &'static Class) -> (u64, u64) {
    let WaitStat { count, waited, .. } = waits(class);
    (count, waited)
}

/// The rows of a class in the current table.
pub(crate) fn current(class: &'static Class) -> Vec<EventsWaitsRow> {
    let mut rows: Vec<_> = EventsWaitsCurrent::rows(started(), &Scan::ALL).collect();
    rows.retain(|row| row.event.event_name == class.name());
    rows
}

/// Returns once that many waits of a class go on.
pub(crate) fn until_waiting(class: &'static Class, waiting: usize) {
    while current(class).iter().filter(|row| row.event.end_event_id.is_none()).count() != waiting {
        std::thread::yield_now();
    }
}

/// How many instances of a class there are.
pub(crate) fn instances(class: &'static Class) -> usize {
    CondInstances::rows(started(), &Scan::ALL).filter(|row| row.name == class.name()).count()
}

/// What was counted of each instance of a class.
pub(crate) fn by_instance(class: &'static Class) -> Vec<(u64, u64)> {
    EventsWaitsSummaryByInstance::rows(started(), &Scan::ALL)
        .filter(|row| row.event_name == class.name())
        .map(|row| (row.summary.count_star, row.summary.count_waited))
        .collect()
}
