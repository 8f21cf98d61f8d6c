//! How many statements took how long: the reference's 450 buckets, 50 for each power of ten from 10 µs on.

use crate::atomic::{AtomicU64, Ordering};
use crate::clock::Clock;

/// Buckets of a histogram.
pub const BUCKETS: usize = 450;

/// From where on times belong to each bucket.
#[derive(Debug)]
pub struct Bounds {
    picos: [u64; BUCKETS],
    ticks: [u64; BUCKETS],
    /// The bucket of the least time that begins with the same bits: see [`leading`].
    first: [u16; LEADING],
}

laid_out!(Bounds { picos, ticks, first });

/// Bits that are looked at behind the highest one of a time. As a bucket is a seventh of an octave wide, so many tell all
/// but one or two buckets apart.
const BEHIND: u32 = 4;
const LEADING: usize = 64 << BEHIND;

/// The highest bit of a time and those behind it, as a number; of one that has no such bits, itself.
#[inline]
fn leading(ticks: u64) -> usize {
    let highest = (ticks | 1).ilog2();
    #[expect(clippy::cast_possible_truncation, reason = "cut to some bits")]
    let behind = |ticks: u64| ticks as usize & ((1 << BEHIND) - 1);
    match highest.checked_sub(BEHIND) {
        Some(zeros) => (highest as usize) << BEHIND | behind(ticks >> zeros),
        None => behind(ticks),
    }
}

/// The least time of these [`leading`] bits.
fn least(leading: usize) -> u64 {
    let (highest, behind) = (leading >> BEHIND, leading & ((1 << BEHIND) - 1));
    match highest.checked_sub(BEHIND as usize) {
        Some(zeros) => ((1 << BEHIND | behind) as u64) << zeros,
        None => behind as u64,
    }
}

impl Bounds {
    /// The reference's bounds, in picoseconds and in ticks of a clock: 0, 10 µs, and from there each the one before times
    /// 10^(1/50), multiplied as doubles in this order and cut to whole picoseconds.
    pub fn of(clock: &Clock) -> Self {
        // The reference's own constant.
        const FACTOR: f64 = 1.047_128_548_050_899_6;
        let mut bound = 10_000_000.0_f64;
        let picos = core::array::from_fn(|bucket| {
            if bucket == 0 {
                return 0;
            }
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "below 2^63, and cut on purpose"
            )]
            let picos = bound as u64;
            bound *= FACTOR;
            picos
        });
        let ticks = picos.map(|picos| clock.ticks_of_at_least(picos));
        let first = core::array::from_fn(|leading| {
            let bucket = ticks.partition_point(|bound| *bound <= least(leading)).saturating_sub(1);
            u16::try_from(bucket).unwrap_or(0)
        });
        Self { picos, ticks, first }
    }

    /// The bucket of a time in ticks. Cost: a look at a bound or two.
    #[inline]
    pub fn bucket(&self, ticks: u64) -> usize {
        let mut bucket = usize::from(self.first[leading(ticks)]);
        while self.ticks.get(bucket + 1).is_some_and(|bound| *bound <= ticks) {
            bucket += 1;
        }
        bucket
    }

    /// From where on and up to where times belong to a bucket, in picoseconds; the last has no end.
    pub fn picos(&self, bucket: usize) -> (u64, u64) {
        (self.picos[bucket], self.picos.get(bucket + 1).copied().unwrap_or(u64::MAX))
    }
}

/// How many fell in each bucket, counted by several threads at once. Each count is exact.
#[repr(transparent)]
#[derive(Debug)]
pub struct Histogram([AtomicU64; BUCKETS]);

laid_out!(Histogram { 0 });

impl Histogram {
    /// Counts one. Cost: an atomic addition.
    #[inline]
    pub fn add(&self, bucket: usize) {
        self.0[bucket].fetch_add(1, Ordering::Relaxed);
    }

    /// Adds what was counted to a sum.
    pub fn add_to(&self, sum: &mut Counts) {
        for (sum, bucket) in sum.0.iter_mut().zip(&self.0) {
            *sum += bucket.load(Ordering::Relaxed);
        }
    }

    /// Starts again. What is counted meanwhile is before or after it.
    pub fn clear(&self) {
        for bucket in &self.0 {
            // Pages that nothing was counted in stay untouched.
            if bucket.load(Ordering::Relaxed) != 0 {
                bucket.swap(0, Ordering::Relaxed);
            }
        }
    }
}

/// How many fell in each bucket, copied out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts(pub [u64; BUCKETS]);

impl Counts {
    /// None.
    pub const fn new() -> Self {
        Self([0; BUCKETS])
    }

    /// How many in all.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The bucket within which lies the time that so many of a thousand did not exceed; `None` of no times.
    pub fn quantile(&self, of_a_thousand: u64) -> Option<usize> {
        let total = u128::from(self.total());
        let wanted = (total * u128::from(of_a_thousand)).div_ceil(1000);
        let mut sum = 0;
        let reached = |count: &u64| {
            sum += u128::from(*count);
            sum >= wanted
        };
        if total == 0 { None } else { self.0.iter().position(reached) }
    }
}

impl Default for Counts {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_are_those_of_the_reference() {
        let bounds = Bounds::of(&Clock::constant_step(1));
        assert_eq!(bounds.picos(0), (0, 10_000_000));
        assert_eq!(bounds.picos(1), (10_000_000, 10_471_285));
        // The reference's drift of repeated multiplication.
        assert_eq!(bounds.picos(351).0, 100_000_000_000_002);
        assert_eq!(bounds.picos(401).0, 1_000_000_000_000_030);
        assert_eq!(bounds.picos(449).1, u64::MAX);
        for (bucket, decade) in [(51, 100), (101, 1_000), (151, 10_000), (201, 100_000), (251, 1_000_000)] {
            let exact = decade * 1_000_000;
            assert!(bounds.picos(bucket).0.abs_diff(exact) <= 1, "{bucket}");
        }
    }

    #[test]
    fn a_time_is_in_the_bucket_from_whose_bound_it_is_not_below() {
        // With ticks of a picosecond, and with those of this machine, which round the bounds up.
        for clock in [Clock::constant_step(1), Clock::calibrate()] {
            let bounds = Bounds::of(&clock);
            for bucket in 0..BUCKETS {
                let (low, _) = bounds.picos(bucket);
                let first = clock.ticks_of_at_least(low);
                assert_eq!(bounds.bucket(first), bucket);
                assert!(clock.to_picos(first) >= low);
                if first > 0 {
                    assert_eq!(bounds.bucket(first - 1), bucket - 1);
                    assert!(clock.to_picos(first - 1) < low);
                }
            }
            assert_eq!(bounds.bucket(u64::MAX), BUCKETS - 1);
        }
    }

    #[test]
    fn the_least_time_of_leading_bits_has_them() {
        for ticks in (0..100_000).chain([1 << 20, (1 << 20) - 1, u64::MAX, u64::MAX / 3]) {
            assert!(least(leading(ticks)) <= ticks);
            assert_eq!(leading(least(leading(ticks))), leading(ticks));
        }
    }

    #[test]
    fn a_quantile_is_where_the_sum_reaches_its_share() {
        let mut counts = Counts::new();
        assert_eq!(counts.quantile(950), None);
        counts.0[3] = 1;
        assert_eq!([counts.quantile(1), counts.quantile(950), counts.quantile(1000)], [Some(3); 3]);
        counts.0[5] = 18;
        counts.0[7] = 1;
        // 19 of 20 are 95 %.
        assert_eq!(counts.quantile(950), Some(5));
        assert_eq!(counts.quantile(951), Some(7));
        assert_eq!(counts.quantile(50), Some(3));
        assert_eq!(counts.quantile(51), Some(5));
        assert_eq!(counts.total(), 20);
    }

    #[test]
    fn what_threads_count_at_once_is_exact() {
        let histogram = Histogram(core::array::from_fn(|_| AtomicU64::new(0)));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..10_000).for_each(|at| histogram.add(at % 7)));
            }
        });
        let mut counts = Counts::new();
        histogram.add_to(&mut counts);
        assert_eq!(counts.total(), 40_000);
        assert_eq!(counts.0[0], 4 * 1429);
        histogram.clear();
        let mut none = Counts::new();
        histogram.add_to(&mut none);
        assert_eq!(none, Counts::new());
    }
}
