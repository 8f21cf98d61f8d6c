//! The waits of the run by class: what each took, and which of them took most of the time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use pfs::Pfs;

use super::layout::{Grid, thousands, time};
use super::report::short;

/// The threads that serve clients.
const CONNECTION: &str = "thread/kv/connection";
/// Classes of condition variables.
const COND: &str = "wait/synch/cond/";

/// Waits of one class, summed over some threads. Times are in picoseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: u64,
    /// Those that found a lock taken.
    waited: u64,
    sum: u64,
    max: u64,
}

/// The waits of some threads, by class.
#[derive(Debug, Default)]
pub(super) struct Waits(BTreeMap<&'static str, Sums>);

/// The waits of every thread, those of the threads that serve clients apart.
#[derive(Debug, Default)]
pub(super) struct Split {
    pub(super) clients: Waits,
    pub(super) background: Waits,
}

impl Split {
    pub(super) fn read(pfs: Pfs) -> Self {
        let serving: HashMap<u64, bool> =
            pfs.threads().map(|row| (row.thread_id, row.name == CONNECTION)).collect();
        let mut split = Split::default();
        for row in pfs.events_waits_summary_by_thread_by_event_name().filter(|row| row.count_star > 0) {
            let of_client = serving.get(&row.thread_id).copied().unwrap_or(false);
            let waits = if of_client { &mut split.clients } else { &mut split.background };
            let (count, waited) = (row.count_star, row.count_waited);
            waits.add(
                row.event_name,
                Sums { count, waited, sum: row.sum_timer_wait, max: row.max_timer_wait },
            );
        }
        split
    }
}

impl Waits {
    fn add(&mut self, name: &'static str, more: Sums) {
        let sums = self.0.entry(name).or_default();
        sums.count += more.count;
        sums.waited += more.waited;
        sums.sum = sums.sum.saturating_add(more.sum);
        sums.max = sums.max.max(more.max);
    }

    /// What clients are waiting for, if these are their waits: one sentence about the class that took most time.
    pub(super) fn answer(&self) -> String {
        let total = self.0.values().map(|sums| u128::from(sums.sum)).sum();
        let most = self.0.iter().max_by_key(|(name, sums)| (sums.sum, Reverse(**name)));
        let Some((name, sums)) = most.filter(|(_, sums)| sums.sum > 0) else {
            return "Clients wait for nothing: no lock and no condition variable took any of their time."
                .into();
        };
        format!(
            "Clients wait most for {name}: {} of their time in waits, {} waits of {} on average.",
            share(sums.sum, total),
            thousands(sums.count),
            time(sums.sum / sums.count.max(1)),
        )
    }

    pub(super) fn grid(&self) -> Grid {
        let mut grid = Grid::new(&["wait", "count", "contended", "total", "average", "longest"]);
        for (name, sums) in &self.0 {
            // Every wait on a condition variable is one; there is nothing to contend for.
            let contended = if name.starts_with(COND) { "-".to_owned() } else { thousands(sums.waited) };
            grid.row(
                sums.sum,
                vec![
                    short(name),
                    thousands(sums.count),
                    contended,
                    time(sums.sum),
                    time(sums.sum / sums.count.max(1)),
                    time(sums.max),
                ],
            );
        }
        grid
    }
}

/// `part` of `whole`, to the nearest tenth of a percent; 100 % is all of it and nothing less.
fn share(part: u64, whole: u128) -> String {
    let part = u128::from(part);
    if part >= whole {
        return "100 %".to_owned();
    }
    let tenths = ((part * 1000 + whole / 2) / whole).min(999);
    format!("{}.{} %", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::super::layout::Style;
    use super::*;

    const DURABLE: &str = "wait/synch/cond/kv/COND_log_durable";
    const LOG: &str = "wait/synch/mutex/kv/LOCK_log";

    /// Waits by class, count and sum.
    fn waits(rows: &[(&'static str, u64, u64)]) -> Waits {
        let mut waits = Waits::default();
        for &(name, count, sum) in rows {
            waits.add(name, Sums { count, waited: count, sum, max: sum });
        }
        waits
    }

    #[test]
    fn the_answer_is_the_class_with_most_time_over_all_threads() {
        // Two threads have waited for the one, and together longer than one thread for the other.
        let rows = [(DURABLE, 1000, 3_000_000_000), (LOG, 5, 4_000_000_000), (DURABLE, 500, 1_500_000_000)];
        assert_eq!(
            waits(&rows).answer(),
            "Clients wait most for wait/synch/cond/kv/COND_log_durable: 52.9 % of their time in waits, \
             1,500 waits of 3.00 µs on average."
        );
        assert_eq!(
            waits(&[(LOG, 2, 10)]).answer(),
            "Clients wait most for wait/synch/mutex/kv/LOCK_log: 100 % of their time in waits, \
             2 waits of 5 ps on average."
        );
        let even = waits(&[(LOG, 1, 7), (DURABLE, 1, 7)]).answer();
        assert!(even.contains("COND_log_durable: 50.0 % of"), "{even}");
    }

    #[test]
    fn no_wait_is_an_answer() {
        let nothing = "Clients wait for nothing: no lock and no condition variable took any of their time.";
        assert_eq!(waits(&[]).answer(), nothing);
        assert_eq!(waits(&[(LOG, 3, 0)]).answer(), nothing);
    }

    #[test]
    fn shares() {
        assert_eq!(
            [(0, 3), (1, 3), (2, 3), (3, 3), (1, 2000), (1, 2001)].map(|(part, whole)| share(part, whole)),
            ["0.0 %", "33.3 %", "66.7 %", "100 %", "0.1 %", "0.0 %"]
        );
        assert_eq!(share(u64::MAX - 1, u64::MAX.into()), "99.9 %");
        assert_eq!(share(u64::MAX, u128::from(u64::MAX) * 4), "25.0 %");
    }

    #[test]
    fn condition_variables_are_not_contended() {
        let mut out = Vec::new();
        let style = Style::plain();
        waits(&[(DURABLE, 1000, 3000), (LOG, 5, 1000)]).grid().print(&mut out, style, 9).unwrap();
        let lines = String::from_utf8(out).unwrap();
        let cells: Vec<Vec<&str>> =
            lines.lines().map(|line| line.split_whitespace().take(3).collect()).collect();
        assert_eq!(
            cells,
            [
                ["wait", "count", "contended"],
                ["cond/kv/COND_log_durable", "1,000", "-"],
                ["mutex/kv/LOCK_log", "5", "5"]
            ]
        );
    }
}
