//! A little, in a library that turns the engine on by itself.

use pfs::prelude::*;
use pfs::sync::Mutex;

#[instrument_mutex("loud/LOCK_static")]
static LOCK: Mutex<u64> = Mutex::new(0);

/// Counts its calls.
///
/// # Panics
///
/// If a call panicked.
#[statement("loud/count")]
pub fn count() -> u64 {
    let mut calls = LOCK.lock().unwrap();
    *calls += 1;
    *calls
}
