//! Mistakes of the user's own read as they do without the attribute.

use pfs::prelude::*;

#[statement("kv/type")]
fn wrong_type(n: u32) -> Result<u32, String> {
    let number: u32 = "one";
    Ok(n + number)
}

#[statement("kv/error")]
fn wrong_error(text: &str) -> Result<u32, String> {
    Ok(text.parse::<u32>()?)
}

#[stage("kv/nothing")]
fn returns_nothing(n: u32) -> u32 {
    n + 1;
}

fn main() {}
