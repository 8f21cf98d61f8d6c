//! Attributes of derives on another part of the type than they belong to.

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};

#[derive(Instrument)]
enum Either {
    #[mutex("kv/Either")]
    Left(Mutex<u8>),
    Right(#[rwlock] RwLock<u8>),
}

#[derive(Instrument)]
#[condvar("kv/Waiting")]
struct Waiting {
    #[condvar]
    waiting: Condvar,
}

#[derive(Instrument)]
enum Nested {
    #[instrument]
    Inner(Waiting),
}

#[derive(Statement)]
enum Command {
    Get(#[statement("kv/get")] u8),
}

#[derive(Stage)]
struct Step {
    #[stage(name = "step")]
    number: u8,
}

fn main() {}
