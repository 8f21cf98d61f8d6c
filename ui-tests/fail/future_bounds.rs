//! What our future around the function's own is not, whatever that one is.

use pfs::prelude::*;
use std::fmt::Debug;
use std::future::{Future, ready};

#[statement("kv/clone")]
fn clone() -> impl Future<Output = u8> + Clone + Send {
    ready(1)
}

#[stage("kv/debug")]
fn debug<'a>(n: &'a u8) -> impl Debug + Future<Output = &'a u8> + 'a {
    ready(n)
}

fn main() {}
