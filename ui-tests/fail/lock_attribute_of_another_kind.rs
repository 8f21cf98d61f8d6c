// The type's spelling does not show what it is: the type itself does.

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};
use std::sync::{Arc, LazyLock, OnceLock};

type Guarded = Mutex<u8>;
type Table = RwLock<Vec<u8>>;

#[instrument_rwlock("kv/GUARDED")]
static GUARDED: Guarded = Guarded::new(0);

#[instrument_mutex("kv/TABLE")]
static TABLE: Table = Table::new(Vec::new());

#[instrument_mutex("kv/SIGNALS")]
static SIGNALS: [Condvar; 2] = [const { Condvar::new() }; 2];

#[instrument_condvar("kv/LAZY")]
static LAZY: LazyLock<Arc<Mutex<u8>>> = LazyLock::new(Default::default);

#[instrument_rwlock("kv/PAIR")]
static PAIR: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());

#[derive(Instrument)]
struct Queue {
    #[mutex]
    jobs: Mutex<Vec<u8>>,
}

#[instrument_rwlock("kv/QUEUE")]
static QUEUE: OnceLock<Queue> = OnceLock::new();

#[instrument]
static PLAIN: [Guarded; 2] = [const { Guarded::new(0) }; 2];

#[instrument]
static MIXED: (Guarded, Condvar) = (Guarded::new(0), Condvar::new());

#[instrument]
static SPELLED: Mutex<u8> = Mutex::new(0);

fn main() {}
