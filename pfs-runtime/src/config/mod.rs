//! What a schema is started with: sizes, startup settings of instruments and consumers. Nothing here is running.

mod consumer;
mod error;
mod sizing;

pub use consumer::{Consumer, ConsumerSet};
pub use error::ConfigError;
pub use sizing::{Size, SizeKey, Sizes, Sizing};

use crate::class::{Instrument, Instruments, Settings, Timed};
use crate::name::pattern::Startup;

/// Whether the engine is compiled into this program: whether any crate in it turned the feature `engine` on.
///
/// Where it is not, pfs is as if every configuration switched it off.
pub const COMPILED_IN: bool = cfg!(feature = "engine");

/// A startup setting of the instruments that a pattern matches.
#[derive(Clone, Debug)]
pub struct InstrumentRule {
    pub(crate) pattern: Startup,
    pub(crate) value: RuleValue,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleValue {
    Off,
    Counted,
    Contended,
    On,
}

impl RuleValue {
    fn parse(value: &str) -> Option<Self> {
        Some(match value.to_ascii_lowercase().as_str() {
            "on" | "yes" | "true" | "1" => Self::On,
            "off" | "no" | "false" | "0" => Self::Off,
            "counted" => Self::Counted,
            "contended" => Self::Contended,
            _ => return None,
        })
    }

    /// What the rule makes of an instrument of this kind. `CONTENDED` means timed for what a wide pattern matches beside
    /// mutexes and rwlocks; where it matches none of those, it is refused.
    pub(crate) fn settings(self, kind: crate::class::Kind) -> Settings {
        let timed = match self {
            Self::Off | Self::Counted => Timed::No,
            Self::Contended if kind.can_be_contended() => Timed::Contended,
            Self::Contended | Self::On => Timed::Yes,
        };
        Settings { enabled: self != Self::Off, timed: if kind.can_be_timed() { timed } else { Timed::No } }
    }
}

/// The configuration of a schema.
///
/// A builder: every method gives the configuration back. Nothing is checked before it is started, so that one
/// chain of calls has one place where it can fail.
///
/// ```
/// let config = pfs::Config::new()
///     .max_connections(200)
///     .consumer("events_waits_history", true)
///     .instrument("wait/synch/mutex/%", "ON");
/// assert!(config.check().is_ok());
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "a configuration does nothing until it is started"]
pub struct Config {
    sizing: Sizing,
    consumers: Vec<(String, bool)>,
    instruments: Vec<(String, String)>,
    off: bool,
    text_off: bool,
    constant_step: Option<u64>,
}

/// A configuration that was checked.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) sizes: Sizes,
    pub(crate) consumers: ConsumerSet,
    pub(crate) rules: Vec<InstrumentRule>,
    pub(crate) statement_text: bool,
    pub(crate) constant_step: Option<u64>,
}

impl Checked {
    /// Checks that every rule picks something of this program, and something that its value has a meaning for.
    pub(crate) fn matches(&self, instruments: &Instruments) -> Result<(), ConfigError> {
        for InstrumentRule { pattern, value } in &self.rules {
            let picks = |instrument: &&Instrument| pattern.matches(instrument.name());
            let mut picked = instruments.all().iter().filter(picks).peekable();
            if picked.peek().is_none() {
                let whole = Startup::parse(&format!("%/{pattern}"));
                let meant = whole.ok().and_then(|whole| {
                    instruments.all().iter().map(Instrument::name).find(|name| whole.matches(name))
                });
                return Err(ConfigError::PatternMatchesNothing { pattern: pattern.to_string(), meant });
            }
            if *value == RuleValue::Contended
                && !picked.any(|instrument| instrument.kind().can_be_contended())
            {
                return Err(ConfigError::NotContended { pattern: pattern.to_string() });
            }
        }
        Ok(())
    }
}

impl Config {
    /// The defaults: every size by `max_connections`, consumers and instruments as documented.
    pub fn new() -> Self {
        Self::default()
    }

    /// The master switch. Switched off, `start` checks the configuration and starts nothing: instrumented code
    /// stays the raw operation and every table is empty.
    pub fn performance_schema(mut self, on: bool) -> Self {
        self.off = !on;
        self
    }

    /// How many clients the server means to serve at once; sizes left to themselves follow from it. Default 151.
    pub fn max_connections(mut self, connections: u32) -> Self {
        self.sizing.max_connections = connections;
        self
    }

    /// Sets a size by its key; [`SizeKey`] lists them with their defaults and limits.
    pub fn size(mut self, key: SizeKey, size: impl Into<Size>) -> Self {
        self.sizing.set(key, size.into());
        self
    }

    /// Switches a consumer at startup, by its name in `setup_consumers`. A consumer has an effect only while those it
    /// depends on are on too:
    ///
    /// | consumer | unless switched | depends on |
    /// |---|---|---|
    /// | `global_instrumentation` | on | |
    /// | `thread_instrumentation` | on | `global_instrumentation` |
    /// | `events_stages_current`, `events_statements_current`, `events_transactions_current` | on | `thread_instrumentation` |
    /// | `events_waits_current` | off | `thread_instrumentation` |
    /// | `events_waits_history`, `events_waits_history_long` | off | `events_waits_current` |
    /// | `events_stages_history`, `events_stages_history_long` | off | `events_stages_current` |
    /// | `events_statements_history`, `events_statements_history_long` | off | `events_statements_current` |
    /// | `events_transactions_history`, `events_transactions_history_long` | off | `events_transactions_current` |
    pub fn consumer(mut self, name: impl Into<String>, enabled: bool) -> Self {
        self.consumers.push((name.into(), enabled));
        self
    }

    /// Sets the instruments whose names match `pattern` (`%` any run of characters, `?` one, `\` escapes) to `ON`,
    /// `OFF`, `COUNTED` or `CONTENDED`. The longest pattern that matches a name wins; of equally long ones the
    /// last given.
    pub fn instrument(mut self, pattern: impl Into<String>, value: impl Into<String>) -> Self {
        self.instruments.push((pattern.into(), value.into()));
        self
    }

    /// Whether the text of statements is kept and shown. Default on; switch it off where it may hold secrets.
    pub fn statement_text(mut self, on: bool) -> Self {
        self.text_off = !on;
        self
    }

    /// Replaces the clock by one that advances `step` at every reading, for tests of exact values.
    #[doc(hidden)]
    pub fn constant_step_clock(mut self, step: u64) -> Self {
        self.constant_step = Some(step);
        self
    }

    /// Checks the configuration without starting anything.
    ///
    /// # Errors
    ///
    /// The first value that is not allowed, with its key and what is.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.checked().map(|_| ())
    }

    /// Whether anything is to be started.
    pub(crate) fn is_on(&self) -> bool {
        COMPILED_IN && !self.off
    }

    pub(crate) fn checked(&self) -> Result<Checked, ConfigError> {
        let sizes = self.sizing.resolve()?;
        let mut consumers = ConsumerSet::default();
        for (name, enabled) in &self.consumers {
            let consumer =
                Consumer::from_name(name).ok_or_else(|| ConfigError::Consumer { name: name.clone() })?;
            consumers.set(consumer, *enabled);
        }
        let mut rules = Vec::new();
        for (pattern, value) in &self.instruments {
            let parsed = Startup::parse(pattern)
                .map_err(|source| ConfigError::Pattern { pattern: pattern.clone(), source })?;
            let value = RuleValue::parse(value).ok_or_else(|| ConfigError::InstrumentValue {
                pattern: pattern.clone(),
                value: value.clone(),
            })?;
            rules.push(InstrumentRule { pattern: parsed, value });
        }
        Ok(Checked {
            sizes,
            consumers,
            rules,
            statement_text: !self.text_off,
            constant_step: self.constant_step,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_key_the_value_and_what_is_allowed() {
        let text = |config: Config| config.check().unwrap_err().to_string();
        assert_eq!(
            text(Config::new().size(SizeKey::MaxMutexInstances, -2)),
            "max_mutex_instances = -2: allowed are -1 (automatic) and 0 to 1048576"
        );
        assert_eq!(
            text(Config::new().size(SizeKey::MaxStatementStack, 65)),
            "max_statement_stack = 65: allowed are -1 (automatic) and 1 to 64"
        );
        assert!(
            text(Config::new().consumer("events_wait_current", true)).starts_with(
                "there is no consumer `events_wait_current`: allowed are events_stages_current, "
            )
        );
        assert_eq!(
            text(Config::new().instrument("wait/%", "maybe")),
            "instrument pattern `wait/%` = `maybe`: allowed are ON, OFF, COUNTED and CONTENDED"
        );
    }

    #[test]
    fn sizes_follow_the_connections() {
        let checked = Config::new().max_connections(300).checked().unwrap();
        assert_eq!(checked.sizes.get(SizeKey::MaxThreadInstances), 664);
        assert_eq!(checked.sizes.get(SizeKey::EventsWaitsHistorySize), 10);
    }
}
