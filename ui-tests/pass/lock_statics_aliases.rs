//! Types whose spelling does not show what they are: aliases, generic ones, paths, associated types.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::sync as locks;

#[path = "support/mod.rs"]
mod support;

type Table = locks::RwLock<Vec<u32>>;
type Guarded<T> = locks::Mutex<Option<T>>;
type Guards<T, const N: usize> = [Guarded<T>; N];
// A name that is another kind's.
type Mutex<T> = locks::RwLock<T>;

mod aliased {
    pub use pfs::sync::Condvar as Signal;
}

trait Stored {
    type Lock;
}
struct User;
impl Stored for User {
    type Lock = locks::Mutex<u8>;
}

#[instrument_rwlock("ui/alias")]
static ALIAS: Table = Table::new(Vec::new());

#[instrument_mutex("ui/generic alias")]
static GENERIC: Guarded<&'static str> = Guarded::new(None);

#[instrument_mutex("ui/array of aliases")]
static GUARDS: Guards<u8, 2> = [const { Guarded::new(Some(1)) }; 2];

#[instrument_condvar("ui/renamed")]
static SIGNAL: aliased::Signal = aliased::Signal::new();

#[instrument_mutex("ui/associated")]
static ASSOCIATED: <User as Stored>::Lock = locks::Mutex::new(2);

#[rustfmt::skip]
#[allow(unused_parens)]
#[instrument_mutex("ui/parenthesised")]
static PARENTHESISED: (locks::Mutex<u8>) = locks::Mutex::new(3);

#[instrument_rwlock("ui/misleading")]
static MISLEADING: (Mutex<u8>,) = (Mutex::new(4),);

fn main() {
    support::start();
    ALIAS.write().unwrap().push(1);
    GENERIC.lock().unwrap().replace("x");
    GUARDS.iter().for_each(|lock| assert_eq!(lock.lock().unwrap().take(), Some(1)));
    SIGNAL.notify_all();
    assert_eq!(*ASSOCIATED.lock().unwrap() + *PARENTHESISED.lock().unwrap(), 5);
    assert_eq!(*MISLEADING.0.read().unwrap(), 4);

    for (name, count) in [
        ("rwlock/ui/alias", 1),
        ("mutex/ui/generic alias", 1),
        ("mutex/ui/array of aliases", 2),
        ("cond/ui/renamed", 0),
        ("mutex/ui/associated", 1),
        ("mutex/ui/parenthesised", 1),
        ("rwlock/ui/misleading", 1),
        ("mutex/pfs/unnamed", 0),
        ("rwlock/pfs/unnamed", 0),
    ] {
        assert_eq!(support::waits(&format!("wait/synch/{name}")), count, "{name}");
    }
}
