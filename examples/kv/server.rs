//! The server: a thread that accepts, a thread a connection, one that flushes the log and one that expires keys.

mod connection;
mod connections;
mod counters;
mod expirer;

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pfs::Pfs;
use pfs::thread::{Builder, JoinHandle, ThreadClass};

use crate::log::{Log, OpenError, Replayed, SyncPolicy};
use crate::resp::Limits;
use crate::store::{Shards, Store};
use connections::Connections;
pub(crate) use counters::Counters;
use expirer::Expirer;

/// How a server is to run.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) bind: IpAddr,
    /// 0 lets the system choose.
    pub(crate) port: u16,
    /// Where the log lies.
    pub(crate) dir: PathBuf,
    pub(crate) sync: SyncPolicy,
    pub(crate) max_clients: u32,
    pub(crate) shards: u32,
    pub(crate) limits: Limits,
}

/// Why a server did not start. Nothing of it is left running.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    #[error("cannot listen on {address}: {source}")]
    Listen { address: SocketAddr, source: io::Error },
    #[error("cannot open the log: {0}")]
    Log(#[from] OpenError),
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
}

/// What all the threads of a server see.
#[derive(Debug)]
pub(crate) struct Shared {
    pfs: Pfs,
    options: Options,
    address: SocketAddr,
    started: Instant,
    store: Store,
    counters: Counters,
    connections: Connections,
    expirer: Expirer,
    stopping: AtomicBool,
}

impl Shared {
    pub(crate) fn pfs(&self) -> Pfs {
        self.pfs
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn uptime(&self) -> Duration {
        self.started.elapsed()
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    pub(crate) fn counters(&self) -> &Counters {
        &self.counters
    }
}

/// A running server; [`Server::stop`] ends it.
#[derive(Debug)]
pub(crate) struct Server {
    shared: Arc<Shared>,
    replayed: Replayed,
    flusher: JoinHandle<()>,
    expirer: JoinHandle<()>,
    acceptor: JoinHandle<()>,
}

impl Server {
    /// Listens, replays the log, and begins to accept.
    pub(crate) fn start(options: Options, pfs: Pfs) -> Result<Server, StartError> {
        let address = SocketAddr::new(options.bind, options.port);
        let listen = |source| StartError::Listen { address, source };
        let listener = TcpListener::bind(address).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;

        let shards = Shards::new(options.shards);
        let (log, file, replayed) =
            Log::open(&options.dir, options.sync, |database, operation| shards.apply(database, operation))?;
        let log = Arc::new(log);
        let shared = Arc::new(Shared {
            pfs,
            options,
            address,
            started: Instant::now(),
            store: Store::new(shards, Arc::clone(&log)),
            counters: Counters::default(),
            connections: Connections::new(),
            expirer: Expirer::new(),
            stopping: AtomicBool::new(false),
        });

        let flusher = {
            let log = Arc::clone(&log);
            thread(pfs::thread_class!("kv/flusher"), "kv-flusher")
                .spawn(move || log.flush_loop(file))
                .map_err(StartError::Thread)?
        };
        let expirer = {
            let shared = Arc::clone(&shared);
            thread(pfs::thread_class!("kv/expirer"), "kv-expirer").spawn(move || expirer::run(&shared))
        };
        let expirer = expirer.map_err(|error| {
            log.close();
            StartError::Thread(error)
        })?;
        let acceptor = {
            let shared = Arc::clone(&shared);
            thread(pfs::thread_class!("kv/acceptor"), "kv-acceptor")
                .spawn(move || accept_loop(&shared, &listener))
        };
        let acceptor = acceptor.map_err(|error| {
            shared.expirer.stop();
            log.close();
            StartError::Thread(error)
        })?;
        Ok(Server { shared, replayed, flusher, expirer, acceptor })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.shared.address
    }

    /// What the log held at the start.
    pub(crate) fn replayed(&self) -> Replayed {
        self.replayed
    }

    /// Connections that have got their thread so far, and those that were refused.
    pub(crate) fn admitted(&self) -> (u32, u64) {
        let counters = &self.shared.counters;
        let admitted = counters.connected.load(Ordering::Relaxed);
        (u32::try_from(admitted).unwrap_or(u32::MAX), counters.rejected.load(Ordering::Relaxed))
    }

    /// Puts the threads that work by themselves to sleep for good. If no client has a request open, nothing in the
    /// server happens after this, and tables read now agree with each other.
    pub(crate) fn rest(&self) {
        self.shared.expirer.pause();
        self.shared.store.log().wait_idle();
    }

    /// Closes every connection, writes what is left of the log, and waits for every thread.
    pub(crate) fn stop(self) {
        self.shared.stopping.store(true, Ordering::Release);
        // The acceptor looks up when somebody comes.
        let mut door = self.shared.address;
        if door.ip().is_unspecified() {
            door.set_ip(match door.ip() {
                IpAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
                IpAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
            });
        }
        let woken = TcpStream::connect_timeout(&door, Duration::from_secs(1)).is_ok();
        if woken || self.acceptor.is_finished() {
            join(self.acceptor);
        }
        self.shared.connections.close_all();
        self.shared.expirer.stop();
        join(self.expirer);
        self.shared.store.log().close();
        join(self.flusher);
    }
}

/// A thread of a class, by the name that the operating system is to show.
fn thread(class: ThreadClass, name: &str) -> Builder {
    class.builder().name(name.to_owned())
}

/// A thread that panicked has said so on stderr; there is nothing to add.
fn join(thread: JoinHandle<()>) {
    let _ = thread.join();
}

fn accept_loop(shared: &Arc<Shared>, listener: &TcpListener) {
    loop {
        let accepted = listener.accept();
        if shared.stopping.load(Ordering::Acquire) {
            return;
        }
        match accepted {
            Ok((stream, _)) => connection::admit(shared, stream),
            // The client has gone again, or there are no file descriptors for now; neither ends the server.
            Err(_) => std::thread::sleep(Duration::from_millis(10)),
        }
    }
}
