use pfs::prelude::*;
use pfs::sync::Mutex;

#[stage(nmae = "kv/parsing")]
fn misspelt() {}

#[instrument_mutex("kv/LOCK", timed = true)]
static LOCK: Mutex<u8> = Mutex::new(0);

#[statement("kv/get", level = "info")]
fn get() {}

#[stage("kv/parsing", text = line)]
fn text_of_a_stage(line: &str) {
    let _ = line;
}

#[stage("kv/parsing", err = |_| None::<u8>)]
fn err_of_a_stage() {}

#[statement("kv/get", skip)]
fn bare_word() {}

#[statement("kv/get" text = "x")]
fn no_comma() {}

#[statement("kv/get", text = "x", text = "y")]
fn text_twice() {}

#[stage("kv/parsing", crate = "pfs")]
fn crate_as_a_string() {}

fn main() {}
