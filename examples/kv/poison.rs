//! Locks whose holder panicked: the data of this server is whole between any two statements, so it goes on.

use pfs::sync::{LockResult, PoisonError};

/// Takes a guard whether or not an earlier holder panicked.
pub(crate) trait Recover {
    type Guard;

    fn recover(self) -> Self::Guard;
}

impl<G> Recover for LockResult<G> {
    type Guard = G;

    fn recover(self) -> G {
        self.unwrap_or_else(PoisonError::into_inner)
    }
}
