use pfs::prelude::*;

const NAME: &str = "kv/parsing";

#[stage(kv/parsing)]
fn unquoted() {}

#[stage(parsing)]
fn one_word() {}

#[stage(name = NAME)]
fn constant() {}

#[statement(name = concat!("kv", "/get"))]
fn concatenated() {}

#[stage(b"kv/parsing")]
fn bytes() {}

#[statement(7)]
fn number() {}

fn main() {
    let _ = mutex!(NAME, 0);
}
