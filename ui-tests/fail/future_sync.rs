use pfs::prelude::*;
use pfs::sync::Mutex;
use std::future::{Ready, ready};

#[statement("kv/backup", sync)]
async fn backup() -> Result<(), String> {
    Ok(())
}

#[stage(sync)]
async fn read() {}

#[stage("kv/value", sync = true)]
fn value() -> Ready<u8> {
    ready(1)
}

#[statement("kv/twice", sync, sync)]
fn twice() -> Ready<u8> {
    ready(1)
}

#[instrument_mutex("kv/LOCK", sync)]
static LOCK: Mutex<u8> = Mutex::new(0);

fn main() {}
