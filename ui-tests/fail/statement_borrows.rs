//! Mistakes of the user's own read as they do without the attribute.

use pfs::prelude::*;

#[statement("kv/moved")]
fn moved(text: String) -> Result<String, String> {
    drop(text);
    Ok(text)
}

#[statement("kv/not mut")]
fn not_mut(text: String) -> Result<String, String> {
    text.push('x');
    Ok(text)
}

#[statement("kv/borrowed")]
fn borrowed(text: String) -> Result<&'static str, String> {
    Ok(&text)
}

fn main() {}
