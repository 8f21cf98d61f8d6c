//! `setup_timers`: which timer times the events of each kind.

use crate::class::TimedKind;
use crate::clock::TimerName;
use crate::schema::Schema;
use crate::setup::SetupError;

use super::keys::same_name;
use super::value::enumeration;
use super::{Column, Ops, Row, Scan, Table, TableError, Value};

/// The table `setup_timers`.
#[derive(Debug)]
pub enum SetupTimers {}

enumeration! {
    /// A timer of events.
    pub enum EventTimer {
        /// The cycle counter.
        Cycle = "CYCLE",
        /// Nanoseconds.
        Nanosecond = "NANOSECOND",
        /// Microseconds.
        Microsecond = "MICROSECOND",
        /// Milliseconds.
        Millisecond = "MILLISECOND",
        /// Hundredths of a second.
        Tick = "TICK",
    }
}

/// The timer of a kind of event.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct SetupTimersRow {
    /// The kind of event.
    #[row(key, varchar = 64)]
    pub name: &'static str,
    /// The timer.
    #[row(updatable)]
    pub timer_name: EventTimer,
}

const NAME: usize = Column::index(SetupTimersRow::COLUMNS, "NAME");

impl Table for SetupTimers {
    const NAME: &'static str = "setup_timers";
    const DOC: &'static str = "The timer of each kind of event. All timers have one zero and one scale and differ in \
        resolution only; the cycle counter is the finest and the cheapest. An update starts the statistics of the kind \
        again, those of waits for idle as for wait; an event that is open ends with the timer that it began with.";
    const OPS: Ops = Ops::UPDATE;
    type Row = SetupTimersRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let wanted = scan.text(NAME).map(str::to_owned);
        let kinds = TimedKind::ALL.into_iter();
        kinds.filter(move |kind| same_name(wanted.as_deref(), kind.name())).map(|kind| SetupTimersRow {
            name: kind.name(),
            timer_name: match schema.timer(kind) {
                TimerName::Cycle => EventTimer::Cycle,
                TimerName::Nanosecond | TimerName::ThreadCpu => EventTimer::Nanosecond,
                TimerName::Microsecond => EventTimer::Microsecond,
                TimerName::Millisecond => EventTimer::Millisecond,
                TimerName::Tick => EventTimer::Tick,
            },
        })
    }

    fn update(schema: &Schema, row: &Self::Row, column: usize, value: &Value<'_>) -> Result<(), TableError> {
        let timer = value.as_text().and_then(EventTimer::parse);
        let timer = timer.ok_or_else(|| TableError::bad_value::<Self>(column, value))?;
        schema.set_timer(row.name, timer.as_str()).map_err(|error| match error {
            SetupError::UnknownTimer { allowed, .. } => TableError::bad_value_of::<Self>(
                "TIMER_NAME",
                value,
                format!("one of the timers of this machine, {allowed}"),
            ),
            _ => TableError::unknown_row::<Self>(&row.name),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::testing;

    fn rows(schema: &Schema) -> Vec<(&'static str, &'static str)> {
        SetupTimers::rows(schema, &Scan::ALL).map(|row| (row.name, row.timer_name.as_str())).collect()
    }

    #[test]
    fn each_kind_has_its_timer() {
        // The clock of tests is no cycle counter.
        let schema = testing::schema();
        let nanosecond = |name| (name, "NANOSECOND");
        let kinds = ["idle", "wait", "stage", "statement", "transaction"];
        assert_eq!(rows(schema), kinds.map(nanosecond));
        let row = SetupTimers::rows(schema, &Scan { eq: &[(NAME, Value::Text("Stage"))] }).next().unwrap();
        SetupTimers::update(schema, &row, 1, &Value::Text("millisecond")).unwrap();
        assert_eq!(rows(schema)[2], ("stage", "MILLISECOND"));
        assert_eq!(rows(schema)[3], nanosecond("statement"));
    }

    #[test]
    fn what_times_no_events_is_refused() {
        let schema = testing::schema();
        let row = SetupTimers::rows(schema, &Scan::ALL).next().unwrap();
        let refused = |timer| SetupTimers::update(schema, &row, 1, &Value::Text(timer)).unwrap_err().to_string();
        assert_eq!(
            refused("THREAD_CPU"),
            "'THREAD_CPU' is not a value of column `TIMER_NAME` of table `setup_timers`: it takes 'CYCLE' or \
             'NANOSECOND' or 'MICROSECOND' or 'MILLISECOND' or 'TICK'"
        );
        assert_eq!(
            refused("CYCLE"),
            "'CYCLE' is not a value of column `TIMER_NAME` of table `setup_timers`: it takes one of the timers of \
             this machine, NANOSECOND, MICROSECOND, MILLISECOND, TICK"
        );
        let error = schema.set_timer("waits", "TICK").unwrap_err().to_string();
        assert_eq!(
            error,
            "there is no timer of `waits`: allowed are idle, wait, stage, statement, transaction"
        );
    }
}
