//! `performance_timers`: the timers of this machine, as measured now.

use crate::clock::TimerName;
use crate::schema::Schema;

use super::{Field, Ops, Row, Scan, Table, Type, Value};

/// The table `performance_timers`.
#[derive(Debug)]
pub enum PerformanceTimers {}

/// A timer. Its measures are NULL where the machine lacks it.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct PerformanceTimersRow {
    /// The timer.
    pub timer_name: TimerName,
    /// Units a second.
    #[row(unit = hertz)]
    pub timer_frequency: Option<i64>,
    /// Units by which the timer's value advances.
    pub timer_resolution: Option<i64>,
    /// Least cycles that one reading took.
    #[row(unit = cycles)]
    pub timer_overhead: Option<i64>,
}

impl Field for TimerName {
    const TYPE: Type = Type::Enum(&["CYCLE", "NANOSECOND", "MICROSECOND", "MILLISECOND", "TICK", "THREAD_CPU"]);

    fn value(&self) -> Value<'_> {
        Value::Text(self.as_str())
    }
}

impl Table for PerformanceTimers {
    const NAME: &'static str = "performance_timers";
    const DOC: &'static str = "The timers, with their frequency, resolution and cost as measured by the \
        reading.";
    const OPS: Ops = Ops::SELECT;
    type Row = PerformanceTimersRow;

    fn rows<'s>(schema: &'s Schema, _: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        schema.clock().timers().into_iter().map(|timer| PerformanceTimersRow {
            timer_name: timer.name,
            timer_frequency: signed(timer.frequency),
            timer_resolution: signed(timer.resolution),
            timer_overhead: signed(timer.overhead),
        })
    }
}

fn signed(number: Option<u64>) -> Option<i64> {
    number.map(|number| i64::try_from(number).unwrap_or(i64::MAX))
}
