//! `kv bench`: a server in this process, clients that put it under load over real sockets, and a report.
//!
//! Everything of the schema is on and every lock is timed, which is the most a program can ask of it. Clients and
//! report are no part of the server: they use the standard library's types and stand in no table.

mod client;
mod histogram;
mod layout;
mod load;
mod mix;
mod progress;
mod report;
mod unnamed;
mod waits;

use std::io::{self, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::process::ExitCode;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::cli::Bench;
use crate::command;
use crate::resp::Limits;
use crate::server::{Options, Server};
use crate::shutdown;
use client::Plan;
use layout::Style;
use load::Load;

/// Requests in one pipeline of the clients that send them so.
const DEPTH: usize = 16;
/// Clients that may be connecting at one time; a listener keeps 128 and more waiting.
const AHEAD: u32 = 64;
/// How long the server may take to accept one of them.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) fn run(arguments: &Bench) -> anyhow::Result<ExitCode> {
    let pfs = crate::start_pfs(&arguments.schema.over(everything(arguments.clients))?)?;
    shutdown::catch()?;
    let (dir, temporary) = arguments.storage.dir()?;
    let options = Options {
        bind: IpAddr::V4(Ipv4Addr::LOCALHOST),
        port: 0,
        dir,
        sync: arguments.storage.sync,
        max_clients: arguments.clients,
        shards: arguments.storage.shards,
        limits: Limits::default(),
    };
    let server = Server::start(options.clone(), pfs).map_err(|error| crate::name_flag(error, &options))?;

    let (load, connections, elapsed) = drive(arguments, &server)?;
    // The connections are still open: no thread has ended, and nothing moves any more.
    server.rest();
    let printed = if arguments.json {
        print(|out| report::json(out, pfs, &load, elapsed))
    } else {
        let style = Style::of_stdout();
        let head = report::Head { clients: arguments.clients, depth: DEPTH, elapsed, sync: options.sync };
        print(|out| report::text(out, pfs, &load, &head, style))
    };
    drop(connections);
    server.stop();
    drop(temporary);
    printed.context("cannot write the report")?;
    Ok(if shutdown::requested() { ExitCode::from(shutdown::INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Every consumer on and every lock timed.
fn everything(clients: u32) -> pfs::Config {
    let mut config = pfs::Config::new().max_connections(clients).statement_language(&command::LANGUAGE);
    for kind in ["waits", "stages", "statements"] {
        for window in ["current", "history", "history_long"] {
            config = config.consumer(format!("events_{kind}_{window}"), true);
        }
    }
    for kind in ["mutex", "rwlock", "cond"] {
        config = config.instrument(format!("wait/synch/{kind}/%"), "ON");
    }
    config
}

/// Connects every client, before the first of them sends anything; fewer only if Ctrl-C asks for the end. At most
/// `AHEAD` wait for the server at a time, so that none is left to the retries of a network with no room for it.
fn connect(arguments: &Bench, server: &Server) -> anyhow::Result<Vec<TcpStream>> {
    let mut connections = Vec::new();
    let mut line = progress::Connecting::begin();
    let mut moved = (0, Instant::now());
    loop {
        let (admitted, refused) = server.admitted();
        if refused > 0 {
            anyhow::bail!(
                "--clients {}: the server has no thread or no file descriptor for client {}",
                arguments.clients,
                admitted + 1
            );
        }
        line.show(admitted, arguments.clients);
        if admitted == arguments.clients || shutdown::requested() {
            return Ok(connections);
        }
        if moved.0 != admitted {
            moved = (admitted, Instant::now());
        }
        if moved.1.elapsed() > PATIENCE {
            anyhow::bail!("--clients {}: the server accepts no more than {admitted}", arguments.clients);
        }
        let begun = u32::try_from(connections.len()).unwrap_or(u32::MAX);
        if begun == arguments.clients || begun.saturating_sub(admitted) >= AHEAD {
            thread::sleep(Duration::from_micros(200));
            continue;
        }
        let connection = TcpStream::connect(server.address())
            .and_then(|connection| connection.set_nodelay(true).map(|()| connection));
        connections.push(connection.with_context(|| {
            format!("--clients {}: cannot connect client {}", arguments.clients, begun + 1)
        })?);
    }
}

/// Runs the clients to the end. Their connections come back open, every request on them answered, and with them how
/// long that took from the first request on.
fn drive(arguments: &Bench, server: &Server) -> anyhow::Result<(Load, Vec<TcpStream>, Duration)> {
    let answered = Arc::new(AtomicU64::new(0));
    let deadline = Arc::new(OnceLock::new());
    let clients = connect(arguments, server)?
        .into_iter()
        .zip(0u64..)
        .map(|(connection, number)| {
            let plan = Plan {
                seed: number,
                depth: if number % 4 == 3 { DEPTH } else { 1 },
                // Whoever names a folder may have more in it than this load.
                flushes: arguments.storage.dir.is_none(),
                deadline: Arc::clone(&deadline),
                answered: Arc::clone(&answered),
            };
            thread::Builder::new()
                .name(format!("bench-client-{number}"))
                .spawn(move || client::run(&plan, connection))
        })
        .collect::<io::Result<Vec<_>>>()
        .with_context(|| format!("--clients {}: cannot start a thread for each client", arguments.clients))?;
    let length = Duration::from_secs(arguments.seconds.into());
    let began = Instant::now();
    // Nobody else sets it.
    let _ = deadline.set(began + length);
    progress::watch(began, length, &answered, || clients.iter().all(thread::JoinHandle::is_finished));
    let elapsed = began.elapsed();
    let mut load = Load::default();
    let mut connections = Vec::new();
    for client in clients {
        let Ok(outcome) = client.join() else { anyhow::bail!("a client panicked") };
        let (its_load, connection) = outcome.context("a client lost its server")?;
        load.add(&its_load);
        connections.push(connection);
    }
    Ok((load, connections, elapsed))
}

/// Writes to stdout. A reader that has seen enough, as `head` does, is no error.
fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Whether colours and moving lines make sense on stderr.
fn stderr_is_screen() -> bool {
    io::stderr().is_terminal()
}
