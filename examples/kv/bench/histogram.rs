//! Latencies as the clients see them: counts in buckets that grow with the value, good to an eighth of it.

use std::time::Duration;

/// Buckets to a power of two.
const STEPS: usize = 8;
/// Powers of two, in microseconds: up to a day and more.
const POWERS: usize = 40;

#[derive(Clone, Debug)]
pub(super) struct Histogram {
    counts: Vec<u64>,
    longest: Duration,
}

impl Default for Histogram {
    fn default() -> Self {
        Histogram { counts: vec![0; STEPS * POWERS], longest: Duration::ZERO }
    }
}

impl Histogram {
    pub(super) fn record(&mut self, latency: Duration) {
        let micros = u64::try_from(latency.as_micros()).unwrap_or(u64::MAX);
        self.counts[bucket(micros)] += 1;
        self.longest = self.longest.max(latency);
    }

    pub(super) fn add(&mut self, other: &Histogram) {
        for (sum, count) in self.counts.iter_mut().zip(&other.counts) {
            *sum += count;
        }
        self.longest = self.longest.max(other.longest);
    }

    pub(super) fn longest(&self) -> Duration {
        self.longest
    }

    /// A latency that `percent` of all do not exceed, as the upper end of its bucket.
    pub(super) fn percentile(&self, percent: u64) -> Duration {
        let total: u64 = self.counts.iter().sum();
        let rank = (total * percent).div_ceil(100);
        let mut seen = 0;
        for (number, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= rank && seen > 0 {
                return Duration::from_micros(upper_end(number)).min(self.longest);
            }
        }
        Duration::ZERO
    }
}

/// The first eight microseconds have a bucket each; from there on each power of two has eight.
fn bucket(micros: u64) -> usize {
    if micros < STEPS as u64 {
        return usize::try_from(micros).unwrap_or(0);
    }
    let power = micros.ilog2();
    let step = usize::try_from(micros >> (power - 3)).unwrap_or(0) - STEPS;
    ((power as usize - 2) * STEPS + step).min(STEPS * POWERS - 1)
}

/// The largest value of a bucket.
fn upper_end(number: usize) -> u64 {
    if number < STEPS {
        return number as u64;
    }
    let (power, step) = (number / STEPS + 2, number % STEPS);
    (((STEPS + step + 1) as u64) << (power - 3)) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_follow_each_other_without_gaps() {
        let mut number = 0;
        for micros in 0..100_000 {
            let next = bucket(micros);
            assert!(next == number || next == number + 1, "{micros}");
            if next > number {
                assert_eq!(upper_end(number), micros - 1);
            }
            number = next;
        }
        assert_eq!(bucket(u64::MAX), STEPS * POWERS - 1);
    }

    #[test]
    fn percentiles() {
        let mut histogram = Histogram::default();
        assert_eq!(histogram.percentile(50), Duration::ZERO);
        for micros in 1..=100 {
            histogram.record(Duration::from_micros(micros));
        }
        assert_eq!(histogram.percentile(5), Duration::from_micros(5));
        assert_eq!(histogram.percentile(50), Duration::from_micros(51));
        assert_eq!(histogram.percentile(100), Duration::from_micros(100));
        assert_eq!(histogram.longest(), Duration::from_micros(100));
    }
}
