//! The rows of one kind of event that a context owns: one a class, each with its carry.

use super::{Leaf, Moves, Request, Requests, Values};
use crate::atomic::{AtomicU64, Ordering};

/// The rows of a context for one kind of event.
///
/// `carries` holds what `TRUNCATE` moved up from the rows while the context lives: it is no longer shown by
/// thread and still part of every total above. A carry is written only within its row's sequence number.
/// `touched` has a bit for every class whose row may hold something, so that a context that ends folds
/// only what it used.
#[derive(Clone, Copy)]
#[cfg_attr(not(loom), derive(Debug))]
pub struct Leaves<'a, const N: usize> {
    /// A row a class.
    pub rows: &'a [Leaf<N>],
    /// What was moved up from each row.
    pub carries: &'a [Leaf<N>],
    /// A bit a class.
    pub touched: &'a [AtomicU64],
}

impl<const N: usize> Leaves<'_, N> {
    /// Words of `touched` for so many classes.
    pub const fn touched_words(classes: usize) -> usize {
        classes.div_ceil(64)
    }

    /// Remembers that the row of `class` holds something. Only the owner may call this.
    pub fn touch(&self, class: usize) {
        let word = &self.touched[class / 64];
        word.store(word.load(Ordering::Relaxed) | 1 << (class % 64), Ordering::Relaxed);
    }

    fn each_touched(&self, mut act: impl FnMut(usize)) {
        for (at, word) in self.touched.iter().enumerate() {
            let mut bits = word.load(Ordering::Relaxed);
            while bits != 0 {
                act(at * 64 + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }

    /// Carries out what was asked of this kind. Only the owner may call this.
    pub fn attend(&self, kind: u32, asked: &dyn Fn(Request) -> bool) {
        if asked(Request::forget(kind)) {
            self.each_touched(|class| {
                self.rows[class].take(&self.carries[class]);
            });
        } else if asked(Request::carry(kind)) {
            self.each_touched(|class| self.rows[class].carry_into(&self.carries[class]));
        }
    }

    /// Moves everything into `retired` and leaves the rows empty.
    ///
    /// The caller owns the context and holds the lock under which folds are serialised; what was to be forgotten
    /// is forgotten here too.
    pub fn fold(&self, kind: u32, requests: &Requests, retired: &[Leaf<N>], moves: &[Moves]) {
        let forget = requests.is_pending(Request::forget(kind));
        self.each_touched(|class| {
            moves[class].make(|| {
                let values = self.rows[class].take(&self.carries[class]);
                if !forget {
                    retired[class].merge(&values);
                }
                self.rows[class].restart();
            });
        });
        for word in self.touched {
            word.store(0, Ordering::Relaxed);
        }
    }

    /// What is shown of `class` by thread; `None` if the row could not be read whole.
    pub fn by_thread(&self, kind: u32, requests: &Requests, class: usize) -> Option<Values<N>> {
        if requests.is_pending(Request::carry(kind)) || requests.is_pending(Request::forget(kind)) {
            return Some([0; N]);
        }
        self.rows[class].read()
    }

    /// What this context adds to the totals of `class`; `None` if the row could not be read whole.
    pub fn in_total(&self, kind: u32, requests: &Requests, class: usize) -> Option<Values<N>> {
        if requests.is_pending(Request::forget(kind)) {
            return Some([0; N]);
        }
        self.rows[class].read_carried(&self.carries[class])
    }
}
