use pfs::prelude::*;

type Reply = Result<u8, String>;

#[track_caller]
#[statement("kv/get")]
fn get() -> Result<u8, String> {
    Ok(1)
}

#[statement("kv/alias")]
#[track_caller]
fn alias() -> Reply {
    Ok(1)
}

#[statement("kv/err", err = |n| (*n == 0).then_some("zero"))]
#[track_caller]
fn err() -> u8 {
    1
}

fn main() {}
