use pfs::prelude::*;

#[instrument_mutex("kv/STD")]
static STD: std::sync::Mutex<u8> = std::sync::Mutex::new(0);

#[instrument_rwlock("kv/NUMBER")]
static NUMBER: u64 = 1;

mod aliased {
    use pfs::prelude::*;
    use std::sync::Mutex;

    #[instrument_mutex("kv/ALIASED")]
    static ALIASED: Mutex<u8> = Mutex::new(0);
}

fn main() {}
