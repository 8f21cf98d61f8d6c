//! What the commands do in the database that their connection has selected.

use pfs::prelude::*;

use super::{Bytes, Store, StoreError, Written, integer, now};
use crate::database::Database;
use crate::log::{End, LogError, Operation, Position};
use crate::poison::Recover;
use crate::resp::Args;

/// One database of the store.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selected<'a> {
    pub(super) store: &'a Store,
    pub(super) database: Database,
}

impl Selected<'_> {
    fn append<'a>(self, operations: impl IntoIterator<Item = Operation<'a>>) -> Result<Position, LogError> {
        self.store.log.append(self.database, operations)
    }

    /// Keys held, those included whose time is up and which the expirer has not reached.
    #[stage("kv/counting")]
    pub(crate) fn len(self) -> usize {
        self.store.shards.shards.iter().map(|shard| shard.read().recover()[self.database].len()).sum()
    }

    #[stage("kv/reading")]
    pub(crate) fn get(self, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        self.store.shards.read(self.database, key)[self.database].string(key, now())
    }

    /// All the values at one moment; a list counts as no value.
    #[stage("kv/reading")]
    pub(crate) fn mget(self, keys: Args<'_>) -> Vec<Option<Bytes>> {
        let (now, shards) = (now(), self.store.shards.read_all(self.database, keys.iter()));
        keys.iter().map(|key| shards.of(key).string(key, now).ok().flatten()).collect()
    }

    /// How many of the keys are there; one that is named twice counts twice.
    #[stage("kv/reading")]
    pub(crate) fn exists(self, keys: Args<'_>) -> usize {
        let (now, shards) = (now(), self.store.shards.read_all(self.database, keys.iter()));
        keys.iter().filter(|key| shards.of(key).contains(key, now)).count()
    }

    /// The values of a list from place `start` to `stop`, both included and both counted from its end if negative.
    #[stage("kv/reading")]
    pub(crate) fn range(self, key: &[u8], start: i64, stop: i64) -> Result<Vec<Bytes>, StoreError> {
        self.store.shards.read(self.database, key)[self.database].range(key, now(), start, stop)
    }

    #[stage("kv/writing")]
    pub(crate) fn set(
        self,
        key: &[u8],
        value: &[u8],
        expire_at: Option<u64>,
    ) -> Result<Written<()>, StoreError> {
        let mut shard = self.store.shards.write(self.database, key);
        let operation = Operation::Set { key, value, expire_at };
        let position = self.append([operation])?;
        shard[self.database].apply(operation);
        Ok(Written { result: (), changed: 1, position: Some(position) })
    }

    /// Sets all of `pairs` (key, value, key, value, …) at one moment.
    #[stage("kv/writing")]
    pub(crate) fn mset(self, pairs: Args<'_>) -> Result<Written<()>, StoreError> {
        let keys = pairs.iter().step_by(2);
        let mut shards = self.store.shards.write_all(self.database, keys.clone());
        let values = pairs.iter().skip(1).step_by(2);
        let operations = keys.zip(values).map(|(key, value)| Operation::Set { key, value, expire_at: None });
        let position = self.append(operations.clone())?;
        for (key, operation) in pairs.iter().step_by(2).zip(operations) {
            shards.of_mut(key).apply(operation);
        }
        Ok(Written { result: (), changed: pairs.len() / 2, position: Some(position) })
    }

    /// How many of the keys were there and are gone now.
    #[stage("kv/writing")]
    pub(crate) fn delete(self, keys: Args<'_>) -> Result<Written<usize>, StoreError> {
        let now = now();
        let mut shards = self.store.shards.write_all(self.database, keys.iter());
        let mut present: Vec<&[u8]> = keys.iter().filter(|key| shards.of(key).contains(key, now)).collect();
        present.sort_unstable();
        present.dedup();
        if present.is_empty() {
            return Ok(Written { result: 0, changed: 0, position: None });
        }
        let position = self.append(present.iter().map(|&key| Operation::Delete { key }))?;
        for key in &present {
            shards.of_mut(key).apply(Operation::Delete { key });
        }
        Ok(Written { result: present.len(), changed: present.len(), position: Some(position) })
    }

    /// Adds 1 to a number, which is 0 where there is none. Its expiry stays.
    #[stage("kv/writing")]
    pub(crate) fn increment(self, key: &[u8]) -> Result<Written<i64>, StoreError> {
        let now = now();
        let mut shard = self.store.shards.write(self.database, key);
        let keys = &mut shard[self.database];
        let number = match keys.string(key, now)? {
            None => 0,
            Some(text) => integer(&text).ok_or(StoreError::NotAnInteger)?,
        };
        let result = number.checked_add(1).ok_or(StoreError::Overflow)?;
        let value = result.to_string();
        let operation = Operation::Set { key, value: value.as_bytes(), expire_at: keys.expire_at(key, now) };
        let position = self.append([operation])?;
        keys.apply(operation);
        Ok(Written { result, changed: 1, position: Some(position) })
    }

    /// Puts `values` at an end of a list, one after the other, and returns its length.
    #[stage("kv/writing")]
    pub(crate) fn push(self, end: End, key: &[u8], values: Args<'_>) -> Result<Written<usize>, StoreError> {
        let now = now();
        let mut shard = self.store.shards.write(self.database, key);
        let keys = &mut shard[self.database];
        let before = keys.list_len(key, now)?.unwrap_or(0);
        let operations = values.iter().map(|value| Operation::Push { end, key, value });
        let position = self.append(operations.clone())?;
        keys.forget_expired(key, now);
        operations.for_each(|operation| keys.apply(operation));
        Ok(Written { result: before + values.len(), changed: values.len(), position: Some(position) })
    }

    /// Takes up to `count` values off an end of a list, the outermost first; `None` if there is no list.
    #[stage("kv/writing")]
    pub(crate) fn pop(
        self,
        end: End,
        key: &[u8],
        count: usize,
    ) -> Result<Written<Option<Vec<Bytes>>>, StoreError> {
        let mut shard = self.store.shards.write(self.database, key);
        let keys = &mut shard[self.database];
        let Some(length) = keys.list_len(key, now())? else {
            return Ok(Written { result: None, changed: 0, position: None });
        };
        let count = count.min(length);
        if count == 0 {
            return Ok(Written { result: Some(Vec::new()), changed: 0, position: None });
        }
        let position = self.append([Operation::Pop { end, key, count: count as u64 }])?;
        Ok(Written { result: Some(keys.pop(end, key, count)), changed: count, position: Some(position) })
    }
}
