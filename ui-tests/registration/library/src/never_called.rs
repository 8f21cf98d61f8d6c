//! Whatever a program may use of a library and this one does not.

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};

#[instrument_rwlock("library/never_called/static")]
static MAP: RwLock<u64> = RwLock::new(0);

/// Generic: machine code is made where it is used, which is nowhere.
#[statement("library/never_called/generic")]
pub fn generic<T>(value: T) -> T {
    value
}

/// A closure, and one in it.
pub fn closures() -> impl Fn() -> Condvar {
    || {
        let within = || pfs::condvar!("library/never_called/closure in a closure");
        within().notify_all();
        pfs::condvar!("library/never_called/closure")
    }
}

/// Methods, with and without type parameters, and those of a trait.
pub struct Server<T>(pub Mutex<T>);

impl<T: Default> Server<T> {
    /// Makes one.
    pub fn new() -> Self {
        Self(pfs::mutex!("library/never_called/Server", T::default()))
    }

    /// Does nothing.
    #[stage("library/never_called/method")]
    pub fn step(&self) {}
}

impl<T: Default> Default for Server<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// What a server does.
pub trait Serve {
    /// A provided method.
    #[statement("library/never_called/provided")]
    fn serve(&self) {}
}
