//! The configuration in environment variables: reading it, and writing it for a process that is to be started.

use super::setting::consumer_variable;
use super::{Config, ConfigError, Origin, Setting};
use std::ffi::{OsStr, OsString};

/// The variable that holds rules of instruments.
const INSTRUMENT: &str = "PFS_INSTRUMENT";
/// What stands between the rules in it. No instrument's name has one of these.
const SEPARATORS: [char; 2] = [',', ';'];

impl Config {
    /// The defaults with what the process's environment sets; see [`Config::env`].
    ///
    /// # Errors
    ///
    /// As [`Config::env`].
    ///
    /// ```no_run
    /// let pfs = pfs::Config::from_env()?.max_connections(200).start()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_env() -> Result<Self, ConfigError> {
        Self::new().env()
    }

    /// Sets what the process's environment sets, over what was set before.
    ///
    /// | variable | sets |
    /// |---|---|
    /// | `PFS` | the master switch: `ON` or `OFF` |
    /// | `PFS_INSTRUMENT` | instruments: `pattern=VALUE`, several separated by `,` or `;` |
    /// | `PFS_CONSUMER_` and a consumer's name in capitals | that consumer: `ON` or `OFF` |
    /// | `PFS_` and a key in capitals | that key: `PFS_MAX_CONNECTIONS`, `PFS_MAX_MUTEX_INSTANCES` … |
    ///
    /// `ON` may be written `YES`, `TRUE` or `1`, `OFF` `NO`, `FALSE` or `0`, in any case; whitespace around a value
    /// does not count. Patterns are those of [`Config::instrument`], added to the ones given before.
    ///
    /// # Errors
    ///
    /// If a variable that begins with `PFS_` is none of these, or a value is not allowed or is not UTF-8. The first in
    /// the order of the names is told.
    pub fn env(self) -> Result<Self, ConfigError> {
        self.env_from(std::env::vars_os())
    }

    /// [`Config::env`] of the given variables instead of the process's.
    ///
    /// ```
    /// let config = pfs::Config::new().env_from([("PFS_MAX_CONNECTIONS", "50"), ("HOME", "/")])?;
    /// assert_eq!(config, pfs::Config::new().max_connections(50));
    ///
    /// let error = pfs::Config::new().env_from([("PFS_MAX_CONECTIONS", "50")]).unwrap_err();
    /// assert!(error.to_string().contains("did you mean `PFS_MAX_CONNECTIONS`?"));
    /// # Ok::<(), pfs::ConfigError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Config::env`].
    pub fn env_from<N, V>(mut self, variables: impl IntoIterator<Item = (N, V)>) -> Result<Self, ConfigError>
    where
        N: Into<OsString>,
        V: Into<OsString>,
    {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into()));
        let mut ours: Vec<(OsString, OsString)> = variables.filter(|(name, _)| is_ours(name)).collect();
        // Stable, so that of one name given twice the later wins.
        ours.sort_by(|(a, _), (b, _)| a.cmp(b));
        for (name, value) in ours {
            let name = name.to_string_lossy();
            self.variable(&name, &value).map_err(|error| error.at(Origin::Variable(name.into_owned())))?;
        }
        Ok(self)
    }

    fn variable(&mut self, name: &str, value: &OsStr) -> Result<(), ConfigError> {
        let setting = Setting::all().find(|setting| setting.variable() == name);
        if setting.is_none() && name != INSTRUMENT {
            return Err(ConfigError::unknown_variable(name, &names()));
        }
        let Some(value) = value.to_str() else {
            return Err(ConfigError::NotUtf8 {
                variable: name.to_owned(),
                value: value.to_string_lossy().into_owned(),
            });
        };
        match setting {
            Some(setting) => self.write(setting, value),
            None => value
                .split(SEPARATORS)
                .filter(|rule| !rule.trim().is_empty())
                .try_for_each(|rule| self.write_rule(rule.trim(), Origin::Variable(name.to_owned()))),
        }
    }

    /// The environment variables that give this configuration, for a process that is to be started with it.
    ///
    /// What is wrong stays wrong: [`Config::env`] refuses it there.
    ///
    /// ```
    /// let config = pfs::Config::new().max_connections(50).instrument("stage/%", "OFF");
    /// let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    /// let variables = config.to_env();
    /// assert_eq!(variables, [pair("PFS_MAX_CONNECTIONS", "50"), pair("PFS_INSTRUMENT", "stage/%=OFF")]);
    /// assert_eq!(pfs::Config::new().env_from(variables)?, config);
    /// # Ok::<(), pfs::ConfigError>(())
    /// ```
    pub fn to_env(&self) -> Vec<(String, String)> {
        let settings = self.settings.iter().map(|(setting, value)| (setting.variable(), value.to_string()));
        let consumers = self
            .consumers
            .iter()
            .map(|(name, enabled)| (consumer_variable(name), if *enabled { "ON" } else { "OFF" }.to_owned()));
        let rules: Vec<String> = self.rules().collect();
        let instruments = (!rules.is_empty()).then(|| (INSTRUMENT.to_owned(), rules.join(",")));
        settings.chain(consumers).chain(instruments).collect()
    }
}

/// Whether a variable is meant for pfs.
fn is_ours(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name == b"PFS" || name.starts_with(b"PFS_")
}

/// Every variable that there is.
fn names() -> Vec<String> {
    Setting::all().map(Setting::variable).chain([INSTRUMENT.to_owned()]).collect()
}
