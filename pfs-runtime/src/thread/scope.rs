//! Threads that borrow from their spawner: [`scope`], [`Scope`] and [`ScopedJoinHandle`].

use core::fmt;
use core::panic::Location;
use std::io;
use std::thread::{self as raw, Thread};

use super::spawn::Builder;
use crate::class::builtin;
use crate::model::Operation;
use crate::probe::wait;

/// Runs `f` with a [`Scope`] whose threads may borrow, and joins those that `f` did not: [`std::thread::scope`].
///
/// A [`join`](ScopedJoinHandle::join) in `f` is a wait; the joining that std does at the scope's end is not an event.
///
/// # Panics
///
/// If a thread that was not joined in `f` panicked, or `f` did.
///
/// # Examples
///
/// ```
/// # use pfs_runtime as pfs;
/// use pfs::thread;
///
/// let (left, right) = ([1, 2], [3]);
/// let total: i32 = thread::scope(|scope| {
///     let left = scope.spawn(|| left.iter().sum::<i32>());
///     let right = scope.spawn(|| right.iter().sum::<i32>());
///     left.join().unwrap() + right.join().unwrap()
/// });
/// assert_eq!(total, 6);
/// ```
#[track_caller]
pub fn scope<'env, F, T>(f: F) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    raw::scope(|inner| f(Scope::wrap(inner)))
}

/// Spawns threads that end before [`scope`] returns: [`std::thread::Scope`].
///
/// # Examples
///
/// See [`scope`].
// Transparent: std lends its scope by reference, and so must ours be lent.
#[repr(transparent)]
pub struct Scope<'scope, 'env: 'scope>(raw::Scope<'scope, 'env>);

impl<'scope, 'env> Scope<'scope, 'env> {
    fn wrap(inner: &'scope raw::Scope<'scope, 'env>) -> &'scope Self {
        // SAFETY: `Scope` is a transparent wrapper of what `inner` points to, and the lifetimes are the same.
        unsafe { &*core::ptr::from_ref(inner).cast::<Self>() }
    }

    /// Spawns a thread of class `thread/pfs/unnamed` in this scope.
    ///
    /// [`Builder::spawn_scoped`] spawns one of another class, name or stack size.
    ///
    /// # Panics
    ///
    /// If the operating system cannot make a thread.
    ///
    /// # Examples
    ///
    /// See [`scope`].
    #[track_caller]
    pub fn spawn<F, T>(&'scope self, f: F) -> ScopedJoinHandle<'scope, T>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        Builder::new().spawn_scoped(self, f).expect("failed to spawn thread")
    }
}

impl fmt::Debug for Scope<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl Builder {
    /// Spawns the thread in `scope`.
    ///
    /// # Errors
    ///
    /// The operating system's, if it cannot make the thread.
    ///
    /// # Panics
    ///
    /// If the name holds a NUL byte.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::thread;
    ///
    /// let mut lines = vec!["one"];
    /// thread::scope(|scope| {
    ///     let appender = thread::Builder::new().name("appender".into());
    ///     appender.spawn_scoped(scope, || lines.push("two")).unwrap();
    /// });
    /// assert_eq!(lines, ["one", "two"]);
    /// ```
    #[track_caller]
    pub fn spawn_scoped<'scope, 'env, F, T>(
        self,
        scope: &'scope Scope<'scope, 'env>,
        f: F,
    ) -> io::Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        let (builder, f) = self.prepare(f);
        builder.spawn_scoped(&scope.0, f).map(ScopedJoinHandle)
    }
}

/// Owns the right to wait for a scoped thread's end: [`std::thread::ScopedJoinHandle`].
///
/// # Examples
///
/// See [`scope`].
pub struct ScopedJoinHandle<'scope, T>(raw::ScopedJoinHandle<'scope, T>);

impl<T> ScopedJoinHandle<'_, T> {
    /// The thread itself, to unpark it or to ask its name.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::thread;
    ///
    /// thread::scope(|scope| scope.spawn(thread::park).thread().unpark());
    /// ```
    #[must_use]
    pub fn thread(&self) -> &Thread {
        self.0.thread()
    }

    /// Blocks until the thread has ended, and gives its result.
    ///
    /// One event of class `wait/synch/cond/std/join`, operation `wait`.
    ///
    /// # Errors
    ///
    /// What the thread panicked with.
    ///
    /// # Panics
    ///
    /// As std's, it may panic if a thread joins itself.
    ///
    /// # Examples
    ///
    /// See [`scope`].
    #[track_caller]
    pub fn join(self) -> raw::Result<T> {
        wait::wait(&builtin::JOIN, Operation::Wait, Location::caller(), || self.0.join())
    }

    /// Whether the thread's function has returned or panicked; never blocks.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::thread;
    ///
    /// thread::scope(|scope| {
    ///     let quick = scope.spawn(|| ());
    ///     while !quick.is_finished() {
    ///         thread::yield_now();
    ///     }
    /// });
    /// ```
    pub fn is_finished(&self) -> bool {
        self.0.is_finished()
    }
}

impl<T> fmt::Debug for ScopedJoinHandle<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}
