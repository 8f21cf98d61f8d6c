//! The process-wide schema.

use super::lock::{Held, Lock};
use super::{Schema, StartError};
use crate::class::Instruments;
use crate::config::Config;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

static SCHEMA: AtomicPtr<Schema> = AtomicPtr::new(null_mut());
/// Held while pfs is started, so that who comes second finds it started, and while a plugin joins.
static STARTING: Lock = Lock::new(Lock::STARTING);

/// The process's schema, if it was started; `None` in a process that was forked and has not said that it goes on.
pub fn process() -> Option<&'static Schema> {
    started().filter(|schema| !schema.is_forked())
}

/// The process's schema, if it was started, in whatever state it is.
pub(crate) fn started() -> Option<&'static Schema> {
    // SAFETY: only `start` stores here, a leaked schema, and `share`, that of the program.
    unsafe { SCHEMA.load(Ordering::Acquire).as_ref() }
}

/// Keeps others from starting pfs, and other plugins from joining, while one joins.
pub(crate) fn joining() -> Held<'static> {
    STARTING.hold()
}

/// Every lock that may be held while the process forks, by other threads than the calling one: held until this is dropped.
#[cfg(unix)]
pub(crate) struct Still {
    _held: [Option<Held<'static>>; 3],
}

#[cfg(unix)]
impl Still {
    /// Takes the locks, in the order in which they are taken everywhere, but those that the calling thread holds.
    pub(crate) fn hold() -> Self {
        let hold = |lock: &'static Lock| (!lock.is_held_here()).then(|| lock.hold());
        let starting = hold(&STARTING);
        let [settings, folds] = match started() {
            Some(schema) => [hold(&schema.settings), hold(&schema.folds)],
            None => [None, None],
        };
        // Given up in the order in which they stand.
        Self { _held: [folds, settings, starting] }
    }
}

/// Makes the schema of the program that has loaded this library the one here, after `before`. False, and nothing has
/// changed, if there is one already.
#[cfg(feature = "engine")]
pub(crate) fn share(schema: &'static Schema, before: impl FnOnce()) -> bool {
    let _starting = STARTING.hold();
    if started().is_some() {
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
    let _starting = STARTING.hold();
    if started().is_some() {
        return Err(StartError::AlreadyStarted);
    }
    let schema = Schema::build(&checked, instruments)?.leak();
    schema.announce_threads();
    SCHEMA.store(core::ptr::from_ref(schema).cast_mut(), Ordering::Release);
    before(schema);
    schema.fold_words();
    Ok(Some(schema))
}
