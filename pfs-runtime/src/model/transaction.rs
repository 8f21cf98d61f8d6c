//! What a transaction's record holds beyond that of any event.

use core::sync::atomic::AtomicU64;

/// How far a transaction sees the changes of others: the column `ISOLATION_LEVEL`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum Isolation {
    /// Changes that are not committed are seen.
    ReadUncommitted = 1,
    /// Each statement sees what was committed when it began.
    ReadCommitted = 2,
    /// Every statement sees what was committed when the transaction began.
    RepeatableRead = 3,
    /// As if transactions ran one after the other.
    Serializable = 4,
    /// Every statement sees one version, and writes of others are conflicts.
    Snapshot = 5,
}

impl Isolation {
    fn from_number(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::ReadUncommitted),
            2 => Some(Self::ReadCommitted),
            3 => Some(Self::RepeatableRead),
            4 => Some(Self::Serializable),
            5 => Some(Self::Snapshot),
            _ => None,
        }
    }

    /// The text of the column `ISOLATION_LEVEL`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ReadUncommitted => "READ UNCOMMITTED",
            Self::ReadCommitted => "READ COMMITTED",
            Self::RepeatableRead => "REPEATABLE READ",
            Self::Serializable => "SERIALIZABLE",
            Self::Snapshot => "SNAPSHOT",
        }
    }
}

/// What is said of a transaction, and how it ended, in one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Characteristics(pub(crate) u64);

impl Characteristics {
    const COMMITTED: u64 = 1;
    const READ_ONLY: u64 = 1 << 1;
    const AUTOCOMMIT: u64 = 1 << 2;
    const ISOLATION: u32 = 8;

    /// Those of a transaction that begins.
    pub const fn new(read_only: bool, autocommit: bool, isolation: Option<Isolation>) -> Self {
        let isolation = match isolation {
            Some(isolation) => isolation as u64,
            None => 0,
        };
        Self(
            (if read_only { Self::READ_ONLY } else { 0 })
                | (if autocommit { Self::AUTOCOMMIT } else { 0 })
                | isolation << Self::ISOLATION,
        )
    }

    /// The same of a transaction that was committed.
    #[must_use]
    pub const fn committed(self) -> Self {
        Self(self.0 | Self::COMMITTED)
    }

    /// Whether it was committed.
    pub const fn is_committed(self) -> bool {
        self.0 & Self::COMMITTED != 0
    }

    /// Whether it only reads.
    pub const fn is_read_only(self) -> bool {
        self.0 & Self::READ_ONLY != 0
    }

    /// Whether it is the transaction of one statement.
    pub const fn is_autocommit(self) -> bool {
        self.0 & Self::AUTOCOMMIT != 0
    }

    /// Its isolation level, if that was told.
    #[expect(clippy::cast_possible_truncation, reason = "the level is a byte")]
    pub fn isolation(self) -> Option<Isolation> {
        Isolation::from_number((self.0 >> Self::ISOLATION) as u8)
    }
}

/// The savepoints of a transaction; they follow its record in memory.
#[derive(Debug)]
#[repr(C)]
pub struct Savepoints {
    /// How often each was done: see [`Savepoint`].
    pub counts: [AtomicU64; 3],
}

laid_out!(Savepoints { counts });

/// What can be done with a savepoint, by its place among the counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Savepoint {
    /// `NUMBER_OF_SAVEPOINTS`.
    Set = 0,
    /// `NUMBER_OF_ROLLBACK_TO_SAVEPOINT`.
    RollbackTo = 1,
    /// `NUMBER_OF_RELEASE_SAVEPOINT`.
    Release = 2,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_transaction_is_read_back() {
        let levels = [
            None,
            Some(Isolation::ReadUncommitted),
            Some(Isolation::ReadCommitted),
            Some(Isolation::RepeatableRead),
            Some(Isolation::Serializable),
            Some(Isolation::Snapshot),
        ];
        for isolation in levels {
            for (read_only, autocommit) in [(false, false), (false, true), (true, false), (true, true)] {
                let said = Characteristics::new(read_only, autocommit, isolation);
                for (said, committed) in [(said, false), (said.committed(), true)] {
                    assert_eq!(
                        (said.is_read_only(), said.is_autocommit(), said.isolation(), said.is_committed()),
                        (read_only, autocommit, isolation, committed)
                    );
                }
            }
        }
    }
}
