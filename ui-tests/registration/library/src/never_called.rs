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

/// Async: its code is that of a future, which is made nowhere.
#[statement("library/never_called/async")]
pub async fn later(value: u64) -> Mutex<u64> {
    pfs::mutex!("library/never_called/in an async function", value)
}

/// Async and generic.
#[stage("library/never_called/async generic")]
pub async fn later_of<T>(value: T) -> T {
    value
}

/// A closure that is async, and a block in it.
pub fn async_closure() -> impl AsyncFn() -> RwLock<u64> {
    async || {
        let block = async { pfs::condvar!("library/never_called/async block").notify_all() };
        block.in_stage(pfs::stage_class!("library/never_called/stage of a block")).await;
        pfs::rwlock!("library/never_called/async closure", 0)
    }
}

impl<T: Default> Server<T> {
    /// An async method.
    #[statement("library/never_called/async method")]
    pub async fn flush(&self) {}
}

/// What a server does in its own time.
#[allow(async_fn_in_trait, reason = "nobody asks whether these futures are Send")]
pub trait ServeLater {
    /// A provided method.
    #[statement("library/never_called/async provided")]
    async fn serve(&self) {}

    /// A required one.
    async fn stop(&self);
}

impl<T> ServeLater for Server<T> {
    #[stage("library/never_called/async required")]
    async fn stop(&self) {}
}
