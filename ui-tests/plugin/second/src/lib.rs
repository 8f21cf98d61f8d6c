//! Another plugin, of another edition and built in another way, with a class that the first one has too.
#![allow(missing_docs, clippy::missing_panics_doc, reason = "the functions are called by their names")]

use pfs::prelude::*;
use pfs::sync::Mutex;

pfs::plugin!();

#[instrument_mutex("shared/LOCK")]
static SHARED: Mutex<u64> = Mutex::new(0);
#[instrument_mutex("second/LOCK")]
static LOCK: Mutex<u64> = Mutex::new(0);

#[statement("second/query")]
fn query() {
    *LOCK.lock().unwrap() += 1;
}

/// Counts, each round, a statement, an acquisition of the plugin's lock, and one of the shared lock.
#[unsafe(no_mangle)]
pub extern "C" fn hammer(rounds: u64) {
    for _ in 0..rounds {
        query();
        *SHARED.lock().unwrap() += 1;
    }
}
