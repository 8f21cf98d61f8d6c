use pfs::prelude::*;
use std::future::Future;
use std::pin::Pin;

#[statement("kv/number", text = key)]
async fn number(key: u64) -> Result<u64, String> {
    Ok(key)
}

#[statement("kv/unknown", text = kye)]
async fn unknown(key: &str) -> usize {
    key.len()
}

#[statement("kv/boxed", text = (key, 1))]
fn boxed(key: &str) -> Pin<Box<dyn Future<Output = usize> + '_>> {
    Box::pin(async move { key.len() })
}

#[statement("kv/kept", text = Some("text"))]
fn kept(key: &str) -> impl Future<Output = usize> {
    std::future::ready(key.len())
}

#[statement("kv/argument", err = |_| (key == 0).then_some("no key"))]
async fn argument(key: u8) -> u8 {
    key
}

fn main() {}
