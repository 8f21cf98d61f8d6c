//! What can be wrong with a configuration.

use super::nearest::nearest;
use super::{Consumer, Setting};
use crate::name::MAX_LENGTH;
use crate::name::pattern::PatternError;
use core::error::Error;
use core::fmt;
use std::path::{Path, PathBuf};

/// Where something wrong stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// In a call of the builder, or in a format of serde, which says itself where.
    Code,
    /// In the environment variable of that name.
    Variable(String),
    /// In a file.
    File {
        /// The file; `None` of a text that is in none.
        path: Option<PathBuf>,
        /// The line, from 1.
        line: usize,
    },
}

laid_out!(enum Origin);

/// A value of a configuration that is not allowed. Nothing was started.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// A value that its setting may not have.
    Value {
        /// Where it stands.
        from: Origin,
        /// Which setting.
        setting: Setting,
        /// What it was set to.
        value: String,
    },
    /// An environment variable or a key that there is not.
    Unknown {
        /// Where it stands.
        from: Origin,
        /// The name given.
        name: String,
        /// The nearest that there is.
        meant: Option<String>,
    },
    /// A name that is no consumer's.
    Consumer {
        /// Where it stands.
        from: Origin,
        /// The name given.
        name: String,
        /// The nearest that there is.
        meant: Option<&'static str>,
    },
    /// A pattern of instrument names that cannot be read.
    Pattern {
        /// Where it stands.
        from: Origin,
        /// The pattern given.
        pattern: String,
        /// What is wrong with it.
        source: PatternError,
    },
    /// A value that instruments cannot be set to.
    InstrumentValue {
        /// Where it stands.
        from: Origin,
        /// The pattern given.
        pattern: String,
        /// The value given.
        value: String,
    },
    /// A rule of instruments that is not `pattern=VALUE`.
    InstrumentRule {
        /// Where it stands.
        from: Origin,
        /// The rule given.
        rule: String,
    },
    /// A pattern that picks no instrument of this program.
    PatternMatchesNothing {
        /// Where it stands.
        from: Origin,
        /// The pattern given.
        pattern: String,
        /// An instrument whose name ends in what the pattern matches.
        meant: Option<&'static str>,
    },
    /// A pattern set to `CONTENDED` that matches no mutex and no rwlock.
    NotContended {
        /// Where it stands.
        from: Origin,
        /// The pattern given.
        pattern: String,
    },
    /// The value of an environment variable that is not UTF-8.
    NotUtf8 {
        /// Its name.
        variable: String,
        /// The value, what is not UTF-8 replaced.
        value: String,
    },
    /// Something else where a file has to have a list or a table.
    Shape {
        /// Where it stands.
        from: Origin,
        /// Its key.
        key: &'static str,
        /// What stands there.
        value: String,
    },
    /// A file that cannot be read.
    Read {
        /// Which.
        path: PathBuf,
        /// The system's kind of reason.
        kind: std::io::ErrorKind,
        /// The system's reason.
        reason: String,
    },
    /// A file that is no TOML.
    Syntax {
        /// Where it is wrong.
        from: Origin,
        /// What is wrong.
        reason: String,
    },
    /// The sizes together are more than can be addressed.
    TooLarge {
        /// Bytes of all buffers.
        bytes: u128,
    },
}

impl ConfigError {
    pub(super) fn value(setting: Setting, value: String) -> Self {
        Self::Value { from: Origin::Code, setting, value }
    }

    /// An environment variable that there is not, and those that there are.
    pub(super) fn unknown_variable(name: &str, names: &[String]) -> Self {
        Self::unknown(name, meant(name, &names.iter().map(String::as_str).collect::<Vec<_>>()))
    }

    /// A key that there is not.
    #[cfg(any(feature = "serde", feature = "toml"))]
    pub(super) fn unknown_key(name: &str) -> Self {
        let meant = if let Some(consumer) = Consumer::from_name(name) {
            Some(format!("consumers.{}", consumer.name()))
        } else {
            let names = Setting::keys().map(Setting::name).chain(["consumers", "instruments"]);
            meant(name, &names.collect::<Vec<_>>())
        };
        Self::unknown(name, meant)
    }

    fn unknown(name: &str, meant: Option<String>) -> Self {
        Self::Unknown { from: Origin::Code, name: name.to_owned(), meant }
    }

    pub(super) fn consumer(name: &str) -> Self {
        let meant = nearest(name, Consumer::ALL.map(Consumer::name));
        Self::Consumer { from: Origin::Code, name: name.to_owned(), meant }
    }

    /// The same error, told where it stands.
    pub(super) fn at(mut self, place: Origin) -> Self {
        match &mut self {
            Self::Value { from, .. }
            | Self::Unknown { from, .. }
            | Self::Consumer { from, .. }
            | Self::Pattern { from, .. }
            | Self::InstrumentValue { from, .. }
            | Self::InstrumentRule { from, .. }
            | Self::PatternMatchesNothing { from, .. }
            | Self::NotContended { from, .. }
            | Self::Shape { from, .. }
            | Self::Syntax { from, .. } => *from = place,
            Self::NotUtf8 { .. } | Self::Read { .. } | Self::TooLarge { .. } => {}
        }
        self
    }
}

/// As it is displayed: it is what a `main` that returns the error prints.
impl fmt::Debug for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { from, setting, value } => {
                match from {
                    Origin::Variable(name) => write!(f, "environment variable {name}")?,
                    _ => write!(f, "{from}{}", setting.name())?,
                }
                write!(f, " = {}: allowed are ", Shown(value))?;
                setting.write_allowed(f)
            }
            Self::Unknown { from, name, meant } => {
                match from {
                    Origin::Variable(_) => write!(f, "there is no environment variable {}", Shown(name))?,
                    _ => write!(f, "{from}there is no key `{}`", Cut(name))?,
                }
                did_you_mean(f, meant.as_deref())?;
                if matches!(from, Origin::Variable(_)) {
                    let shapes = "PFS, PFS_INSTRUMENT, PFS_CONSUMER_ with a consumer's name, and PFS_ with";
                    write!(f, ": allowed are {shapes} ")?;
                    let variables = Setting::keys().map(Setting::variable);
                    write_names(f, variables.filter_map(|name| name.strip_prefix("PFS_").map(str::to_owned)))
                } else {
                    f.write_str(": allowed are instruments, consumers, ")?;
                    write_names(f, Setting::keys().map(Setting::name))
                }
            }
            Self::Consumer { from, name, meant } => {
                write!(f, "{from}there is no consumer `{}`", Cut(name))?;
                did_you_mean(f, *meant)?;
                write!(f, ": allowed are {}", Consumer::names())
            }
            Self::Pattern { from, pattern, source } => {
                write!(f, "{from}instrument pattern `{}`: {source}", Cut(pattern))
            }
            Self::InstrumentValue { from, pattern, value } => write!(
                f,
                "{from}instrument pattern `{}` = `{}`: allowed are ON, OFF, COUNTED and CONTENDED",
                Cut(pattern),
                Cut(value)
            ),
            Self::InstrumentRule { from, rule } => write!(
                f,
                "{from}instrument rule `{}` has no `=`: allowed is pattern=VALUE, the value ON, OFF, COUNTED or \
                 CONTENDED",
                Cut(rule)
            ),
            Self::PatternMatchesNothing { from, pattern, meant } => {
                write!(
                    f,
                    "{from}instrument pattern `{}` matches no instrument of this program",
                    Cut(pattern)
                )?;
                did_you_mean(f, *meant)?;
                f.write_str(": patterns are of whole names, `wait/synch/mutex/…`; see setup_instruments")
            }
            Self::NotContended { from, pattern } => write!(
                f,
                "{from}instrument pattern `{}` = `CONTENDED`: it matches no mutex and no rwlock; allowed for others \
                 are ON, OFF and COUNTED",
                Cut(pattern)
            ),
            Self::NotUtf8 { variable, value } => {
                write!(f, "environment variable {variable} = {}: allowed is text in UTF-8", Shown(value))
            }
            Self::Shape { from, key: key @ "consumers", value } => {
                write!(f, "{from}{key} = {}: allowed is a table of consumers, each ON or OFF", Shown(value))
            }
            Self::Shape { from, key, value } => {
                write!(f, "{from}{key} = {}: allowed is a list of texts, each pattern=VALUE", Shown(value))
            }
            Self::Read { path, reason, .. } => write!(f, "cannot read {}: {reason}", PathShown(path)),
            Self::Syntax { from, reason } => write!(f, "{from}this is no TOML: {reason}"),
            Self::TooLarge { bytes } => write!(
                f,
                "the buffers would take {bytes} bytes of address space: allowed are 2^46; make the largest sizes \
                 smaller"
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

/// What a message begins with.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code => Ok(()),
            Self::Variable(name) => write!(f, "environment variable {name}: "),
            Self::File { path: Some(path), line } => write!(f, "{}, line {line}: ", PathShown(path)),
            Self::File { path: None, line } => write!(f, "line {line}: "),
        }
    }
}

/// The name that was meant by one that there is not, perhaps as the reference calls it: `performance_schema_…`.
fn meant(name: &str, names: &[&str]) -> Option<String> {
    let short = name.to_lowercase().replacen("performance_schema", "", 1).replacen("__", "_", 1);
    let short = short.trim_matches('_');
    let among = |name| nearest(name, names.iter().copied());
    among(name).or_else(|| among(short)).map(str::to_owned)
}

fn did_you_mean(f: &mut fmt::Formatter<'_>, name: Option<&str>) -> fmt::Result {
    name.map_or(Ok(()), |name| write!(f, " (did you mean `{name}`?)"))
}

fn write_names(f: &mut fmt::Formatter<'_>, names: impl Iterator<Item: fmt::Display>) -> fmt::Result {
    for (at, name) in names.enumerate() {
        write!(f, "{}{name}", if at > 0 { ", " } else { "" })?;
    }
    Ok(())
}

/// A value as a message shows it: as it is where nobody can mistake its ends, otherwise quoted; long ones cut.
struct Shown<'a>(&'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shown, more) = cut(self.0, 60);
        if !shown.is_empty() && shown.chars().all(|character| character.is_ascii_graphic()) {
            write!(f, "{shown}{more}")
        } else {
            write!(f, "{shown:?}{more}")
        }
    }
}

/// A name, pattern or rule as a message shows it between backticks: long ones cut, what is no text of a line escaped.
struct Cut<'a>(&'a str);

impl fmt::Display for Cut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shown, more) = cut(self.0, MAX_LENGTH);
        for character in shown.chars() {
            if character.is_control() {
                write!(f, "{}", character.escape_debug())?;
            } else {
                write!(f, "{character}")?;
            }
        }
        f.write_str(more)
    }
}

/// So many characters of a text, and a mark if there are more.
fn cut(text: &str, most: usize) -> (&str, &'static str) {
    let end = text.char_indices().nth(most).map_or(text.len(), |(end, _)| end);
    (&text[..end], if end < text.len() { "…" } else { "" })
}

/// A path as it is where nobody can mistake its ends, otherwise quoted.
struct PathShown<'a>(&'a Path);

impl fmt::Display for PathShown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.to_str() {
            Some(text) if !text.is_empty() && text.trim() == text && !text.chars().any(char::is_control) => {
                f.write_str(text)
            }
            _ => write!(f, "{:?}", self.0.to_string_lossy()),
        }
    }
}
