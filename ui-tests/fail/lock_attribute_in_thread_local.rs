use pfs::prelude::*;
use pfs::sync::Mutex;

thread_local! {
    #[instrument_mutex("kv/LOCAL")]
    static LOCAL: Mutex<u8> = const { Mutex::new(0) };
}

fn main() {}
