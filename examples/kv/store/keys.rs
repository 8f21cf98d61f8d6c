//! The keys of one database in one shard: a map, and its keys in the order in which their time is up. No locks, no log.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use super::{Bytes, StoreError};
use crate::log::{End, Operation};

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
pub(super) struct Keys {
    entries: HashMap<Bytes, Entry>,
    /// Exactly the entries that have an expiry.
    deadlines: BTreeSet<(u64, Bytes)>,
}

impl Keys {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Those whose time will be up.
    pub(super) fn expiring(&self) -> usize {
        self.deadlines.len()
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

    /// The values of a list from place `start` to `stop`, both included and both counted from its end if negative;
    /// none where there is no list.
    pub(super) fn range(
        &self,
        key: &[u8],
        now: u64,
        start: i64,
        stop: i64,
    ) -> Result<Vec<Bytes>, StoreError> {
        let list = match self.live(key, now).map(|entry| &entry.value) {
            None => return Ok(Vec::new()),
            Some(Value::List(list)) => list,
            Some(Value::String(_)) => return Err(StoreError::WrongType),
        };
        // A list is never as long as a number can be.
        let length = i64::try_from(list.len()).unwrap_or(i64::MAX);
        let place = |place: i64| if place < 0 { place + length } else { place };
        let (start, stop) = (place(start).max(0), place(stop).min(length - 1));
        let (Ok(start), Ok(stop)) = (usize::try_from(start), usize::try_from(stop)) else {
            return Ok(Vec::new());
        };
        Ok(if start > stop { Vec::new() } else { list.range(start..=stop).cloned().collect() })
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
            Operation::Push { end, key, value } => {
                let value = value.into();
                if let Some(Entry { value: Value::List(list), .. }) = self.entries.get_mut(key) {
                    match end {
                        End::Front => list.push_front(value),
                        End::Back => list.push_back(value),
                    }
                } else {
                    self.insert(key, Entry { value: Value::List(VecDeque::from([value])), expire_at: None });
                }
            }
            Operation::Pop { end, key, count } => {
                self.pop(end, key, usize::try_from(count).unwrap_or(usize::MAX));
            }
            // The store does it to all.
            Operation::Flush => *self = Keys::default(),
        }
    }

    /// Takes up to `count` values off an end of a list, the outermost first. An empty list is no list.
    pub(super) fn pop(&mut self, end: End, key: &[u8], count: usize) -> Vec<Bytes> {
        let Some(Entry { value: Value::List(list), .. }) = self.entries.get_mut(key) else {
            return Vec::new();
        };
        let count = count.min(list.len());
        let popped = match end {
            End::Front => list.drain(..count).collect(),
            End::Back => list.drain(list.len() - count..).rev().collect(),
        };
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

    fn set(keys: &mut Keys, key: &str, value: &str, expire_at: Option<u64>) {
        keys.apply(Operation::Set { key: key.as_bytes(), value: value.as_bytes(), expire_at });
    }

    #[test]
    fn an_entry_is_gone_at_its_time_and_dropped_by_the_expirer() {
        let mut keys = Keys::default();
        set(&mut keys, "a", "1", Some(100));
        set(&mut keys, "b", "2", Some(200));
        set(&mut keys, "c", "3", None);
        assert_eq!(keys.string(b"a", 99).unwrap().as_deref(), Some(&b"1"[..]));
        assert_eq!(keys.string(b"a", 100), Ok(None));
        assert!(!keys.has_expired(99));
        assert!(keys.has_expired(100));
        assert_eq!(keys.expire(300, 1), 1);
        assert_eq!(keys.len(), 2);
        assert_eq!(keys.expire(300, 9), 1);
        assert_eq!(keys.len(), 1);
        assert_eq!(keys.deadlines.len(), 0);
    }

    #[test]
    fn setting_again_moves_or_lifts_the_expiry() {
        let mut keys = Keys::default();
        set(&mut keys, "a", "1", Some(100));
        set(&mut keys, "a", "2", Some(300));
        assert_eq!(keys.expire(200, 9), 0);
        assert_eq!(keys.expire_at(b"a", 200), Some(300));
        set(&mut keys, "a", "3", None);
        assert_eq!(keys.expire(400, 9), 0);
        assert!(keys.deadlines.is_empty());
        set(&mut keys, "a", "4", Some(500));
        keys.apply(Operation::Delete { key: b"a" });
        assert!(keys.deadlines.is_empty());
        assert_eq!(keys.len(), 0);
    }

    #[test]
    fn lists_replace_what_is_in_the_way_at_replay() {
        let mut keys = Keys::default();
        set(&mut keys, "l", "string", Some(u64::MAX));
        assert_eq!(keys.list_len(b"l", 0), Err(StoreError::WrongType));
        for value in [b"a", b"b"] {
            keys.apply(Operation::Push { end: End::Front, key: b"l", value });
        }
        assert_eq!(keys.list_len(b"l", u64::MAX), Ok(Some(2)));
        assert!(keys.deadlines.is_empty());
        assert_eq!(keys.string(b"l", 0), Err(StoreError::WrongType));
        assert_eq!(keys.pop(End::Front, b"l", 5).concat(), b"ba");
        assert_eq!(keys.len(), 0);
    }

    /// The list `abcdef` at the key `l`, made from both of its ends.
    fn six() -> Keys {
        let mut keys = Keys::default();
        for (end, value) in [
            (End::Back, b"d"),
            (End::Front, b"c"),
            (End::Front, b"b"),
            (End::Back, b"e"),
            (End::Front, b"a"),
            (End::Back, b"f"),
        ] {
            keys.apply(Operation::Push { end, key: b"l", value });
        }
        keys
    }

    #[test]
    fn both_ends_of_a_list() {
        let mut keys = six();
        assert_eq!(keys.pop(End::Back, b"l", 2).concat(), b"fe");
        assert_eq!(keys.pop(End::Front, b"l", 1).concat(), b"a");
        assert_eq!(keys.pop(End::Back, b"l", 0).concat(), b"");
        assert_eq!(keys.list_len(b"l", 0), Ok(Some(3)));
        keys.apply(Operation::Pop { end: End::Back, key: b"l", count: u64::MAX });
        assert_eq!(keys.list_len(b"l", 0), Ok(None));
    }

    #[test]
    fn ranges_of_a_list() {
        let keys = six();
        for (start, stop, expected) in [
            (0, -1, "abcdef"),
            (0, 0, "a"),
            (1, 2, "bc"),
            (-2, -1, "ef"),
            (-6, 0, "a"),
            (-7, 0, "a"),
            (i64::MIN, i64::MAX, "abcdef"),
            (5, 6, "f"),
            (6, 6, ""),
            (3, 2, ""),
            (-1, -2, ""),
            (0, -6, "a"),
            (0, -7, ""),
            (0, i64::MIN, ""),
            (i64::MAX, i64::MAX, ""),
        ] {
            let range = keys.range(b"l", 0, start, stop).unwrap().concat();
            assert_eq!(range, expected.as_bytes(), "{start} to {stop}");
        }
        assert_eq!(keys.range(b"none", 0, 0, -1), Ok(Vec::new()));
    }

    #[test]
    fn flushed_keys_are_gone_with_their_deadlines() {
        let mut keys = six();
        set(&mut keys, "a", "1", Some(100));
        assert_eq!((keys.len(), keys.expiring()), (2, 1));
        keys.apply(Operation::Flush);
        assert_eq!((keys.len(), keys.expiring()), (0, 0));
        assert!(!keys.has_expired(u64::MAX));
    }
}
