//! `crate = perf` on each attribute.

use perf::sync::{Condvar, Mutex, RwLock};

/// A mutex.
#[perf::instrument_mutex("renamed/mutex", crate = perf)]
pub static MUTEX: Mutex<u8> = Mutex::new(1);

/// A read-write lock.
#[perf::instrument_rwlock("renamed/rwlock", crate = perf)]
pub static RWLOCK: RwLock<u8> = RwLock::new(2);

/// A condition variable.
#[perf::instrument_condvar("renamed/condvar", crate = ::perf)]
pub static CONDVAR: Condvar = Condvar::new();

/// A statement.
///
/// # Errors
///
/// Always.
#[perf::statement("renamed/by path", crate = perf)]
pub fn statement() -> Result<u8, String> {
    stage();
    Err("by path".to_owned())
}

#[perf::stage("renamed/by path", crate = perf)]
fn stage() {
    drop(MUTEX.lock());
    drop(RWLOCK.read());
    CONDVAR.notify_all();
}

/// A step.
#[derive(Clone, Copy, Debug, perf::Stage)]
#[stage(component = "renamed", crate = perf)]
pub enum Step {
    /// The only one.
    StepByPath,
}

/// A struct that holds locks.
#[derive(Debug, Default, perf::Instrument)]
#[instrument(component = "renamed", crate = ::perf)]
pub struct Held {
    /// A mutex.
    #[mutex]
    pub lock: Mutex<u8>,
}

/// A static of such.
#[perf::instrument(crate = perf)]
pub static HELD: std::sync::LazyLock<[Held; 2]> = std::sync::LazyLock::new(Default::default);

/// A command.
#[derive(Clone, Copy, Debug, perf::Statement)]
#[statement(component = "renamed", crate = perf)]
pub enum Command {
    /// The only one.
    ByPath,
}
