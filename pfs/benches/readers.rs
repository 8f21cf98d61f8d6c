//! What does a reader cost the thread it reads, and what does a row cost the reader?
//!
//! The writer's loop is measured beside a thread that keeps a processor as busy without reading, and beside one that
//! reads a table again and again.

mod measure;
mod state;

use pfs::tables::Scan;
use pfs::{BoundTable, Config, Pfs};
use state::{Process, State, WAITS_KEPT, showing};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

static LOCK: pfs::sync::Mutex<u64> = pfs::mutex!("bench/LOCK", 0);

const ROUNDS: usize = 21;
const OPERATIONS: u64 = 50_000;
const STATE: State = showing(WAITS_KEPT);

const TABLES: &[&str] = &[
    "events_waits_summary_global_by_event_name",
    "events_waits_summary_by_thread_by_event_name",
    "events_waits_summary_by_instance",
    "events_waits_current",
    "events_waits_history",
    "events_waits_history_long",
    "mutex_instances",
    "threads",
];

/// Nanoseconds of the writer's operation while another thread does `beside` until it is done.
fn write_beside(beside: impl Fn() + Sync) -> f64 {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Relaxed) {
                beside();
            }
        });
        let figure = measure::time(OPERATIONS, |operations| {
            for _ in 0..operations {
                *LOCK.lock().unwrap() += 1;
            }
        });
        done.store(true, Relaxed);
        figure
    })
}

fn rows(table: BoundTable) -> u64 {
    let mut rows = 0;
    let mut cursor = table.rows(&Scan::ALL);
    while let Some(row) = cursor.next() {
        black_box(row);
        rows += 1;
    }
    rows
}

fn main() {
    let mut process = Process::new(|| state::start(&Config::new()));
    process.enter(STATE);
    let pfs: Pfs = pfs::current().expect("it was started just now");
    measure::heading("ns a timed, recorded lock beside a reader, median", "beside busy", "beside reader");
    let mut costs = Vec::new();
    for name in TABLES {
        let table = pfs.table(name).expect("these are tables of pfs");
        let (read, nanoseconds) = (AtomicU64::new(0), AtomicU64::new(0));
        let reader = || {
            let start = Instant::now();
            read.fetch_add(rows(table), Relaxed);
            nanoseconds.fetch_add(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX), Relaxed);
        };
        let busy = || {
            for step in 0..1000 {
                black_box(step);
            }
        };
        let pair = measure::in_turns(ROUNDS, measure::median, || write_beside(busy), || write_beside(reader));
        measure::line(name, pair);
        costs.push((name, read.into_inner(), nanoseconds.into_inner()));
    }
    println!("\n{:44} {:>14}", "ns a row, read while it is written", "mean");
    for (name, rows, nanoseconds) in costs {
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
        let each = nanoseconds as f64 / rows.max(1) as f64;
        println!("{name:44} {each:14.1}");
    }
}
