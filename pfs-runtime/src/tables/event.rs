//! The columns that rows of events share, and how raw times and places become theirs.

use crate::clock::Clock;
use crate::event::EventRecord;
use crate::model::{Ending, NestingType};

use super::{Field, Row, Type, Value};

/// Which event it is, where it happened and when.
///
/// Times count from the start of the schema, and `TIMER_END - TIMER_START = TIMER_WAIT`. All three are NULL for
/// an event that is not timed. For an event that goes on, the end is the moment of reading.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct EventColumns {
    /// The thread that it happened in.
    #[row(key)]
    pub thread_id: u64,
    /// Its number in the thread.
    #[row(key)]
    pub event_id: u64,
    /// The highest number given out in the thread when it ended; NULL while it goes on.
    pub end_event_id: Option<u64>,
    /// Its class.
    #[row(varchar = 128)]
    pub event_name: &'static str,
    /// The place in the source that it began at, as `file:line`.
    #[row(varchar = 64)]
    pub source: Option<String>,
    /// When it began.
    #[row(unit = picoseconds)]
    pub timer_start: Option<u64>,
    /// When it ended.
    #[row(unit = picoseconds)]
    pub timer_end: Option<u64>,
    /// How long it took.
    #[row(unit = picoseconds)]
    pub timer_wait: Option<u64>,
}

impl EventColumns {
    /// From a record in ticks of `clock`.
    pub(super) fn new(clock: &Clock, record: &EventRecord) -> Self {
        let times =
            record.start.map(|start| clock.interval(start, record.end.unwrap_or_else(|| clock.now())));
        EventColumns {
            thread_id: record.thread_id,
            event_id: record.event_id,
            end_event_id: record.end_event_id,
            event_name: record.class.name(),
            source: record.source.map(|place| source(place.file(), place.line())),
            timer_start: times.map(|(start, _, _)| start),
            timer_end: times.map(|(_, end, _)| end),
            timer_wait: times.map(|(_, _, wait)| wait),
        }
    }
}

impl Field for NestingType {
    const TYPE: Type = Type::Enum(&["TRANSACTION", "STATEMENT", "STAGE", "WAIT"]);

    fn value(&self) -> Value<'_> {
        Value::Text(self.as_str())
    }
}

impl Field for Ending {
    const TYPE: Type = Type::Enum(&["ITSELF", "PARENT", "CONTEXT", "DROP"]);

    fn value(&self) -> Value<'_> {
        Value::Text(self.as_str())
    }
}

/// Who ended an event; `None` while it goes on.
pub(super) fn ended_by(record: &EventRecord) -> Option<Ending> {
    record.end_event_id.map(|_| record.ending)
}

/// A place in the source as the tables show it: the file's own name, because its path tells of the machine that
/// the program was built on.
pub(super) fn source(file: &str, line: u32) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    format!("{name}:{line}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::{Class, Kind};

    static CLASS: Class = Class::new(Kind::Stage, "stage/test/parsing", "src/parse.rs", 1);

    fn record(start: Option<u64>, end: Option<u64>) -> EventRecord {
        EventRecord {
            thread_id: 3,
            event_id: 7,
            end_event_id: end.map(|_| 9),
            class: &CLASS,
            source: None,
            start,
            end,
            object: 0,
            operation: None,
            bytes: None,
            nesting: None,
            level: 0,
            ending: Ending::Itself,
        }
    }

    #[test]
    fn the_times_of_an_ended_event_add_up() {
        let row = EventColumns::new(&Clock::constant_step(5), &record(Some(100), Some(140)));
        assert_eq!((row.timer_start, row.timer_end, row.timer_wait), (Some(100), Some(140), Some(40)));
        assert_eq!(
            row.to_string(),
            "thread_id=3 event_id=7 end_event_id=9 event_name=stage/test/parsing \
            timer_start=100 ps timer_end=140 ps timer_wait=40 ps"
        );
    }

    #[test]
    fn an_event_that_goes_on_ends_now() {
        let clock = Clock::constant_step(5);
        let now = clock.now();
        let row = EventColumns::new(&clock, &record(Some(now), None));
        assert_eq!((row.end_event_id, row.timer_wait), (None, Some(5)));
    }

    #[test]
    fn an_untimed_event_has_no_times() {
        let row = EventColumns::new(&Clock::constant_step(5), &record(None, None));
        assert_eq!((row.timer_start, row.timer_end, row.timer_wait), (None, None, None));
    }

    #[test]
    fn a_place_is_shown_without_the_path_that_it_was_built_in() {
        assert_eq!(source("/home/build/kv/src/main.rs", 12), "main.rs:12");
        assert_eq!(source(r"src\bin\kv.rs", 3), "kv.rs:3");
    }
}
