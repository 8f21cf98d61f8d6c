//! A library, of edition 2021, of which the program calls one function; each module has classes of its own.

#![allow(dead_code, reason = "what is never called is registered all the same")]

pub mod never_called;
pub mod never_named;

use pfs::prelude::*;
use pfs::sync::Mutex;

#[instrument_mutex("library/static")]
static LOCK: Mutex<u64> = Mutex::new(1);

/// The function that is called.
///
/// # Panics
///
/// If a call before panicked.
#[statement("library/called")]
pub fn called() -> u64 {
    *LOCK.lock().unwrap()
}

/// Made into machine code in the crate that calls it.
#[stage("library/inlined")]
#[inline]
pub fn inlined<T: Default>() -> T {
    T::default()
}

/// An async function that is called.
///
/// # Panics
///
/// If a call of [`called`] panicked.
#[statement("library/awaited")]
pub async fn awaited() -> u64 {
    *LOCK.lock().unwrap()
}

/// Made into machine code in the crate that awaits it.
#[stage("library/awaited inlined")]
#[inline]
pub async fn awaited_inlined<T: Default>() -> T {
    T::default()
}

/// A function that nobody calls, but in the documentation: a doctest is a program of its own, of which this library and
/// its own code are all there is.
///
/// ```
/// use pfs::prelude::*;
/// use std::collections::BTreeSet;
///
/// #[statement("doctest/of its own")]
/// fn statement() {}
///
/// # fn main() {
/// pfs_ui_tests_registered_library::only_in_a_doctest();
/// statement();
/// let pfs = pfs::Config::new().start().unwrap();
/// let names: BTreeSet<_> = pfs
///     .setup_instruments()
///     .map(|row| row.name)
///     .filter(|name| name.contains("/library/") || name.contains("/doctest/"))
///     .collect();
/// assert!(names.contains("statement/doctest/of its own"));
/// assert_eq!(names.len(), 1 + pfs_ui_tests_registered_library::CLASSES);
/// # }
/// ```
#[statement("library/only_in_a_doctest")]
pub fn only_in_a_doctest() {}

/// How many classes the library declares.
pub const CLASSES: usize = 25;
