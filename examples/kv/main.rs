//! A small key-value server that speaks RESP, instrumented with pfs.
fn main() {}
