use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex};

#[derive(Instrument)]
struct Component {
    #[mutex(component = "kv")]
    lock: Mutex<u8>,
}

#[derive(Instrument)]
struct Unknown {
    #[mutex(nmae = "kv/lock")]
    lock: Mutex<u8>,
}

#[derive(Instrument)]
struct Bare {
    #[condvar(kv/flushed)]
    flushed: Condvar,
}

#[derive(Instrument)]
struct Assigned {
    #[condvar = "kv/flushed"]
    flushed: Condvar,
}

#[derive(Instrument)]
struct NamedTwice {
    #[mutex("kv/lock", name = "kv/other")]
    lock: Mutex<u8>,
}

#[derive(Instrument)]
struct MarkedTwice {
    #[mutex]
    #[mutex("kv/lock")]
    lock: Mutex<u8>,
}

#[derive(Instrument)]
struct Nested {
    #[instrument("kv/nested")]
    nested: Component,
}

#[derive(Instrument)]
struct Both {
    #[instrument]
    #[mutex]
    nested: Component,
}

fn main() {}
