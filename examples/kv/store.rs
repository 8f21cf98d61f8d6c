//! The data: keys spread over shards, each behind a lock of its own, every change in the log before its lock is
//! given back.
//!
//! A change is visible to others before it is safe, but is not answered before: a reader may see a value that a
//! power cut then takes back, a writer who was answered never loses one. What touches several shards locks them in
//! ascending order.

mod keys;
mod locked;
mod selected;
mod shard;

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use pfs::prelude::*;
use pfs::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::database::Database;
use crate::log::{Log, LogError, Operation, Position};
use crate::poison::Recover;
use locked::Locked;
pub(crate) use selected::Selected;
use shard::Shard;

/// A string of the store, shared with the replies that show it.
pub(crate) type Bytes = Arc<[u8]>;

/// Why a command on a key was refused; nothing was changed.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum StoreError {
    #[error("WRONGTYPE Operation against a key holding the wrong kind of value")]
    WrongType,
    #[error("ERR value is not an integer or out of range")]
    NotAnInteger,
    #[error("ERR increment or decrement would overflow")]
    Overflow,
    #[error("ERR {0}")]
    Log(#[from] LogError),
}

/// What a change returns: its result, and how far the log has to be safe before that may be told. `None` where
/// nothing was changed.
#[derive(Debug)]
pub(crate) struct Written<T> {
    pub(crate) result: T,
    /// Values written or taken away.
    pub(crate) changed: usize,
    pub(crate) position: Option<Position>,
}

/// The keys that a database holds, those included whose time is up and which the expirer has not reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) keys: usize,
    /// Those that expire.
    pub(crate) expiring: usize,
}

/// The shards, without the log.
#[derive(Debug)]
pub(crate) struct Shards {
    shards: Box<[RwLock<Shard>]>,
    hasher: RandomState,
}

/// The shards and the log that makes them safe.
#[derive(Debug)]
pub(crate) struct Store {
    shards: Shards,
    log: Arc<Log>,
}

/// Milliseconds of Unix time, the time base of expiry.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

impl Shards {
    pub(crate) fn new(count: u32) -> Self {
        let shards = (0..count).map(|_| pfs::rwlock!("kv/Shard::map", Shard::default())).collect();
        Shards { shards, hasher: RandomState::new() }
    }

    /// Repeats a change that the log holds.
    pub(crate) fn apply(&self, database: Database, operation: Operation<'_>) {
        if let Some(key) = operation.key() {
            self.write(database, key)[database].apply(operation);
            return;
        }
        for shard in &self.shards {
            let mut shard = shard.write().recover();
            Database::all().for_each(|database| shard[database].apply(operation));
        }
    }

    /// The number of the shard that a key falls to.
    fn number(&self, database: Database, key: &[u8]) -> usize {
        // The remainder is below the number of shards.
        usize::try_from(self.hasher.hash_one((database, key)) % self.shards.len() as u64).unwrap_or(0)
    }

    #[track_caller]
    fn read(&self, database: Database, key: &[u8]) -> RwLockReadGuard<'_, Shard> {
        self.shards[self.number(database, key)].read().recover()
    }

    #[track_caller]
    fn write(&self, database: Database, key: &[u8]) -> RwLockWriteGuard<'_, Shard> {
        self.shards[self.number(database, key)].write().recover()
    }

    fn read_all<'a>(
        &self,
        database: Database,
        keys: impl Iterator<Item = &'a [u8]>,
    ) -> Locked<'_, RwLockReadGuard<'_, Shard>> {
        Locked::all(self, database, keys, |number| self.shards[number].read().recover())
    }

    fn write_all<'a>(
        &self,
        database: Database,
        keys: impl Iterator<Item = &'a [u8]>,
    ) -> Locked<'_, RwLockWriteGuard<'_, Shard>> {
        Locked::all(self, database, keys, |number| self.shards[number].write().recover())
    }
}

impl Store {
    pub(crate) fn new(shards: Shards, log: Arc<Log>) -> Self {
        Store { shards, log }
    }

    pub(crate) fn log(&self) -> &Arc<Log> {
        &self.log
    }

    /// One of the databases, for the commands that work in the selected one.
    pub(crate) fn database(&self, database: Database) -> Selected<'_> {
        Selected { store: self, database }
    }

    /// What each database holds, in their order.
    #[stage("kv/counting")]
    pub(crate) fn held(&self) -> [Held; Database::COUNT] {
        let mut held = [Held::default(); Database::COUNT];
        for shard in &self.shards.shards {
            let shard = shard.read().recover();
            for (held, database) in held.iter_mut().zip(Database::all()) {
                held.keys += shard[database].len();
                held.expiring += shard[database].expiring();
            }
        }
        held
    }

    /// Removes every key of every database at one moment.
    #[stage("kv/writing")]
    pub(crate) fn flush(&self) -> Result<Written<()>, StoreError> {
        let mut shards: Vec<_> = self.shards.shards.iter().map(|shard| shard.write().recover()).collect();
        let held = shards.iter().map(|shard| shard.len()).sum();
        if held == 0 {
            return Ok(Written { result: (), changed: 0, position: None });
        }
        let position = self.log.append(Database::FIRST, [Operation::Flush])?;
        let flushed: Vec<Shard> = shards.iter_mut().map(|shard| std::mem::take(&mut **shard)).collect();
        drop(shards);
        // Their memory is given back when nobody waits for the locks any more.
        drop(flushed);
        Ok(Written { result: (), changed: held, position: Some(position) })
    }

    /// Waits until what a change wrote is safe.
    pub(crate) fn commit<T>(&self, written: Written<T>) -> Result<T, StoreError> {
        if let Some(position) = written.position {
            self.log.commit(position)?;
        }
        Ok(written.result)
    }

    /// Drops keys whose time is up, at most `most` of a shard in one go, and returns how many. It is not logged:
    /// replaying finds their time up as well.
    #[stage("kv/expiring")]
    pub(crate) fn expire(&self, most: usize) -> usize {
        let now = now();
        let shards = self.shards.shards.iter();
        shards
            .filter(|shard| shard.read().recover().has_expired(now))
            .map(|shard| shard.write().recover().expire(now, most))
            .sum()
    }
}

/// A number as the commands take it: decimal, no sign but `-`, no leading zeros, no blanks.
pub(crate) fn integer(text: &[u8]) -> Option<i64> {
    let number: i64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    (number.to_string().as_bytes() == text).then_some(number)
}
