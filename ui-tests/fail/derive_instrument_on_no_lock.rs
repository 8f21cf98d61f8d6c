use pfs::prelude::*;
use std::sync::Arc;

#[derive(Instrument)]
struct Numbers {
    #[mutex]
    number: u64,
    #[rwlock]
    shared: Arc<Vec<String>>,
}

#[derive(Instrument)]
struct NotOurs {
    #[mutex]
    std: std::sync::Mutex<u8>,
    #[condvar]
    aliased: aliased::Condvar,
}

mod aliased {
    pub use std::sync::Condvar;
}

struct NotDerived {
    lock: pfs::sync::Mutex<u8>,
}

#[derive(Instrument)]
struct Outer<T> {
    #[instrument]
    inner: NotDerived,
    #[instrument]
    inners: [T; 2],
}

fn bounds_are_asked(outer: Outer<NotDerived>) {
    let _ = outer.instrumented();
}

fn main() {}
