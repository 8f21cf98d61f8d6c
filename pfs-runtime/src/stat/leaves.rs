//! The rows of one kind of event that a context owns: one a class, each with its carries.

use super::{Leaf, Level, Moves, Request, Requests, Sink, Values};
use crate::atomic::{AtomicU64, Ordering};

/// The rows of a context for one kind of event.
///
/// A level above that of threads shows a row together with that level's carry: what a restart of a level below moved up
/// while the context lives. A carry is written only within its row's sequence number. `touched` has a bit for every
/// class whose row may hold something, so that a context that ends folds only what it used.
#[derive(Clone, Copy)]
#[cfg_attr(not(loom), derive(Debug))]
pub struct Leaves<'a, const N: usize> {
    /// A row a class.
    pub rows: &'a [Leaf<N>],
    /// What was moved up from each row, for each of [`Level::UPPER`].
    pub carries: [&'a [Leaf<N>]; 4],
    /// A bit a class.
    pub touched: &'a [AtomicU64],
    /// Not zero once a carry may hold something: until then none is looked at, and none becomes resident.
    pub carried: &'a AtomicU64,
}

/// Where a context's counts go when it leaves them, a row a class for each of [`Level::UPPER`]; `None` where its level has
/// no row for it.
pub type Sinks<'a, const N: usize> = [Option<&'a [Sink<N>]>; 4];

/// Where and how a context's counts are moved.
#[derive(Clone, Copy)]
pub struct Fold<'a, const N: usize> {
    /// The number of the kind of event.
    pub kind: u32,
    /// Where they go.
    pub sinks: Sinks<'a, N>,
    /// Tells readers of a class that counts move.
    pub moves: &'a [Moves],
    /// Picoseconds of the sum of the times of a row.
    pub picos: &'a dyn Fn(&Values<N>) -> u64,
}

impl<const N: usize> Leaves<'_, N> {
    /// Words of `touched` for so many classes.
    pub const fn touched_words(classes: usize) -> usize {
        classes.div_ceil(64)
    }

    /// Remembers that the row of `class` holds something, before it does. Only the owner may call this, or what interrupts
    /// it: therefore in one step.
    pub fn touch(&self, class: usize) {
        let (word, bit) = (&self.touched[class / 64], 1 << (class % 64));
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Whether a row that holds something is changing under whom the caller interrupted. Then nothing else may be done to
    /// the rows.
    pub fn is_changing(&self) -> bool {
        let mut changing = false;
        self.each_touched(|class| changing |= self.rows[class].is_changing());
        changing
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
        if !asked(Request::that_restart(kind, Level::Thread)) {
            return;
        }
        let restarts = Level::UPPER.map(|level| asked(Request::that_restart(kind, level)));
        if !self.is_carried() && restarts == [true; 4] {
            return self.each_touched(|class| self.rows[class].empty(|_| ()));
        }
        self.each_touched(|class| {
            self.rows[class].empty(|held| {
                self.carried.store(1, Ordering::Relaxed);
                for (carries, restarts) in self.carries.iter().zip(restarts) {
                    let carry = &carries[class];
                    carry.set_all(&if restarts { [0; N] } else { carry.carried(held) });
                }
            });
        });
    }

    /// Moves everything to where `fold` says and leaves the rows empty; what was to be restarted is left out.
    ///
    /// The caller owns the context and holds the lock under which folds are serialised.
    pub fn leave(&self, requests: &Requests, fold: &Fold<'_, N>) {
        self.move_out(requests, fold, |_| ());
    }

    /// The same at the context's end, after which the rows are as those of one that never counted.
    pub fn fold(&self, requests: &Requests, fold: &Fold<'_, N>) {
        self.move_out(requests, fold, Leaf::restart);
        self.clear_marks();
    }

    /// Makes the rows those of a context that never counted, whatever its owner, who is no more, had half done. For one
    /// thread alone.
    pub fn wipe(&self) {
        self.each_touched(|class| {
            self.rows[class].wipe();
            if self.is_carried() {
                self.carries.iter().for_each(|carries| carries[class].wipe());
            }
        });
        self.clear_marks();
    }

    fn clear_marks(&self) {
        for word in self.touched {
            word.store(0, Ordering::Relaxed);
        }
        self.carried.store(0, Ordering::Relaxed);
    }

    fn is_carried(&self) -> bool {
        self.carried.load(Ordering::Relaxed) != 0
    }

    fn move_out(&self, requests: &Requests, fold: &Fold<'_, N>, finish: impl Fn(&Leaf<N>)) {
        let restarts = Level::UPPER.map(|level| requests.is_pending(Request::that_restart(fold.kind, level)));
        let carried = self.is_carried();
        self.each_touched(|class| {
            fold.moves[class].make(|| {
                self.rows[class].empty(|held| {
                    for (at, restarts) in restarts.into_iter().enumerate() {
                        let carry = carried.then(|| &self.carries[at][class]);
                        if let (Some(sink), false) = (fold.sinks[at], restarts) {
                            let values = carry.map_or(*held, |carry| carry.carried(held));
                            sink[class].merge(&values, (fold.picos)(&values));
                        }
                        if let Some(carry) = carry {
                            carry.set_all(&[0; N]);
                        }
                    }
                });
                finish(&self.rows[class]);
            });
        });
    }

    /// What this context adds to a level's totals of `class`; `None` if the row could not be read whole.
    pub fn at(&self, level: Level, kind: u32, requests: &Requests, class: usize) -> Option<Values<N>> {
        if requests.is_pending(Request::that_restart(kind, level)) {
            return Some([0; N]);
        }
        match level.upper() {
            None => self.rows[class].read(),
            Some(upper) => {
                let carry = || self.is_carried().then_some(&self.carries[upper][class]);
                self.rows[class].read_carried(carry)
            }
        }
    }
}
