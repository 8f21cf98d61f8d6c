//! The configuration in a file, in TOML.

use super::{Config, ConfigError, Origin, Setting};
use core::ops::Range;
use std::borrow::Cow;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

impl Config {
    /// The defaults with what a file sets; see [`Config::file`].
    ///
    /// # Errors
    ///
    /// As [`Config::file`].
    ///
    /// ```no_run
    /// // The environment wins over the file, and what is called last over both.
    /// let pfs = pfs::Config::from_file("/etc/kv/pfs.toml")?.env()?.max_connections(200).start()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, ConfigError> {
        Self::new().file(path)
    }

    /// Sets what a file in TOML sets, over what was set before. The [module](super) shows one with every key.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is no TOML, a key is none of pfs's, or a value is not allowed; with the file and
    /// the line.
    pub fn file(self, path: impl AsRef<Path>) -> Result<Self, ConfigError> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|error| ConfigError::Read {
            path: path.to_owned(),
            kind: error.kind(),
            reason: error.to_string(),
        })?;
        let text = core::str::from_utf8(&bytes).map_err(|error| ConfigError::Syntax {
            from: origin(Some(path), &bytes, error.valid_up_to()),
            reason: "allowed is text in UTF-8".to_owned(),
        })?;
        Reader { text, path: Some(path) }.read(self)
    }

    /// Sets what a text in TOML sets, as [`Config::file`] does.
    ///
    /// ```
    /// let config = pfs::Config::new().toml("max_connections = 50\nmax_mutex_instances = 'auto'")?;
    /// assert_eq!(config, pfs::Config::new().max_connections(50).size(pfs::SizeKey::MaxMutexInstances, -1));
    ///
    /// let error = pfs::Config::new().toml("\nmax_connections = 0").unwrap_err();
    /// assert_eq!(error.to_string(), "line 2: max_connections = 0: allowed are 1 to 100000");
    /// # Ok::<(), pfs::ConfigError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Config::file`], with the line.
    pub fn toml(self, text: &str) -> Result<Self, ConfigError> {
        Reader { text, path: None }.read(self)
    }
}

/// A file that is read.
struct Reader<'a> {
    text: &'a str,
    path: Option<&'a Path>,
}

impl Reader<'_> {
    fn read(&self, mut config: Config) -> Result<Config, ConfigError> {
        let table = DeTable::parse(self.text).map_err(|error| ConfigError::Syntax {
            from: self.origin(&error.span().unwrap_or_default()),
            // In a line: some go over several.
            reason: error.message().split_whitespace().collect::<Vec<_>>().join(" "),
        })?;
        for (key, value) in in_order(table.get_ref()) {
            match key.get_ref().as_ref() {
                "consumers" => self.consumers(&mut config, value)?,
                "instruments" => self.instruments(&mut config, value)?,
                name => {
                    let Some(setting) = Setting::keys().find(|setting| setting.name() == name) else {
                        return Err(ConfigError::unknown_key(name).at(self.origin(&key.span())));
                    };
                    config.write(setting, &self.text_of(value)).map_err(|error| self.place(error, value))?;
                }
            }
        }
        Ok(config)
    }

    fn consumers(&self, config: &mut Config, value: &Spanned<DeValue<'_>>) -> Result<(), ConfigError> {
        let DeValue::Table(consumers) = value.get_ref() else { return Err(self.shape("consumers", value)) };
        for (name, value) in in_order(consumers) {
            let written = config.write_consumer(name.get_ref(), &self.text_of(value));
            written.map_err(|error| error.at(self.origin(&name.span())))?;
        }
        Ok(())
    }

    fn instruments(&self, config: &mut Config, value: &Spanned<DeValue<'_>>) -> Result<(), ConfigError> {
        let DeValue::Array(rules) = value.get_ref() else { return Err(self.shape("instruments", value)) };
        for rule in rules {
            let DeValue::String(text) = rule.get_ref() else { return Err(self.shape("instruments", rule)) };
            config.write_rule(text, self.origin(&rule.span()))?;
        }
        Ok(())
    }

    /// A value as the text that it would be in the environment; what could not be there, as it is written.
    fn text_of<'a>(&'a self, value: &'a Spanned<DeValue<'_>>) -> Cow<'a, str> {
        match value.get_ref() {
            DeValue::String(text) => Cow::Borrowed(text),
            DeValue::Boolean(true) => Cow::Borrowed("true"),
            DeValue::Boolean(false) => Cow::Borrowed("false"),
            DeValue::Float(number) => Cow::Borrowed(number.as_str()),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => Cow::Owned(number.to_string()),
                Err(_) => Cow::Owned(number.to_string()),
            },
            // A table that is not in braces has its heading, or its key, where its place is.
            DeValue::Table(_) if !self.written(value).starts_with('{') => Cow::Borrowed("a table"),
            DeValue::Array(_) if self.written(value).starts_with("[[") && !self.is_in_brackets(value) => {
                Cow::Borrowed("a list of tables")
            }
            _ => Cow::Borrowed(self.written(value)),
        }
    }

    fn written(&self, value: &Spanned<DeValue<'_>>) -> &str {
        self.text.get(value.span()).unwrap_or_default()
    }

    /// Whether a list stands behind its key, and not as headings `[[key]]`.
    fn is_in_brackets(&self, value: &Spanned<DeValue<'_>>) -> bool {
        let before = self.text.get(..value.span().start).unwrap_or_default();
        before.trim_end().ends_with(['=', ',', '['])
    }

    fn shape(&self, key: &'static str, value: &Spanned<DeValue<'_>>) -> ConfigError {
        let shown = self.text_of(value).into_owned();
        self.place(ConfigError::Shape { from: Origin::Code, key, value: shown }, value)
    }

    fn place(&self, error: ConfigError, value: &Spanned<DeValue<'_>>) -> ConfigError {
        error.at(self.origin(&value.span()))
    }

    fn origin(&self, span: &Range<usize>) -> Origin {
        origin(self.path, self.text.as_bytes(), span.start)
    }
}

/// The place of a byte.
fn origin(path: Option<&Path>, text: &[u8], at: usize) -> Origin {
    let line = 1 + text.iter().take(at).filter(|byte| **byte == b'\n').count();
    Origin::File { path: path.map(Path::to_owned), line }
}

/// What a table holds, in the order in which it is written.
fn in_order<'a, 'i>(table: &'a DeTable<'i>) -> Vec<(&'a Spanned<Cow<'i, str>>, &'a Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}
