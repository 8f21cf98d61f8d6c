//! The shards of some keys of one database, all of them locked at one moment.

use std::ops::{Deref, DerefMut};

use super::Shards;
use super::keys::Keys;
use super::shard::Shard;
use crate::database::Database;

#[derive(Debug)]
pub(super) struct Locked<'a, G> {
    shards: &'a Shards,
    database: Database,
    /// By the shard's number, ascending.
    guards: Vec<(usize, G)>,
}

impl<'a, G: Deref<Target = Shard>> Locked<'a, G> {
    /// Locks the shard of each of `keys` once, in ascending order: who needs several never waits for one who waits for
    /// them.
    pub(super) fn all<'k>(
        shards: &'a Shards,
        database: Database,
        keys: impl Iterator<Item = &'k [u8]>,
        mut lock: impl FnMut(usize) -> G,
    ) -> Self {
        let mut numbers: Vec<usize> = keys.map(|key| shards.number(database, key)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let guards = numbers.into_iter().map(|number| (number, lock(number))).collect();
        Locked { shards, database, guards }
    }

    fn place(&self, key: &[u8]) -> usize {
        let number = self.shards.number(self.database, key);
        self.guards.partition_point(|(other, _)| *other < number)
    }

    /// The keys among which `key` is. It has to be one of those that the shards were locked for.
    pub(super) fn of(&self, key: &[u8]) -> &Keys {
        &self.guards[self.place(key)].1[self.database]
    }

    pub(super) fn of_mut(&mut self, key: &[u8]) -> &mut Keys
    where
        G: DerefMut,
    {
        let place = self.place(key);
        &mut self.guards[place].1[self.database]
    }
}
