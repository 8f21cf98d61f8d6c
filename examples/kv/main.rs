//! A small key-value server that speaks RESP, instrumented with pfs, and the load to see it at work.
//!
//! `kv serve` is the server, `kv bench` runs it under its own clients and prints where the time went. Clients of the
//! server ask it themselves: `PFS` names the tables, `PFS threads` is the rows of one as JSON. What a
//! program does to be instrumented is everywhere `pfs` is named: locks in `log`, `store` and `server`, statements
//! and stages in `command`, threads in `server`, a lock in a static in `shutdown`.

mod bench;
mod cli;
mod command;
mod database;
mod log;
mod poison;
mod resp;
mod schema;
mod server;
mod shutdown;
mod store;
mod tables;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::anyhow;
use clap::Parser;

use pfs::{ConfigError, Pfs};

use cli::{Action, Cli, Serve};
use resp::Limits;
use server::{Options, Server, StartError};

/// What a program ends with that was called wrongly.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Action::Serve(arguments) => serve(&arguments),
        Action::Bench(arguments) => bench::run(&arguments),
    };
    done.unwrap_or_else(|error| {
        eprintln!("kv: {error:#}");
        // As for a flag that is not right.
        if error.is::<ConfigError>() { ExitCode::from(USAGE) } else { ExitCode::FAILURE }
    })
}

fn serve(arguments: &Serve) -> anyhow::Result<ExitCode> {
    let own =
        pfs::Config::new().max_connections(arguments.max_clients).statement_language(&command::LANGUAGE);
    let pfs = start_pfs(&arguments.schema.over(own)?)?;
    shutdown::catch()?;
    let (dir, temporary) = arguments.storage.dir()?;
    let options = Options {
        bind: arguments.bind,
        port: arguments.port,
        dir,
        sync: arguments.storage.sync,
        max_clients: arguments.max_clients,
        shards: arguments.storage.shards,
        limits: Limits::default(),
    };
    let server = Server::start(options.clone(), pfs).map_err(|error| name_flag(error, &options))?;
    let replayed = server.replayed();
    if replayed.cut > 0 {
        eprintln!("kv: cut {} bytes of an unfinished record off the log", replayed.cut);
    }
    let kept = match &temporary {
        None => format!("{} records in {}", replayed.records, options.dir.display()),
        Some(_) => "nothing is kept (--dir keeps it)".to_owned(),
    };
    // Whoever started the server may not care to listen.
    let _ = writeln!(io::stdout(), "kv: listening on {}, {kept}; Ctrl-C ends it", server.address());
    shutdown::wait();
    server.stop();
    Ok(ExitCode::SUCCESS)
}

/// Starts it; what is wrong with a setting comes out as that, and not as what could not start for it.
fn start_pfs(config: &pfs::Config) -> anyhow::Result<Pfs> {
    config.start().map_err(|error| match error {
        pfs::StartError::Config(error) => error.into(),
        other => other.into(),
    })
}

/// The error with the flag in front whose value is to be changed; the value too, unless the error names it.
fn name_flag(error: StartError, options: &Options) -> anyhow::Error {
    let flag = match &error {
        StartError::Listen { source, .. } if source.kind() == io::ErrorKind::AddrNotAvailable => {
            format!("--bind {}", options.bind)
        }
        StartError::Listen { .. } => format!("--port {}", options.port),
        StartError::Log(_) => "--dir".to_owned(),
        StartError::Thread(_) => return error.into(),
    };
    anyhow!("{flag}: {error}")
}
