//! The three lock attributes, with the name first, as `name = "…"`, and left out.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};

#[path = "support/mod.rs"]
mod support;

#[instrument_mutex("ui/LOCK_first")]
static FIRST: Mutex<u32> = Mutex::new(1);

#[instrument_mutex(name = "ui/LOCK named")]
pub static NAMED: Mutex<u32> = Mutex::new(2);

#[instrument_mutex]
pub(crate) static LOCK_DEFAULT: Mutex<u32> = Mutex::new(3);

#[instrument_rwlock("ui/Type::field", crate = ::pfs)]
static CONFIG: RwLock<Vec<u32>> = RwLock::new(Vec::new());

#[instrument_rwlock()]
static RW_DEFAULT: RwLock<u32> = RwLock::new(4);

#[instrument_condvar("ui/COND-1.x")]
static FLUSHED: Condvar = Condvar::new();

#[instrument_condvar]
static r#COND: Condvar = Condvar::new();

mod inner {
    use pfs::sync::Mutex;

    // The component is the crate, wherever in it the static is.
    #[pfs::instrument_mutex]
    pub static DEEP: Mutex<u8> = Mutex::new(5);
}

fn main() {
    support::start();
    let mut first = FIRST.lock().unwrap();
    *first +=
        *NAMED.lock().unwrap() + *LOCK_DEFAULT.lock().unwrap() + u32::from(*inner::DEEP.lock().unwrap());
    assert_eq!(*first, 11);
    drop(first);
    CONFIG.write().unwrap().push(*RW_DEFAULT.read().unwrap());
    assert_eq!(*CONFIG.read().unwrap(), [4]);
    FLUSHED.notify_one();
    COND.notify_all();

    let own = module_path!().split(':').next().unwrap();
    for (name, count) in [
        ("wait/synch/mutex/ui/LOCK_first".to_owned(), 1),
        ("wait/synch/mutex/ui/LOCK named".to_owned(), 1),
        (format!("wait/synch/mutex/{own}/LOCK_DEFAULT"), 1),
        (format!("wait/synch/mutex/{own}/DEEP"), 1),
        ("wait/synch/rwlock/ui/Type::field".to_owned(), 2),
        (format!("wait/synch/rwlock/{own}/RW_DEFAULT"), 1),
        ("wait/synch/cond/ui/COND-1.x".to_owned(), 0),
        (format!("wait/synch/cond/{own}/COND"), 0),
    ] {
        assert!(support::is_declared(&name), "{name}");
        assert_eq!(support::waits(&name), count, "{name}");
    }
}
