//! What is usual is recorded by short ways, what is not by a long one; the rows do not tell by which.
//!
//! By a clock that is not the cycle counter every event goes the long way, which is so the measure of the short ones.

mod own_schema;

use own_schema::{Own, recording, short};
use pfs_runtime::config::Consumer;
use pfs_runtime::event::EventRecord;
use pfs_runtime::model::{Ending, NestingType, Operation};
use pfs_runtime::schema::EventTable;
use pfs_runtime::stage::{self, StageClass};
use pfs_runtime::statement;
use pfs_runtime::sync::{mutex, rwlock};

/// What a row shows, but for times and addresses.
#[derive(Debug, PartialEq)]
struct Shown {
    name: &'static str,
    ids: (u64, Option<u64>),
    nesting: Option<(u64, NestingType)>,
    operation: Option<Operation>,
    has_object: bool,
    timed: [bool; 2],
    ending: Ending,
    level: u16,
}

impl Shown {
    fn of(event: &EventRecord) -> Self {
        assert!(event.end.is_none_or(|end| Some(end) >= event.start), "{event:?}");
        Self {
            name: short(event.class),
            ids: (event.event_id, event.end_event_id),
            nesting: event.nesting,
            operation: event.operation,
            has_object: event.object != 0,
            timed: [event.start.is_some(), event.end.is_some()],
            ending: event.ending,
            level: event.level,
        }
    }
}

fn shown(own: &Own, table: EventTable) -> Vec<Shown> {
    own.events(table).iter().map(Shown::of).collect()
}

/// Has events of every kind, and reads the tables after each of them.
fn run(own: &'static Own) -> Vec<Vec<Shown>> {
    let mut seen = own.on_thread(|| {
        let mut seen = Vec::new();
        let mut look = || {
            seen.push(shown(own, EventTable::Current));
            seen.push(shown(own, EventTable::History));
        };
        let (mutex, rwlock) = (mutex::with_class(own.lock, ()), rwlock::with_class(own.shared, ()));
        for _ in 0..3 {
            drop(mutex.lock());
            look();
        }
        let statement = statement::begin(own.get);
        let mut stage = stage::begin(own.outer);
        for _ in 0..3 {
            drop(mutex.lock());
            look();
            drop(rwlock.read());
            look();
            drop(rwlock.write());
            look();
            drop(mutex.try_lock());
            look();
        }
        own.wait(|| {
            drop(mutex.lock());
            look();
            drop(rwlock.write());
            look();
        });
        look();
        for next in [own.inner, own.outer, own.outer] {
            stage.switch(StageClass::new(next));
            look();
            drop(mutex.lock());
            look();
        }
        // What is in it when it is switched ends first; its guard is stale then, also of the event that comes next.
        let forced = stage::begin(own.inner);
        stage.switch(StageClass::new(own.inner));
        look();
        let nested = stage::begin(own.outer);
        drop(forced);
        look();
        drop(nested);
        look();
        let inner = statement::begin(own.set);
        look();
        // The statement ends the stage in it and the one in that.
        drop(statement);
        look();
        drop(stage);
        drop(inner);
        drop(mutex.lock());
        look();
        seen
    });
    seen.push(shown(own, EventTable::HistoryLong));
    seen
}

fn counts(own: &Own) -> [u64; 7] {
    [
        own.waits(own.lock).count_star,
        own.waits(own.shared).count_star,
        own.waits(own.disk).count_star,
        own.stages(own.outer).count_star,
        own.stages(own.inner).count_star,
        own.statements(own.get).count_star,
        own.statements(own.set).count_star,
    ]
}

fn every_way_shows_the_same(off: &[&str]) {
    let config = || {
        let all = Consumer::ALL.iter().map(|consumer| consumer.name());
        let off = all.filter(|name| off.iter().any(|end| name.starts_with("events_") && name.ends_with(end)));
        off.fold(recording(), |config, name| config.consumer(name, false))
    };
    let (short, long) = (Own::new(config()), Own::new(config().constant_step_clock(10)));
    let (by_short, by_long) = (run(short), run(long));
    for (at, (by_short, by_long)) in by_short.iter().zip(&by_long).enumerate() {
        assert_eq!(by_short, by_long, "at reading {at}");
    }
    for own in [short, long] {
        assert_eq!(counts(own), [14, 7, 1, 4, 3, 1, 1]);
    }
}

#[test]
fn where_all_is_recorded_and_kept() {
    every_way_shows_the_same(&[]);
}

#[test]
fn where_nothing_is_kept() {
    every_way_shows_the_same(&["_history", "_history_long"]);
}

#[test]
fn where_one_history_is_kept() {
    every_way_shows_the_same(&["_history"]);
    every_way_shows_the_same(&["_history_long"]);
}

#[test]
fn where_nothing_is_recorded() {
    every_way_shows_the_same(&["_current"]);
}

#[test]
fn where_some_kinds_are_recorded() {
    every_way_shows_the_same(&["_history", "_history_long", "waits_current"]);
    every_way_shows_the_same(&["_history", "_history_long", "stages_current"]);
    every_way_shows_the_same(&["_history", "_history_long", "statements_current"]);
}
