use pfs::prelude::*;
use pfs::sync::Mutex;

#[instrument_mutex("kv/MUT")]
static mut MUT: Mutex<u8> = Mutex::new(0);

unsafe extern "C" {
    #[instrument_mutex("kv/FOREIGN")]
    static FOREIGN: Mutex<u8>;
}

fn main() {}
