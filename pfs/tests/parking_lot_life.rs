//! Locks of `pfs::parking_lot` before start, held while pfs starts, and held while their instrument is switched: one
//! process, step by step.

#![cfg(all(feature = "engine", feature = "parking_lot"))]

mod parking;

use parking::{by_instance, counts, held, holders};
use pfs::parking_lot::{
    Condvar, FairMutex, Mutex, MutexGuard, Once, ReentrantMutex, RwLock, RwLockUpgradableReadGuard,
    RwLockWriteGuard,
};
use pfs::prelude::*;
use pfs::{Config, Pfs};
use std::time::Duration;

const MUTEX: &str = "wait/synch/mutex/life/MUTEX";
const RWLOCK: &str = "wait/synch/rwlock/life/RWLOCK";

#[instrument_mutex("life/MUTEX")]
static LOCK: Mutex<u32> = Mutex::new(0);
#[instrument_rwlock("life/RWLOCK")]
static SHARED: RwLock<u32> = RwLock::new(0);
#[instrument_mutex("life/FAIR")]
static FAIR: FairMutex<u32> = FairMutex::new(0);
#[instrument_mutex("life/REENTRANT")]
static REENTRANT: ReentrantMutex<u32> = ReentrantMutex::new(0);
#[instrument_condvar("life/COND")]
static COND: Condvar = Condvar::new();
#[instrument_condvar("life/ONCE")]
static ONCE: Once = Once::new();

fn switch(pfs: Pfs, on: bool) {
    pfs.set_instruments("wait/synch/%/life/%", Some(on), None).unwrap();
}

#[test]
fn a_life() {
    // Before start: the raw operations.
    let mut guard = LOCK.lock();
    assert!(COND.wait_for(&mut guard, Duration::ZERO).timed_out());
    let before = (SHARED.read(), SHARED.upgradable_read());
    drop((FAIR.lock(), REENTRANT.lock(), REENTRANT.lock()));
    ONCE.call_once(|| ());
    assert!(pfs::current().is_none());

    let pfs = Config::new().start().unwrap();
    for name in [MUTEX, RWLOCK, "wait/synch/mutex/life/FAIR", "wait/synch/mutex/life/REENTRANT"] {
        assert_eq!(counts(pfs, name), (0, 0), "{name}");
    }
    assert_eq!(pfs.mutex_instances().count() + pfs.rwlock_instances().count(), 0);

    // What was taken before is ignored.
    drop(guard);
    assert_eq!((counts(pfs, MUTEX), by_instance(pfs, MUTEX)), ((0, 0), 0));
    let mut guard = LOCK.lock();
    assert_eq!((counts(pfs, MUTEX), held(pfs, MUTEX)), ((1, 0), true));
    assert!(COND.wait_for(&mut guard, Duration::ZERO).timed_out());
    assert_eq!((counts(pfs, "wait/synch/cond/life/COND"), held(pfs, MUTEX)), ((1, 1), true));

    // Readers that were not counted leave before one that was: no more are shown than there are, and none in the end.
    let reader = SHARED.read();
    assert_eq!(holders(pfs, RWLOCK), (false, 1));
    drop(before);
    assert_eq!(holders(pfs, RWLOCK), (false, 0));
    drop(reader);
    assert_eq!(holders(pfs, RWLOCK), (false, 0));
    // From there on it is right.
    let readers = [SHARED.read(), SHARED.read()];
    assert_eq!(holders(pfs, RWLOCK), (false, 2));

    // Switched off while held.
    switch(pfs, false);
    assert!(held(pfs, MUTEX));
    drop(readers);
    assert_eq!(holders(pfs, RWLOCK), (false, 0));
    MutexGuard::bump(&mut guard);
    assert!(held(pfs, MUTEX));
    drop(guard);
    assert!(!held(pfs, MUTEX));
    let guard = LOCK.lock();
    let writer = SHARED.write();
    assert_eq!((held(pfs, MUTEX), holders(pfs, RWLOCK)), (false, (false, 0)));
    assert_eq!((counts(pfs, MUTEX).0, counts(pfs, RWLOCK).0), (1, 3));

    // Switched on while held: who came unseen turns into nobody that is seen.
    switch(pfs, true);
    let upgradable = RwLockWriteGuard::downgrade_to_upgradable(writer);
    assert_eq!(holders(pfs, RWLOCK), (false, 0));
    let writer = RwLockUpgradableReadGuard::upgrade(upgradable);
    assert_eq!(holders(pfs, RWLOCK), (true, 0));
    switch(pfs, false);
    let reader = RwLockWriteGuard::downgrade(writer);
    assert_eq!(holders(pfs, RWLOCK), (false, 1));
    drop((guard, reader));
    assert_eq!((held(pfs, MUTEX), holders(pfs, RWLOCK)), (false, (false, 0)));

    // An upgrade that is not seen, of a reader that was.
    switch(pfs, true);
    let upgradable = SHARED.upgradable_read();
    switch(pfs, false);
    let writer = RwLockUpgradableReadGuard::upgrade(upgradable);
    assert_eq!(holders(pfs, RWLOCK), (false, 0));
    switch(pfs, true);
    drop(writer);
    assert_eq!(holders(pfs, RWLOCK), (false, 0));
    assert_eq!((counts(pfs, MUTEX).0, counts(pfs, RWLOCK).0), (1, 5));

    // The other types, named by their attributes.
    drop((FAIR.lock(), REENTRANT.lock(), REENTRANT.lock()));
    assert_eq!(counts(pfs, "wait/synch/mutex/life/FAIR"), (1, 0));
    assert_eq!(counts(pfs, "wait/synch/mutex/life/REENTRANT"), (2, 0));
    assert_eq!(counts(pfs, "wait/synch/cond/life/ONCE"), (0, 0));

    // What is dropped is gone.
    let before = pfs.mutex_instances().count();
    let lock = Mutex::new(0);
    drop(lock.lock());
    assert_eq!(pfs.mutex_instances().count(), before + 1);
    drop(lock);
    assert_eq!(pfs.mutex_instances().count(), before);
}
