use pfs::prelude::*;

#[stage("")]
fn empty() {}

#[statement(name = "")]
fn named_empty() {}

fn main() {
    let _ = mutex!("", 0);
}
