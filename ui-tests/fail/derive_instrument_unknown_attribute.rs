use pfs::prelude::*;
use pfs::sync::Mutex;

#[derive(Instrument)]
struct Shard {
    #[mutx("kv/lock")]
    lock: Mutex<u8>,
    #[mutex]
    other: Mutex<u8>,
}

// The attributes of fields belong to the derive.
struct NotDerived {
    #[rwlock]
    map: pfs::sync::RwLock<u8>,
}

fn main() {}
