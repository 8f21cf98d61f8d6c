use pfs::prelude::*;

#[stage("kv/hash")]
const fn hash(n: u64) -> u64 {
    n
}

#[statement("kv/get")]
pub const unsafe fn get() {}

fn main() {}
