use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};

#[derive(Instrument)]
struct Spelled {
    #[mutex]
    map: RwLock<u8>,
    dirty: Mutex<u8>,
}

#[derive(Instrument)]
struct Twice {
    #[mutex]
    #[rwlock]
    map: RwLock<u8>,
}

#[derive(Instrument)]
struct NotNested {
    #[instrument]
    flushed: Condvar,
}

type Table = RwLock<Vec<u8>>;

#[derive(Instrument)]
struct Aliased {
    #[mutex]
    map: Table,
}

#[derive(Instrument)]
struct Contained {
    #[rwlock("kv/locks")]
    locks: Vec<Box<Mutex<u8>>>,
}

#[derive(Instrument)]
struct Nested {
    #[condvar]
    aliased: Aliased,
    #[instrument]
    locks: [Mutex<u8>; 2],
}

fn main() {}
