use pfs::prelude::*;
use pfs::sync::{Mutex, RwLock};

#[derive(Instrument)]
struct Shard {
    map: RwLock<u8>,
    dirty: Mutex<u8>,
}

#[derive(Instrument)]
struct Unit;

#[derive(Instrument)]
enum Backend {
    Memory(RwLock<u8>),
    Null,
}

fn main() {}
