//! The command line.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use tempfile::TempDir;

use crate::log::SyncPolicy;
use crate::schema::{ENVIRONMENT, Schema};

const EXAMPLES: &str = "\
Examples:
  kv bench                       what a server under load waits for, in five seconds
  kv serve --port 6379           a server, for any Redis client
  kv bench --sizing-scale 0.1    the same with buffers that are too small, and what they lost
  redis-cli -p 6379 PFS          the names of the tables in which it says what it is doing
  redis-cli -p 6379 PFS threads  one of them, as JSON";

/// A small key-value server that speaks RESP and can say what it spends its time on.
#[derive(Debug, Parser)]
#[command(name = "kv", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Action,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Serve clients until Ctrl-C.
    ///
    /// Any Redis client will do. `PFS` names the tables in which the server says what it is doing, and `PFS <TABLE>`
    /// shows one as JSON: `redis-cli -p 6379 PFS threads`.
    #[command(after_help = ENVIRONMENT)]
    Serve(Serve),
    /// Start a server in this process, put it under load, and report where its time went.
    ///
    /// The load has its keys in databases 0 to 3: `user:…`, `session:…`, `hits:…` and `queue:…`. Now and then it removes
    /// all that there are, but not with --dir, where there may be others.
    #[command(after_help = ENVIRONMENT)]
    Bench(Bench),
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Port to listen on; 0 lets the system choose one.
    #[arg(long, default_value_t = 6379)]
    pub(crate) port: u16,
    /// Address to listen on.
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub(crate) bind: IpAddr,
    /// Most connections at one time.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = count(100_000))]
    pub(crate) max_clients: u32,
    #[command(flatten)]
    pub(crate) storage: Storage,
    #[command(flatten, next_help_heading = "Performance schema")]
    pub(crate) schema: Schema,
}

#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// How long to keep up the load, from when all clients are connected.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = count(86_400))]
    pub(crate) seconds: u32,
    /// Connections that make it; every fourth sends its requests in pipelines.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = count(10_000))]
    pub(crate) clients: u32,
    /// Print every table and the load as one JSON object on one line.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) storage: Storage,
    #[command(flatten, next_help_heading = "Performance schema")]
    pub(crate) schema: Schema,
}

#[derive(Debug, Args)]
pub(crate) struct Storage {
    /// Folder of the write-ahead log, replayed at the start [default: a temporary one, gone at the end].
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// Whether the log is synced before a write is answered.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = SyncPolicy::Always)]
    pub(crate) sync: SyncPolicy,
    /// Locks that the keys are spread over.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = count(4096))]
    pub(crate) shards: u32,
}

impl Storage {
    /// The folder of the log, and what removes it again if nobody asked to keep it.
    pub(crate) fn dir(&self) -> anyhow::Result<(PathBuf, Option<TempDir>)> {
        if let Some(dir) = &self.dir {
            return Ok((dir.clone(), None));
        }
        let temporary = tempfile::Builder::new().prefix("kv-").tempdir();
        let temporary =
            temporary.context("cannot make a temporary folder for the log (--dir names another)")?;
        Ok((temporary.path().to_owned(), Some(temporary)))
    }
}

/// A number from 1 to `most`.
fn count(most: u32) -> impl Fn(&str) -> Result<u32, String> + Clone {
    move |text| match text.parse() {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        _ => Err(format!("a number from 1 to {most} is wanted")),
    }
}
