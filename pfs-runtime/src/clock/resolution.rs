//! Coarser clocks of the same zero and scale: a reading cut down to the units of a timer.

use super::{Clock, FRACTION_BITS, TimerName, saturate};

/// By which steps the times of an event advance. Every event is timed by the one clock; a timer that is chosen in
/// `setup_timers` changes this alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Resolution {
    /// Those of the clock.
    #[default]
    Finest = 0,
    /// Nanoseconds.
    Nanosecond = 1,
    /// Microseconds.
    Microsecond = 2,
    /// Milliseconds.
    Millisecond = 3,
    /// Hundredths of a second.
    Tick = 4,
}

impl Resolution {
    /// That of a timer; `None` for one that is not a clock of events.
    pub const fn of(timer: TimerName) -> Option<Resolution> {
        match timer {
            TimerName::Cycle => Some(Resolution::Finest),
            TimerName::Nanosecond => Some(Resolution::Nanosecond),
            TimerName::Microsecond => Some(Resolution::Microsecond),
            TimerName::Millisecond => Some(Resolution::Millisecond),
            TimerName::Tick => Some(Resolution::Tick),
            TimerName::ThreadCpu => None,
        }
    }

    /// The timer that has it.
    pub const fn timer(self) -> TimerName {
        match self {
            Resolution::Finest => TimerName::Cycle,
            Resolution::Nanosecond => TimerName::Nanosecond,
            Resolution::Microsecond => TimerName::Microsecond,
            Resolution::Millisecond => TimerName::Millisecond,
            Resolution::Tick => TimerName::Tick,
        }
    }

    /// The resolution of that number; the finest for any other.
    pub(crate) const fn from_number(number: u8) -> Resolution {
        match number {
            1 => Resolution::Nanosecond,
            2 => Resolution::Microsecond,
            3 => Resolution::Millisecond,
            4 => Resolution::Tick,
            _ => Resolution::Finest,
        }
    }

    const fn picos(self) -> u128 {
        match self {
            Resolution::Finest => 1,
            Resolution::Nanosecond => 1_000,
            Resolution::Microsecond => 1_000_000,
            Resolution::Millisecond => 1_000_000_000,
            Resolution::Tick => 10_000_000_000,
        }
    }
}

impl Clock {
    /// Raw ticks now, by steps of `resolution` since this clock's zero: never later than now.
    pub fn now_by(&self, resolution: Resolution) -> u64 {
        self.cut(self.now(), resolution)
    }

    fn cut(&self, raw: u64, resolution: Resolution) -> u64 {
        if resolution == Resolution::Finest {
            return raw;
        }
        let picos = self.exact_picos(raw.saturating_sub(self.zero()));
        let whole = picos - picos % resolution.picos();
        // Rounded up, so that it converts to the step's own picoseconds and less than a tick more.
        let ticks = saturate((whole << FRACTION_BITS).div_ceil(u128::from(self.factor)));
        // Not zero, which stands for an event that is not timed.
        self.zero().saturating_add(ticks).min(raw).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_is_cut_down_to_whole_steps() {
        let clock = Clock::constant_step(1);
        let raw = 12_345_678_901_234;
        let cut = |resolution| clock.cut(raw, resolution);
        assert_eq!(cut(Resolution::Finest), raw);
        assert_eq!(cut(Resolution::Nanosecond), 12_345_678_901_000);
        assert_eq!(cut(Resolution::Microsecond), 12_345_678_000_000);
        assert_eq!(cut(Resolution::Millisecond), 12_345_000_000_000);
        assert_eq!(cut(Resolution::Tick), 12_340_000_000_000);
    }

    #[test]
    fn a_cut_reading_of_any_clock_is_less_than_a_tick_past_its_step() {
        let clock = Clock::calibrate();
        let tick = clock.to_picos(1) + 1;
        for ticks in [0, 1, 999, 1_000_003, 3_456_789_012, 1 << 45] {
            let raw = clock.zero() + ticks;
            for resolution in [Resolution::Nanosecond, Resolution::Microsecond, Resolution::Tick] {
                let cut = clock.cut(raw, resolution);
                assert!(cut <= raw && clock.cut(cut, resolution) == cut, "{raw} {resolution:?}");
                let past = u128::from(clock.since_start_picos(cut)) % resolution.picos();
                assert!(past < u128::from(tick), "{past}");
            }
        }
    }

    #[test]
    fn timers_and_resolutions_are_each_others() {
        for timer in TimerName::ALL {
            match Resolution::of(timer) {
                Some(resolution) => {
                    assert_eq!(resolution.timer(), timer);
                    assert_eq!(Resolution::from_number(resolution as u8), resolution);
                }
                None => assert_eq!(timer, TimerName::ThreadCpu),
            }
        }
    }
}
