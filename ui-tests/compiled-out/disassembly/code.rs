//! Functions that lock, wait, and would be measured: written once, compiled over std and over pfs.
//!
//! Each is a symbol of its own name, so that the two are found in the machine code. Not among them: waiting on a
//! condition, whose guard goes through a function and back, which makes as many instructions in another order; and what
//! `Once` and `OnceLock` do the first time, which hands a closure to std that is of another shape; and a guard of a stage
//! or statement that is held by hand over calls that may panic, whose empty destructor leaves no instruction, but may
//! leave branches in another order.

use crate::sync::{
    LazyLock, LockResult, Mutex, MutexGuard, PoisonError, RwLock, RwLockWriteGuard, TryLockError,
};
use crate::{parking_lot, thread};

named! {
    pub static LOCK: Mutex<u64> = Mutex::new(7);
}

#[unsafe(no_mangle)]
pub fn mutex_lock(lock: &Mutex<u64>) -> u64 {
    let mut value = lock.lock().unwrap();
    *value += 1;
    *value
}

#[unsafe(no_mangle)]
pub fn mutex_lock_a_static() {
    *LOCK.lock().unwrap() += 1;
}

#[unsafe(no_mangle)]
pub fn mutex_lock_poisoned(lock: &Mutex<String>) -> usize {
    lock.lock().unwrap_or_else(PoisonError::into_inner).len()
}

#[unsafe(no_mangle)]
pub fn mutex_lock_only(lock: &Mutex<u64>) -> LockResult<MutexGuard<'_, u64>> {
    lock.lock()
}

#[unsafe(no_mangle)]
pub fn mutex_unlock_only(guard: MutexGuard<'_, u64>) {
    drop(guard);
}

#[unsafe(no_mangle)]
pub fn mutex_try_lock(lock: &Mutex<u64>) -> Option<u64> {
    match lock.try_lock() {
        Ok(value) => Some(*value),
        Err(TryLockError::Poisoned(poisoned)) => Some(**poisoned.get_ref()),
        Err(TryLockError::WouldBlock) => None,
    }
}

#[unsafe(no_mangle)]
pub fn rwlock_read(lock: &RwLock<u64>) -> u64 {
    *lock.read().unwrap()
}

#[unsafe(no_mangle)]
pub fn rwlock_write(lock: &RwLock<u64>) {
    *lock.write().unwrap() += 1;
}

#[unsafe(no_mangle)]
pub fn rwlock_try(lock: &RwLock<u64>) -> Option<u64> {
    let old = *lock.try_read().ok()?;
    *lock.try_write().ok()? = old + 1;
    Some(old)
}

#[unsafe(no_mangle)]
pub fn rwlock_downgrade(lock: &RwLock<u64>) -> u64 {
    let mut value = lock.write().unwrap();
    *value += 1;
    *RwLockWriteGuard::downgrade(value)
}

#[unsafe(no_mangle)]
pub fn lazy_lock_get(lazy: &LazyLock<u64>) -> u64 {
    **lazy
}

#[unsafe(no_mangle)]
pub fn thread_park() {
    thread::park();
}

#[unsafe(no_mangle)]
pub fn parking_lot_mutex_lock(lock: &parking_lot::Mutex<u64>) -> u64 {
    let mut value = lock.lock();
    *value += 1;
    *value
}

#[unsafe(no_mangle)]
pub fn parking_lot_mutex_try_lock(lock: &parking_lot::Mutex<u64>) -> Option<u64> {
    lock.try_lock().map(|value| *value)
}

#[unsafe(no_mangle)]
pub fn parking_lot_rwlock_read(lock: &parking_lot::RwLock<u64>) -> u64 {
    *lock.read()
}

#[unsafe(no_mangle)]
pub fn parking_lot_rwlock_write(lock: &parking_lot::RwLock<u64>) {
    *lock.write() += 1;
}

#[unsafe(no_mangle)]
pub fn parking_lot_rwlock_upgrade(lock: &parking_lot::RwLock<u64>) {
    let value = lock.upgradable_read();
    if *value == 0 {
        *parking_lot::RwLockUpgradableReadGuard::upgrade(value) += 1;
    }
}

work! {
    statement
    #[unsafe(no_mangle)]
    pub fn statement(a: u64, b: u64) -> u64 {
        a.rotate_left(3) ^ b
    }
}

work! {
    statement
    #[unsafe(no_mangle)]
    pub fn statement_that_fails(text: &str) -> Result<u32, std::num::ParseIntError> {
        let number: u32 = text.parse()?;
        Ok(number + 1)
    }
}

work! {
    stage
    #[unsafe(no_mangle)]
    pub fn stage(numbers: &mut [u64]) {
        for number in numbers {
            *number *= 3;
        }
    }
}

#[unsafe(no_mangle)]
pub fn stage_of_a_part(numbers: &mut [u64]) {
    begun! { stage }
    for number in numbers {
        *number *= 5;
    }
}

#[unsafe(no_mangle)]
pub fn statement_of_a_part(text: &str) -> usize {
    begun! { statement }
    text.bytes().filter(|byte| *byte == b' ').count()
}
