//! The settings that have one value each: what they are called in each place, what they may be, and how it is written.

use super::{Consumer, SizeKey};
use core::fmt;

/// A setting with one value. What is set to several, the instruments, is not among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Setting {
    /// [`Config::performance_schema`](super::Config::performance_schema).
    PerformanceSchema,
    /// [`Config::max_connections`](super::Config::max_connections).
    MaxConnections,
    /// [`Config::worker_threads`](super::Config::worker_threads).
    WorkerThreads,
    /// [`Config::sizing_scale`](super::Config::sizing_scale).
    SizingScale,
    /// [`Config::statement_text`](super::Config::statement_text).
    StatementText,
    /// [`Config::size`](super::Config::size).
    Size(SizeKey),
    /// [`Config::consumer`](super::Config::consumer).
    Consumer(Consumer),
}

/// What is kept of the text of statements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextKept {
    /// Nothing: no text and no digest. `OFF`.
    Nothing,
    /// Only what is no value of it, in digests. `DIGEST`.
    Digest,
    /// The text, and digests. `ON`.
    #[default]
    Whole,
}

laid_out!(enum TextKept);

impl TextKept {
    /// As it is configured.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Nothing => "OFF",
            Self::Digest => "DIGEST",
            Self::Whole => "ON",
        }
    }
}

impl From<bool> for TextKept {
    fn from(on: bool) -> Self {
        if on { Self::Whole } else { Self::Nothing }
    }
}

/// A value as it is configured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    Switch(bool),
    Text(TextKept),
    Number(i64),
    Factor(f64),
}

/// The connections that sizes can follow from.
const CONNECTIONS: core::ops::RangeInclusive<i64> = 1..=100_000;
/// The worker threads that sizes can follow from.
pub(super) const WORKERS: core::ops::RangeInclusive<i64> = 1..=10_000;
/// What automatic sizes can be multiplied by.
const SCALES: core::ops::RangeInclusive<f64> = 0.001..=1000.0;

impl Setting {
    /// Those that are not consumers, in the order of the documentation.
    pub fn keys() -> impl Iterator<Item = Self> {
        let first = [
            Self::PerformanceSchema,
            Self::MaxConnections,
            Self::WorkerThreads,
            Self::SizingScale,
            Self::StatementText,
        ];
        first.into_iter().chain(SizeKey::ALL.iter().copied().map(Self::Size))
    }

    /// All of them: [`Setting::keys`], then the consumers.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::keys().chain(Consumer::ALL.into_iter().map(Self::Consumer))
    }

    /// The name in a file, that of a consumer under `consumers`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PerformanceSchema => "performance_schema",
            Self::MaxConnections => "max_connections",
            Self::WorkerThreads => "worker_threads",
            Self::SizingScale => "sizing_scale",
            Self::StatementText => "statement_text",
            Self::Size(key) => key.name(),
            Self::Consumer(consumer) => consumer.name(),
        }
    }

    /// The environment variable that sets it: `PFS` for the master switch, else `PFS_` and the name in capitals, with
    /// `CONSUMER_` between them for a consumer.
    pub fn variable(self) -> String {
        match self {
            Self::PerformanceSchema => "PFS".to_owned(),
            Self::Consumer(consumer) => consumer_variable(consumer.name()),
            _ => format!("PFS_{}", self.name().to_uppercase()),
        }
    }

    const fn is_switch(self) -> bool {
        matches!(self, Self::PerformanceSchema | Self::Consumer(_))
    }

    /// Whether it may be set to that.
    pub(super) fn allows(self, value: Value) -> bool {
        match (self, value) {
            (Self::MaxConnections, Value::Number(number)) => CONNECTIONS.contains(&number),
            (Self::WorkerThreads, Value::Number(number)) => WORKERS.contains(&number),
            (Self::Size(key), Value::Number(number)) => {
                number == -1 || u32::try_from(number).is_ok_and(|size| key.limits().contains(&size))
            }
            (Self::SizingScale, Value::Factor(factor)) => SCALES.contains(&factor),
            (Self::StatementText, Value::Text(_)) => true,
            (_, Value::Switch(_)) => self.is_switch(),
            _ => false,
        }
    }

    /// The value that a text stands for, if it may be set to that. Surrounding whitespace and case do not count.
    pub(super) fn parse(self, text: &str) -> Option<Value> {
        let text = text.trim();
        let value = match self {
            Self::SizingScale => Value::Factor(text.parse().ok()?),
            Self::Size(_) if text.eq_ignore_ascii_case("auto") => Value::Number(-1),
            Self::StatementText if text.eq_ignore_ascii_case(TextKept::Digest.as_str()) => {
                Value::Text(TextKept::Digest)
            }
            Self::StatementText => Value::Text(switch(text)?.into()),
            _ if self.is_switch() => Value::Switch(switch(text)?),
            _ => Value::Number(text.parse().ok()?),
        };
        self.allows(value).then_some(value)
    }

    /// What it may be set to, for messages.
    pub(super) fn write_allowed(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MaxConnections => write!(f, "{} to {}", CONNECTIONS.start(), CONNECTIONS.end()),
            Self::WorkerThreads => write!(f, "{} to {}", WORKERS.start(), WORKERS.end()),
            Self::SizingScale => write!(f, "{} to {}", SCALES.start(), SCALES.end()),
            Self::Size(key) => {
                write!(f, "-1 (automatic) and {} to {}", key.limits().start(), key.limits().end())
            }
            Self::PerformanceSchema | Self::Consumer(_) => f.write_str("ON and OFF"),
            Self::StatementText => f.write_str("ON, DIGEST and OFF"),
        }
    }
}

/// The environment variable of the consumer of that name.
pub(super) fn consumer_variable(name: &str) -> String {
    format!("PFS_CONSUMER_{}", name.to_uppercase())
}

/// What the words for on and off mean, those of the reference.
pub(super) fn switch(text: &str) -> Option<bool> {
    let is = |words: [&str; 4]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    if is(["ON", "YES", "TRUE", "1"]) {
        Some(true)
    } else if is(["OFF", "NO", "FALSE", "0"]) {
        Some(false)
    } else {
        None
    }
}

/// As a text that [`Setting::parse`] reads back.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Switch(on) => f.write_str(if *on { "ON" } else { "OFF" }),
            Self::Text(kept) => f.write_str(kept.as_str()),
            Self::Number(number) => write!(f, "{number}"),
            Self::Factor(factor) => write!(f, "{factor}"),
        }
    }
}
