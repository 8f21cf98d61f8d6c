//! The settings of pfs that whoever runs kv chooses, over those that kv has for itself.

use std::path::PathBuf;

use clap::Args;
use pfs::{Config, ConfigError};

/// What `--help` says of the environment.
pub(crate) const ENVIRONMENT: &str = "\
Environment:
  PFS=OFF                          run without the performance schema
  PFS_INSTRUMENT='stage/%=OFF'     switch instruments: ON, OFF, COUNTED or CONTENDED
  PFS_CONSUMER_<CONSUMER>=ON       switch a destination of events, as EVENTS_WAITS_CURRENT
  PFS_<SETTING>=<VALUE>            any other, as PFS_MAX_MUTEX_INSTANCES=500
Of a setting made twice, the flag wins over the environment, that over the file of --config, that over kv's own choice.";

#[derive(Debug, Args)]
pub(crate) struct Schema {
    /// Multiplies the automatic sizes of the buffers, from 0.001 to 1000; what finds one full is counted as lost
    /// [default: 1].
    #[arg(long, value_name = "FACTOR", value_parser = sizing_scale)]
    sizing_scale: Option<f64>,
    /// Settings of pfs, in TOML.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Schema {
    /// `own` with what the file sets over it, the environment over that, and the flags over all.
    pub(crate) fn over(&self, own: Config) -> Result<Config, ConfigError> {
        let config = match &self.config {
            Some(file) => own.file(file)?,
            None => own,
        };
        let config = config.env()?;
        Ok(match self.sizing_scale {
            Some(scale) => config.sizing_scale(scale),
            None => config,
        })
    }
}

/// A factor that pfs takes.
fn sizing_scale(text: &str) -> Result<f64, String> {
    let scale: f64 = text.parse().map_err(|_| "a number is wanted".to_owned())?;
    Config::new().sizing_scale(scale).check().map(|()| scale).map_err(|error| error.to_string())
}
