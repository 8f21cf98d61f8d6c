//! What can be wrong with a configuration.

use super::{Consumer, SizeKey};
use crate::name::pattern::PatternError;

/// A value of a configuration that is not allowed. Nothing was started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A size out of its limits.
    #[error("{} = {value}: allowed are -1 (automatic) and {} to {}", key.name(), key.limits().start(), key.limits().end())]
    Size {
        /// Which size.
        key: SizeKey,
        /// What it was set to.
        value: i64,
    },
    /// A number of connections that sizes cannot follow from.
    #[error("max_connections = {value}: allowed are 1 to 100000")]
    MaxConnections {
        /// What it was set to.
        value: u32,
    },
    /// The sizes together are more than can be addressed.
    #[error(
        "the buffers would take {bytes} bytes of address space: allowed are 2^46; make the largest sizes smaller"
    )]
    TooLarge {
        /// Bytes of all buffers.
        bytes: u128,
    },
    /// A name that is no consumer's.
    #[error("there is no consumer `{name}`: allowed are {}", Consumer::names())]
    Consumer {
        /// The name given.
        name: String,
    },
    /// A pattern of instrument names that cannot be read.
    #[error("instrument pattern `{pattern}`: {source}")]
    Pattern {
        /// The pattern given.
        pattern: String,
        /// What is wrong with it.
        source: PatternError,
    },
    /// A pattern that picks no instrument of this program.
    #[error(
        "instrument pattern `{pattern}` matches no instrument of this program{}: patterns are of whole names, \
         `wait/synch/mutex/…`; see setup_instruments",
        meant.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
    )]
    PatternMatchesNothing {
        /// The pattern given.
        pattern: String,
        /// An instrument whose name ends in what the pattern matches.
        meant: Option<&'static str>,
    },
    /// A pattern set to `CONTENDED` that matches no mutex and no rwlock.
    #[error(
        "instrument pattern `{pattern}` = `CONTENDED`: it matches no mutex and no rwlock; allowed for others are ON, OFF and COUNTED"
    )]
    NotContended {
        /// The pattern given.
        pattern: String,
    },
    /// A value that instruments cannot be set to.
    #[error("instrument pattern `{pattern}` = `{value}`: allowed are ON, OFF, COUNTED and CONTENDED")]
    InstrumentValue {
        /// The pattern given.
        pattern: String,
        /// The value given.
        value: String,
    },
}
