//! Mistakes of the user's own read as they do without the attribute.

use pfs::prelude::*;

#[statement("kv/type")]
async fn wrong_type(n: u32) -> Result<u32, String> {
    n
}

#[statement("kv/error")]
async fn wrong_error(text: &str) -> Result<u32, String> {
    Ok(text.parse::<u32>()?)
}

#[stage("kv/nothing")]
async fn returns_nothing(n: u32) -> u32 {
    n + 1;
}

#[stage("kv/no await")]
async fn no_await() -> u32 {
    async { 1 }
}

fn main() {}
