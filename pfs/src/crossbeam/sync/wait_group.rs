//! [`WaitGroup`]: waiting until all others are done.

use core::fmt;
use core::panic::Location;

use ::crossbeam::sync as raw;
use pfs_runtime::model::Operation;
use pfs_runtime::probe::wait;

use super::super::class;

/// Lets threads wait until each has dropped its clone or waits too: crossbeam's `WaitGroup`, with each wait an event of
/// class `wait/synch/cond/crossbeam/wait_group`. Of the same size.
///
/// # Examples
///
/// ```
/// use pfs::crossbeam::sync::WaitGroup;
///
/// let loaded = WaitGroup::new();
/// for _ in 0..3 {
///     let loaded = loaded.clone();
///     pfs::thread::spawn(move || drop(loaded));
/// }
/// loaded.wait();
/// ```
#[derive(Clone, Default)]
pub struct WaitGroup(raw::WaitGroup);

impl WaitGroup {
    /// The first of its clones.
    #[must_use]
    pub fn new() -> Self {
        Self(raw::WaitGroup::new())
    }

    /// Drops this clone and blocks until there is none left.
    ///
    /// One event, operation `wait`, also where this is the last.
    #[track_caller]
    pub fn wait(self) {
        wait::wait(&class::WAIT_GROUP, Operation::Wait, Location::caller(), || self.0.wait());
    }
}

impl fmt::Debug for WaitGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}
