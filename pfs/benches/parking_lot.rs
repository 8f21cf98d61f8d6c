//! What does a lock of `pfs::parking_lot` cost over parking_lot's own, alone and when two threads want it at once?

mod measure;
mod state;

use pfs::Config;
use state::{CONTENDED, COUNTED, DISABLED, NOT_STARTED, Process, State, TIMED, WAITS_KEPT, showing};
use std::hint::black_box;

static RAW_MUTEX: parking_lot::Mutex<u64> = parking_lot::Mutex::new(0);
static RAW_RWLOCK: parking_lot::RwLock<u64> = parking_lot::RwLock::new(0);
static RAW_REENTRANT: parking_lot::ReentrantMutex<u64> = parking_lot::ReentrantMutex::new(1);
static MUTEX: pfs::parking_lot::Mutex<u64> = pfs::parking_lot::mutex!("bench/MUTEX", 0);
static RWLOCK: pfs::parking_lot::RwLock<u64> = pfs::parking_lot::rwlock!("bench/RWLOCK", 0);
static REENTRANT: pfs::parking_lot::ReentrantMutex<u64> =
    pfs::parking_lot::reentrant_mutex!("bench/REENTRANT", 1);

const ROUNDS: usize = 200;
const OPERATIONS: u64 = 1_000;
const THREADS: usize = 2;
const ROUNDS_OF_TWO: usize = 21;
const OPERATIONS_OF_TWO: u64 = 100_000;

const STATES: &[(&str, State)] = &[
    ("not started", NOT_STARTED),
    ("disabled", DISABLED),
    ("counted", COUNTED),
    ("TIMED = CONTENDED", CONTENDED),
    ("timed", TIMED),
    ("timed, current, both histories", showing(WAITS_KEPT)),
];

/// Nanoseconds of `$operation` on the locks, parking_lot's and ours, one thread alone.
macro_rules! alone {
    ($raw:ident, $ours:ident, |$lock:ident| $operation:expr) => {
        measure::in_turns(
            ROUNDS,
            measure::least,
            || alone!(@ $raw, |$lock| $operation),
            || alone!(@ $ours, |$lock| $operation),
        )
    };
    (@ $which:ident, |$lock:ident| $operation:expr) => {{
        let $lock = black_box(&$which);
        measure::time(OPERATIONS, |operations| {
            for _ in 0..operations {
                black_box($operation);
            }
        })
    }};
}

/// Both threads do all operations of a round.
macro_rules! two {
    ($lock:ident) => {
        measure::together(THREADS, OPERATIONS_OF_TWO, |operations| {
            for _ in 0..operations {
                *$lock.lock() += 1;
            }
        })
    };
}

fn main() {
    measure::heading("ns an acquisition and its release", "parking_lot", "pfs");
    let mut process = Process::new(|| state::start(&Config::new()));
    for (name, state) in STATES {
        process.enter(*state);
        let line = |what: &str, pair| measure::line(&format!("{name}: {what}"), pair);
        line("lock", alone!(RAW_MUTEX, MUTEX, |lock| *lock.lock() += 1));
        line("read", alone!(RAW_RWLOCK, RWLOCK, |lock| *lock.read()));
        line("write", alone!(RAW_RWLOCK, RWLOCK, |lock| *lock.write() += 1));
        line("upgradable read", alone!(RAW_RWLOCK, RWLOCK, |lock| *lock.upgradable_read()));
        line("reentrant lock", alone!(RAW_REENTRANT, REENTRANT, |lock| *lock.lock()));
        let pair = measure::in_turns(ROUNDS_OF_TWO, measure::median, || two!(RAW_MUTEX), || two!(MUTEX));
        line("lock, two threads", pair);
    }
}
