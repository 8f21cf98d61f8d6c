use pfs::prelude::*;

#[stage("kv/a", "kv/b")]
fn two_strings() {}

#[stage("kv/a", name = "kv/b")]
fn both_ways() {}

#[stage(name = "kv/a", name = "kv/b")]
fn two_keys() {}

#[stage(crate = pfs, "kv/a")]
fn not_first() {}

fn main() {}
