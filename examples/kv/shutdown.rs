//! Ctrl-C and SIGTERM: the first asks the program to come to an end in good order, the second ends it at once.

use std::sync::atomic::{AtomicBool, Ordering};

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex};

use crate::poison::Recover;

/// What a shell reports for a program ended by Ctrl-C.
pub(crate) const INTERRUPTED: u8 = 130;

static REQUESTED: AtomicBool = AtomicBool::new(false);

#[instrument_mutex(name = "kv/LOCK_shutdown")]
static LOCK_SHUTDOWN: Mutex<()> = Mutex::new(());

#[instrument_condvar(name = "kv/COND_shutdown")]
static COND_SHUTDOWN: Condvar = Condvar::new();

/// From here on the signals are caught. To be called once.
pub(crate) fn catch() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::AcqRel) {
            std::process::exit(INTERRUPTED.into());
        }
        // With the lock held in between, nobody can look and then miss the call.
        drop(LOCK_SHUTDOWN.lock().recover());
        COND_SHUTDOWN.notify_all();
    })?;
    Ok(())
}

/// Whether somebody asked.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Acquire)
}

/// Sleeps until somebody asks.
pub(crate) fn wait() {
    let mut guard = LOCK_SHUTDOWN.lock().recover();
    while !requested() {
        guard = COND_SHUTDOWN.wait(guard).recover();
    }
}
