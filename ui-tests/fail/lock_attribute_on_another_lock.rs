use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};

#[instrument_mutex("kv/RWLOCK")]
static RWLOCK: RwLock<u8> = RwLock::new(0);

#[instrument_rwlock("kv/MUTEX")]
static MUTEX: pfs::sync::Mutex<u8> = Mutex::new(0);

#[instrument_mutex("kv/CONDVAR")]
static CONDVAR: Condvar = Condvar::new();

fn main() {}
