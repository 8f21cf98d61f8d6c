//! `crossbeam::thread`: scoped threads, with a row in `threads` from their first moment.

use core::fmt;
use core::panic::Location;
use std::io;
use std::thread::{Result, Thread};

use ::crossbeam::thread as raw;
use pfs_runtime::class::builtin;
use pfs_runtime::context::thread::Newcomer;
use pfs_runtime::model::Operation;
use pfs_runtime::probe::wait;
use pfs_runtime::thread::ThreadClass;

use super::class;

/// Runs `f` with a [`Scope`] whose threads may borrow, and joins those that `f` did not. That joining is not an event.
///
/// # Errors
///
/// The panics of threads that were not joined in `f`.
///
/// # Panics
///
/// If `f` does.
///
/// # Examples
///
/// ```
/// let (left, right) = ([1, 2], [3]);
/// let total = pfs::crossbeam::thread::scope(|scope| {
///     let left = scope.spawn(|_| left.iter().sum::<i32>());
///     let right = scope.spawn(|_| right.iter().sum::<i32>());
///     left.join().unwrap() + right.join().unwrap()
/// });
/// assert_eq!(total.unwrap(), 6);
/// ```
pub fn scope<'env, F, R>(f: F) -> Result<R>
where
    F: FnOnce(&Scope<'env>) -> R,
{
    raw::scope(|inner| f(Scope::wrap(inner)))
}

/// Spawns threads that end before [`scope`] returns: crossbeam's `Scope`.
///
/// # Examples
///
/// See [`scope`].
// Transparent: crossbeam lends its scope by reference, and so must ours be lent.
#[repr(transparent)]
pub struct Scope<'env>(raw::Scope<'env>);

impl<'env> Scope<'env> {
    fn wrap<'scope>(inner: &'scope raw::Scope<'env>) -> &'scope Self {
        // SAFETY: `Scope` is a transparent wrapper of what `inner` points to, and the lifetimes are the same.
        unsafe { &*core::ptr::from_ref(inner).cast::<Self>() }
    }

    /// Spawns a thread of class `thread/pfs/unnamed` in this scope.
    ///
    /// [`builder`](Self::builder) spawns one of another class, name or stack size.
    ///
    /// # Panics
    ///
    /// If the operating system cannot make a thread.
    ///
    /// # Examples
    ///
    /// See [`scope`].
    pub fn spawn<'scope, F, T>(&'scope self, f: F) -> ScopedJoinHandle<'scope, T>
    where
        F: FnOnce(&Scope<'env>) -> T,
        F: Send + 'env,
        T: Send + 'env,
    {
        self.builder().spawn(f).expect("failed to spawn scoped thread")
    }

    /// Sets a thread's class, name and stack size before it is spawned.
    ///
    /// # Examples
    ///
    /// ```
    /// pfs::crossbeam::scope(|scope| {
    ///     let sorter = scope.builder().thread_class(pfs::thread_class!("kv/sorter")).name("sorter".to_owned());
    ///     sorter.spawn(|_| ()).unwrap().join().unwrap();
    /// })
    /// .unwrap();
    /// ```
    pub fn builder<'scope>(&'scope self) -> ScopedThreadBuilder<'scope, 'env> {
        ScopedThreadBuilder { newcomer: Newcomer::new(&builtin::THREAD_UNNAMED), inner: self.0.builder() }
    }
}

impl fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// Sets a scoped thread's class, name and stack size: crossbeam's `ScopedThreadBuilder`.
///
/// # Examples
///
/// See [`Scope::builder`].
#[must_use = "must eventually spawn the thread"]
pub struct ScopedThreadBuilder<'scope, 'env> {
    newcomer: Newcomer,
    inner: raw::ScopedThreadBuilder<'scope, 'env>,
}

impl<'scope, 'env> ScopedThreadBuilder<'scope, 'env> {
    /// Sets the class that the thread carries in `threads`. Ours; without it that is `thread/pfs/unnamed`.
    pub fn thread_class(self, class: ThreadClass) -> Self {
        Self { newcomer: class.__newcomer(), ..self }
    }

    /// Names the thread to the operating system and to panic messages; the class stays what it is.
    pub fn name(self, name: String) -> Self {
        Self { inner: self.inner.name(name), ..self }
    }

    /// Sets the size of the stack, in bytes; the platform may make it larger.
    pub fn stack_size(self, size: usize) -> Self {
        Self { inner: self.inner.stack_size(size), ..self }
    }

    /// Spawns the thread.
    ///
    /// # Errors
    ///
    /// The operating system's, if it cannot make the thread.
    ///
    /// # Panics
    ///
    /// If the name holds a NUL byte.
    pub fn spawn<F, T>(self, f: F) -> io::Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce(&Scope<'env>) -> T,
        F: Send + 'env,
        T: Send + 'env,
    {
        let enter = self.newcomer.entry();
        let run = move |scope: &raw::Scope<'env>| {
            enter();
            f(Scope::wrap(scope))
        };
        self.inner.spawn(run).map(ScopedJoinHandle)
    }
}

impl fmt::Debug for ScopedThreadBuilder<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}

/// Owns the right to wait for a scoped thread's end: crossbeam's `ScopedJoinHandle`.
///
/// # Examples
///
/// See [`scope`].
pub struct ScopedJoinHandle<'scope, T>(raw::ScopedJoinHandle<'scope, T>);

impl<T> ScopedJoinHandle<'_, T> {
    /// Blocks until the thread has ended, and gives its result.
    ///
    /// One event of class `wait/synch/cond/crossbeam/join`, operation `wait`.
    ///
    /// # Errors
    ///
    /// What the thread panicked with.
    #[track_caller]
    pub fn join(self) -> Result<T> {
        wait::wait(&class::JOIN, Operation::Wait, Location::caller(), || self.0.join())
    }

    /// The thread itself, to unpark it or to ask its name.
    pub fn thread(&self) -> &Thread {
        self.0.thread()
    }
}

impl<T> fmt::Debug for ScopedJoinHandle<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::thread::{JoinHandleExt, RawPthread};

    use super::ScopedJoinHandle;

    impl<T> JoinHandleExt for ScopedJoinHandle<'_, T> {
        fn as_pthread_t(&self) -> RawPthread {
            self.0.as_pthread_t()
        }

        fn into_pthread_t(self) -> RawPthread {
            self.0.into_pthread_t()
        }
    }
}

#[cfg(windows)]
mod windows {
    use std::os::windows::io::{AsRawHandle, IntoRawHandle, RawHandle};

    use super::ScopedJoinHandle;

    impl<T> AsRawHandle for ScopedJoinHandle<'_, T> {
        fn as_raw_handle(&self) -> RawHandle {
            self.0.as_raw_handle()
        }
    }

    impl<T> IntoRawHandle for ScopedJoinHandle<'_, T> {
        fn into_raw_handle(self) -> RawHandle {
            self.0.into_raw_handle()
        }
    }
}
