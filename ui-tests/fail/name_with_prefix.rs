use pfs::prelude::*;
use pfs::sync::{Mutex, RwLock};

#[instrument_mutex("wait/synch/mutex/kv/LOCK_index")]
static LOCK: Mutex<u8> = Mutex::new(0);

#[instrument_rwlock("wait/synch/mutex/kv/LOCK_index")]
static OTHER_KIND: RwLock<u8> = RwLock::new(0);

#[stage("stage/kv/parsing")]
fn parse() {}

#[statement(name = "statement/kv/get")]
fn get() {}

fn main() {
    let _ = thread_class!("thread/kv/flusher");
}
