//! Totals of the locks of `pfs::parking_lot` are exact under contention, and nobody is shown to hold what is free,
//! whatever was switched meanwhile.

#![cfg(all(feature = "engine", feature = "parking_lot"))]

mod parking;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use parking::{by_instance, counts, held, holders};
use pfs::parking_lot::{
    Condvar, FairMutex, Mutex, MutexGuard, ReentrantMutex, RwLock, RwLockReadGuard,
    RwLockUpgradableReadGuard, RwLockWriteGuard,
};
use pfs::{Config, Pfs, Timed};

const THREADS: u64 = 4;
const ROUNDS: u64 = 3_000;
const SHORT: Duration = Duration::from_micros(20);
/// No test waits so long, unless it fails.
const LONG: Duration = Duration::from_mins(10);

struct Locks {
    mutex: Mutex<u64>,
    fair: FairMutex<u64>,
    reentrant: ReentrantMutex<()>,
    rwlock: RwLock<u64>,
    changed: Condvar,
    /// Events of each of the kinds above, and those of the instances alone.
    events: [AtomicU64; 5],
    on_instances: [AtomicU64; 5],
}

/// The events that were done: so many acquisitions, and so many in vain.
type Done = [(u64, u64); 5];

impl Locks {
    const fn new(
        mutex: Mutex<u64>,
        fair: FairMutex<u64>,
        reentrant: ReentrantMutex<()>,
        rwlock: RwLock<u64>,
        changed: Condvar,
    ) -> Self {
        let [events, on_instances] = [const { [const { AtomicU64::new(0) }; 5] }; 2];
        Self { mutex, fair, reentrant, rwlock, changed, events, on_instances }
    }

    fn add(&self, done: Done) {
        for (at, (acquired, in_vain)) in done.into_iter().enumerate() {
            self.events[at].fetch_add(acquired + in_vain, Relaxed);
            self.on_instances[at].fetch_add(acquired, Relaxed);
        }
    }

    /// One of the things that threads do.
    fn act(&self, round: u64) -> Done {
        const NONE: (u64, u64) = (0, 0);
        let tried = |acquired: bool| if acquired { (1, 0) } else { (0, 1) };
        match round % 13 {
            0 => {
                *self.mutex.lock() += 1;
                [(1, 0), NONE, NONE, NONE, NONE]
            }
            1 => [tried(self.mutex.try_lock().is_some()), NONE, NONE, NONE, NONE],
            2 => [tried(self.mutex.try_lock_for(SHORT).is_some()), NONE, NONE, NONE, NONE],
            3 => {
                let mut guard = self.mutex.lock();
                MutexGuard::bump(&mut guard);
                MutexGuard::unlocked(&mut guard, thread::yield_now);
                MutexGuard::unlock_fair(guard);
                [(2, 0), NONE, NONE, NONE, NONE]
            }
            4 => {
                *self.fair.lock() += 1;
                [NONE, tried(self.fair.try_lock_for(SHORT).is_some()), NONE, NONE, NONE].and(1, (1, 0))
            }
            5 => {
                let _outer = self.reentrant.lock();
                let _inner = (self.reentrant.lock(), self.reentrant.try_lock().unwrap());
                [NONE, NONE, (3, 0), NONE, NONE]
            }
            6 => [NONE, NONE, tried(self.reentrant.try_lock().is_some()), NONE, NONE],
            7 => {
                let reader = self.rwlock.read();
                let _recursive = self.rwlock.read_recursive();
                assert!(*reader <= THREADS * ROUNDS);
                [NONE, NONE, NONE, (2, 0), NONE]
            }
            8 => {
                let mut reader = self.rwlock.try_read_for(LONG).unwrap();
                RwLockReadGuard::bump(&mut reader);
                RwLockReadGuard::unlocked(&mut reader, thread::yield_now);
                [NONE, NONE, NONE, (2, 0), NONE]
            }
            9 => {
                let mut writer = self.rwlock.write();
                *writer += 1;
                RwLockWriteGuard::bump(&mut writer);
                drop(RwLockWriteGuard::downgrade(writer));
                [NONE, NONE, NONE, (1, 0), NONE]
            }
            10 => {
                let upgradable = self.rwlock.upgradable_read();
                let done = match RwLockUpgradableReadGuard::try_upgrade_for(upgradable, SHORT) {
                    Ok(writer) => {
                        drop(RwLockWriteGuard::downgrade_to_upgradable(writer));
                        (2, 0)
                    }
                    Err(mut upgradable) => {
                        RwLockUpgradableReadGuard::bump(&mut upgradable);
                        drop(RwLockUpgradableReadGuard::downgrade(upgradable));
                        (1, 1)
                    }
                };
                [NONE, NONE, NONE, done, NONE]
            }
            11 => {
                let upgradable = self.rwlock.upgradable_read();
                *RwLockUpgradableReadGuard::upgrade(upgradable) += 1;
                [NONE, NONE, NONE, (2, 0), NONE].and(3, tried(self.rwlock.try_write().is_some()))
            }
            _ => {
                let mut guard = self.mutex.lock();
                self.changed.notify_one();
                self.changed.wait_for(&mut guard, SHORT);
                [(1, 0), NONE, NONE, NONE, (1, 0)]
            }
        }
    }
}

trait And {
    fn and(self, at: usize, done: (u64, u64)) -> Self;
}

impl And for Done {
    fn and(mut self, at: usize, done: (u64, u64)) -> Self {
        self[at] = (self[at].0 + done.0, self[at].1 + done.1);
        self
    }
}

static LOCKS: Locks = Locks::new(
    pfs::parking_lot::mutex!("totals/mutex", 0),
    pfs::parking_lot::fair_mutex!("totals/fair", 0),
    pfs::parking_lot::reentrant_mutex!("totals/reentrant", ()),
    pfs::parking_lot::rwlock!("totals/rwlock", 0),
    pfs::parking_lot::condvar!("totals/cond"),
);
static NOISE: Locks = Locks::new(
    pfs::parking_lot::mutex!("noise/mutex", 0),
    pfs::parking_lot::fair_mutex!("noise/fair", 0),
    pfs::parking_lot::reentrant_mutex!("noise/reentrant", ()),
    pfs::parking_lot::rwlock!("noise/rwlock", 0),
    pfs::parking_lot::condvar!("noise/cond"),
);

fn classes(component: &str) -> [String; 5] {
    ["mutex/_/mutex", "mutex/_/fair", "mutex/_/reentrant", "rwlock/_/rwlock", "cond/_/cond"]
        .map(|name| format!("wait/synch/{}", name.replace('_', component)))
}

/// Nobody holds anything of the component.
fn assert_free(pfs: Pfs, component: &str) {
    let [mutexes @ .., rwlock, _] = classes(component);
    for mutex in mutexes {
        assert!(!held(pfs, &mutex), "{mutex}");
    }
    assert_eq!(holders(pfs, &rwlock), (false, 0), "{component}");
}

#[test]
fn totals() {
    let pfs = Config::new().start().unwrap();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS)
            .map(|thread| {
                scope.spawn(move || {
                    for round in 0..ROUNDS {
                        LOCKS.add(LOCKS.act(round + thread));
                        NOISE.act(round * 7 + thread);
                    }
                })
            })
            .collect();
        scope.spawn(|| {
            for round in 0.. {
                if stop.load(Relaxed) {
                    break;
                }
                let timed = [Timed::Yes, Timed::Contended, Timed::No][round % 3];
                pfs.set_instruments("wait/synch/%/noise/%", Some(round % 2 == 0), None).unwrap();
                pfs.set_instruments("wait/synch/mutex/totals/%", None, Some(timed)).unwrap();
                pfs.set_consumer("events_waits_current", round % 5 == 0).unwrap();
                // More than there are threads that read were never shown, each of which reads twice at most.
                let shown = pfs.rwlock_instances().map(|row| row.read_locked_by_count).max();
                assert!(shown.is_none_or(|shown| u64::from(shown) <= 2 * THREADS), "{shown:?}");
                thread::sleep(Duration::from_millis(1));
            }
        });
        for worker in workers {
            worker.join().unwrap();
        }
        stop.store(true, Relaxed);
    });
    for (at, class) in classes("totals").iter().enumerate() {
        assert_eq!(counts(pfs, class).0, LOCKS.events[at].load(Relaxed), "{class}");
        assert_eq!(by_instance(pfs, class), LOCKS.on_instances[at].load(Relaxed), "{class}");
    }
    pfs.set_instruments("wait/synch/%/noise/%", Some(true), None).unwrap();
    // Each has its row, be it that it was never used while it was switched on.
    for round in 0..13 {
        NOISE.act(round);
        LOCKS.act(round);
    }
    assert_free(pfs, "totals");
    assert_free(pfs, "noise");
    // And the locks did what locks do.
    let rounds = (0..THREADS).flat_map(|thread| thread..thread + ROUNDS);
    let added = rounds.chain(0..13).filter(|round| matches!(round % 13, 0 | 4)).count() as u64;
    assert_eq!(*LOCKS.mutex.lock() + *LOCKS.fair.lock(), added);
}
