//! Something of each kind that pfs instruments, in a library that does not turn the engine on.

use pfs::prelude::*;
use pfs::session::Session;
use pfs::sync::{Condvar, Mutex, RwLock};
use std::time::Duration;

#[instrument_mutex("quiet/LOCK_static")]
static LOCK: Mutex<u64> = Mutex::new(0);

#[instrument_condvar("quiet/COND_static")]
static CHANGED: Condvar = Condvar::new();

/// What a client asks for.
#[derive(Statement)]
#[statement(component = "quiet")]
pub enum Command {
    /// Asks for the value.
    Get,
    /// Changes it.
    Set(u64),
}

#[stage("quiet/adding")]
fn add(by: u64) {
    *LOCK.lock().unwrap() += by;
}

/// Adds one to an even number.
///
/// # Errors
///
/// If the number is odd.
#[statement("quiet/even", text = format!("even {number}"))]
pub fn even(number: u64) -> Result<u64, String> {
    add(1);
    if number.is_multiple_of(2) { Ok(number + 1) } else { Err(format!("{number} is odd")) }
}

/// Locks in the fields of a type that others see.
#[derive(Debug)]
pub struct Shard {
    /// What it holds.
    pub map: RwLock<u64>,
    /// That it has changed.
    pub changed: Condvar,
}

impl Shard {
    /// One that holds a number.
    pub fn new(value: u64) -> Self {
        Self { map: pfs::rwlock!("quiet/map", value), changed: pfs::condvar!("quiet/changed") }
    }
}

/// Does something of each kind once, and gives what came of it.
///
/// # Panics
///
/// If it is not what it would be without pfs.
pub fn work() -> u64 {
    assert_eq!(even(4), Ok(5));
    assert_eq!(even(5), Err("5 is odd".to_owned()));
    let Shard { map, changed } = Shard::new(7);
    changed.notify_all();
    let old = *map.read().unwrap();
    *map.write().unwrap() += old;
    let (guard, result) = CHANGED.wait_timeout(LOCK.lock().unwrap(), Duration::from_millis(1)).unwrap();
    assert!(result.timed_out() || *guard == 2);
    drop(guard);
    let mut statement = Command::Set(1).begin();
    statement.rows_affected(1);
    statement.switched();
    drop(statement);
    let mut session = Session::of(pfs::thread_class!("quiet/session"));
    let attached = session.attach();
    drop(Command::Get.begin());
    drop(attached);
    pfs::thread_class!("quiet/adder").spawn(|| add(1)).join().unwrap();
    *LOCK.lock().unwrap() + map.into_inner().unwrap()
}

/// Something of the library's own that takes a statement along.
trait Switched {
    fn switched(&mut self);
}

impl Switched for pfs::statement::StatementGuard {
    fn switched(&mut self) {
        let mut stage = pfs::stage_class!("quiet/first").begin();
        stage.switch(pfs::stage_class!("quiet/second"));
        self.rows_sent(1);
    }
}
