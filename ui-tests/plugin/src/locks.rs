//! Locks that go from the plugin to the program and back, and those that no one names.

use pfs::prelude::*;
use pfs::sync::{Barrier, Condvar, Mutex, Once, RwLock};
use std::sync::{LazyLock, OnceLock};

/// A lock without a name, for the program to use.
#[unsafe(no_mangle)]
pub extern "C" fn new_lock() -> *mut Mutex<u64> {
    Box::into_raw(Box::new(Mutex::new(0)))
}

/// Uses a lock of the program's.
///
/// # Safety
///
/// `lock` is one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn use_lock(lock: *const Mutex<u64>) {
    // SAFETY: as the caller promises; program and plugin are built of the same.
    *unsafe { &*lock }.lock().unwrap() += 1;
}

/// Uses each kind of object that has no name: one that is made here, and one that stays.
#[unsafe(no_mangle)]
pub extern "C" fn use_unnamed(times: u64) {
    static MUTEX: Mutex<u64> = Mutex::new(0);
    static RWLOCK: RwLock<u64> = RwLock::new(0);
    for _ in 0..times {
        let (mutex, rwlock) = (Mutex::new(0), RwLock::new(0));
        for (mutex, rwlock) in [(&mutex, &rwlock), (&MUTEX, &RWLOCK)] {
            *mutex.lock().unwrap() += *rwlock.read().unwrap();
            *rwlock.write().unwrap() += 1;
        }
        let moment = std::time::Duration::from_micros(1);
        drop(Condvar::new().wait_timeout(mutex.lock().unwrap(), moment).unwrap());
        Barrier::new(1).wait();
        // Who runs it waits for nobody.
        Once::new().call_once(|| ());
    }
}

#[instrument_mutex("plugin/LOCK_once")]
static ONCE: OnceLock<Mutex<u64>> = OnceLock::new();
#[instrument_mutex("plugin/LOCK_heap")]
static HEAP: OnceLock<Vec<Mutex<u64>>> = OnceLock::new();
#[instrument_mutex("plugin/LOCK_lazy")]
static LAZY: LazyLock<Vec<Mutex<u64>>> = LazyLock::new(|| vec![Mutex::new(0)]);

/// Statics that are made when they are first used, for the program to do that.
#[unsafe(no_mangle)]
pub extern "C" fn made_late() -> Late {
    Late { once: &raw const ONCE, heap: &raw const HEAP, lazy: &raw const LAZY }
}

/// Such statics, of the plugin or of the program.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Late {
    once: *const OnceLock<Mutex<u64>>,
    heap: *const OnceLock<Vec<Mutex<u64>>>,
    lazy: *const LazyLock<Vec<Mutex<u64>>>,
}

/// Makes what is not made yet, and acquires each.
///
/// # Safety
///
/// They are statics of a library that stays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn use_late(late: Late) {
    // SAFETY: as the caller promises; program and plugin are built of the same.
    let (once, heap, lazy) = unsafe { (&*late.once, &*late.heap, &*late.lazy) };
    *once.get_or_init(|| Mutex::new(0)).lock().unwrap() += 1;
    *heap.get_or_init(|| vec![Mutex::new(0)])[0].lock().unwrap() += 1;
    *lazy[0].lock().unwrap() += 1;
}
