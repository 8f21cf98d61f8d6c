//! What a wait was doing, as the column `OPERATION` shows it.
//!
//! Every rwlock is read and written by the same words, whichever crate made it. The reference has others for an rwlock
//! that can be upgraded, its `sxlock`; here they say only what reading and writing does not: `shared_exclusive_lock` is
//! the read that can be upgraded, `exclusive_lock` the upgrade.

/// The operation of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Operation {
    /// Locking a mutex.
    Lock = 1,
    /// Trying to.
    TryLock,
    /// Locking an rwlock for reading.
    ReadLock,
    /// Locking an rwlock for writing.
    WriteLock,
    /// Trying to lock for reading.
    TryReadLock,
    /// Trying to lock for writing.
    TryWriteLock,
    /// Locking an rwlock for reading, with the right to lock it exclusively later: one may at a time, beside readers.
    SharedExclusiveLock,
    /// Trying to.
    TrySharedExclusiveLock,
    /// Locking exclusively what is locked with the right to.
    ExclusiveLock,
    /// Trying to.
    TryExclusiveLock,
    /// Waiting on a condition.
    Wait,
    /// Waiting on a condition for a limited time.
    TimedWait,
    /// Waiting for the next request.
    Idle,
}

impl Operation {
    const ALL: [Self; 13] = [
        Self::Lock,
        Self::TryLock,
        Self::ReadLock,
        Self::WriteLock,
        Self::TryReadLock,
        Self::TryWriteLock,
        Self::SharedExclusiveLock,
        Self::TrySharedExclusiveLock,
        Self::ExclusiveLock,
        Self::TryExclusiveLock,
        Self::Wait,
        Self::TimedWait,
        Self::Idle,
    ];

    /// The operation of that number, as it is kept in a record.
    pub(crate) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// The text of the column `OPERATION`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lock => "lock",
            Self::TryLock => "try_lock",
            Self::ReadLock => "read_lock",
            Self::WriteLock => "write_lock",
            Self::TryReadLock => "try_read_lock",
            Self::TryWriteLock => "try_write_lock",
            Self::SharedExclusiveLock => "shared_exclusive_lock",
            Self::TrySharedExclusiveLock => "try_shared_exclusive_lock",
            Self::ExclusiveLock => "exclusive_lock",
            Self::TryExclusiveLock => "try_exclusive_lock",
            Self::Wait => "wait",
            Self::TimedWait => "timed_wait",
            Self::Idle => "idle",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lead_back_to_their_operation() {
        for operation in Operation::ALL {
            assert_eq!(Operation::from_number(operation as u8), Some(operation));
        }
        assert_eq!(Operation::from_number(0), None);
        assert_eq!(Operation::from_number(14), None);
    }

    #[test]
    fn their_texts_are_those_of_the_reference() {
        let texts = Operation::ALL.map(Operation::as_str);
        assert_eq!(
            texts,
            [
                "lock",
                "try_lock",
                "read_lock",
                "write_lock",
                "try_read_lock",
                "try_write_lock",
                "shared_exclusive_lock",
                "try_shared_exclusive_lock",
                "exclusive_lock",
                "try_exclusive_lock",
                "wait",
                "timed_wait",
                "idle",
            ]
        );
    }
}
