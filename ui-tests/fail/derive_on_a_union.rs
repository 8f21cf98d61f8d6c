use pfs::prelude::*;

#[derive(Statement)]
#[statement(component = "kv")]
union Bits {
    a: u8,
    b: i8,
}

fn main() {}
