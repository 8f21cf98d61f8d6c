//! Nanoseconds of an operation, raw and instrumented in the same rounds.
//!
//! A bench that `cargo bench` runs gets `--bench`; any other run only shows that it works, in one short round.

#![allow(dead_code, reason = "each bench uses a part")]

use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

/// Whether figures are wanted.
pub(crate) fn is_bench() -> bool {
    std::env::args().any(|arg| arg == "--bench")
}

/// So many if figures are wanted, else one.
pub(crate) fn rounds(wanted: usize) -> usize {
    if is_bench() { wanted } else { 1 }
}

/// Prints what the columns of the lines are.
pub(crate) fn heading(what: &str, raw: &str, instrumented: &str) {
    println!("{what:44} {raw:>14} {instrumented:>14} {:>9}", "over");
}

/// Prints one line.
pub(crate) fn line(name: &str, [raw, instrumented]: [f64; 2]) {
    println!("{name:44} {raw:14.1} {instrumented:14.1} {:+9.1}", instrumented - raw);
}

/// Nanoseconds of each of so many operations.
#[expect(clippy::cast_precision_loss, reason = "a run is far shorter than 2^52 ns and operations")]
pub(crate) fn each(all: Duration, operations: u64) -> f64 {
    all.as_nanos() as f64 / operations as f64
}

/// Nanoseconds of each operation of a run of `operations`.
pub(crate) fn time(operations: u64, run: impl FnOnce(u64)) -> f64 {
    let start = Instant::now();
    run(operations);
    each(start.elapsed(), operations)
}

/// Nanoseconds of each operation of several threads that do `operations` each at once, from the first begin to the last
/// end.
pub(crate) fn together(threads: usize, operations: u64, run: impl Fn(u64) + Sync) -> f64 {
    let all_there = Barrier::new(threads);
    let each_of_them = || {
        all_there.wait();
        let start = Instant::now();
        run(operations);
        (start, Instant::now())
    };
    let times: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(each_of_them)).collect();
        threads.into_iter().map(|thread| thread.join().expect("it only counts")).collect()
    });
    let first = times.iter().map(|(start, _)| *start).min().expect("there are threads");
    let last = times.iter().map(|(_, end)| *end).max().expect("there are threads");
    each(last - first, threads as u64 * operations)
}

/// Measures both in turns, so that what else the machine does slows both down, and gives of each the figure that
/// `pick` chooses of its sorted ones.
pub(crate) fn in_turns(
    wanted: usize,
    pick: fn(&[f64]) -> f64,
    mut raw: impl FnMut() -> f64,
    mut instrumented: impl FnMut() -> f64,
) -> [f64; 2] {
    let mut figures = [Vec::new(), Vec::new()];
    for _ in 0..rounds(wanted) {
        figures[0].push(raw());
        figures[1].push(instrumented());
    }
    figures.map(|mut figures| {
        figures.sort_by(f64::total_cmp);
        pick(&figures)
    })
}

/// The round that the machine slowed least: for what one thread does alone.
pub(crate) fn least(sorted: &[f64]) -> f64 {
    sorted[0]
}

/// The round in the middle: for threads that meet, whose luckiest round is the one in which they did not.
pub(crate) fn median(sorted: &[f64]) -> f64 {
    sorted[sorted.len() / 2]
}
