//! The atomics of the engine: those of `core`, or those of `loom` when a model is checked.
//!
//! Only the modules that have a model use this path; the rest of the engine is not compiled under `cfg(loom)`,
//! because loom's atomics cannot stand in statics.

#[cfg(not(loom))]
pub(crate) use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering, fence};
#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering, fence};

/// Tells the processor, or the model checker, that this thread waits for another one.
pub(crate) fn spin() {
    #[cfg(not(loom))]
    core::hint::spin_loop();
    #[cfg(loom)]
    loom::thread::yield_now();
}

/// Lets a reader wait for a writer that changes what it reads, after so many tries. A writer that is running is done
/// within a few; one that the system stopped in the middle must run to go on, here or on another core.
pub(crate) fn wait_for_writer(tries: usize) {
    match tries {
        _ if cfg!(loom) => spin(),
        0..32 => spin(),
        32..64 => std::thread::yield_now(),
        _ => std::thread::sleep(core::time::Duration::from_micros(50)),
    }
}
