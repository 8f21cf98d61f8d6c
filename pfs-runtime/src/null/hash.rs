//! No hashes: nothing has a digest.

use core::fmt::Display;

pub(super) fn of(_: Option<&[u8]>, _: &[u8]) -> [u64; 2] {
    [0; 2]
}

pub(super) fn sha256(_: &impl Display) -> [u8; 32] {
    [0; 32]
}
