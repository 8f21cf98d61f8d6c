//! `std::sync` with its locks and waits instrumented: [`Mutex`], [`RwLock`], [`Condvar`], [`Once`], [`OnceLock`],
//! [`LazyLock`], [`Barrier`] and the channels of [`mpsc`] are ours, the rest is std's own.
//!
//! Replacing `std::sync::` by `pfs::sync::` is a complete change: what is wrapped has std's whole stable interface,
//! semantics and error types, and what is not is re-exported. Ours are wrappers, not locks: blocking, waking,
//! fairness and poisoning are those of the std lock inside.
//!
//! A lock made with `new` has the class `…/pfs/unnamed`, anything else one named after std's type, and the place that
//! made it; a macro or an attribute gives it a class of its own.

#[doc(hidden)]
pub mod barrier;
#[doc(hidden)]
pub mod condvar;
#[doc(hidden)]
pub mod lazy_lock;
pub mod mpsc;
#[doc(hidden)]
pub mod mutex;
#[doc(hidden)]
pub mod once;
#[doc(hidden)]
pub mod once_lock;
#[doc(hidden)]
pub mod rwlock;

pub use self::barrier::Barrier;
pub use self::condvar::Condvar;
pub use self::lazy_lock::LazyLock;
pub use self::mutex::{Mutex, MutexGuard};
#[expect(deprecated, reason = "part of std's interface")]
pub use self::once::ONCE_INIT;
pub use self::once::Once;
pub use self::once_lock::OnceLock;
pub use self::rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard};
// The names above shadow std's, so that this stays complete when std grows.
pub use std::sync::*;

/// What an attempt acquired. A poisoned lock is acquired as any other.
#[inline]
fn acquired<G>(attempt: TryLockResult<G>) -> Option<LockResult<G>> {
    match attempt {
        Ok(guard) => Some(Ok(guard)),
        Err(TryLockError::Poisoned(poisoned)) => Some(Err(poisoned)),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// What must not compile, as it does not with std's locks.
///
/// A mutex is invariant in its value, or a short-lived reference could be put where a long-lived one is read:
///
/// ```compile_fail
/// use pfs::sync::Mutex;
/// fn shorten<'a>(lock: &'a Mutex<&'static str>) -> &'a Mutex<&'a str> { lock }
/// ```
///
/// So is a rwlock, and the guard that can write:
///
/// ```compile_fail
/// use pfs::sync::RwLock;
/// fn shorten<'a>(lock: &'a RwLock<&'static str>) -> &'a RwLock<&'a str> { lock }
/// ```
///
/// ```compile_fail
/// use pfs::sync::RwLockWriteGuard;
/// fn shorten<'a>(guard: RwLockWriteGuard<'a, &'static str>) -> RwLockWriteGuard<'a, &'a str> { guard }
/// ```
///
/// A value whose drop looks at a borrow must not outlive it inside a lock:
///
/// ```compile_fail
/// use pfs::sync::Mutex;
/// struct Reads<'a>(&'a String);
/// impl Drop for Reads<'_> {
///     fn drop(&mut self) { assert_eq!(self.0, "alive"); }
/// }
/// let lock;
/// let text = String::from("alive");
/// lock = Mutex::new(Reads(&text));
/// ```
///
/// A guard borrows its lock, and does not leave its thread:
///
/// ```compile_fail
/// use pfs::sync::Mutex;
/// let lock = Mutex::new(1);
/// let guard = lock.lock().unwrap();
/// drop(lock);
/// drop(guard);
/// ```
///
/// ```compile_fail
/// use pfs::sync::Mutex;
/// static LOCK: Mutex<i32> = Mutex::new(1);
/// let guard = LOCK.lock().unwrap();
/// std::thread::spawn(move || drop(guard));
/// ```
///
/// What is made once is invariant in its value, too, and so are the ends of a channel in their messages:
///
/// ```compile_fail
/// use pfs::sync::OnceLock;
/// fn shorten<'a>(cell: &'a OnceLock<&'static str>) -> &'a OnceLock<&'a str> { cell }
/// ```
///
/// ```compile_fail
/// use pfs::sync::LazyLock;
/// fn shorten<'a>(lazy: &'a LazyLock<&'static str>) -> &'a LazyLock<&'a str> { lazy }
/// ```
///
/// ```compile_fail
/// use pfs::sync::mpsc::SyncSender;
/// fn shorten<'a>(sender: SyncSender<&'static str>) -> SyncSender<&'a str> { sender }
/// ```
///
/// ```compile_fail
/// use pfs::sync::mpsc::Receiver;
/// fn shorten<'a>(receiver: Receiver<&'static str>) -> Receiver<&'a str> { receiver }
/// ```
///
/// ```compile_fail
/// use pfs::sync::mpsc::Iter;
/// fn shorten<'a>(iter: Iter<'a, &'static str>) -> Iter<'a, &'a str> { iter }
/// ```
///
/// A value whose drop looks at a borrow must not outlive it in a cell either, nor any borrow outlive a lazy value, whose
/// drop may drop its closure, or a channel:
///
/// ```compile_fail
/// use pfs::sync::OnceLock;
/// struct Reads<'a>(&'a String);
/// impl Drop for Reads<'_> {
///     fn drop(&mut self) { assert_eq!(self.0, "alive"); }
/// }
/// let cell;
/// let text = String::from("alive");
/// cell = OnceLock::from(Reads(&text));
/// ```
///
/// ```compile_fail
/// use pfs::sync::LazyLock;
/// let lazy: LazyLock<&String, _>;
/// let text = String::from("alive");
/// lazy = LazyLock::new(|| &text);
/// ```
///
/// ```compile_fail
/// use pfs::sync::mpsc;
/// let late: mpsc::Receiver<&String>;
/// let text = String::from("alive");
/// let (sender, receiver) = mpsc::channel();
/// late = receiver;
/// sender.send(&text).unwrap();
/// ```
///
/// One thread at a time receives, and a lazy value whose closure stays on its thread does, too:
///
/// ```compile_fail
/// let (_sender, receiver) = pfs::sync::mpsc::channel::<u8>();
/// std::thread::scope(|scope| _ = scope.spawn(|| receiver.recv()));
/// ```
///
/// ```compile_fail
/// let rc = std::rc::Rc::new(1);
/// let lazy = pfs::sync::LazyLock::new(move || *rc);
/// std::thread::scope(|scope| _ = scope.spawn(|| *lazy));
/// ```
#[cfg(doctest)]
mod must_not_compile {}
