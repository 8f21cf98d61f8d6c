//! Settings as texts: what reading them from the environment, from a file and from a format of serde has in common.

use super::rule::Given;
use super::setting::Value;
use super::{Config, ConfigError, Consumer, Origin, Setting};

impl Config {
    /// Sets `setting` to what `text` stands for.
    pub(super) fn write(&mut self, setting: Setting, text: &str) -> Result<(), ConfigError> {
        let value = setting.parse(text).ok_or_else(|| ConfigError::value(setting, text.trim().to_owned()))?;
        match (setting, value) {
            (Setting::Consumer(consumer), Value::Switch(enabled)) => {
                self.consumers.insert(consumer.name().to_owned(), enabled);
            }
            _ => {
                self.settings.insert(setting, value);
            }
        }
        Ok(())
    }

    /// Sets the consumer of that name, as a file and whatever else can be deserialised do.
    #[cfg(any(feature = "serde", feature = "toml"))]
    pub(super) fn write_consumer(&mut self, name: &str, text: &str) -> Result<(), ConfigError> {
        self.write(Setting::Consumer(Consumer::named(name)?), text)
    }

    /// Adds a rule of instruments, `pattern=VALUE`, that stands at `from`.
    pub(super) fn write_rule(&mut self, written: &str, from: Origin) -> Result<(), ConfigError> {
        match Given::parse(written) {
            Ok(given) => self.instruments.push(Given { from, ..given }),
            Err(error) => return Err(error.at(from)),
        }
        Ok(())
    }

    /// The rules of instruments as [`Config::write_rule`] reads them.
    pub(super) fn rules(&self) -> impl ExactSizeIterator<Item = String> {
        self.instruments.iter().map(|given| format!("{}={}", given.pattern, given.value))
    }
}

impl Consumer {
    /// The consumer of that name, or an error that names the nearest and all.
    pub(super) fn named(name: &str) -> Result<Self, ConfigError> {
        Self::from_name(name).ok_or_else(|| ConfigError::consumer(name))
    }
}
