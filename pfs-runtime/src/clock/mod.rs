//! The time of events: raw ticks of the cheapest clock that is right, and their conversion to picoseconds when
//! they are read. What a tick is used for is not known here.
//!
//! On x86-64 with an invariant time stamp counter and on AArch64 the source is the cycle counter, which the hot
//! path reads inline by [`ticks`]; elsewhere it is the monotonic clock in nanoseconds. There is one zero and one
//! scale for all kinds of event, so that intervals of different kinds can be compared and nested.

mod resolution;
mod timers;
mod wall;

use core::cell::Cell;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

pub use resolution::Resolution;
pub use timers::{Timer, TimerName, thread_cpu_nanos};
pub use wall::{TimeOfDay, Wall};

/// A factor is in picoseconds a tick, times 2 to this power. With 32 bits of fraction a factor of 1 ps (the fastest
/// counter there could be) is still exact to 3e-10, far below what calibration can know.
const FRACTION_BITS: u32 = 32;

/// How long the frequency of the cycle counter is measured: the readings at both ends are each right to some 20 ns,
/// so it is known to about 4 parts in a million.
const CALIBRATION: Duration = Duration::from_millis(10);

const PICOS_PER_SECOND: u128 = 1_000_000_000_000;

/// Where the ticks of a [`Clock`] come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The cycle counter of the core, read by [`ticks`].
    Cycle,
    /// The monotonic clock of the system, in nanoseconds.
    Nanosecond,
    /// A count of its own readings, in picoseconds: see [`Clock::constant_step`].
    Step,
}

laid_out!(enum Source);

/// A source of ticks, the moment from which it counts, and its scale.
///
/// ```
/// use pfs_runtime::clock::Clock;
///
/// let clock = Clock::calibrate();
/// let (start, end) = (clock.now(), clock.now());
/// let (start_picos, end_picos, wait_picos) = clock.interval(start, end);
/// assert_eq!(end_picos - start_picos, wait_picos);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    source: Source,
    /// Picoseconds a tick, times 2^[`FRACTION_BITS`]; never 0.
    factor: u64,
    zero: u64,
    /// Ticks from one reading to the next, of [`Source::Step`] only.
    step: u64,
}

laid_out!(Clock { source, factor, zero, step });

impl Clock {
    /// The best clock of this machine, with its zero at this moment.
    ///
    /// The first call in a process measures the frequency of the cycle counter, which takes 10 milliseconds, on a
    /// loaded machine up to 0.2 seconds; later calls take that result and no time, so all clocks have one scale.
    pub fn calibrate() -> Clock {
        static CYCLE_FACTOR: OnceLock<Option<u64>> = OnceLock::new();
        let (source, factor) = match *CYCLE_FACTOR.get_or_init(cycle_factor) {
            Some(factor) => (Source::Cycle, factor),
            None => (Source::Nanosecond, 1000 << FRACTION_BITS),
        };
        let mut clock = Clock { source, factor, zero: 0, step: 0 };
        clock.zero = clock.now();
        clock
    }

    /// A clock for tests, on which every reading is `step` picoseconds after the one before **on the same thread**,
    /// whichever clock of this kind that was: what is timed by two successive readings took exactly `step`.
    #[doc(hidden)]
    pub fn constant_step(step: u64) -> Clock {
        Clock { source: Source::Step, factor: 1 << FRACTION_BITS, zero: 0, step }
    }

    /// Raw ticks of this clock's source. Costs a branch more than [`ticks`] on a cycle counter, a system call's worth
    /// of time elsewhere (some 40 ns where it needs none).
    #[inline]
    pub fn now(&self) -> u64 {
        match self.source {
            Source::Cycle => ticks(),
            Source::Nanosecond => nanoseconds(),
            Source::Step => STEPPED.with(|stepped| {
                let next = stepped.get().saturating_add(self.step);
                stepped.set(next);
                next
            }),
        }
    }

    /// Whether [`ticks`] may stand for [`now`](Clock::now).
    #[inline]
    pub fn is_cycle(&self) -> bool {
        self.source == Source::Cycle
    }

    /// Where the ticks come from.
    pub fn source(&self) -> Source {
        self.source
    }

    /// The raw ticks at which this clock was made: time 0 of every row.
    pub fn zero(&self) -> u64 {
        self.zero
    }

    /// Ticks in a second, rounded.
    ///
    /// ```
    /// use pfs_runtime::clock::Clock;
    ///
    /// // The step clock of tests ticks in picoseconds.
    /// assert_eq!(Clock::constant_step(7).frequency(), 1_000_000_000_000);
    /// ```
    pub fn frequency(&self) -> u64 {
        let factor = u128::from(self.factor);
        saturate(((PICOS_PER_SECOND << FRACTION_BITS) + factor / 2) / factor)
    }

    /// A duration in ticks as picoseconds, rounded down; past `u64::MAX` (213 days) it stays there and never wraps.
    ///
    /// ```
    /// use pfs_runtime::clock::Clock;
    ///
    /// assert_eq!(Clock::constant_step(1).to_picos(1234), 1234);
    /// ```
    pub fn to_picos(&self, ticks: u64) -> u64 {
        saturate(self.exact_picos(ticks))
    }

    /// The fewest ticks that are at least so many picoseconds.
    ///
    /// ```
    /// use pfs_runtime::clock::Clock;
    ///
    /// let clock = Clock::calibrate();
    /// let ticks = clock.ticks_of_at_least(10_000_000);
    /// assert!(clock.to_picos(ticks) >= 10_000_000 && clock.to_picos(ticks - 1) < 10_000_000);
    /// ```
    pub fn ticks_of_at_least(&self, picos: u64) -> u64 {
        saturate((u128::from(picos) << FRACTION_BITS).div_ceil(u128::from(self.factor)))
    }

    /// A raw reading as picoseconds since this clock's zero: 0 for what came before it, `u64::MAX` for what came more
    /// than 213 days after.
    pub fn since_start_picos(&self, raw: u64) -> u64 {
        self.to_picos(raw.saturating_sub(self.zero))
    }

    /// Two raw readings as `(start, end, wait)` in picoseconds, start and end since this clock's zero.
    ///
    /// - `end - start == wait`, always. Start and end are rounded down, so `wait` is
    ///   [`to_picos`](Clock::to_picos) of the difference or one picosecond more.
    /// - The conversion is monotone, so an interval that lies within another in ticks does so in picoseconds.
    /// - A step backward (another core's counter is behind) is a wait of 0 at `start`.
    /// - When the end is past `u64::MAX`, it stays there, and the start is put where the wait is still the true one.
    ///
    /// ```
    /// use pfs_runtime::clock::Clock;
    ///
    /// let clock = Clock::constant_step(1);
    /// assert_eq!(clock.interval(100, 140), (100, 140, 40));
    /// assert_eq!(clock.interval(100, 90), (100, 100, 0));
    /// ```
    pub fn interval(&self, start: u64, end: u64) -> (u64, u64, u64) {
        let exact_start = self.exact_picos(start.saturating_sub(self.zero));
        let exact_end = self.exact_picos(end.max(start).saturating_sub(self.zero));
        let wait = saturate(exact_end - exact_start);
        let end = saturate(exact_end);
        // Within u64 this is `exact_start`. Past it, `end` is `u64::MAX`, which no wait exceeds. A parent cut like
        // this still holds its child, cut or not: its start moved down by as much as its end did, which is at least
        // as much as the child's did.
        (end - wait, end, wait)
    }

    /// Cannot wrap: a product of two 64-bit numbers has 128 bits.
    fn exact_picos(&self, ticks: u64) -> u128 {
        (u128::from(ticks) * u128::from(self.factor)) >> FRACTION_BITS
    }
}

thread_local! {
    /// What the last reading of a step clock on this thread gave.
    static STEPPED: Cell<u64> = const { Cell::new(0) };
}

/// The cycle counter of this core, without a branch and without ordering: the core may read it some tens of
/// instructions early or late. Right only where [`Clock::is_cycle`]; on an architecture without a counter it reads
/// the clock in nanoseconds.
#[inline(always)]
#[expect(clippy::inline_always, reason = "the two instructions that hot paths are made of")]
pub fn ticks() -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: every x86-64 processor has the instruction; where a kernel forbids it to user programs, nothing
        // that uses the vDSO's clock works either.
        unsafe { core::arch::x86_64::_rdtsc() }
    }
    #[cfg(all(target_arch = "aarch64", not(target_os = "ios")))]
    {
        let count: u64;
        // SAFETY: the virtual counter is part of every ARMv8 processor, readable by user programs on every system
        // but iOS; the instruction reads a register and touches neither memory nor flags.
        unsafe {
            core::arch::asm!("mrs {}, cntvct_el0", out(reg) count, options(nomem, nostack, preserves_flags));
        }
        count
    }
    #[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", not(target_os = "ios")))))]
    nanoseconds()
}

/// When the clock in nanoseconds was read first.
static FIRST: OnceLock<Instant> = OnceLock::new();

/// The monotonic clock, in nanoseconds since its first reading in this process.
fn nanoseconds() -> u64 {
    let FirstReading(first) = FirstReading::here();
    // 584 years fit.
    u64::try_from(first.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// The first reading of the clock in nanoseconds, from which it counts. A plugin counts from that of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstReading(Instant);

laid_out!(FirstReading { 0 });

impl FirstReading {
    /// The one here, which is now if there was none.
    pub(crate) fn here() -> Self {
        Self(*FIRST.get_or_init(Instant::now))
    }

    /// Makes this the one here. The clock was not read yet, because nothing was started.
    pub(crate) fn share(self) {
        let _ = FIRST.set(self.0);
    }
}

/// The factor of the cycle counter, or `None` where it cannot be used as a clock.
fn cycle_factor() -> Option<u64> {
    let begin = Moment::now();
    if !is_cycle_counter_a_clock() {
        return None;
    }
    std::thread::sleep(CALIBRATION.saturating_sub(begin.time.elapsed()));
    let end = Moment::now();
    let picos = end.time.duration_since(begin.time).as_nanos() * 1000;
    let ticks = u128::from(end.ticks.checked_sub(begin.ticks)?);
    // A counter that stands still has no factor, and one that is faster than 1 ps is none.
    let factor = (picos << FRACTION_BITS).checked_div(ticks)?;
    u64::try_from(factor).ok().filter(|factor| factor >> FRACTION_BITS > 0)
}

/// Nobody is there to judge: the engine is compiled out, and no clock is asked.
#[cfg(not(feature = "engine"))]
fn is_cycle_counter_a_clock() -> bool {
    false
}

/// Whether the cycle counter runs at one speed always and on all cores. That is quanta's judgement (the processor says
/// so), which shows in what quanta reads: this very counter, or else the clock in nanoseconds, whose values are
/// elsewhere.
#[cfg(feature = "engine")]
fn is_cycle_counter_a_clock() -> bool {
    let reference = quanta::Clock::new();
    // More than once, for this thread may be moved between two reads to a core whose counter is a little behind.
    (0..8).any(|_| {
        let before = ticks();
        let read = reference.raw();
        (before..=ticks()).contains(&read)
    })
}

/// One moment on the cycle counter and on the clock of the system.
struct Moment {
    ticks: u64,
    time: Instant,
}

impl Moment {
    /// The closest of 16 pairs of readings: a thread that is interrupted between the two would spoil the scale.
    fn now() -> Moment {
        let mut closest = u64::MAX;
        let mut moment = Moment { ticks: ticks(), time: Instant::now() };
        for _ in 0..16 {
            let before = ticks();
            let time = Instant::now();
            // A step backward is another core's counter: of no use here.
            let Some(between) = ticks().checked_sub(before) else { continue };
            if between < closest {
                closest = between;
                moment = Moment { ticks: before + between / 2, time };
            }
        }
        moment
    }
}

fn saturate(picos: u128) -> u64 {
    u64::try_from(picos).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A clock of `hertz` whose zero is `zero`.
    fn clock(hertz: u64, zero: u64) -> Clock {
        let factor = (PICOS_PER_SECOND << FRACTION_BITS) / u128::from(hertz);
        Clock { source: Source::Cycle, factor: u64::try_from(factor).unwrap(), zero, step: 0 }
    }

    #[test]
    fn picoseconds_of_known_frequencies() {
        let one_ghz = clock(1_000_000_000, 0);
        assert_eq!(one_ghz.to_picos(0), 0);
        assert_eq!(one_ghz.to_picos(1), 1000);
        assert_eq!(one_ghz.to_picos(123_456_789), 123_456_789_000);
        assert_eq!(one_ghz.frequency(), 1_000_000_000);
        let three_ghz = clock(3_000_000_000, 0);
        assert_eq!(three_ghz.to_picos(1), 333);
        assert_eq!(three_ghz.to_picos(2), 666);
        // The scale is cut at 2^-32 of a picosecond: in a second of ticks, that is less than 1 ps.
        assert_eq!(three_ghz.to_picos(3_000_000_000), 999_999_999_999);
        assert_eq!(three_ghz.frequency(), 3_000_000_000);
        let arm = clock(24_000_000, 0);
        assert_eq!(arm.to_picos(1), 41_666);
        assert_eq!(arm.to_picos(24), 999_999);
        assert_eq!(arm.frequency(), 24_000_000);
    }

    #[test]
    fn conversion_saturates_and_never_wraps() {
        let one_ghz = clock(1_000_000_000, 5);
        let last = u64::MAX / 1000;
        assert_eq!(one_ghz.to_picos(last), last * 1000);
        assert_eq!(one_ghz.to_picos(last + 1), u64::MAX);
        assert_eq!(one_ghz.to_picos(u64::MAX), u64::MAX);
        assert_eq!(one_ghz.since_start_picos(u64::MAX), u64::MAX);
        assert_eq!(one_ghz.since_start_picos(6), 1000);
        assert_eq!(one_ghz.since_start_picos(4), 0);
        assert_eq!(one_ghz.since_start_picos(0), 0);
    }

    #[test]
    fn an_interval_past_the_range_keeps_its_wait() {
        let one_ghz = clock(1_000_000_000, 0);
        let far = u64::MAX / 1000 + 1_000_000;
        assert_eq!(one_ghz.interval(far, far + 7), (u64::MAX - 7000, u64::MAX, 7000));
        assert_eq!(one_ghz.interval(far + 7, far), (u64::MAX, u64::MAX, 0));
        assert_eq!(one_ghz.interval(0, u64::MAX), (0, u64::MAX, u64::MAX));
    }

    #[test]
    fn an_interval_before_the_zero_is_cut_there() {
        let one_ghz = clock(1_000_000_000, 100);
        assert_eq!(one_ghz.interval(90, 110), (0, 10_000, 10_000));
        assert_eq!(one_ghz.interval(80, 90), (0, 0, 0));
        assert_eq!(one_ghz.interval(110, 90), (10_000, 10_000, 0));
    }

    #[test]
    fn a_step_clock_steps_by_thread() {
        let clock = Clock::constant_step(250);
        assert!(!clock.is_cycle());
        let first = clock.now();
        assert_eq!(clock.now() - first, 250);
        assert_eq!(Clock::constant_step(3).now() - first, 253);
        let other = std::thread::spawn(move || (clock.now(), clock.now())).join().unwrap();
        assert_eq!(other, (250, 500));
        assert_eq!(clock.interval(250, 500), (250, 500, 250));
        assert_eq!(clock.to_picos(u64::MAX), u64::MAX);
    }

    #[test]
    fn a_calibrated_clock_agrees_with_the_system() {
        let clock = Clock::calibrate();
        assert_eq!(clock.zero, clock.zero());
        let before = Instant::now();
        let start = clock.now();
        std::thread::sleep(Duration::from_millis(50));
        let end = clock.now();
        let outer = u64::try_from(before.elapsed().as_nanos()).unwrap();
        let (start_picos, end_picos, wait) = clock.interval(start, end);
        assert_eq!(end_picos - start_picos, wait);
        // Bounded from both sides; 1 part in 1000 is far more than calibration leaves open.
        assert!(wait >= 50_000_000_000 / 1000 * 999, "{wait}");
        assert!(wait <= outer * 1001, "{wait} > {outer} ns");
    }

    #[cfg(target_arch = "aarch64")]
    #[test]
    fn the_counter_runs_as_fast_as_the_processor_says() {
        let says: u64;
        // SAFETY: the register tells the frequency of the virtual counter, and is readable wherever that is.
        unsafe {
            core::arch::asm!("mrs {}, cntfrq_el0", out(reg) says, options(nomem, nostack, preserves_flags));
        }
        let clock = Clock::calibrate();
        assert!(clock.is_cycle());
        assert!(clock.frequency().abs_diff(says) <= says / 1000, "{} {says}", clock.frequency());
    }

    #[test]
    fn a_cycle_clock_is_read_by_ticks() {
        let clock = Clock::calibrate();
        if clock.is_cycle() {
            let (before, now) = (ticks(), clock.now());
            assert!(now >= before && clock.to_picos(now - before) < 1_000_000_000_000);
        } else {
            assert_eq!(clock.source(), Source::Nanosecond);
            assert_eq!(clock.frequency(), 1_000_000_000);
        }
    }

    #[test]
    fn nanoseconds_go_forward() {
        let first = nanoseconds();
        std::thread::sleep(Duration::from_millis(2));
        let waited = nanoseconds() - first;
        assert!((2_000_000..60_000_000_000).contains(&waited), "{waited}");
    }

    #[test]
    fn a_clock_without_the_counter_reads_nanoseconds() {
        let mut clock = Clock { source: Source::Nanosecond, factor: 1000 << FRACTION_BITS, zero: 0, step: 0 };
        clock.zero = clock.now();
        assert_eq!(clock.frequency(), 1_000_000_000);
        assert_eq!(clock.interval(clock.zero() + 3, clock.zero() + 10), (3000, 10_000, 7000));
    }

    proptest! {
        #[test]
        fn intervals_keep_their_sum_and_their_nesting(
            factor in 1_u64..=u64::MAX,
            zero: u64,
            mut at: [u64; 4],
        ) {
            let clock = Clock { source: Source::Cycle, factor, zero, step: 0 };
            at.sort_unstable();
            let (outer_start, outer_end, outer_wait) = clock.interval(at[0], at[3]);
            let (inner_start, inner_end, inner_wait) = clock.interval(at[1], at[2]);
            prop_assert_eq!(outer_end - outer_start, outer_wait);
            prop_assert_eq!(inner_end - inner_start, inner_wait);
            prop_assert!(outer_start <= inner_start && inner_end <= outer_end);
            let backward = clock.interval(at[2], at[1]);
            prop_assert_eq!(backward, (backward.0, backward.0, 0));
        }

        #[test]
        fn an_interval_is_as_long_as_its_ticks(
            factor in 1_u64..1 << 50,
            zero in 0_u64..1 << 20,
            start in 1_u64 << 20..1 << 40,
            ticks in 0_u64..1 << 40,
        ) {
            let clock = Clock { source: Source::Cycle, factor, zero, step: 0 };
            let (start_picos, _, wait) = clock.interval(start, start + ticks);
            prop_assert_eq!(start_picos, clock.since_start_picos(start));
            let alone = clock.to_picos(ticks);
            prop_assert!(wait == alone || wait == alone + 1);
        }
    }
}
