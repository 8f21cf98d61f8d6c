//! What one lock of the store guards: the keys of every database that fall to it. No locks, no log.

use std::ops::{Index, IndexMut};

use super::keys::Keys;
use crate::database::Database;

#[derive(Debug, Default)]
pub(super) struct Shard {
    databases: [Keys; Database::COUNT],
}

impl Shard {
    /// Keys of all databases.
    pub(super) fn len(&self) -> usize {
        self.databases.iter().map(Keys::len).sum()
    }

    pub(super) fn has_expired(&self, now: u64) -> bool {
        self.databases.iter().any(|keys| keys.has_expired(now))
    }

    /// Drops up to `most` entries whose time is up and returns how many.
    pub(super) fn expire(&mut self, now: u64, most: usize) -> usize {
        self.databases.iter_mut().fold(0, |dropped, keys| dropped + keys.expire(now, most - dropped))
    }
}

impl Index<Database> for Shard {
    type Output = Keys;

    fn index(&self, database: Database) -> &Keys {
        &self.databases[usize::from(database.number())]
    }
}

impl IndexMut<Database> for Shard {
    fn index_mut(&mut self, database: Database) -> &mut Keys {
        &mut self.databases[usize::from(database.number())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::Operation;

    #[test]
    fn the_expirer_stops_at_its_most_over_all_databases() {
        let mut shard = Shard::default();
        for database in Database::all() {
            shard[database].apply(Operation::Set { key: b"k", value: b"v", expire_at: Some(10) });
        }
        assert_eq!(shard.len(), 16);
        assert!(!shard.has_expired(9));
        assert_eq!([shard.expire(9, 100), shard.expire(10, 10), shard.expire(10, 100)], [0, 10, 6]);
        assert_eq!((shard.len(), shard.has_expired(10)), (0, false));
    }
}
