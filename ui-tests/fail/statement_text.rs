use pfs::prelude::*;

#[statement("kv/number", text = key)]
fn number(key: u64) -> Result<u64, String> {
    Ok(key)
}

#[statement("kv/unknown", text = kye)]
fn unknown(key: &str) -> usize {
    key.len()
}

// What is returned is looked at when the arguments are gone.
#[statement("kv/argument", err = |_| (key == 0).then_some("no key"))]
fn argument(key: u8) -> u8 {
    key
}

fn main() {}
