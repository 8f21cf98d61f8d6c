use pfs::prelude::*;
use pfs::sync::Mutex;

#[derive(Instrument)]
#[instrument("kv/Shard")]
struct Named {
    #[mutex]
    lock: Mutex<u8>,
}

#[derive(Instrument)]
#[instrument(name = "kv/Shard")]
struct NamedByKey {
    #[mutex]
    lock: Mutex<u8>,
}

#[derive(Instrument)]
#[instrument(componnet = "kv")]
struct Unknown {
    #[mutex]
    lock: Mutex<u8>,
}

#[derive(Instrument)]
#[instrument(crate = "perf")]
struct CrateIsAPath {
    #[mutex]
    lock: Mutex<u8>,
}

#[derive(Instrument)]
#[instrument]
struct Nothing {
    #[mutex]
    lock: Mutex<u8>,
}

fn main() {}
