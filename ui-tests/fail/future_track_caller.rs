use pfs::prelude::*;
use std::future::{Future, ready};
use std::pin::Pin;

#[track_caller]
#[stage("kv/early")]
fn early(n: u8) -> impl Future<Output = u8> {
    if n == 0 {
        return ready(0);
    }
    ready(n)
}

#[statement("kv/macro")]
#[track_caller]
fn with_a_macro(n: u8) -> Pin<Box<dyn Future<Output = Result<u8, String>>>> {
    println!("{n}");
    Box::pin(async move { Ok(n) })
}

fn main() {}
