//! Nothing that is generated trips a lint of the user's, however strict. Here rustc looks at it; `tests/lints.rs`
//! includes this file, so that clippy does too.

#![forbid(unsafe_code)]
#![deny(warnings, clippy::all, clippy::pedantic, clippy::nursery)]
#![deny(
    explicit_outlives_requirements,
    let_underscore_drop,
    macro_use_extern_crate,
    meta_variable_misuse,
    missing_debug_implementations,
    missing_docs,
    nonstandard_style,
    redundant_lifetimes,
    rust_2018_idioms,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unreachable_pub,
    unused,
    unused_import_braces,
    unused_lifetimes,
    unused_qualifications,
    unused_results
)]

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};
use std::fmt;
use std::future::{Future, ready};
use std::pin::{Pin, pin};
use std::sync::{Arc, LazyLock, OnceLock};
use std::task::{Context, Poll, Waker};

pfs::plugin!();

/// A mutex.
#[instrument_mutex("ui/LINTS")]
pub static LINTS: Mutex<u32> = Mutex::new(1);
#[instrument_rwlock]
static RWLOCK: RwLock<u32> = RwLock::new(2);
#[instrument_condvar]
static CONDVAR: Condvar = Condvar::new();

/// A lazy one.
#[instrument_mutex("ui/LINTS lazy")]
pub static LAZY: LazyLock<Vec<Arc<Mutex<u32>>>> = LazyLock::new(|| vec![Arc::new(Mutex::new(1))]);
/// Written once.
#[instrument_rwlock("ui/LINTS once")]
pub static ONCE: OnceLock<Box<RwLock<u32>>> = OnceLock::new();
/// Both kinds.
#[instrument_mutex("ui/LINTS pair")]
#[instrument_condvar("ui/LINTS pair")]
pub static PAIR: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());
/// A struct.
#[instrument]
pub static POOL: Pool<u32> = Pool { slots: [Slots::Free, Slots::Free], config: RwLock::new(3) };

/// Named by its fields.
#[derive(Debug, Default, Instrument)]
pub struct Pool<T: Default> {
    #[instrument]
    slots: [Slots<T>; 2],
    /// Documented.
    #[rwlock("ui/LINTS Pool::config")]
    pub config: RwLock<T>,
}

/// Named by its variants' fields.
#[derive(Debug, Default, Instrument)]
pub enum Slots<T> {
    /// Nothing.
    #[default]
    Free,
    /// A lock and a number.
    Used(#[mutex] Mutex<T>, u8),
    /// Named fields.
    Waiting {
        /// A condvar.
        #[condvar]
        freed: Condvar,
        /// Two at once.
        #[mutex]
        #[rwlock]
        both: Box<(RwLock<u8>, Mutex<u8>)>,
    },
}

/// Stages.
#[derive(Clone, Copy, Debug, Stage)]
#[stage(component = "ui")]
pub enum Step {
    /// One.
    LintsReading,
    /// And the other.
    #[stage(name = "lints sorting")]
    Sorting,
}

/// An error.
#[derive(Debug)]
pub struct Failed;

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("failed")
    }
}

impl ErrorCode for Failed {}

/// Commands.
#[derive(Debug, Statement)]
#[statement(component = "ui")]
pub enum Command {
    /// One.
    Get(u32),
    /// And the other.
    #[statement(name = "lints put")]
    Put,
}

/// A statement.
///
/// # Errors
///
/// If there is no line.
#[statement("ui/lints parse", text = line)]
pub fn parse(line: &str, (a, _): (u32, u32), mut n: u32, _unused: &str) -> Result<u32, Failed> {
    use std::cmp::max;

    n += a;
    if line.is_empty() {
        return Err(Failed);
    }
    let value = line.parse().map_err(|_| Failed)?;
    Ok(max(value, n))
}

// On one line, where the braces that it gets could be taken for superfluous.
#[rustfmt::skip]
#[statement("ui/lints one")]
fn one(x: u8) -> Result<u8, String> { if x == 1 { Err("one".to_owned()) } else { Ok(x) } }

#[statement("ui/lints short", err = |r| r.is_none().then_some("none"))]
fn short(a: u8, b: u8, c: u8, d: u8) -> Option<u8> {
    a.checked_add(b)?.checked_add(c)?.checked_add(d)
}

#[stage]
fn stage_of(n: u32) -> u32 {
    const MOST: u32 = 5;
    std::cmp::min(n, MOST)
}

#[stage("ui/lints unit")]
fn unit() {
    drop(RWLOCK.read());
    CONDVAR.notify_all();
}

#[statement("ui/lints alias")]
fn alias() -> fmt::Result {
    Ok(())
}

#[statement("ui/lints text", text = format!("{n}"))]
fn text(n: u8) {
    assert!(n > 0);
}

/// An async statement.
///
/// # Errors
///
/// If there is no line.
#[statement("ui/lints async", text = line)]
pub async fn read(line: &str, (a, _): (u32, u32), mut n: u32, _unused: &str) -> Result<u32, Failed> {
    n += a;
    if line.is_empty() {
        return Err(Failed);
    }
    let value = ready(line.parse()).await.map_err(|_| Failed)?;
    copy(value).await;
    Ok(n.max(value))
}

/// An async statement that gives a future.
#[statement("ui/lints later")]
pub async fn later(n: u32) -> Pin<Box<dyn Future<Output = u32>>> {
    let n = ready(n).await;
    Box::pin(ready(n))
}

/// The same as a step.
#[stage("ui/lints later")]
pub async fn later_step(n: u32) -> Pin<Box<dyn Future<Output = u32>>> {
    if ready(n).await == 0 {
        return Box::pin(ready(1));
    }
    Box::pin(ready(n))
}

#[stage("ui/lints async")]
async fn copy(n: u32) {
    for _ in 0..n {
        ready(()).await;
    }
}

#[rustfmt::skip]
#[statement("ui/lints async one", err = |r| r.is_none().then_some("none"))]
async fn one_async(x: u8) -> Option<u8> { ready(x).await.checked_sub(1) }

/// A future.
///
/// # Errors
///
/// If `n` is 0.
#[statement("ui/lints future", text = format!("{n}"))]
pub fn future(n: u32) -> impl Future<Output = Result<u32, Failed>> + Send {
    let n = n.min(9);
    async move { if n == 0 { Err(Failed) } else { Ok(ready(n).await) } }
}

#[stage("ui/lints early")]
fn early(n: u32) -> impl Future<Output = u32> {
    if n == 0 {
        return ready(1);
    }
    ready(n)
}

/// A future in a box.
#[must_use]
#[statement("ui/lints boxed", text = text)]
pub fn boxed(text: &str) -> Pin<Box<dyn Future<Output = Result<usize, Failed>> + Send + '_>> {
    let text = text.trim();
    Box::pin(async move { ready(text.len()).await.checked_sub(1).ok_or(Failed) })
}

#[statement("ui/lints kept", text = [n])]
fn kept(n: u8) -> Pin<Box<dyn Future<Output = Result<u8, Failed>> + Send>> {
    if n == 0 { Box::pin(ready(Err(Failed))) } else { Box::pin(ready(Ok(n))) }
}

#[stage("ui/lints sync", sync)]
fn sync(n: u8) -> std::future::Ready<u8> {
    ready(n)
}

fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
    }
}

fn futures() {
    assert!(block_on(read("", (1, 2), 3, "")).is_err());
    assert_eq!(block_on(read("2", (1, 2), 3, "")).unwrap(), 4);
    assert_eq!(block_on(one_async(1)), Some(0));
    assert_eq!(block_on(block_on(later(2))) + block_on(block_on(later_step(0))), 3);
    assert_eq!(block_on(future(1)).unwrap(), 1);
    assert_eq!(block_on(early(0)) + block_on(early(2)), 3);
    assert_eq!(block_on(boxed(" ab")).unwrap(), 1);
    assert_eq!(block_on(kept(1)).unwrap(), 1);
    assert_eq!(block_on(sync(1)), 1);
    let work = async { pfs::stage::current().progress(1, 2) };
    let work = work.in_stage(stage_class!("ui/lints work")).in_statement(&statement_class!("ui/lints work"));
    block_on(work.in_task(thread_class!("ui/lints task")));
}

/// A shard.
#[derive(Debug)]
pub struct Shard<T> {
    items: Vec<T>,
    uses: u32,
}

impl<T: Clone> Shard<T> {
    /// A method.
    ///
    /// # Errors
    ///
    /// If there is nothing there.
    #[statement("ui/lints Shard::get")]
    pub fn get(&mut self, at: usize) -> Result<&mut T, Failed> {
        self.uses += 1;
        self.items.get_mut(at).ok_or(Failed)
    }

    #[statement("ui/lints Shard::into_items")]
    fn into_items(self) -> Result<impl Iterator<Item = T>, Failed> {
        if self.uses == 0 {
            return Err(Failed);
        }
        Ok(self.items.into_iter())
    }

    #[stage("ui/lints Shard::uses")]
    fn uses(&self) -> u32 {
        self.uses
    }
}

/// Runs them all.
///
/// # Panics
///
/// If one of them does not do what it says.
pub fn main() {
    *LINTS.lock().unwrap() += 1;
    drop(LAZY[0].lock());
    assert_eq!(*ONCE.get_or_init(Box::default).read().unwrap(), 0);
    PAIR.1.notify_all();
    assert_eq!(*POOL.config.read().unwrap(), 3);
    let pool = Pool { slots: [Slots::Used(Mutex::new(1), 2), Slots::Free], ..Pool::default() }.instrumented();
    if let Slots::Used(lock, number) = &pool.slots[0] {
        assert_eq!(*lock.lock().unwrap() + u32::from(*number), 3);
    }
    if let Slots::Waiting { freed, both } =
        (Slots::<u8>::Waiting { freed: Condvar::new(), both: Box::default() }).instrumented()
    {
        freed.notify_all();
        drop(both);
    }
    let mut stage = Step::LintsReading.begin();
    stage.switch(Step::Sorting);
    drop(stage);
    assert!(parse("", (1, 2), 3, "").is_err());
    assert_eq!(parse("7", (1, 2), 3, "").unwrap(), 7);
    assert_eq!(one(2), Ok(2));
    assert_eq!(short(1, 2, 3, 4), Some(10));
    assert_eq!(stage_of(9), 5);
    unit();
    assert!(alias().is_ok());
    text(1);
    let mut shard = Shard { items: vec![1], uses: 0 };
    *shard.get(0).unwrap() += 1;
    assert_eq!(shard.uses(), 1);
    assert_eq!(shard.into_items().unwrap().sum::<i32>(), 2);
    for command in [Command::Get(1), Command::Put] {
        if let Command::Get(n) = command {
            assert_eq!(n, 1);
        }
        drop(command.begin());
    }
    futures();
    let made = mutex!("ui/lints made", rwlock!("ui/lints inner", 5));
    assert_eq!(*made.lock().unwrap().read().unwrap(), 5);
    let waiting = condvar!("ui/lints condvar");
    waiting.notify_one();
    thread_class!("ui/lints thread").spawn(|| ()).join().unwrap();
}
