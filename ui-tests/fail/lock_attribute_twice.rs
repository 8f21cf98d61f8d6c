use pfs::prelude::*;
use pfs::sync::{Mutex, RwLock};

#[instrument_mutex("kv/ONE")]
#[instrument_mutex("kv/OTHER")]
static TWICE: Mutex<u8> = Mutex::new(0);

#[pfs::instrument_rwlock]
/// In between.
#[instrument_rwlock("kv/TABLE")]
static TABLE: RwLock<u8> = RwLock::new(0);

fn main() {}
