//! The data: keys spread over shards, each behind a lock of its own, every change in the log before its lock is
//! given back.
//!
//! A change is visible to others before it is safe, but is not answered before: a reader may see a value that a
//! power cut then takes back, a writer who was answered never loses one. What touches several shards locks them in
//! ascending order.

mod shard;

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use pfs::prelude::*;
use pfs::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::log::{Log, LogError, Operation, Position};
use crate::poison::Recover;
use crate::resp::Args;
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
    pub(crate) fn apply(&self, operation: Operation<'_>) {
        let (Operation::Set { key, .. }
        | Operation::Delete { key }
        | Operation::Push { key, .. }
        | Operation::Pop { key, .. }) = operation;
        self.write(key).apply(operation);
    }

    fn index(&self, key: &[u8]) -> usize {
        // The remainder is below the number of shards.
        usize::try_from(self.hasher.hash_one(key) % self.shards.len() as u64).unwrap_or(0)
    }

    #[track_caller]
    fn read(&self, key: &[u8]) -> RwLockReadGuard<'_, Shard> {
        self.shards[self.index(key)].read().recover()
    }

    #[track_caller]
    fn write(&self, key: &[u8]) -> RwLockWriteGuard<'_, Shard> {
        self.shards[self.index(key)].write().recover()
    }

    /// The shards of some keys, ascending, each once.
    fn indices<'a>(&self, keys: impl Iterator<Item = &'a [u8]>) -> Vec<usize> {
        let mut indices: Vec<usize> = keys.map(|key| self.index(key)).collect();
        indices.sort_unstable();
        indices.dedup();
        indices
    }

    fn write_all<'a>(
        &self,
        keys: impl Iterator<Item = &'a [u8]>,
    ) -> HashMap<usize, RwLockWriteGuard<'_, Shard>> {
        self.indices(keys).into_iter().map(|index| (index, self.shards[index].write().recover())).collect()
    }

    fn read_all<'a>(
        &self,
        keys: impl Iterator<Item = &'a [u8]>,
    ) -> HashMap<usize, RwLockReadGuard<'_, Shard>> {
        self.indices(keys).into_iter().map(|index| (index, self.shards[index].read().recover())).collect()
    }
}

impl Store {
    pub(crate) fn new(shards: Shards, log: Arc<Log>) -> Self {
        Store { shards, log }
    }

    pub(crate) fn log(&self) -> &Arc<Log> {
        &self.log
    }

    /// Keys held, those included whose time is up and which the expirer has not reached.
    #[stage("kv/counting")]
    pub(crate) fn len(&self) -> usize {
        self.shards.shards.iter().map(|shard| shard.read().recover().len()).sum()
    }

    #[stage("kv/reading")]
    pub(crate) fn get(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        self.shards.read(key).string(key, now())
    }

    /// All the values at one moment; a list counts as no value.
    #[stage("kv/reading")]
    pub(crate) fn mget(&self, keys: Args<'_>) -> Vec<Option<Bytes>> {
        let (now, shards) = (now(), self.shards.read_all(keys.iter()));
        keys.iter().map(|key| shards[&self.shards.index(key)].string(key, now).ok().flatten()).collect()
    }

    #[stage("kv/writing")]
    pub(crate) fn set(
        &self,
        key: &[u8],
        value: &[u8],
        expire_at: Option<u64>,
    ) -> Result<Written<()>, StoreError> {
        let mut shard = self.shards.write(key);
        let operation = Operation::Set { key, value, expire_at };
        let position = self.log.append([operation])?;
        shard.apply(operation);
        Ok(Written { result: (), changed: 1, position: Some(position) })
    }

    /// Sets all of `pairs` (key, value, key, value, …) at one moment.
    #[stage("kv/writing")]
    pub(crate) fn mset(&self, pairs: Args<'_>) -> Result<Written<()>, StoreError> {
        let mut shards = self.shards.write_all(pairs.iter().step_by(2));
        let operations = || {
            let values = pairs.iter().skip(1).step_by(2);
            pairs.iter().step_by(2).zip(values).map(|(key, value)| Operation::Set {
                key,
                value,
                expire_at: None,
            })
        };
        let position = self.log.append(operations())?;
        for (key, operation) in pairs.iter().step_by(2).zip(operations()) {
            if let Some(shard) = shards.get_mut(&self.shards.index(key)) {
                shard.apply(operation);
            }
        }
        Ok(Written { result: (), changed: pairs.len() / 2, position: Some(position) })
    }

    /// How many of the keys were there and are gone now.
    #[stage("kv/writing")]
    pub(crate) fn delete(&self, keys: Args<'_>) -> Result<Written<usize>, StoreError> {
        let now = now();
        let mut shards = self.shards.write_all(keys.iter());
        let mut present: Vec<&[u8]> =
            keys.iter().filter(|key| shards[&self.shards.index(key)].contains(key, now)).collect();
        present.sort_unstable();
        present.dedup();
        if present.is_empty() {
            return Ok(Written { result: 0, changed: 0, position: None });
        }
        let position = self.log.append(present.iter().map(|&key| Operation::Delete { key }))?;
        for key in &present {
            if let Some(shard) = shards.get_mut(&self.shards.index(key)) {
                shard.apply(Operation::Delete { key });
            }
        }
        Ok(Written { result: present.len(), changed: present.len(), position: Some(position) })
    }

    /// Adds 1 to a number, which is 0 where there is none. Its expiry stays.
    #[stage("kv/writing")]
    pub(crate) fn increment(&self, key: &[u8]) -> Result<Written<i64>, StoreError> {
        let now = now();
        let mut shard = self.shards.write(key);
        let number = match shard.string(key, now)? {
            None => 0,
            Some(text) => integer(&text).ok_or(StoreError::NotAnInteger)?,
        };
        let result = number.checked_add(1).ok_or(StoreError::Overflow)?;
        let value = result.to_string();
        let operation = Operation::Set { key, value: value.as_bytes(), expire_at: shard.expire_at(key, now) };
        let position = self.log.append([operation])?;
        shard.apply(operation);
        Ok(Written { result, changed: 1, position: Some(position) })
    }

    /// Puts `values` at the front of a list, one after the other, and returns its length.
    #[stage("kv/writing")]
    pub(crate) fn push(&self, key: &[u8], values: Args<'_>) -> Result<Written<usize>, StoreError> {
        let now = now();
        let mut shard = self.shards.write(key);
        let before = shard.list_len(key, now)?.unwrap_or(0);
        let operations = || values.iter().map(|value| Operation::Push { key, value });
        let position = self.log.append(operations())?;
        shard.forget_expired(key, now);
        operations().for_each(|operation| shard.apply(operation));
        Ok(Written { result: before + values.len(), changed: values.len(), position: Some(position) })
    }

    /// Takes up to `count` values off the front of a list; `None` if there is no list.
    #[stage("kv/writing")]
    pub(crate) fn pop(&self, key: &[u8], count: usize) -> Result<Written<Option<Vec<Bytes>>>, StoreError> {
        let mut shard = self.shards.write(key);
        let Some(length) = shard.list_len(key, now())? else {
            return Ok(Written { result: None, changed: 0, position: None });
        };
        let count = count.min(length);
        if count == 0 {
            return Ok(Written { result: Some(Vec::new()), changed: 0, position: None });
        }
        let position = self.log.append([Operation::Pop { key, count: count as u64 }])?;
        Ok(Written { result: Some(shard.pop(key, count)), changed: count, position: Some(position) })
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
