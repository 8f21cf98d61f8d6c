//! The tests of `pfs::crossbeam` once more, on a pfs that times and records every event.

use std::sync::Once;

#[path = "crossbeam_api.rs"]
mod api;

/// Starts pfs before the first test that runs.
fn begin() {
    static START: Once = Once::new();
    START.call_once(|| {
        ["events_waits_current", "events_waits_history", "events_waits_history_long"]
            .into_iter()
            .fold(pfs::Config::new(), |config, consumer| config.consumer(consumer, true))
            .instrument("wait/synch/%", "ON")
            .start()
            .unwrap();
    });
}
