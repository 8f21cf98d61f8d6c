use pfs::prelude::*;
use pfs::sync::Mutex;

#[derive(Instrument)]
struct Queue {
    #[mutex]
    jobs: Mutex<Vec<u8>>,
}

impl Queue {
    const fn new() -> Self {
        Self { jobs: Mutex::new(Vec::new()) }
    }
}

#[instrument("kv/QUEUE")]
static NAMED: Queue = Queue::new();

#[instrument(name = "kv/QUEUE")]
static NAMED_BY_KEY: Queue = Queue::new();

#[instrument(crate = "pfs")]
static CRATE_IS_A_PATH: Queue = Queue::new();

#[instrument]
static NOT_DERIVED: u64 = 0;

#[instrument]
const CONSTANT: Queue = Queue::new();

#[instrument]
struct Shard {
    lock: Mutex<u8>,
}

#[instrument]
fn function() {}

thread_local! {
    #[instrument]
    static IN_A_THREAD: Queue = const { Queue::new() };
}

fn main() {}
