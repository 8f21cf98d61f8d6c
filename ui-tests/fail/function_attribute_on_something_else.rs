use pfs::prelude::*;

#[statement(component = "kv")]
enum Command {
    Get,
}

#[stage("kv/store")]
impl Command {
    fn run(&self) {}
}

#[stage("kv/module")]
mod module {}

#[statement("kv/LIMIT")]
static LIMIT: u8 = 1;

#[stage("kv/trait")]
pub trait Handler {}

#[statement("kv/use")]
use std::fmt;

fn main() {}
