//! Mistakes of the user's own read as they do without the attribute.

use pfs::prelude::*;

#[statement("kv/moved")]
async fn moved(text: String) -> Result<String, String> {
    drop(text);
    Ok(text)
}

#[statement("kv/not mut")]
async fn not_mut(text: String) -> Result<String, String> {
    text.push('x');
    Ok(text)
}

#[stage("kv/borrowed")]
async fn borrowed(text: String) -> &'static str {
    &text
}

fn main() {}
