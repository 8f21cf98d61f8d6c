use pfs::prelude::*;

#[statement("kv/never", err = |_| None::<u8>)]
fn never() -> ! {
    loop {}
}

#[statement("kv/no option", err = |n| *n == 0)]
fn no_option() -> u8 {
    1
}

#[statement("kv/no closure", err = "failed")]
fn no_closure() -> u8 {
    1
}

#[statement("kv/missing", err =)]
fn missing() -> u8 {
    1
}

fn main() {}
