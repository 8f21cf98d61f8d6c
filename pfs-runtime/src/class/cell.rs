//! Where a class keeps its word.

use super::Word;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A word that the schema writes and the hot path reads.
#[derive(Debug)]
pub(super) struct WordCell(AtomicU64);

laid_out!(WordCell { 0 });

impl WordCell {
    pub(super) const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    #[inline(always)]
    pub(super) fn get(&self) -> Word {
        Word(self.0.load(Relaxed))
    }

    pub(super) fn set(&self, word: Word) {
        self.0.store(word.0, Relaxed);
    }
}
