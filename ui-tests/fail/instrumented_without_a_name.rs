use pfs::prelude::*;
use pfs::sync::Mutex;

struct NotDerived {
    lock: Mutex<u8>,
}

fn named<T: Instrument>(value: T) -> T {
    value.instrumented()
}

fn main() {
    let _ = NotDerived { lock: Mutex::new(0) }.instrumented();
    let _ = named(Mutex::new(0));
}
