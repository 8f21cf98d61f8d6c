//! Attributes with nothing said, by the `extern crate` at the crate's root; and the bang macros.

use perf::prelude::*;
use perf::sync::{Condvar, Mutex, RwLock};

/// Locks that are named where they are made.
#[derive(Debug, Instrument)]
pub struct Shard {
    /// A mutex.
    pub map: Mutex<u8>,
    /// One that is named by its field.
    #[mutex]
    pub dirty: Mutex<u8>,
    /// A read-write lock.
    pub limits: RwLock<u8>,
    /// A condition variable.
    pub flushed: Condvar,
}

impl Default for Shard {
    fn default() -> Self {
        Self {
            map: mutex!("renamed/Shard::map", 3),
            dirty: Mutex::new(0),
            limits: perf::rwlock!("renamed/Shard::limits", 4),
            flushed: condvar!("renamed/Shard::flushed"),
        }
        .instrumented()
    }
}

/// A mutex of `parking_lot`.
pub static PARKING: perf::parking_lot::Mutex<u8> = perf::parking_lot::mutex!("renamed/PARKING", 7);

/// A mutex that is called after itself.
#[instrument_mutex]
pub static LOCK_DEFAULT: Mutex<u8> = Mutex::new(5);

/// Steps.
#[derive(Clone, Copy, Debug, Stage)]
enum Step {
    Adding,
}

/// A static that is called after itself, in the closure of a lazy one.
#[instrument_rwlock]
pub static LAZY_DEFAULT: std::sync::LazyLock<Box<RwLock<u8>>> =
    std::sync::LazyLock::new(|| Box::new(RwLock::new(6)));

/// A statement.
///
/// # Errors
///
/// If the sum is too large.
#[statement("renamed/sum", text = b"sum")]
pub fn sum(shard: &Shard) -> Result<u8, String> {
    let limit = added(shard);
    if limit > 9 {
        return Err(format!("{limit} is too large"));
    }
    Ok(limit)
}

#[stage]
fn added(shard: &Shard) -> u8 {
    let limit = *shard.limits.read().unwrap_or_else(perf::sync::PoisonError::into_inner);
    shard.flushed.notify_all();
    drop(shard.dirty.lock());
    drop(Step::Adding.begin());
    limit + *shard.map.lock().unwrap_or_else(perf::sync::PoisonError::into_inner)
}

/// Runs something on a thread of a named class.
///
/// # Panics
///
/// If there can be no thread.
#[must_use]
pub fn on_a_thread() -> u8 {
    let thread = thread_class!("renamed/thread").spawn(|| {
        let _stage = stage_class!("renamed/on a thread").begin();
        6
    });
    thread.join().expect("it does not panic")
}
