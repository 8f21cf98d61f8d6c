use pfs::prelude::*;
use pfs::sync::Mutex;

#[instrument_mutex("kv/CONST")]
const CONST: Mutex<u8> = Mutex::new(0);

#[instrument_mutex("kv/function")]
fn function() -> Mutex<u8> {
    Mutex::new(0)
}

#[instrument_rwlock("kv/struct")]
struct Store {
    map: Mutex<u8>,
}

fn main() {}
