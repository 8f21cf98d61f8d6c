//! Why a setting is refused.

use crate::class::TimedKind;
use crate::config::{COMPILED_IN, Consumer};
use core::fmt;

/// Why a setting was not changed. Nothing was.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SetupError {
    /// The configuration switched pfs off, or it is compiled out.
    Off,
    /// No instrument has that name.
    UnknownInstrument {
        /// The name given.
        name: String,
    },
    /// No consumer has that name.
    UnknownConsumer {
        /// The name given.
        name: String,
    },
    /// No live context has that `THREAD_ID`.
    UnknownThread {
        /// The id given.
        thread_id: u64,
    },
    /// No class of threads has that name.
    UnknownThreadClass {
        /// The name given.
        name: String,
    },
    /// No kind of event with a timer has that name.
    UnknownTimedKind {
        /// The name given.
        name: String,
    },
    /// No timer of that name times events on this machine.
    UnknownTimer {
        /// The name given.
        name: String,
        /// Those that do, separated by commas.
        allowed: String,
    },
    /// The instrument has no acquisition that can succeed at once.
    NotContended {
        /// The instrument's name.
        name: String,
    },
}

/// As it is displayed: it is what a `main` that returns the error prints.
impl fmt::Debug for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off if !COMPILED_IN => f.write_str(
                "pfs is compiled out of this program: build it with the feature `engine` of pfs to change its settings",
            ),
            Self::Off => f.write_str(
                "pfs is switched off in this process: start it with performance_schema on to change its settings",
            ),
            Self::UnknownInstrument { name } => {
                write!(f, "there is no instrument `{name}`: see setup_instruments for those of this program")
            }
            Self::UnknownConsumer { name } => {
                write!(f, "there is no consumer `{name}`: allowed are {}", Consumer::names())
            }
            Self::UnknownThread { thread_id } => {
                write!(f, "there is no thread {thread_id}: see threads for those that live")
            }
            Self::UnknownThreadClass { name } => {
                write!(f, "there is no class of threads `{name}`: see setup_threads for those of this program")
            }
            Self::UnknownTimedKind { name } => {
                let names = TimedKind::ALL.map(TimedKind::name).join(", ");
                write!(f, "there is no timer of `{name}`: allowed are {names}")
            }
            Self::UnknownTimer { name, allowed } => {
                write!(f, "events cannot be timed by `{name}` on this machine: allowed are {allowed}")
            }
            Self::NotContended { name } => write!(
                f,
                "`{name}` cannot be TIMED = CONTENDED: allowed are YES and NO; CONTENDED is for mutexes and rwlocks"
            ),
        }
    }
}

impl core::error::Error for SetupError {}
