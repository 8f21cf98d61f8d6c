//! What is not `Send` in a future is told of by its own name.

use pfs::prelude::*;
use std::rc::Rc;

async fn pause() {}

#[statement("kv/holds")]
async fn holds() -> Result<u8, String> {
    let one = Rc::new(1);
    pause().await;
    Ok(*one)
}

fn spawn<F: Send>(_: F) {}

fn main() {
    spawn(holds());
}
