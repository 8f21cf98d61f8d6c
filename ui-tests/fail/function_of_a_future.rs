use pfs::prelude::*;
use std::future::Future;
use std::pin::Pin;

#[statement("kv/backup")]
async fn backup() -> Result<(), String> {
    Ok(())
}

#[stage("kv/read")]
async fn read() {}

#[statement("kv/returns")]
fn returns() -> impl Future<Output = u8> + Send {
    async { 1 }
}

#[stage("kv/boxed")]
fn boxed<'a>() -> Pin<Box<dyn Future<Output = u8> + Send + 'a>> {
    Box::pin(async { 1 })
}

fn main() {}
