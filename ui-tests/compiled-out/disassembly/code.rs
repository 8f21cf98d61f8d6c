//! Functions that lock, wait, and would be measured: written once, compiled over std and over pfs.
//!
//! Each is a symbol of its own name, so that the two are found in the machine code. Waiting on a condition is not among
//! them: its guard goes through a function and back, which makes as many instructions in another order.

use crate::sync::{LockResult, Mutex, MutexGuard, PoisonError, RwLock, RwLockWriteGuard, TryLockError};
use crate::thread;

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
pub fn thread_park() {
    thread::park();
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
