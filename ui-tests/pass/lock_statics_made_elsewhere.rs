//! Statics in function bodies, in generic functions and out of macros; names that macros pass on.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::sync::{Mutex, RwLock};

#[path = "support/mod.rs"]
mod support;

fn counter() -> u32 {
    #[instrument_mutex("ui/counter")]
    static COUNTER: Mutex<u32> = Mutex::new(0);
    let mut counter = COUNTER.lock().unwrap();
    *counter += 1;
    *counter
}

fn generic<T: Into<u32>>(value: T) -> u32 {
    #[instrument_mutex(name = "ui/generic")]
    static SUM: Mutex<u32> = Mutex::new(0);
    let mut sum = SUM.lock().unwrap();
    *sum += value.into();
    *sum
}

macro_rules! named {
    ($(#[$attribute:meta])* $visibility:vis $ident:ident: $type:ty = $value:expr, $name:literal) => {
        $(#[$attribute])*
        #[instrument_mutex($name)]
        $visibility static $ident: $type = $value;
    };
}

macro_rules! by_ident {
    ($($ident:ident),*) => {$(
        #[instrument_rwlock]
        static $ident: RwLock<u8> = RwLock::new(0);
    )*};
}

named!(
    /// A lock out of a macro.
    pub MADE: Mutex<u32> = Mutex::new(7),
    "ui/made"
);
by_ident!(ONE, TWO);

macro_rules! lock {
    ($name:literal, $value:expr) => {
        pfs::mutex!($name, $value)
    };
}

#[instrument_mutex("ui/conditional")]
#[cfg(any())]
static NOT_HERE: Nowhere = Nowhere;

fn main() {
    support::start();
    assert_eq!((counter(), counter()), (1, 2));
    assert_eq!((generic(3_u8), generic(4_u16)), (3, 7));
    assert_eq!(*MADE.lock().unwrap(), 7);
    assert_eq!(*lock!("ui/passed on", 8).lock().unwrap(), 8);
    drop((ONE.read(), TWO.read()));

    let own = module_path!();
    assert_eq!(support::waits("wait/synch/mutex/ui/counter"), 2);
    assert_eq!(support::waits("wait/synch/mutex/ui/generic"), 2);
    assert_eq!(support::waits("wait/synch/mutex/ui/made"), 1);
    assert_eq!(support::waits("wait/synch/mutex/ui/passed on"), 1);
    assert_eq!(support::waits(&format!("wait/synch/rwlock/{own}/ONE")), 1);
    assert_eq!(support::waits(&format!("wait/synch/rwlock/{own}/TWO")), 1);
    assert!(!support::is_declared("wait/synch/mutex/ui/conditional"));
}
