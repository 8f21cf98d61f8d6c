use pfs::prelude::*;

#[stage("kv//parsing")]
fn between() {}

#[stage("/kv/parsing")]
fn first() {}

#[stage("kv/parsing/")]
fn last() {}

#[statement("/")]
fn nothing() {}

fn main() {}
