//! [`ThreadClass`]: threads of a named class.

use core::fmt;

use super::spawn::{Builder, JoinHandle};
use crate::class::Class;
use crate::context::thread::Newcomer;

/// A class `thread/…`, made by `thread_class!`, that spawns threads which carry its name in `threads`.
///
/// A thread's class says what kind of thread it is; many threads share one. Its name for the operating system is
/// [`Builder::name`]'s.
///
/// # Examples
///
/// ```
/// # use pfs_runtime as pfs;
/// # pfs::class! { static FLUSHER: Thread = "thread/kv/flusher"; }
/// # let flusher = pfs::thread::ThreadClass::__new(&FLUSHER);
/// // let flusher = pfs::thread_class!("kv/flusher");
/// assert_eq!(flusher.spawn(|| 1).join().unwrap(), 1);
///
/// let named = flusher.builder().name("flusher".into()).spawn(|| 2)?;
/// assert_eq!(named.join().unwrap(), 2);
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ThreadClass(&'static Class);

impl ThreadClass {
    /// For `thread_class!`: `class` is of kind thread.
    #[doc(hidden)]
    #[must_use]
    pub const fn __new(class: &'static Class) -> Self {
        Self(class)
    }

    /// What a thread of this class is registered as, for types that spawn threads.
    #[doc(hidden)]
    #[must_use]
    pub const fn __newcomer(self) -> Newcomer {
        Newcomer::new(self.0)
    }

    pub(crate) const fn class(self) -> &'static Class {
        self.0
    }

    /// Spawns a thread of this class, otherwise as [`spawn`](super::spawn).
    ///
    /// # Panics
    ///
    /// If the operating system cannot make a thread; [`builder`](Self::builder) gives the error instead.
    #[track_caller]
    pub fn spawn<F, T>(self, f: F) -> JoinHandle<T>
    where
        F: FnOnce() -> T,
        F: Send + 'static,
        T: Send + 'static,
    {
        self.builder().spawn(f).expect("failed to spawn thread")
    }

    /// A [`Builder`] of a thread of this class.
    pub fn builder(self) -> Builder {
        Builder::of(self.0)
    }
}

impl fmt::Debug for ThreadClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ThreadClass").field(&self.0.name()).finish()
    }
}
