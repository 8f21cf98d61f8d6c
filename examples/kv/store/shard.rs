//! One shard of the store: a map, and its keys in the order in which their time is up. No locks, no log.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use super::{Bytes, StoreError};
use crate::log::Operation;

#[derive(Debug)]
enum Value {
    String(Bytes),
    List(VecDeque<Bytes>),
}

#[derive(Debug)]
struct Entry {
    value: Value,
    /// Milliseconds of Unix time at which the entry is no longer there. Lists have none.
    expire_at: Option<u64>,
}

impl Entry {
    fn is_live(&self, now: u64) -> bool {
        self.expire_at.is_none_or(|at| at > now)
    }
}

#[derive(Debug, Default)]
pub(super) struct Shard {
    entries: HashMap<Bytes, Entry>,
    /// Exactly the entries that have an expiry.
    deadlines: BTreeSet<(u64, Bytes)>,
}

impl Shard {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    fn live(&self, key: &[u8], now: u64) -> Option<&Entry> {
        self.entries.get(key).filter(|entry| entry.is_live(now))
    }

    pub(super) fn contains(&self, key: &[u8], now: u64) -> bool {
        self.live(key, now).is_some()
    }

    pub(super) fn string(&self, key: &[u8], now: u64) -> Result<Option<Bytes>, StoreError> {
        match self.live(key, now).map(|entry| &entry.value) {
            None => Ok(None),
            Some(Value::String(value)) => Ok(Some(Arc::clone(value))),
            Some(Value::List(_)) => Err(StoreError::WrongType),
        }
    }

    pub(super) fn list_len(&self, key: &[u8], now: u64) -> Result<Option<usize>, StoreError> {
        match self.live(key, now).map(|entry| &entry.value) {
            None => Ok(None),
            Some(Value::List(list)) => Ok(Some(list.len())),
            Some(Value::String(_)) => Err(StoreError::WrongType),
        }
    }

    pub(super) fn expire_at(&self, key: &[u8], now: u64) -> Option<u64> {
        self.live(key, now)?.expire_at
    }

    /// Makes a change that was checked before it went to the log. At replay the checks are not repeated: what was
    /// logged was right, so a value of another kind that is in the way was gone by then.
    pub(super) fn apply(&mut self, operation: Operation<'_>) {
        match operation {
            Operation::Set { key, value, expire_at } => {
                self.insert(key, Entry { value: Value::String(value.into()), expire_at });
            }
            Operation::Delete { key } => self.remove(key),
            Operation::Push { key, value } => {
                let value = value.into();
                if let Some(Entry { value: Value::List(list), .. }) = self.entries.get_mut(key) {
                    list.push_front(value);
                } else {
                    self.insert(key, Entry { value: Value::List(VecDeque::from([value])), expire_at: None });
                }
            }
            Operation::Pop { key, count } => {
                self.pop(key, usize::try_from(count).unwrap_or(usize::MAX));
            }
        }
    }

    /// Takes up to `count` values off the front of a list. An empty list is no list.
    pub(super) fn pop(&mut self, key: &[u8], count: usize) -> Vec<Bytes> {
        let Some(Entry { value: Value::List(list), .. }) = self.entries.get_mut(key) else {
            return Vec::new();
        };
        let popped = list.drain(..count.min(list.len())).collect();
        if list.is_empty() {
            self.remove(key);
        }
        popped
    }

    /// Drops the entry if its time is up, so that a new one begins from nothing.
    pub(super) fn forget_expired(&mut self, key: &[u8], now: u64) {
        if self.entries.get(key).is_some_and(|entry| !entry.is_live(now)) {
            self.remove(key);
        }
    }

    pub(super) fn has_expired(&self, now: u64) -> bool {
        self.deadlines.first().is_some_and(|&(at, _)| at <= now)
    }

    /// Drops up to `most` entries whose time is up and returns how many.
    pub(super) fn expire(&mut self, now: u64, most: usize) -> usize {
        let mut dropped = 0;
        while dropped < most && self.has_expired(now) {
            if let Some((_, key)) = self.deadlines.pop_first() {
                self.entries.remove(&key);
                dropped += 1;
            }
        }
        dropped
    }

    fn insert(&mut self, key: &[u8], entry: Entry) {
        let key: Bytes = match self.entries.remove_entry(key) {
            None => key.into(),
            Some((key, old)) => {
                if let Some(at) = old.expire_at {
                    self.deadlines.remove(&(at, Arc::clone(&key)));
                }
                key
            }
        };
        if let Some(at) = entry.expire_at {
            self.deadlines.insert((at, Arc::clone(&key)));
        }
        self.entries.insert(key, entry);
    }

    fn remove(&mut self, key: &[u8]) {
        if let Some((key, Entry { expire_at: Some(at), .. })) = self.entries.remove_entry(key) {
            self.deadlines.remove(&(at, key));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(shard: &mut Shard, key: &str, value: &str, expire_at: Option<u64>) {
        shard.apply(Operation::Set { key: key.as_bytes(), value: value.as_bytes(), expire_at });
    }

    #[test]
    fn an_entry_is_gone_at_its_time_and_dropped_by_the_expirer() {
        let mut shard = Shard::default();
        set(&mut shard, "a", "1", Some(100));
        set(&mut shard, "b", "2", Some(200));
        set(&mut shard, "c", "3", None);
        assert_eq!(shard.string(b"a", 99).unwrap().as_deref(), Some(&b"1"[..]));
        assert_eq!(shard.string(b"a", 100), Ok(None));
        assert!(!shard.has_expired(99));
        assert!(shard.has_expired(100));
        assert_eq!(shard.expire(300, 1), 1);
        assert_eq!(shard.len(), 2);
        assert_eq!(shard.expire(300, 9), 1);
        assert_eq!(shard.len(), 1);
        assert_eq!(shard.deadlines.len(), 0);
    }

    #[test]
    fn setting_again_moves_or_lifts_the_expiry() {
        let mut shard = Shard::default();
        set(&mut shard, "a", "1", Some(100));
        set(&mut shard, "a", "2", Some(300));
        assert_eq!(shard.expire(200, 9), 0);
        assert_eq!(shard.expire_at(b"a", 200), Some(300));
        set(&mut shard, "a", "3", None);
        assert_eq!(shard.expire(400, 9), 0);
        assert!(shard.deadlines.is_empty());
        set(&mut shard, "a", "4", Some(500));
        shard.apply(Operation::Delete { key: b"a" });
        assert!(shard.deadlines.is_empty());
        assert_eq!(shard.len(), 0);
    }

    #[test]
    fn lists_replace_what_is_in_the_way_at_replay() {
        let mut shard = Shard::default();
        set(&mut shard, "l", "string", Some(u64::MAX));
        assert_eq!(shard.list_len(b"l", 0), Err(StoreError::WrongType));
        for value in [b"a", b"b"] {
            shard.apply(Operation::Push { key: b"l", value });
        }
        assert_eq!(shard.list_len(b"l", u64::MAX), Ok(Some(2)));
        assert!(shard.deadlines.is_empty());
        assert_eq!(shard.string(b"l", 0), Err(StoreError::WrongType));
        assert_eq!(shard.pop(b"l", 5).concat(), b"ba");
        assert_eq!(shard.len(), 0);
    }
}
