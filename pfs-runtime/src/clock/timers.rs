//! What each timer can do: the facts behind the table `performance_timers`.

use super::{Clock, Source, nanoseconds, ticks};

/// A timer by its name in the Performance Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TimerName {
    /// The cycle counter.
    Cycle,
    /// The monotonic clock, in nanoseconds.
    Nanosecond,
    /// The monotonic clock, in microseconds.
    Microsecond,
    /// The monotonic clock, in milliseconds.
    Millisecond,
    /// The monotonic clock, in hundredths of a second.
    Tick,
    /// The processor time of the calling thread, in nanoseconds.
    ThreadCpu,
}

impl TimerName {
    /// All of them, in the order of the table.
    pub const ALL: [TimerName; 6] = [
        TimerName::Cycle,
        TimerName::Nanosecond,
        TimerName::Microsecond,
        TimerName::Millisecond,
        TimerName::Tick,
        TimerName::ThreadCpu,
    ];

    /// The name as it stands in the table.
    pub const fn as_str(self) -> &'static str {
        match self {
            TimerName::Cycle => "CYCLE",
            TimerName::Nanosecond => "NANOSECOND",
            TimerName::Microsecond => "MICROSECOND",
            TimerName::Millisecond => "MILLISECOND",
            TimerName::Tick => "TICK",
            TimerName::ThreadCpu => "THREAD_CPU",
        }
    }

    /// The timer of that name, ignoring case.
    pub fn from_name(name: &str) -> Option<TimerName> {
        TimerName::ALL.into_iter().find(|timer| timer.as_str().eq_ignore_ascii_case(name))
    }
}

/// One timer as measured. All three figures are `None` where the machine does not have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timer {
    /// Which timer.
    pub name: TimerName,
    /// Units a second.
    pub frequency: Option<u64>,
    /// Units by which the timer advances at a time.
    pub resolution: Option<u64>,
    /// The least that one of 20 readings cost, in cycles; `None` also where there is no cycle counter to say.
    pub overhead: Option<u64>,
}

/// How often a timer is read to measure it.
const READINGS: usize = 20;

impl Clock {
    /// The timers of this machine, measured by this call (some 50 microseconds): two calls may differ in overhead.
    ///
    /// ```
    /// use pfs_runtime::clock::{Clock, TimerName};
    ///
    /// let timers = Clock::calibrate().timers();
    /// assert_eq!(timers[1].name, TimerName::Nanosecond);
    /// assert_eq!(timers[1].frequency, Some(1_000_000_000));
    /// ```
    pub fn timers(&self) -> [Timer; 6] {
        let has_cycles = self.source() == Source::Cycle;
        TimerName::ALL.map(|name| {
            let measured = match name {
                TimerName::Cycle if has_cycles => Some((self.frequency(), measure(ticks))),
                TimerName::Cycle => None,
                TimerName::Nanosecond => Some((1_000_000_000, measure(nanoseconds))),
                TimerName::Microsecond => Some((1_000_000, measure(|| nanoseconds() / 1000))),
                TimerName::Millisecond => Some((1000, measure(|| nanoseconds() / 1_000_000))),
                TimerName::Tick => Some((100, measure(|| nanoseconds() / 10_000_000))),
                TimerName::ThreadCpu => thread_cpu_nanos()
                    .map(|_| (1_000_000_000, measure(|| thread_cpu_nanos().unwrap_or_default()))),
            };
            Timer {
                name,
                frequency: measured.map(|(frequency, _)| frequency),
                resolution: measured.map(|(_, measured)| measured.resolution),
                overhead: measured.filter(|_| has_cycles).map(|(_, measured)| measured.overhead),
            }
        })
    }
}

#[derive(Clone, Copy)]
struct Measured {
    resolution: u64,
    overhead: u64,
}

/// Reads a timer [`READINGS`] times. Its resolution is the greatest number of units that divides every step seen,
/// for a timer that advances by 100 shows only multiples of 100; one that was not seen to advance at all is coarse
/// next to the time that reading takes, and advances by its own unit.
fn measure(timer: impl Fn() -> u64) -> Measured {
    let mut steps = 0;
    let mut overhead = u64::MAX;
    let mut last = timer();
    for _ in 0..READINGS {
        let before = ticks();
        let next = timer();
        overhead = overhead.min(ticks().saturating_sub(before));
        steps = greatest_common_divisor(steps, next.saturating_sub(last));
        last = next;
    }
    Measured { resolution: steps.max(1), overhead }
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The processor time that the calling thread has used, in nanoseconds; `None` on a system that does not say. A
/// system call: about a microsecond.
pub fn thread_cpu_nanos() -> Option<u64> {
    #[cfg(all(unix, feature = "engine"))]
    {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the pointer is to a live, writable timespec, which the call fills or leaves.
        let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
        if result != 0 {
            return None;
        }
        let seconds = u64::try_from(time.tv_sec).ok()?;
        seconds.checked_mul(1_000_000_000)?.checked_add(u64::try_from(time.tv_nsec).ok()?)
    }
    #[cfg(not(all(unix, feature = "engine")))]
    None
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;

    #[test]
    fn resolution_is_the_step_that_divides_all() {
        let read = |steps: &'static [u64]| {
            let (at, time) = (Cell::new(0), Cell::new(17));
            measure(move || {
                time.set(time.get() + steps[at.get() % steps.len()]);
                at.set(at.get() + 1);
                time.get()
            })
            .resolution
        };
        assert_eq!(read(&[300, 200, 700]), 100);
        assert_eq!(read(&[42, 0, 84]), 42);
        assert_eq!(read(&[1]), 1);
        assert_eq!(read(&[0]), 1);
    }

    #[test]
    fn the_timers_stand_in_order_with_their_frequencies() {
        let clock = Clock::calibrate();
        let timers = clock.timers();
        assert_eq!(
            timers.map(|timer| timer.name.as_str()),
            ["CYCLE", "NANOSECOND", "MICROSECOND", "MILLISECOND", "TICK", "THREAD_CPU"]
        );
        let cycle = clock.is_cycle().then(|| clock.frequency());
        let cpu = cfg!(unix).then_some(1_000_000_000);
        assert_eq!(
            timers.map(|timer| timer.frequency),
            [cycle, Some(1_000_000_000), Some(1_000_000), Some(1000), Some(100), cpu]
        );
        for timer in timers {
            assert_eq!(timer.resolution.is_some(), timer.frequency.is_some(), "{timer:?}");
            assert_eq!(timer.overhead.is_some(), timer.frequency.is_some() && clock.is_cycle(), "{timer:?}");
        }
    }

    #[test]
    fn a_clock_without_cycles_has_no_cycle_timer_and_no_overheads() {
        let timers = Clock::constant_step(1).timers();
        assert_eq!(
            timers[0],
            Timer { name: TimerName::Cycle, frequency: None, resolution: None, overhead: None }
        );
        assert!(timers.iter().all(|timer| timer.overhead.is_none()));
    }

    #[cfg(unix)]
    #[test]
    fn processor_time_grows_with_work_and_not_with_sleep() {
        let before = thread_cpu_nanos().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(100));
        let slept = thread_cpu_nanos().unwrap() - before;
        assert!(slept < 100_000_000, "{slept}");
        let mut worked = 0;
        while worked < 1_000_000 {
            worked = thread_cpu_nanos().unwrap() - before;
        }
        assert!(worked < 60_000_000_000, "{worked}");
    }
}
