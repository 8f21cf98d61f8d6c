//! `#[derive(Instrument)]` on tuple structs and enums, whose fields have numbers or stand in variants.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};

#[path = "support/mod.rs"]
mod support;

#[derive(Instrument)]
#[instrument(component = "ui")]
struct Pair(#[mutex] Mutex<u8>, u8, #[rwlock("second of a pair")] RwLock<u8>);

#[derive(Instrument)]
#[instrument(component = "ui")]
struct Newtype(#[instrument] Pair);

#[derive(Instrument)]
#[instrument(component = "ui")]
enum Backend {
    Memory(#[rwlock] RwLock<Vec<u8>>),
    File {
        #[mutex]
        file: Mutex<String>,
        #[condvar("synced")]
        synced: Condvar,
        path: &'static str,
    },
    Pairs(#[instrument] Pair, #[instrument] Option<Newtype>),
    // Nothing to name.
    Null,
    Remote(u16),
}

impl Backend {
    fn touch(&self) {
        match self {
            Self::Memory(bytes) => bytes.write().unwrap().push(1),
            Self::File { file, synced, path } => {
                file.lock().unwrap().push_str(path);
                synced.notify_all();
            }
            Self::Pairs(pair, more) => {
                pair.touch();
                more.iter().for_each(|newtype| newtype.0.touch());
            }
            Self::Null => (),
            Self::Remote(port) => assert_eq!(*port, 7),
        }
    }
}

impl Pair {
    const fn new() -> Self {
        Self(Mutex::new(1), 2, RwLock::new(3))
    }

    fn touch(&self) {
        assert_eq!(*self.0.lock().unwrap() + self.1 + *self.2.read().unwrap(), 6);
    }
}

#[derive(Instrument)]
enum OneVariant<T> {
    Only {
        #[mutex("ui/only")]
        lock: Mutex<T>,
    },
}

#[instrument]
static BACKENDS: [Backend; 2] = [Backend::Memory(RwLock::new(Vec::new())), Backend::Pairs(Pair::new(), None)];

fn main() {
    support::start();
    Pair::new().instrumented().touch();
    for backend in [
        Backend::Memory(RwLock::default()),
        Backend::File { file: Mutex::default(), synced: Condvar::new(), path: "x" },
        Backend::Pairs(Pair::new(), Some(Newtype(Pair::new()))),
        Backend::Null,
        Backend::Remote(7),
    ] {
        backend.instrumented().touch();
    }
    BACKENDS.iter().for_each(Backend::touch);
    let OneVariant::Only { lock } = OneVariant::Only { lock: Mutex::new("x") }.instrumented();
    assert_eq!(lock.into_inner().unwrap(), "x");

    for (name, count) in [
        ("mutex/ui/Pair::0", 4),
        ("rwlock/ui/second of a pair", 4),
        ("rwlock/ui/Backend::Memory::0", 2),
        ("mutex/ui/Backend::File::file", 1),
        ("cond/ui/synced", 0),
        ("mutex/ui/only", 0),
        ("mutex/pfs/unnamed", 0),
        ("rwlock/pfs/unnamed", 0),
    ] {
        assert_eq!(support::waits(&format!("wait/synch/{name}")), count, "{name}");
    }
}
