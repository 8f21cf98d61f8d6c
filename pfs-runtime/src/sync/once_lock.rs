//! [`OnceLock`]: std's, with each wait for another thread's value an event of class `wait/synch/cond/…`.

use core::fmt;
use core::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::sync as raw;

use crate::class::{Class, builtin};
use crate::config::COMPILED_IN;
use crate::instance::Instance;
use crate::model::Operation;
use crate::probe::wait::{self, MaybeWait};

/// A value that is written once: [`std::sync::OnceLock`], instrumented.
///
/// The interface is std's. A call that neither finds the value there nor writes it itself is one wait; a call that
/// makes the value is none: what takes its time is what the closure does. Two words larger than std's.
///
/// # Cost
///
/// Reading the value costs what std's does: nothing is looked at but whether it is there. No call allocates.
///
/// # Examples
///
/// ```
/// # use pfs_runtime as pfs;
/// use pfs::sync::OnceLock;
/// use pfs::thread;
///
/// static LIMIT: OnceLock<usize> = OnceLock::new();
///
/// thread::scope(|scope| {
///     for candidate in [10, 20, 30] {
///         scope.spawn(move || LIMIT.get_or_init(|| candidate));
///     }
/// });
/// assert!([10, 20, 30].contains(LIMIT.wait()));
/// ```
pub struct OnceLock<T> {
    // No `Drop` here: std's has one that lets the value dangle, and no other may stand before it.
    instance: Instance,
    inner: raw::OnceLock<T>,
}

/// Makes an empty cell of class `class`, for the macros.
#[doc(hidden)]
#[must_use]
#[inline]
#[track_caller]
pub const fn with_class<T>(class: &'static Class) -> OnceLock<T> {
    OnceLock { instance: Instance::new(class, Location::caller()), inner: raw::OnceLock::new() }
}

impl<T> OnceLock<T> {
    /// Makes an empty cell of class `wait/synch/cond/std/once_lock`, which remembers its caller.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::OnceLock;
    ///
    /// static NAMES: [OnceLock<String>; 2] = [const { OnceLock::new() }; 2];
    /// assert_eq!(NAMES[1].get_or_init(|| "second".to_owned()), "second");
    /// assert_eq!(NAMES[0].get(), None);
    /// ```
    #[must_use]
    #[inline]
    #[track_caller]
    pub const fn new() -> Self {
        with_class(&builtin::ONCE_LOCK)
    }

    /// The value, if it is there. Never blocks, no event.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// assert_eq!(pfs::sync::OnceLock::from(1).get(), Some(&1));
    /// ```
    #[inline]
    pub fn get(&self) -> Option<&T> {
        self.inner.get()
    }

    /// The value, if it is there, through the only reference there is. No event.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// let mut cell = pfs::sync::OnceLock::from(1);
    /// *cell.get_mut().unwrap() += 1;
    /// assert_eq!(cell.get(), Some(&2));
    /// ```
    #[inline]
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.inner.get_mut()
    }

    /// The value, once it is there: blocks until another thread has written it.
    ///
    /// One event, operation `wait`; none if the value is there already.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::OnceLock;
    /// use pfs::thread;
    ///
    /// static ANSWER: OnceLock<u32> = OnceLock::new();
    /// let asker = thread::spawn(|| *ANSWER.wait());
    /// ANSWER.set(42).unwrap();
    /// assert_eq!(asker.join().unwrap(), 42);
    /// ```
    #[inline]
    #[track_caller]
    pub fn wait(&self) -> &T {
        if let Some(value) = self.inner.get() { value } else { self.wait_for_it(Location::caller()) }
    }

    #[cold]
    fn wait_for_it(&self, site: &'static Location<'static>) -> &T {
        wait::wait_on(&self.instance, Operation::Wait, site, || self.inner.wait(), |_| true)
    }

    /// Writes the value, if there is none; blocks while another thread is making one.
    ///
    /// One event, operation `wait`, if another thread was making the value; else none.
    ///
    /// # Errors
    ///
    /// `value`, if there is one already.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// let cell = pfs::sync::OnceLock::new();
    /// assert_eq!(cell.set("first"), Ok(()));
    /// assert_eq!(cell.set("second"), Err("second"));
    /// ```
    #[inline]
    #[track_caller]
    pub fn set(&self, value: T) -> Result<(), T> {
        let mut value = Some(value);
        self.get_or_make(Location::caller(), || value.take().expect("called once"));
        value.map_or(Ok(()), Err)
    }

    /// The value, made by `f` if there is none; blocks while another thread is making it.
    ///
    /// One event, operation `wait`, if another thread makes the value; else none.
    ///
    /// # Panics
    ///
    /// If `f` does; the cell is then empty as before. As std's, it may never return if `f` uses the cell itself.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// let cell = pfs::sync::OnceLock::new();
    /// assert_eq!(cell.get_or_init(|| 1), &1);
    /// assert_eq!(cell.get_or_init(|| 2), &1);
    /// ```
    #[inline]
    #[track_caller]
    pub fn get_or_init<F>(&self, f: F) -> &T
    where
        F: FnOnce() -> T,
    {
        self.get_or_make(Location::caller(), f)
    }

    #[inline]
    fn get_or_make(&self, site: &'static Location<'static>, f: impl FnOnce() -> T) -> &T {
        if COMPILED_IN && let Some(value) = self.inner.get() {
            return value;
        }
        let wait = MaybeWait::begin(&self.instance, Operation::Wait, site);
        self.inner.get_or_init(|| {
            wait.cancel();
            f()
        })
    }

    /// Ends the cell and gives its value, if there is one. No event.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// assert_eq!(pfs::sync::OnceLock::from("value").into_inner(), Some("value"));
    /// ```
    #[inline]
    pub fn into_inner(self) -> Option<T> {
        self.inner.into_inner()
    }

    /// Takes the value out, which leaves the cell empty. No event.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// let mut cell = pfs::sync::OnceLock::from(1);
    /// assert_eq!(cell.take(), Some(1));
    /// assert_eq!(cell.take(), None);
    /// ```
    #[inline]
    pub fn take(&mut self) -> Option<T> {
        self.inner.take()
    }
}

impl<T> Default for OnceLock<T> {
    #[inline]
    #[track_caller]
    fn default() -> Self {
        Self::new()
    }
}

impl<T> From<T> for OnceLock<T> {
    #[inline]
    #[track_caller]
    fn from(value: T) -> Self {
        let instance = Instance::new(&builtin::ONCE_LOCK, Location::caller());
        Self { instance, inner: raw::OnceLock::from(value) }
    }
}

/// Another cell of the same class, with a clone of the value if there is one.
impl<T: Clone> Clone for OnceLock<T> {
    #[inline]
    #[track_caller]
    fn clone(&self) -> Self {
        Self { instance: self.instance.another(Location::caller()), inner: self.inner.clone() }
    }
}

impl<T: PartialEq> PartialEq for OnceLock<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.inner == other.inner
    }
}

impl<T: Eq> Eq for OnceLock<T> {}

impl<T: fmt::Debug> fmt::Debug for OnceLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}

// As for std's: the value may be seen through a shared reference after a panic, and be moved out of it.
impl<T: RefUnwindSafe + UnwindSafe> RefUnwindSafe for OnceLock<T> {}
impl<T: UnwindSafe> UnwindSafe for OnceLock<T> {}
