//! Statics out of macros: every part of them passed on as a fragment, and the attribute itself among them.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::sync::{Mutex, RwLock};
use std::sync::{LazyLock, OnceLock};

#[path = "support/mod.rs"]
mod support;

macro_rules! item {
    ($item:item) => {
        $item
    };
}

item! {
    #[instrument_mutex("ui/item")]
    static ITEM: Mutex<u32> = Mutex::new(1);
}

macro_rules! attributed {
    ($(#[$attribute:meta])+ $visibility:vis $ident:ident: $ty:ty = $value:expr) => {
        $(#[$attribute])+
        $visibility static $ident: $ty = $value;
    };
}

attributed!(
    #[instrument_mutex("ui/attributed")]
    /// With documentation.
    pub(crate) ATTRIBUTED: [Mutex<u32>; 2] = [const { Mutex::new(2) }; 2]
);
attributed!(#[instrument_rwlock] BY_IDENT: RwLock<u32> = RwLock::new(3));
// The whole of the initialiser is one fragment, and the call in it is found all the same.
attributed!(#[instrument_mutex("ui/lazy fragment")] LAZY: LazyLock<Vec<Mutex<u32>>> = LazyLock::new(make));
attributed!(#[instrument_mutex("ui/once fragment")] ONCE: OnceLock<Box<Mutex<u32>>> = OnceLock::new());

fn make() -> Vec<Mutex<u32>> {
    let locks = vec![Mutex::new(4)];
    // What is used before it is there is named later.
    *locks[0].lock().unwrap() += 1;
    locks
}

macro_rules! lazies {
    ($($name:literal $ident:ident = $body:expr;)+) => {$(
        #[instrument_mutex($name)]
        static $ident: LazyLock<Box<Mutex<u32>>> = LazyLock::new(|| Box::new(Mutex::new($body)));
    )+};
}
lazies! {
    "ui/first" FIRST = 5;
    "ui/second" SECOND = { let two = 2; two * 3 };
}

// Both statics are called `LOCK`, each of its own macro's making.
macro_rules! hygienic {
    ($name:literal) => {{
        #[instrument_mutex($name)]
        static LOCK: Mutex<u32> = Mutex::new(7);
        *LOCK.lock().unwrap()
    }};
}

fn main() {
    support::start();
    assert_eq!(*ITEM.lock().unwrap(), 1);
    ATTRIBUTED.iter().for_each(|lock| assert_eq!(*lock.lock().unwrap(), 2));
    assert_eq!(*BY_IDENT.read().unwrap(), 3);
    assert_eq!(*LAZY[0].lock().unwrap(), 5);
    assert_eq!(*ONCE.get_or_init(Box::default).lock().unwrap(), 0);
    assert_eq!(*FIRST.lock().unwrap() + *SECOND.lock().unwrap(), 11);
    assert_eq!(hygienic!("ui/one") + hygienic!("ui/other"), 14);

    for (name, count) in [
        ("mutex/ui/item", 1),
        ("mutex/ui/attributed", 2),
        (&format!("rwlock/{}/BY_IDENT", module_path!()), 1),
        ("mutex/ui/lazy fragment", 1),
        ("mutex/ui/once fragment", 1),
        ("mutex/ui/first", 1),
        ("mutex/ui/second", 1),
        ("mutex/ui/one", 1),
        ("mutex/ui/other", 1),
        // In `make`.
        ("mutex/pfs/unnamed", 1),
    ] {
        assert_eq!(support::waits(&format!("wait/synch/{name}")), count, "{name}");
    }
}
