//! [`LazyLock`]: std's, with each wait for another thread's value an event of class `wait/synch/cond/…`.

use core::fmt;
use core::ops::{Deref, DerefMut};
use core::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::sync as raw;

use crate::class::{Class, builtin};
use crate::config::COMPILED_IN;
use crate::instance::Instance;
use crate::probe::first::First;

/// A value that is made when it is first asked for: [`std::sync::LazyLock`], instrumented.
///
/// The interface, poisoning included, is std's. A use that neither finds the value there nor makes it itself is one
/// wait, also where it ends in the panic that tells of poison; the use that makes the value is none: what takes its
/// time is what the closure does. Two words and a [`std::sync::Once`] larger than std's.
///
/// # Cost
///
/// Reading the value costs what std's does: nothing is looked at but whether it is there. No call allocates.
///
/// # Examples
///
/// ```
/// # use pfs_runtime as pfs;
/// use pfs::sync::{LazyLock, Mutex};
///
/// static LINES: LazyLock<Mutex<Vec<String>>> = LazyLock::new(|| Mutex::new(vec!["started".to_owned()]));
///
/// LINES.lock().unwrap().push("stopped".to_owned());
/// assert_eq!(LINES.lock().unwrap().len(), 2);
/// ```
pub struct LazyLock<T, F = fn() -> T> {
    instance: Instance,
    // Done when `inner` is, poisoned when `inner` is: std's does not say which call runs its closure.
    first: First,
    inner: raw::LazyLock<T, F>,
}

/// Makes a lazy value of class `class`, for the macros.
#[doc(hidden)]
#[inline]
#[track_caller]
pub const fn with_class<T, F: FnOnce() -> T>(class: &'static Class, f: F) -> LazyLock<T, F> {
    LazyLock {
        instance: Instance::new(class, Location::caller()),
        first: First::new(),
        inner: raw::LazyLock::new(f),
    }
}

impl<T, F: FnOnce() -> T> LazyLock<T, F> {
    /// A value of class `wait/synch/cond/std/lazy_lock` that `f` makes; it remembers its caller.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::LazyLock;
    ///
    /// let name = String::from("lazy");
    /// let length = LazyLock::new(|| name.len());
    /// assert_eq!(*length, 4);
    /// ```
    #[inline]
    #[track_caller]
    pub const fn new(f: F) -> Self {
        with_class(&builtin::LAZY_LOCK, f)
    }

    /// The value, made now if it is not there; blocks while another thread makes it.
    ///
    /// One event, operation `wait`, if another thread makes the value; else none.
    ///
    /// # Panics
    ///
    /// If the closure does, or did. As std's, it may never return if the closure uses the value itself.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::LazyLock;
    ///
    /// let lazy = LazyLock::new(|| 6 * 7);
    /// assert_eq!(LazyLock::force(&lazy), &42);
    /// ```
    #[inline]
    #[track_caller]
    pub fn force(this: &Self) -> &T {
        if COMPILED_IN && let Some(value) = raw::LazyLock::get(&this.inner) {
            return value;
        }
        this.first.make(&this.instance, Location::caller(), || raw::LazyLock::force(&this.inner))
    }

    /// The value, made now if it is not there, through the only reference there is. No event.
    ///
    /// # Panics
    ///
    /// If the closure does, or did.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::LazyLock;
    ///
    /// let mut lazy = LazyLock::new(|| 6);
    /// *LazyLock::force_mut(&mut lazy) *= 7;
    /// assert_eq!(*lazy, 42);
    /// ```
    #[inline]
    pub fn force_mut(this: &mut Self) -> &mut T {
        if COMPILED_IN && raw::LazyLock::get(&this.inner).is_none() {
            let Self { first, inner, .. } = &mut *this;
            first.make_alone(|| _ = raw::LazyLock::force_mut(inner));
        }
        raw::LazyLock::force_mut(&mut this.inner)
    }
}

impl<T, F> LazyLock<T, F> {
    /// The value, if it is there. Never blocks, no event.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::LazyLock;
    ///
    /// let lazy = LazyLock::new(|| 1);
    /// assert_eq!(LazyLock::get(&lazy), None);
    /// assert_eq!(*lazy, 1);
    /// assert_eq!(LazyLock::get(&lazy), Some(&1));
    /// ```
    #[inline]
    pub fn get(this: &Self) -> Option<&T> {
        raw::LazyLock::get(&this.inner)
    }

    /// The value, if it is there, through the only reference there is. No event.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pfs_runtime as pfs;
    /// use pfs::sync::LazyLock;
    ///
    /// let mut lazy = LazyLock::new(|| 1);
    /// assert_eq!(LazyLock::get_mut(&mut lazy), None);
    /// *lazy += 1;
    /// assert_eq!(LazyLock::get_mut(&mut lazy), Some(&mut 2));
    /// ```
    #[inline]
    pub fn get_mut(this: &mut Self) -> Option<&mut T> {
        raw::LazyLock::get_mut(&mut this.inner)
    }
}

impl<T, F: FnOnce() -> T> Deref for LazyLock<T, F> {
    type Target = T;

    #[inline]
    #[track_caller]
    fn deref(&self) -> &T {
        Self::force(self)
    }
}

impl<T, F: FnOnce() -> T> DerefMut for LazyLock<T, F> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        Self::force_mut(self)
    }
}

impl<T: Default> Default for LazyLock<T> {
    #[inline]
    #[track_caller]
    fn default() -> Self {
        Self::new(T::default)
    }
}

impl<T: fmt::Debug, F> fmt::Debug for LazyLock<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}

// As for std's: a panic of the closure poisons it.
impl<T: RefUnwindSafe + UnwindSafe, F: UnwindSafe> RefUnwindSafe for LazyLock<T, F> {}
impl<T: UnwindSafe, F: UnwindSafe> UnwindSafe for LazyLock<T, F> {}
