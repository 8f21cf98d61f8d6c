//! The time of day of raw ticks, and how it is written. Which events have one is not known here.

use super::Clock;
use std::time::{SystemTime, UNIX_EPOCH};

/// Which time of day it was at the zero of a clock.
#[derive(Clone, Copy, Debug)]
pub struct Wall {
    /// Microseconds from 1970 on, UTC.
    zero: u64,
}

laid_out!(Wall { zero });

impl Wall {
    /// The time of day, read now, of a clock. A later step of the system's time is not followed.
    pub fn of(clock: &Clock) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let micros = u64::try_from(now.as_micros()).unwrap_or(u64::MAX);
        Self { zero: micros.saturating_sub(clock.since_start_picos(clock.now()) / 1_000_000) }
    }

    /// The time of day at a raw reading of that clock.
    pub fn at(&self, clock: &Clock, ticks: u64) -> TimeOfDay {
        TimeOfDay(self.zero.saturating_add(clock.since_start_picos(ticks) / 1_000_000))
    }
}

/// A time of day, in microseconds from 1970 on, UTC. Written as `2026-12-01 08:15:00.000000`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimeOfDay(pub u64);

impl core::fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let (seconds, micros) = (self.0 / 1_000_000, self.0 % 1_000_000);
        let (days, second) = (seconds / 86_400, seconds % 86_400);
        let (year, month, day) = date(days);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{micros:06}")
    }
}

/// The date so many days after 1970-01-01. By eras of 400 years from a March on, as in Howard Hinnant's
/// "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
const fn date(days: u64) -> (u64, u64, u64) {
    const DAYS_OF_400_YEARS: u64 = 146_097;
    let from_march_0 = days + 719_468;
    let (era, day_of_era) = (from_march_0 / DAYS_OF_400_YEARS, from_march_0 % DAYS_OF_400_YEARS);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (400 * era + year_of_era + (month <= 2) as u64, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_dates() {
        for (micros, written) in [
            (0, "1970-01-01 00:00:00.000000"),
            (951_782_399_999_999, "2000-02-28 23:59:59.999999"),
            (951_782_400_000_000, "2000-02-29 00:00:00.000000"),
            (951_868_800_000_000, "2000-03-01 00:00:00.000000"),
            (1_709_251_199_000_001, "2024-02-29 23:59:59.000001"),
            (4_107_542_400_000_000, "2100-03-01 00:00:00.000000"),
        ] {
            assert_eq!(TimeOfDay(micros).to_string(), written);
        }
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let mut before = date(0);
        for day in 1..200_000 {
            let (year, month, of_month) = date(day);
            let next = (year, month, of_month) == (before.0, before.1, before.2 + 1);
            let new_month = of_month == 1 && (year, month) == (before.0, before.1 + 1);
            let new_year = (month, of_month, year) == (1, 1, before.0 + 1) && before.1 == 12;
            assert!(next || new_month && before.2 >= 28 || new_year && before.2 == 31, "{before:?}");
            before = (year, month, of_month);
        }
    }

    #[test]
    fn a_reading_is_as_long_after_the_zero_in_both() {
        let clock = Clock::constant_step(1);
        let wall = Wall::of(&clock);
        let zero = wall.at(&clock, clock.zero());
        assert_eq!(wall.at(&clock, clock.zero() + 5_000_000).0 - zero.0, 5);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros();
        assert!(now.abs_diff(zero.0.into()) < 3_600_000_000);
    }
}
