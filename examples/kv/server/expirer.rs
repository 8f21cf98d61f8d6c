//! The expirer: a thread that drops keys whose time is up, ten times a second.
//!
//! No reader sees such a key whether or not it has been dropped; this gives back its memory.

use std::sync::atomic::Ordering;
use std::time::Duration;

use pfs::sync::{Condvar, Mutex};

use super::Shared;
use crate::poison::Recover;

const EVERY: Duration = Duration::from_millis(100);
/// Keys of one shard dropped under one lock, so that nobody waits long behind the expirer.
const BATCH: usize = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    /// Asked to rest; `Resting` is its answer.
    Pausing,
    Resting,
    Stopping,
}

#[derive(Debug)]
pub(super) struct Expirer {
    state: Mutex<State>,
    changed: Condvar,
}

impl Expirer {
    pub(super) fn new() -> Self {
        Expirer {
            state: pfs::mutex!("kv/LOCK_expirer", State::Running),
            changed: pfs::condvar!("kv/COND_expirer"),
        }
    }

    /// Waits until the thread sleeps and will do nothing more until it is stopped.
    pub(super) fn pause(&self) {
        let mut state = self.state.lock().recover();
        if *state == State::Running {
            *state = State::Pausing;
            self.changed.notify_all();
        }
        while *state == State::Pausing {
            state = self.changed.wait(state).recover();
        }
    }

    pub(super) fn stop(&self) {
        *self.state.lock().recover() = State::Stopping;
        self.changed.notify_all();
    }

    /// Sleeps until the next round; false when there is none.
    fn sleep(&self) -> bool {
        let mut state = self.state.lock().recover();
        loop {
            match *state {
                State::Running => {
                    let (woken, timeout) = self.changed.wait_timeout(state, EVERY).recover();
                    state = woken;
                    if timeout.timed_out() && *state == State::Running {
                        return true;
                    }
                }
                State::Pausing => {
                    *state = State::Resting;
                    self.changed.notify_all();
                }
                State::Resting => state = self.changed.wait(state).recover(),
                State::Stopping => return false,
            }
        }
    }
}

/// What the thread does.
pub(super) fn run(shared: &Shared) {
    while shared.expirer.sleep() {
        let dropped = shared.store.expire(BATCH);
        shared.counters.expired.fetch_add(dropped as u64, Ordering::Relaxed);
    }
}
