//! Nanoseconds of an operation, raw and instrumented in the same rounds.

use std::time::{Duration, Instant};

const ROUNDS: usize = 400;
const OPERATIONS: u64 = 1000;

/// Prints what the columns of [`compare`] are.
pub(crate) fn heading() {
    println!(
        "{:34} {:>9} {:>13} {:>9}  ns an operation, least of many rounds",
        "", "raw", "instrumented", "over"
    );
}

/// Prints nanoseconds of an operation of both. They are measured in turns, so that what else the machine does
/// slows both down, and the least of many short rounds is the round that it slowed least.
pub(crate) fn compare(name: &str, raw: fn(u64), instrumented: fn(u64)) {
    let mut least = [f64::MAX; 2];
    for _ in 0..ROUNDS {
        for (least, run) in least.iter_mut().zip([raw, instrumented]) {
            let start = Instant::now();
            run(OPERATIONS);
            *least = least.min(each(start.elapsed(), OPERATIONS));
        }
    }
    print(name, least);
}

/// Prints one line.
pub(crate) fn print(name: &str, [raw, instrumented]: [f64; 2]) {
    println!("{name:34} {raw:9.1} {instrumented:13.1} {:+9.1}", instrumented - raw);
}

/// Nanoseconds of each of so many operations.
#[expect(clippy::cast_precision_loss, reason = "a run is far shorter than 2^52 ns and operations")]
pub(crate) fn each(all: Duration, operations: u64) -> f64 {
    all.as_nanos() as f64 / operations as f64
}
