//! What a schema is started with: sizes, startup settings of instruments and consumers. Nothing here is running.
//!
#![doc = include_str!("guide.md")]

mod consumer;
mod env;
mod error;
#[cfg(feature = "toml")]
mod file;
mod nearest;
mod rule;
#[cfg(feature = "serde")]
mod serial;
mod setting;
mod size_key;
mod sizing;
mod written;

pub use consumer::{Consumer, ConsumerSet};
pub use error::{ConfigError, Origin};
pub(crate) use rule::InstrumentRule;
pub use setting::{Setting, TextKept};
pub use size_key::SizeKey;
pub use sizing::{Size, Sizes};

use crate::class::Instruments;
use crate::digest::{Language, Sql};
use rule::Given;
use setting::{Value, WORKERS};
use sizing::Inputs;
use std::collections::BTreeMap;
use std::thread::available_parallelism;

/// Whether the engine is compiled into this program: whether any crate in it turned the feature `engine` on.
///
/// Where it is not, pfs is as if every configuration switched it off.
pub const COMPILED_IN: bool = cfg!(feature = "engine");

/// The configuration of a schema.
///
/// A builder: every method gives the configuration back, and of two calls that set the same, the later wins. Its own
/// methods check nothing before it is started, so that one chain of calls has one place where it can fail; what is
/// read from the environment or from a file is checked at once, so that the error can say where it stands.
///
/// The [module](self) lists every setting, with its name in the environment and in a file.
///
/// ```
/// let config = pfs::Config::new()
///     .max_connections(200)
///     .consumer("events_waits_history", true)
///     .instrument("wait/synch/mutex/%", "ON")
///     .env()?; // what the environment sets wins over the calls above it
/// assert!(config.check().is_ok());
/// # Ok::<(), pfs::ConfigError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use = "a configuration does nothing until it is started"]
pub struct Config {
    /// What was set, but for consumers.
    settings: BTreeMap<Setting, Value>,
    /// By name, for a name may be wrong.
    consumers: BTreeMap<String, bool>,
    /// In the order in which they were given.
    instruments: Vec<Given>,
    language: StatementLanguage,
    constant_step: Option<u64>,
}

/// What the statements of a server are written in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatementLanguage(pub(crate) &'static dyn Language);

impl Default for StatementLanguage {
    fn default() -> Self {
        Self(&Sql)
    }
}

impl PartialEq for StatementLanguage {
    fn eq(&self, other: &Self) -> bool {
        // One that is of no size may lie where another lies.
        core::ptr::eq(self.0, other.0)
    }
}

/// A configuration that was checked.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) sizes: Sizes,
    pub(crate) consumers: ConsumerSet,
    pub(crate) rules: Vec<InstrumentRule>,
    pub(crate) statement_text: TextKept,
    pub(crate) language: StatementLanguage,
    pub(crate) constant_step: Option<u64>,
}

impl Checked {
    /// Checks that every rule picks something of this program, and something that its value has a meaning for.
    pub(crate) fn matches(&self, instruments: &Instruments) -> Result<(), ConfigError> {
        let more_may_come = self.sizes.get(SizeKey::PluginClasses) > 0;
        self.rules.iter().try_for_each(|rule| rule.picks(instruments, more_may_come))
    }
}

impl Config {
    /// The defaults: every size automatic, consumers and instruments as documented.
    pub fn new() -> Self {
        Self::default()
    }

    fn set(mut self, setting: Setting, value: Value) -> Self {
        self.settings.insert(setting, value);
        self
    }

    /// The master switch, `PFS` in the environment. Switched off, `start` checks the configuration and starts nothing:
    /// instrumented code stays the raw operation and every table is empty. Default on.
    pub fn performance_schema(self, on: bool) -> Self {
        self.set(Setting::PerformanceSchema, Value::Switch(on))
    }

    /// How many clients the server means to serve at once, 1 to 100000; automatic sizes follow from it. Default 151.
    pub fn max_connections(self, connections: u32) -> Self {
        self.set(Setting::MaxConnections, Value::Number(connections.into()))
    }

    /// How many threads do the server's work, as an async runtime's workers, 1 to 10000; automatic sizes follow from
    /// it. Default: as many as the system gives this process to run at once.
    pub fn worker_threads(self, threads: u32) -> Self {
        self.set(Setting::WorkerThreads, Value::Number(threads.into()))
    }

    /// Multiplies every automatic size that is a number of rows, 0.001 to 1000; rounded, never to nothing, and never
    /// past a key's limits. Lengths, depths (those that [`SizeKey`] calls exact) and sizes that are set to a number
    /// stay as they are. Default 1.
    ///
    /// ```
    /// use pfs::{Config, SizeKey};
    ///
    /// let config = Config::new().sizing_scale(0.1).size(SizeKey::MaxMutexInstances, 2000);
    /// assert!(config.memory()?.total() < Config::new().memory()?.total());
    /// # Ok::<(), pfs::StartError>(())
    /// ```
    pub fn sizing_scale(self, scale: f64) -> Self {
        self.set(Setting::SizingScale, Value::Factor(scale))
    }

    /// Sets a size by its key; [`SizeKey`] lists them with their automatic sizes and limits.
    pub fn size(self, key: SizeKey, size: impl Into<Size>) -> Self {
        self.set(Setting::Size(key), Value::Number(size.into().0))
    }

    /// Switches a consumer at startup, by its name in `setup_consumers`. A consumer has an effect only while those it
    /// depends on are on too:
    ///
    /// | consumer | unless switched | depends on |
    /// |---|---|---|
    /// | `global_instrumentation` | on | |
    /// | `thread_instrumentation` | on | `global_instrumentation` |
    /// | `events_stages_current`, `events_statements_current`, `events_transactions_current` | on | `thread_instrumentation` |
    /// | `statements_digest` | on | `global_instrumentation` |
    /// | `events_waits_current` | off | `thread_instrumentation` |
    /// | `events_waits_history`, `events_waits_history_long` | off | `events_waits_current` |
    /// | `events_stages_history`, `events_stages_history_long` | off | `events_stages_current` |
    /// | `events_statements_history`, `events_statements_history_long` | off | `events_statements_current` |
    /// | `events_transactions_history`, `events_transactions_history_long` | off | `events_transactions_current` |
    pub fn consumer(mut self, name: impl Into<String>, enabled: bool) -> Self {
        self.consumers.insert(name.into(), enabled);
        self
    }

    /// Sets the instruments whose whole names match `pattern` to `ON` (counted and timed), `OFF`, `COUNTED` (not
    /// timed) or `CONTENDED` (timed when not at once; for mutexes and rwlocks, where others that a wide pattern
    /// matches are `ON`). The longest pattern that matches a name decides, wherever it was given; of equally long
    /// ones the last.
    ///
    /// This is the startup dialect of patterns: `%` is any run of characters, `?` one, `\` takes the next one
    /// literally, and case counts; a character that is in no instrument's name is an error. [`Pfs::set_instruments`](crate::handle::Pfs::set_instruments), which changes
    /// instruments while they run, takes the dialect of SQL's `LIKE`. Whitespace around pattern and value does not
    /// count.
    pub fn instrument(mut self, pattern: impl AsRef<str>, value: impl AsRef<str>) -> Self {
        self.instruments.push(Given::new(pattern.as_ref(), value.as_ref()));
        self
    }

    /// What is kept and shown of the text of statements: all of it (`true`, the default), or only its
    /// [digest](TextKept::Digest), which holds no values, or nothing (`false`). Say less where it may hold secrets.
    ///
    /// ```
    /// use pfs::config::TextKept;
    ///
    /// let config = pfs::Config::new().statement_text(TextKept::Digest);
    /// # assert!(config.check().is_ok());
    /// ```
    pub fn statement_text(self, kept: impl Into<TextKept>) -> Self {
        self.set(Setting::StatementText, Value::Text(kept.into()))
    }

    /// What statements are written in, which decides which of them are alike: [`Sql`] unless it is said, or
    /// [`Commands`](crate::digest::Commands), or a language of the server's own. Not to be set in a file or in the
    /// environment.
    ///
    /// ```
    /// use pfs::digest::Commands;
    ///
    /// static REDIS: Commands = Commands::new(&["CLIENT", "CONFIG"]);
    /// let config = pfs::Config::new().statement_language(&REDIS);
    /// # assert!(config.check().is_ok());
    /// ```
    pub fn statement_language(mut self, language: &'static dyn Language) -> Self {
        self.language = StatementLanguage(language);
        self
    }

    /// Replaces the clock by one that advances `step` at every reading, for tests of exact values.
    #[doc(hidden)]
    pub fn constant_step_clock(mut self, step: u64) -> Self {
        self.constant_step = Some(step);
        self
    }

    /// Checks the configuration without starting anything. What depends on the instruments of the program, whether
    /// every pattern matches some and whether all buffers together can be addressed, `start` and
    /// [`memory`](Config::memory) check.
    ///
    /// # Errors
    ///
    /// The first value that is not allowed, with its key and what is.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.checked().map(|_| ())
    }

    fn switch(&self, setting: Setting) -> bool {
        !matches!(self.settings.get(&setting), Some(Value::Switch(false)))
    }

    fn number(&self, setting: Setting) -> Option<u32> {
        match self.settings.get(&setting) {
            // Not −1, which is automatic.
            Some(Value::Number(number)) => u32::try_from(*number).ok(),
            _ => None,
        }
    }

    /// Whether anything is to be started.
    pub(crate) fn is_on(&self) -> bool {
        COMPILED_IN && self.switch(Setting::PerformanceSchema)
    }

    pub(crate) fn checked(&self) -> Result<Checked, ConfigError> {
        for (setting, value) in &self.settings {
            if !setting.allows(*value) {
                return Err(ConfigError::value(*setting, value.to_string()));
            }
        }
        let mut consumers = ConsumerSet::default();
        for (name, enabled) in &self.consumers {
            consumers.set(Consumer::named(name)?, *enabled);
        }
        Ok(Checked {
            rules: self.instruments.iter().map(Given::rule).collect::<Result<_, _>>()?,
            sizes: Sizes::of(self.inputs(), |key| self.number(Setting::Size(key))),
            consumers,
            statement_text: match self.settings.get(&Setting::StatementText) {
                Some(Value::Text(kept)) => *kept,
                _ => TextKept::default(),
            },
            language: self.language,
            constant_step: self.constant_step,
        })
    }

    fn inputs(&self) -> Inputs {
        let workers = self.number(Setting::WorkerThreads).unwrap_or_else(|| {
            let given =
                available_parallelism().map_or(1, |threads| i64::try_from(threads.get()).unwrap_or(i64::MAX));
            u32::try_from(given.min(*WORKERS.end())).unwrap_or(1)
        });
        let scale = match self.settings.get(&Setting::SizingScale) {
            Some(Value::Factor(scale)) => *scale,
            _ => 1.0,
        };
        Inputs {
            max_connections: self.number(Setting::MaxConnections).unwrap_or(151),
            worker_threads: workers,
            sizing_scale: scale,
        }
    }
}

#[cfg(test)]
mod tests;
