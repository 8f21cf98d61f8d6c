//! Another plugin, of another edition and built in another way, with a class that the first one has too.
#![allow(missing_docs, clippy::missing_panics_doc, reason = "the functions are called by their names")]

use pfs::prelude::*;
use pfs::sync::Mutex;
use std::sync::OnceLock;

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

/// Uses two locks that have no name: one that is made here, and one that stays.
#[unsafe(no_mangle)]
pub extern "C" fn use_unnamed(times: u64) {
    static MUTEX: Mutex<u64> = Mutex::new(0);
    for _ in 0..times {
        *Mutex::new(0).lock().unwrap() += 1;
        *MUTEX.lock().unwrap() += 1;
    }
}

/// Makes a lock that is not made yet, and acquires it.
///
/// # Safety
///
/// It is a static of a library that stays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn use_once(once: *const OnceLock<Mutex<u64>>) {
    // SAFETY: as the caller promises; the plugins are built of the same.
    *unsafe { &*once }.get_or_init(|| Mutex::new(0)).lock().unwrap() += 1;
}
