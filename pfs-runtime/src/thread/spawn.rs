//! Threads that outlive their spawner: [`spawn`], [`Builder`] and [`JoinHandle`].

use core::fmt;
use core::panic::Location;
use std::io;
use std::thread::{self as raw, Thread};

use crate::class::{Class, builtin};
use crate::context::thread::Newcomer;
use crate::model::Operation;
use crate::probe::wait;

/// Spawns a thread of class `thread/pfs/unnamed`: [`std::thread::spawn`], with a row in `threads`.
///
/// [`ThreadClass`](super::ThreadClass) spawns one of a class of its own.
///
/// # Panics
///
/// If the operating system cannot make a thread; [`Builder::spawn`] gives the error instead.
///
/// # Examples
///
/// ```
/// # use pfs_runtime as pfs;
/// assert_eq!(pfs::thread::spawn(|| 6 * 7).join().unwrap(), 42);
/// ```
#[track_caller]
pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T,
    F: Send + 'static,
    T: Send + 'static,
{
    Builder::new().spawn(f).expect("failed to spawn thread")
}

/// Sets a thread's name and stack size before it is spawned: [`std::thread::Builder`], with a class.
///
/// # Examples
///
/// ```
/// # use pfs_runtime as pfs;
/// use pfs::thread;
///
/// let named = thread::Builder::new()
///     .name("worker".to_owned())
///     .stack_size(64 * 1024)
///     .spawn(|| thread::current().name().map(str::to_owned))?;
/// assert_eq!(named.join().unwrap().as_deref(), Some("worker"));
/// # Ok::<_, std::io::Error>(())
/// ```
#[must_use = "must eventually spawn the thread"]
pub struct Builder {
    newcomer: Newcomer,
    inner: raw::Builder,
}

#[expect(clippy::new_without_default, reason = "std's has no Default")]
impl Builder {
    /// Starts with no name, std's stack size and the class `thread/pfs/unnamed`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// assert!(pfs::thread::Builder::new().spawn(|| ())?.join().is_ok());
    /// # Ok::<_, std::io::Error>(())
    /// ```
    pub fn new() -> Self {
        Self::of(&builtin::THREAD_UNNAMED)
    }

    pub(super) fn of(class: &'static Class) -> Self {
        Self { newcomer: Newcomer::new(class), inner: raw::Builder::new() }
    }

    /// Names the thread to the operating system and to panic messages; the class stays what it is.
    ///
    /// # Examples
    ///
    /// See [`Builder`].
    pub fn name(self, name: String) -> Self {
        Self { inner: self.inner.name(name), ..self }
    }

    /// Sets the size of the stack, in bytes; the platform may make it larger.
    ///
    /// # Examples
    ///
    /// See [`Builder`].
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
    ///
    /// # Examples
    ///
    /// See [`Builder`].
    #[track_caller]
    pub fn spawn<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T,
        F: Send + 'static,
        T: Send + 'static,
    {
        let (builder, f) = self.prepare(f);
        builder.spawn(f).map(JoinHandle)
    }

    /// Spawns the thread without asking that what it borrows is `'static`.
    ///
    /// # Errors
    ///
    /// The operating system's, if it cannot make the thread.
    ///
    /// # Panics
    ///
    /// If the name holds a NUL byte.
    ///
    /// # Safety
    ///
    /// As for std's: the thread must have ended, and its result have been taken or dropped, before anything that
    /// `f` or its result borrows ends.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// let text = String::from("borrowed");
    /// // SAFETY: joined below, before `text` is dropped; the result borrows nothing.
    /// let length = unsafe { pfs::thread::Builder::new().spawn_unchecked(|| text.len()) }?;
    /// assert_eq!(length.join().unwrap(), 8);
    /// # Ok::<_, std::io::Error>(())
    /// ```
    #[track_caller]
    pub unsafe fn spawn_unchecked<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T,
        F: Send,
        T: Send,
    {
        let (builder, f) = self.prepare(f);
        // SAFETY: the caller's promise about `f`; what is added to it borrows only statics.
        unsafe { builder.spawn_unchecked(f) }.map(JoinHandle)
    }

    /// std's builder, and `f` behind the step that gives the new thread its row.
    pub(super) fn prepare<F, T>(self, f: F) -> (raw::Builder, impl FnOnce() -> T + use<F, T>)
    where
        F: FnOnce() -> T,
    {
        let Self { newcomer, inner } = self;
        let enter = newcomer.entry();
        let run = move || {
            enter();
            f()
        };
        (inner, run)
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}

/// Owns the right to wait for a thread's end: [`std::thread::JoinHandle`]. Dropping it detaches the thread.
///
/// # Examples
///
/// ```
/// # use pfs_runtime as pfs;
/// let handle: pfs::thread::JoinHandle<&str> = pfs::thread::spawn(|| "result");
/// assert_eq!(handle.join().unwrap(), "result");
/// ```
pub struct JoinHandle<T>(raw::JoinHandle<T>);

impl<T> JoinHandle<T> {
    /// The thread itself, to unpark it or to ask its name.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// let parked = pfs::thread::spawn(pfs::thread::park);
    /// parked.thread().unpark();
    /// parked.join().unwrap();
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
    /// ```
    /// # use pfs_runtime as pfs;
    /// let failed = pfs::thread::spawn(|| -> u32 { std::panic::panic_any("reason") }).join();
    /// assert_eq!(failed.unwrap_err().downcast_ref(), Some(&"reason"));
    /// ```
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
    /// let parked = pfs::thread::spawn(pfs::thread::park);
    /// parked.thread().unpark();
    /// while !parked.is_finished() {
    ///     pfs::thread::yield_now();
    /// }
    /// ```
    pub fn is_finished(&self) -> bool {
        self.0.is_finished()
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::thread::{JoinHandleExt, RawPthread};

    use super::JoinHandle;

    impl<T> JoinHandleExt for JoinHandle<T> {
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
    use std::os::windows::io::{
        AsHandle, AsRawHandle, BorrowedHandle, IntoRawHandle, OwnedHandle, RawHandle,
    };

    use super::JoinHandle;

    impl<T> AsHandle for JoinHandle<T> {
        fn as_handle(&self) -> BorrowedHandle<'_> {
            self.0.as_handle()
        }
    }

    impl<T> AsRawHandle for JoinHandle<T> {
        fn as_raw_handle(&self) -> RawHandle {
            self.0.as_raw_handle()
        }
    }

    impl<T> IntoRawHandle for JoinHandle<T> {
        fn into_raw_handle(self) -> RawHandle {
            self.0.into_raw_handle()
        }
    }

    impl<T> From<JoinHandle<T>> for OwnedHandle {
        fn from(handle: JoinHandle<T>) -> Self {
            handle.0.into()
        }
    }
}
