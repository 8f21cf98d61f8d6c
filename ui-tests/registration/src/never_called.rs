//! A module of the program that it never calls.

use pfs::prelude::*;
use pfs::sync::{Mutex, RwLock};
use std::sync::{LazyLock, OnceLock};

#[instrument_mutex("program/never_called/lazy")]
static LAZY: LazyLock<Mutex<u64>> = LazyLock::new(|| Mutex::new(0));

#[instrument_rwlock("program/never_called/once")]
static ONCE: OnceLock<RwLock<u64>> = OnceLock::new();

const fn in_a_const_fn() -> RwLock<u64> {
    pfs::rwlock!("program/never_called/const fn", 0)
}

fn generic<T>(value: T) -> Mutex<T> {
    pfs::mutex!("program/never_called/generic", value)
}

#[derive(Statement)]
#[statement(component = "program")]
enum Command {
    Get(u64),
    #[statement(name = "mset")]
    SetMany {
        keys: Vec<u64>,
    },
}

fn as_values() {
    let _ = pfs::thread_class!("program/never_called/thread");
    let _ = pfs::stage_class!("program/never_called/stage");
}

mod deeper {
    use pfs::prelude::*;

    #[stage("program/never_called/deeper")]
    fn stage() {}
}

#[statement("program/never_called/async")]
async fn later() {}

#[stage("program/never_called/async generic")]
async fn later_of<T>(value: T) -> T {
    value
}

fn async_closure() -> impl AsyncFn() -> Mutex<u64> {
    async || pfs::mutex!("program/never_called/async closure", 0)
}

#[async_trait::async_trait]
trait Serve {
    #[statement("program/never_called/boxed provided")]
    async fn serve(&self) {}

    async fn stop(&self);
}

#[async_trait::async_trait]
impl Serve for Command {
    #[stage("program/never_called/boxed required")]
    async fn stop(&self) {}
}
