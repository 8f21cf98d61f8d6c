//! What a lint of the user's says of a function is said with the attribute too.

#![deny(dead_code, missing_docs, unused_variables, unused_mut, unused_must_use, unreachable_code, deprecated)]

use pfs::prelude::*;

#[statement("kv/never called")]
fn never_called() -> Result<(), String> {
    Ok(())
}

#[stage("kv/no documentation")]
pub fn no_documentation() {}

#[statement("kv/unused")]
fn unused(argument: u8, mut changed: u8) -> Result<u8, String> {
    no_documentation();
    Ok(changed)
}

#[statement("kv/not awaited")]
async fn not_awaited() -> Result<u8, String> {
    return Ok(1);
    Ok(2)
}

struct Store;

impl Store {
    #[deprecated(note = "use get")]
    #[stage("kv/Store::old")]
    fn old(&self) {}

    #[stage("kv/Store::never called")]
    fn never_called(&self) {}
}

fn main() {
    let _ = unused(1, 2);
    not_awaited();
    Store.old();
}
