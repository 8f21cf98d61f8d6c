//! The total of a class over living contexts, ended ones and what was counted without one.

use super::{Values, merge};
use crate::sequence::Sequence;

/// A number that is odd while counts of one class move from one place to another, so that a reader who sums the
/// places neither misses them nor counts them twice.
///
/// Moves are made under one lock; readers take none.
#[repr(transparent)]
#[derive(Debug)]
pub struct Moves(Sequence);

laid_out!(Moves { 0 });

impl Moves {
    /// No move made yet.
    pub fn new() -> Self {
        Self(Sequence::new())
    }

    /// Moves counts. The caller holds the lock under which folds are serialised.
    pub fn make(&self, change: impl FnOnce()) {
        self.0.write(change);
    }
}

impl Default for Moves {
    fn default() -> Self {
        Self::new()
    }
}

/// Sums `places` while no count moves between them.
///
/// `places` is called with a function that adds one place's values; it returns `None` if a place could not be
/// read whole. The whole is `None` if that happened, or if counts kept moving.
pub fn total<const N: usize>(
    moves: &Moves,
    mut places: impl FnMut(&mut dyn FnMut(&Values<N>)) -> Option<()>,
) -> Option<Values<N>> {
    moves.0.read(|_| {
        let mut sum = [0; N];
        places(&mut |values| merge(&mut sum, values)).map(|()| sum)
    })?
}
