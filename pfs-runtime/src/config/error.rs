//! What can be wrong with a configuration.

use super::{Consumer, SizeKey};
use crate::name::pattern::PatternError;
use core::error::Error;
use core::fmt;

/// A value of a configuration that is not allowed. Nothing was started.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// A size out of its limits.
    Size {
        /// Which size.
        key: SizeKey,
        /// What it was set to.
        value: i64,
    },
    /// A number of connections that sizes cannot follow from.
    MaxConnections {
        /// What it was set to.
        value: u32,
    },
    /// The sizes together are more than can be addressed.
    TooLarge {
        /// Bytes of all buffers.
        bytes: u128,
    },
    /// A name that is no consumer's.
    Consumer {
        /// The name given.
        name: String,
    },
    /// A pattern of instrument names that cannot be read.
    Pattern {
        /// The pattern given.
        pattern: String,
        /// What is wrong with it.
        source: PatternError,
    },
    /// A pattern that picks no instrument of this program.
    PatternMatchesNothing {
        /// The pattern given.
        pattern: String,
        /// An instrument whose name ends in what the pattern matches.
        meant: Option<&'static str>,
    },
    /// A pattern set to `CONTENDED` that matches no mutex and no rwlock.
    NotContended {
        /// The pattern given.
        pattern: String,
    },
    /// A value that instruments cannot be set to.
    InstrumentValue {
        /// The pattern given.
        pattern: String,
        /// The value given.
        value: String,
    },
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { key, value } => {
                let (name, limits) = (key.name(), key.limits());
                let (least, most) = (limits.start(), limits.end());
                write!(f, "{name} = {value}: allowed are -1 (automatic) and {least} to {most}")
            }
            Self::MaxConnections { value } => {
                write!(f, "max_connections = {value}: allowed are 1 to 100000")
            }
            Self::TooLarge { bytes } => write!(
                f,
                "the buffers would take {bytes} bytes of address space: allowed are 2^46; make the largest sizes smaller"
            ),
            Self::Consumer { name } => {
                write!(f, "there is no consumer `{name}`: allowed are {}", Consumer::names())
            }
            Self::Pattern { pattern, source } => write!(f, "instrument pattern `{pattern}`: {source}"),
            Self::PatternMatchesNothing { pattern, meant } => {
                write!(f, "instrument pattern `{pattern}` matches no instrument of this program")?;
                if let Some(name) = meant {
                    write!(f, " (did you mean `{name}`?)")?;
                }
                f.write_str(": patterns are of whole names, `wait/synch/mutex/…`; see setup_instruments")
            }
            Self::NotContended { pattern } => write!(
                f,
                "instrument pattern `{pattern}` = `CONTENDED`: it matches no mutex and no rwlock; allowed for others are \
                 ON, OFF and COUNTED"
            ),
            Self::InstrumentValue { pattern, value } => write!(
                f,
                "instrument pattern `{pattern}` = `{value}`: allowed are ON, OFF, COUNTED and CONTENDED"
            ),
        }
    }
}

impl Error for ConfigError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Pattern { source, .. } => Some(source),
            _ => None,
        }
    }
}
