use pfs::prelude::*;
use std::mem::ManuallyDrop;

#[derive(Instrument)]
union Either {
    #[mutex]
    lock: ManuallyDrop<pfs::sync::Mutex<u8>>,
    number: u64,
}

fn main() {}
