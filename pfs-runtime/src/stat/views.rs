//! The two views of a lock's row, by instance and by source, each of which can be restarted by itself.
//!
//! There is one row to count in. When one view is restarted, the row is emptied, and what the other still shows of it is
//! kept beside it.

use super::{Leaf, Marks, Shared, Values, merge};
use crate::atomic::{AtomicU64, Ordering};

/// A view of a lock's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// By instance.
    Instance,
    /// By source: the instances that were made at one place, together.
    Source,
}

impl View {
    const fn other(self) -> Self {
        match self {
            Self::Instance => Self::Source,
            Self::Source => Self::Instance,
        }
    }

    const fn number(self) -> u64 {
        match self {
            Self::Instance => 1,
            Self::Source => 2,
        }
    }
}

/// What one of the views shows beside the row, because the other was restarted since.
///
/// It changes only while the row does, and all-zero memory keeps nothing.
#[repr(C)]
#[derive(Debug)]
pub struct Kept<const N: usize> {
    /// The view that shows it.
    shown_by: AtomicU64,
    fields: [AtomicU64; N],
}

laid_out!(impl[const N: usize] Kept<N> as Kept { shown_by, fields });

impl<const N: usize> Kept<N> {
    /// Nothing is kept.
    pub fn new() -> Self {
        Self { shown_by: AtomicU64::new(0), fields: core::array::from_fn(|_| AtomicU64::new(0)) }
    }

    fn of(&self, view: View) -> Values<N> {
        if self.shown_by.load(Ordering::Relaxed) == view.number() {
            core::array::from_fn(|field| self.fields[field].load(Ordering::Relaxed))
        } else {
            [0; N]
        }
    }

    fn keep(&self, view: View, values: &Values<N>) {
        self.shown_by.store(view.number(), Ordering::Relaxed);
        for (field, value) in self.fields.iter().zip(values) {
            field.store(*value, Ordering::Relaxed);
        }
    }

    /// Keeps nothing.
    pub fn forget(&self) {
        self.shown_by.store(0, Ordering::Relaxed);
    }
}

impl<const N: usize> Default for Kept<N> {
    fn default() -> Self {
        Self::new()
    }
}

/// A lock's row with both its views.
#[derive(Clone, Copy)]
#[cfg_attr(not(loom), derive(Debug))]
pub struct Views<'a, const N: usize> {
    /// How the row is written.
    pub marks: &'a Marks,
    /// The row, if the holder of the lock writes it.
    pub row: &'a Leaf<N>,
    /// The row, if several threads write it at once.
    pub shared: &'a Shared<N>,
    /// What one of the views shows beside it.
    pub kept: &'a Kept<N>,
}

impl<const N: usize> Views<'_, N> {
    /// What a view shows; `None` if it could not be read whole.
    pub fn read(&self, view: View) -> Option<Values<N>> {
        let (mut values, kept) = if self.marks.is_many() {
            self.shared.sequence.read(|_| (self.shared.read(), self.kept.of(view)))?
        } else if self.marks.is_asked(view) {
            return Some([0; N]);
        } else {
            self.row.read_beside(|| self.kept.of(view))?
        };
        merge(&mut values, &kept);
        Some(values)
    }

    /// Asks for a restart of a view of a row that the holder of the lock writes; or restarts it, if several threads write
    /// the row. Callers are serialised, and have claimed the latter.
    pub fn restart(&self, view: View) {
        if self.marks.is_many() {
            self.shared.sequence.write(|| self.keep_for_other(view, &self.shared.take()));
        } else {
            self.marks.ask_restart(view);
        }
    }

    /// Restarts what was asked. Only the holder of the lock may call this, and counts afterwards.
    pub fn carry_out(&self) {
        self.marks.carry_out(|[instance, source]| {
            self.row.empty(|held| match (instance, source) {
                (true, true) => self.kept.forget(),
                (true, false) => self.keep_for_other(View::Instance, held),
                (false, true) => self.keep_for_other(View::Source, held),
                (false, false) => {}
            });
        });
    }

    fn keep_for_other(&self, restarted: View, held: &Values<N>) {
        let other = restarted.other();
        let mut values = self.kept.of(other);
        merge(&mut values, held);
        self.kept.keep(other, &values);
    }

    /// Empties the row and both views, and gives what the view by source showed. The instance has ended, and no one counts
    /// or restarts any more.
    pub fn end(&self) -> Values<N> {
        let mut values = self.kept.of(View::Source);
        if self.marks.is_many() {
            merge(&mut values, &self.shared.take());
        } else {
            self.row.empty(|held| merge(&mut values, held));
            if self.marks.is_asked(View::Source) {
                values = [0; N];
            }
        }
        self.kept.forget();
        values
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::{STAGE_FIELDS, WAIT_FIELDS};
    use super::*;

    struct Lock {
        marks: Marks,
        row: Leaf<WAIT_FIELDS>,
        shared: Shared<WAIT_FIELDS>,
        kept: Kept<WAIT_FIELDS>,
    }

    impl Lock {
        fn new(many: bool) -> Self {
            let marks = Marks::default();
            marks.reset(many);
            Self { marks, row: Leaf::new(), shared: Shared::new(), kept: Kept::new() }
        }

        fn views(&self) -> Views<'_, WAIT_FIELDS> {
            Views { marks: &self.marks, row: &self.row, shared: &self.shared, kept: &self.kept }
        }

        fn count(&self, ticks: u64) {
            if self.marks.is_many() {
                self.shared.add_timed(ticks);
            } else {
                self.views().carry_out();
                self.row.add_timed(ticks);
            }
        }

        /// Count, sum, minimum and maximum by instance and by source.
        fn shown(&self) -> [[u64; STAGE_FIELDS]; 2] {
            [View::Instance, View::Source].map(|view| {
                let [count, sum, min, max, ..] = self.views().read(view).unwrap();
                [count, sum, if min == 0 { 0 } else { !min }, max]
            })
        }
    }

    #[test]
    fn each_view_is_restarted_by_itself() {
        for many in [false, true] {
            let lock = Lock::new(many);
            lock.count(5);
            lock.count(3);
            assert_eq!(lock.shown(), [[2, 8, 3, 5]; 2]);
            lock.views().restart(View::Instance);
            assert_eq!(lock.shown(), [[0; 4], [2, 8, 3, 5]]);
            lock.count(7);
            assert_eq!(lock.shown(), [[1, 7, 7, 7], [3, 15, 3, 7]]);
            // Again, with something kept already.
            lock.views().restart(View::Instance);
            lock.count(1);
            assert_eq!(lock.shown(), [[1, 1, 1, 1], [4, 16, 1, 7]]);
            // The other, which drops what is kept for it.
            lock.views().restart(View::Source);
            assert_eq!(lock.shown(), [[1, 1, 1, 1], [0; 4]]);
            lock.count(9);
            assert_eq!(lock.shown(), [[2, 10, 1, 9], [1, 9, 9, 9]]);
            // Both, before anything is counted again.
            lock.views().restart(View::Instance);
            lock.views().restart(View::Source);
            assert_eq!(lock.shown(), [[0; 4]; 2]);
            lock.count(2);
            assert_eq!(lock.shown(), [[1, 2, 2, 2]; 2]);
        }
    }

    #[test]
    fn an_end_gives_what_the_view_by_source_showed() {
        for many in [false, true] {
            let lock = Lock::new(many);
            lock.count(5);
            lock.views().restart(View::Instance);
            lock.count(3);
            assert_eq!(lock.views().end(), [2, 8, !3, 5, 0, 0, 0]);
            assert_eq!(lock.shown(), [[0; 4]; 2]);

            let lock = Lock::new(many);
            lock.count(5);
            lock.views().restart(View::Source);
            assert_eq!(lock.views().end(), [0; WAIT_FIELDS]);
        }
    }
}
