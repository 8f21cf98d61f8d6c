//! `#[derive(Instrument)]`: names given, left out and put together; what is bound, and when.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};
use std::sync::Arc;

#[path = "support/mod.rs"]
mod support;

#[derive(Debug, Default, Instrument)]
struct Shard {
    #[rwlock("ui/map of a shard")]
    map: RwLock<Vec<u32>>,
    #[mutex(name = "ui/Shard::dirty")]
    pub(crate) dirty: Mutex<Vec<u32>>,
    /// Documented.
    #[condvar]
    flushed: Condvar,
    // Crate and own name.
    #[mutex("last part")]
    r#type: Mutex<u8>,
    // No attribute, no name.
    other: Mutex<u8>,
    capacity: usize,
}

/// The names of its fields stand in one component.
#[derive(Default, Instrument)]
#[instrument(component = "ui")]
pub struct Log {
    #[mutex]
    lines: Mutex<String>,
    #[mutex("end of the log")]
    end: Mutex<u64>,
}

mod inner {
    // Named by path, without the prelude.
    #[derive(pfs::Instrument)]
    pub struct Deep {
        #[rwlock]
        pub r#where: pfs::sync::RwLock<u8>,
    }
}

fn use_all(shard: &Shard) {
    drop((shard.map.read(), shard.dirty.lock(), shard.r#type.lock(), shard.other.lock()));
    shard.flushed.notify_all();
    assert_eq!(shard.capacity, 0);
}

fn main() {
    // Before the start as after it, and shared or moved afterwards.
    let early = Arc::new(Shard::default().instrumented());
    support::start();
    use_all(&early);
    let moved = [Shard::default().instrumented(), Shard::default().instrumented()];
    moved.iter().for_each(use_all);
    // What was counted before it had a name stays where it was.
    let late = Shard::default();
    use_all(&late);
    let late = late.instrumented();
    use_all(&late);
    let log = Log::default().instrumented();
    log.lines.lock().unwrap().push('x');
    assert_eq!(*log.end.lock().unwrap(), 0);
    let deep = inner::Deep { r#where: RwLock::new(1) }.instrumented();
    assert_eq!(*deep.r#where.read().unwrap(), 1);

    let own = module_path!();
    for (name, count) in [
        ("rwlock/ui/map of a shard", 4),
        ("mutex/ui/Shard::dirty", 4),
        (&format!("cond/{own}/Shard::flushed"), 0),
        (&format!("mutex/{own}/last part"), 4),
        ("mutex/ui/Log::lines", 1),
        ("mutex/ui/end of the log", 1),
        (&format!("rwlock/{own}/Deep::where"), 1),
        // `other` each time, and the others while nothing was named.
        ("mutex/pfs/unnamed", 5 + 2),
        ("rwlock/pfs/unnamed", 1),
    ] {
        assert_eq!(support::waits(&format!("wait/synch/{name}")), count, "{name}");
    }
}
