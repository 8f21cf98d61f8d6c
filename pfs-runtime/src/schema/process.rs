//! The process-wide schema.

use super::{Schema, StartError};
use crate::class::Instruments;
use crate::config::Config;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

static SCHEMA: AtomicPtr<Schema> = AtomicPtr::new(null_mut());
/// Held while pfs is started, so that who comes second finds it started.
static STARTING: Mutex<()> = Mutex::new(());

/// The process's schema, if it was started.
pub fn process() -> Option<&'static Schema> {
    // SAFETY: only `start` stores here, a leaked schema, and `share`, that of the program.
    unsafe { SCHEMA.load(Ordering::Acquire).as_ref() }
}

/// Makes the schema of the program that has loaded this library the one here, after `before`. False, and nothing has
/// changed, if there is one already.
#[cfg(feature = "engine")]
pub(crate) fn share(schema: &'static Schema, before: impl FnOnce()) -> bool {
    let _starting = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    if process().is_some() {
        return false;
    }
    before();
    SCHEMA.store(core::ptr::from_ref(schema).cast_mut(), Ordering::Release);
    true
}

/// Starts the process's schema: allocates every buffer and switches its classes on.
///
/// `before` runs between the two, when the schema can be reached and no class is on yet.
///
/// # Errors
///
/// If the configuration is not allowed, there is no memory, or the process was started before. Nothing is changed
/// then, and `start` can be tried again unless it had succeeded. `None` if the configuration switches pfs off.
pub fn start(
    config: &Config,
    before: impl FnOnce(&'static Schema),
) -> Result<Option<&'static Schema>, StartError> {
    let checked = config.checked()?;
    if !config.is_on() {
        return Ok(None);
    }
    let instruments = Instruments::linked()?;
    checked.matches(&instruments)?;
    let _starting = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    if process().is_some() {
        return Err(StartError::AlreadyStarted);
    }
    let schema = Schema::build(&checked, instruments)?.leak();
    schema.announce_threads();
    SCHEMA.store(core::ptr::from_ref(schema).cast_mut(), Ordering::Release);
    before(schema);
    schema.fold_words();
    Ok(Some(schema))
}
