//! What does a lock cost that two threads want at once, std's and ours?
//!
//! The median of many rounds, because the least is a round in which the threads did not meet.

mod measure;
mod state;

use pfs::Config;
use state::{CONTENDED, COUNTED, DISABLED, NOT_STARTED, Process, State, TIMED, WAITS_KEPT, showing};
use std::hint::black_box;

static RAW: std::sync::Mutex<u64> = std::sync::Mutex::new(0);
static LOCK: pfs::sync::Mutex<u64> = pfs::mutex!("bench/LOCK", 0);

const THREADS: usize = 2;
const ROUNDS: usize = 21;
const OPERATIONS: u64 = 100_000;

const STATES: &[(&str, State)] = &[
    ("not started", NOT_STARTED),
    ("disabled", DISABLED),
    ("counted", COUNTED),
    ("TIMED = CONTENDED", CONTENDED),
    ("timed", TIMED),
    ("timed, current, both histories", showing(WAITS_KEPT)),
];

/// Both threads do all operations of a round, with so many steps of their own work after each.
macro_rules! round {
    ($lock:ident, $work:ident) => {
        measure::together(THREADS, OPERATIONS, |operations| {
            for _ in 0..operations {
                *$lock.lock().unwrap() += 1;
                for step in 0..$work {
                    black_box(step);
                }
            }
        })
    };
}

fn main() {
    measure::heading("ns a lock and unlock of two threads, median", "std", "pfs");
    let mut process = Process::new(|| state::start(&Config::new()));
    for (name, state) in STATES {
        process.enter(*state);
        for (between, work) in [("back to back", 0), ("with work between", 200)] {
            let pair =
                measure::in_turns(ROUNDS, measure::median, || round!(RAW, work), || round!(LOCK, work));
            measure::line(&format!("{name}, {between}"), pair);
        }
    }
}
