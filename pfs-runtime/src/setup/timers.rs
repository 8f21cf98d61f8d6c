//! Which timer times the events of a kind.

use super::SetupError;
use crate::class::TimedKind;
use crate::clock::{Resolution, TimerName};
use crate::schema::Schema;
use crate::stat::Level;

impl Schema {
    /// Times events of a kind by another timer, by their names in `setup_timers`, and starts their statistics again: what
    /// was timed by one timer and by another is not added up.
    ///
    /// An event that is open ends with the timer that it began with. Every timer has the same zero and the same scale;
    /// they differ in resolution. `idle` and `wait` share the statistics of waits.
    ///
    /// # Errors
    ///
    /// If there is no such kind, or events cannot be timed by that timer here.
    pub fn set_timer(&self, kind: &str, timer: &str) -> Result<(), SetupError> {
        let kind = TimedKind::from_name(kind)
            .ok_or_else(|| SetupError::UnknownTimedKind { name: kind.to_owned() })?;
        let resolution = TimerName::from_name(timer)
            .filter(|timer| self.has_timer(*timer))
            .and_then(Resolution::of)
            .ok_or_else(|| SetupError::UnknownTimer {
                name: timer.to_owned(),
                allowed: self.timers_of_events(),
            })?;
        if self.resolution(kind) != resolution {
            self.set_resolution(kind, resolution);
            self.restart_timed(kind);
        }
        Ok(())
    }

    /// The timer that times events of a kind.
    pub fn timer(&self, kind: TimedKind) -> TimerName {
        match self.resolution(kind) {
            Resolution::Finest if !self.clock().is_cycle() => TimerName::Nanosecond,
            resolution => resolution.timer(),
        }
    }

    /// Whether the machine has the timer. Without a cycle counter the clock is that of nanoseconds, and no other is finer.
    fn has_timer(&self, timer: TimerName) -> bool {
        timer != TimerName::Cycle || self.clock().is_cycle()
    }

    fn timers_of_events(&self) -> String {
        let timers = TimerName::ALL
            .into_iter()
            .filter(|timer| self.has_timer(*timer) && Resolution::of(*timer).is_some());
        timers.map(TimerName::as_str).collect::<Vec<_>>().join(", ")
    }

    fn restart_timed(&self, kind: TimedKind) {
        match kind {
            TimedKind::Idle | TimedKind::Wait => {
                self.waits.truncate(self, Level::Global);
                self.truncate_by_instance();
                self.truncate_by_source();
            }
            TimedKind::Stage => self.stages.truncate(self, Level::Global),
            TimedKind::Statement => {
                self.statements.truncate(self, Level::Global);
                self.truncate_digests();
                self.digests.truncate_times();
            }
            TimedKind::Transaction => self.transactions.truncate(self, Level::Global),
        }
    }
}
