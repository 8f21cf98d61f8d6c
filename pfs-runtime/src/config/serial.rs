//! The configuration in any self-describing format of serde: a map of the same keys as in a file.

use super::setting::Value;
use super::{Config, ConfigError, Origin, Setting};
use core::fmt;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::collections::BTreeSet;

/// What was set, and nothing else: an empty map for the defaults.
impl Serialize for Config {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = [self.instruments.is_empty(), self.consumers.is_empty()];
        let parts = parts.into_iter().filter(|empty| !empty).count();
        let mut map = serializer.serialize_map(Some(self.settings.len() + parts))?;
        for (setting, value) in &self.settings {
            match value {
                Value::Switch(on) => map.serialize_entry(setting.name(), on)?,
                Value::Text(kept) => map.serialize_entry(setting.name(), kept.as_str())?,
                Value::Number(number) => map.serialize_entry(setting.name(), number)?,
                Value::Factor(factor) => map.serialize_entry(setting.name(), factor)?,
            }
        }
        if !self.instruments.is_empty() {
            map.serialize_entry("instruments", &self.rules().collect::<Vec<_>>())?;
        }
        // Last, for TOML has its tables at the end.
        if !self.consumers.is_empty() {
            map.serialize_entry("consumers", &self.consumers)?;
        }
        map.end()
    }
}

/// The defaults with what the map sets, of a format that tells what it holds (TOML, JSON, YAML; not bincode). An
/// unknown key or a value that is not allowed is an error.
impl<'de> Deserialize<'de> for Config {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Settings)
    }
}

struct Settings;

impl<'de> Visitor<'de> for Settings {
    type Value = Config;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the settings of pfs")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Config, A::Error> {
        let mut config = Config::new();
        let mut seen = BTreeSet::new();
        while let Some(key) = map.next_key::<String>()? {
            once(&mut seen, &key)?;
            match key.as_str() {
                "consumers" => config = map.next_value_seed(Consumers(config))?,
                "instruments" => config = map.next_value_seed(Rules(config))?,
                name => {
                    let Some(setting) = Setting::keys().find(|setting| setting.name() == name) else {
                        return Err(de::Error::custom(ConfigError::unknown_key(name)));
                    };
                    let text = map.next_value_seed(Text(name))?;
                    config.write(setting, &text).map_err(de::Error::custom)?;
                }
            }
        }
        Ok(config)
    }
}

/// An error for a key that was there before: which of the two is meant cannot be told.
fn once<E: de::Error>(seen: &mut BTreeSet<String>, key: &str) -> Result<(), E> {
    if seen.insert(key.to_owned()) {
        Ok(())
    } else {
        Err(E::custom(format_args!("`{key}` is given twice: allowed is once")))
    }
}

/// What `consumers` holds, into a configuration.
struct Consumers(Config);

impl<'de> de::DeserializeSeed<'de> for Consumers {
    type Value = Config;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Config, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Consumers {
    type Value = Config;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of consumers, each ON or OFF")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Config, A::Error> {
        let mut seen = BTreeSet::new();
        while let Some(name) = map.next_key::<String>()? {
            once(&mut seen, &name)?;
            let text = map.next_value_seed(Text(&name))?;
            self.0.write_consumer(&name, &text).map_err(de::Error::custom)?;
        }
        Ok(self.0)
    }
}

/// What `instruments` holds, into a configuration.
struct Rules(Config);

impl<'de> de::DeserializeSeed<'de> for Rules {
    type Value = Config;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Config, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Rules {
    type Value = Config;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of texts, each pattern=VALUE")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut rules: A) -> Result<Config, A::Error> {
        while let Some(rule) = rules.next_element_seed(Text("instruments"))? {
            self.0.write_rule(&rule, Origin::Code).map_err(de::Error::custom)?;
        }
        Ok(self.0)
    }
}

/// A value of that key, as the text that it would be in the environment.
struct Text<'a>(&'a str);

impl<'de> de::DeserializeSeed<'de> for Text<'_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for Text<'_> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ON, OFF, a number or a text for `{}`", self.0)
    }

    fn visit_bool<E>(self, value: bool) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_i64<E>(self, value: i64) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_u64<E>(self, value: u64) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_f64<E>(self, value: f64) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_str<E>(self, value: &str) -> Result<String, E> {
        Ok(value.to_owned())
    }
}
