//! The row of statistics that exactly one context writes and any thread reads whole.

use super::{COUNT, COUNTERS, IMMEDIATE, MAX, MIN, SUM, SUM_WAITED, WAITED};
use crate::atomic::{AtomicU64, Ordering};
use crate::sequence::Sequence;

/// The values of a row, copied out.
pub type Values<const N: usize> = [u64; N];

/// A row of `N` fields behind a sequence number.
///
/// All-zero memory is a row that has counted nothing. The sequence number is odd while fields that belong
/// together change; a change of a single field needs no new sequence number, because the row is whole before and
/// after it.
///
/// An event that is timed is one such change, so the sequence number counts those events too: the row's count is the
/// number of changes plus its first field, which holds what else was counted, less the changes that were no events.
///
/// A signal handler may interrupt the writer and count in the same row. What is one field is added in one step, so neither
/// loses the other's event. What is more is added by the handler only if the row is not changing just then.
#[repr(C)]
#[derive(Debug)]
pub struct Leaf<const N: usize> {
    sequence: Sequence,
    fields: [AtomicU64; N],
}

laid_out!(impl[const N: usize] Leaf<N> as Leaf { sequence, fields });

impl<const N: usize> Leaf<N> {
    /// A row that has counted nothing.
    pub fn new() -> Self {
        Self { sequence: Sequence::new(), fields: core::array::from_fn(|_| AtomicU64::new(0)) }
    }

    #[inline(always)]
    fn get(&self, field: usize) -> u64 {
        self.fields[field].load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn set(&self, field: usize, value: u64) {
        self.fields[field].store(value, Ordering::Relaxed);
    }

    /// Adds 1 to a field that changes alone, in a step that a signal handler on this thread comes before or after.
    ///
    /// Release: the row may have had another writer before (its context moved to this thread, its lock came to this
    /// holder). A reader that sees what this one stored sees that the row changed under that one too, and does not
    /// put the new field beside old ones.
    #[inline(always)]
    fn count_alone<const FIELD: usize>(&self) {
        #[cfg(one_instruction_adds)]
        // SAFETY: the field is an atomic of this row that no other thread stores to. The instruction is the load and the
        // store of an addition; on this processor stores are seen in order, and the compiler moves no access across it,
        // so that it orders as a release would.
        unsafe {
            core::arch::asm!(
                "inc qword ptr [{row} + {at}]",
                row = in(reg) core::ptr::from_ref(self),
                at = const size_of::<Sequence>() + size_of::<u64>() * FIELD,
                options(nostack)
            );
        }
        #[cfg(not(one_instruction_adds))]
        self.fields[FIELD].fetch_add(1, Ordering::Release);
    }

    /// Makes a change that is an event. Only the row's one writer may call this, and only while the row is not changing.
    #[inline(always)]
    fn event(&self, change: impl FnOnce(&Self)) {
        self.sequence.write_interruptibly(|| change(self));
    }

    /// Whether the row was changed before, and is not changing just now under whom the caller interrupted: then
    /// an event of several fields may be added right away. Cost: one load.
    #[inline(always)]
    pub fn is_at_rest(&self) -> bool {
        self.sequence.is_at_rest()
    }

    /// Whether the row is changing under whom the caller interrupted.
    pub fn is_changing(&self) -> bool {
        self.sequence.is_changing()
    }

    /// Whether an event that was not timed was counted before. Cost: one load.
    #[inline(always)]
    pub fn has_counted(&self) -> bool {
        self.get(COUNT) != 0
    }

    /// Makes a change that is no event, and leaves the row with `values`. Only the row's one writer may call this.
    fn put(&self, values: &Values<N>, beside: impl FnOnce()) {
        let writes = self.sequence.writes() + 1;
        self.sequence.write(|| {
            self.set(COUNT, values[COUNT].wrapping_sub(writes));
            for (field, value) in values.iter().enumerate().skip(COUNT + 1) {
                self.set(field, *value);
            }
            beside();
        });
    }

    /// Counts one event that was not timed.
    #[inline(always)]
    pub fn add_counted(&self) {
        self.count_alone::<COUNT>();
    }

    /// Counts one event of `ticks`.
    #[inline(always)]
    pub fn add_timed(&self, ticks: u64) {
        self.event(|row| row.add_time(ticks));
    }

    /// Counts one event, of so many ticks if it was timed.
    #[inline(always)]
    pub fn add_event(&self, ticks: Option<u64>) {
        match ticks {
            Some(ticks) => self.add_timed(ticks),
            None => self.add_counted(),
        }
    }

    #[inline(always)]
    fn add_time(&self, ticks: u64) {
        self.set(SUM, self.get(SUM).wrapping_add(ticks));
        if self.get(MIN) < !ticks {
            self.set(MIN, !ticks);
        }
        if self.get(MAX) < ticks {
            self.set(MAX, ticks);
        }
    }

    /// What a reader sees of the row, whole; `None` if its writer never left it alone long enough.
    pub fn read(&self) -> Option<Values<N>> {
        self.sequence.read(|writes| self.plain(writes))
    }

    /// The row whole, with what lies beside it and changes only while the row does.
    pub(super) fn read_beside<R>(&self, beside: impl Fn() -> R) -> Option<(Values<N>, R)> {
        self.sequence.read(|writes| (self.plain(writes), beside()))
    }

    /// The row and one of its carries, if it has one, put together, whole: the carry changes only while the row does.
    pub(super) fn read_carried<'a>(&self, carry: impl Fn() -> Option<&'a Self>) -> Option<Values<N>> {
        self.sequence.read(|writes| {
            let mut values = self.plain(writes);
            if let Some(carry) = carry() {
                super::merge(&mut values, &carry.plain(0));
            }
            values
        })
    }

    /// The fields one by one, for a caller that knows, or finds out afterwards, that the row is at rest.
    fn plain(&self, writes: u64) -> Values<N> {
        core::array::from_fn(|field| match field {
            COUNT => self.get(COUNT).wrapping_add(writes),
            _ => self.get(field),
        })
    }

    /// What the row holds. Only the row's one writer may call this.
    fn own(&self) -> Values<N> {
        self.plain(self.sequence.writes())
    }

    /// Adds `values` to the row. Only the row's one writer may call this.
    pub fn merge(&self, values: &Values<N>) {
        self.merge_beside(values, || ());
    }

    /// The same, with a change of what lies beside the row within it.
    pub(super) fn merge_beside(&self, values: &Values<N>, beside: impl FnOnce()) {
        let mut sum = self.own();
        super::merge(&mut sum, values);
        self.put(&sum, beside);
    }

    /// Sets the row back to having counted nothing. Only the row's one writer may call this.
    pub fn clear(&self) {
        self.put(&[0; N], || ());
    }

    /// Empties the row. `beside` gets what it held, and changes its carries within the same change: they change
    /// nowhere else.
    pub(super) fn empty(&self, beside: impl FnOnce(&Values<N>)) {
        let held = self.own();
        self.put(&[0; N], || beside(&held));
    }

    /// Of a row that is a carry: what it holds together with `values`. Only the row's one writer may call this.
    pub(super) fn carried(&self, values: &Values<N>) -> Values<N> {
        let mut sum = self.plain(0);
        super::merge(&mut sum, values);
        sum
    }

    /// Sets the fields of a row that is a carry.
    pub(super) fn set_all(&self, values: &Values<N>) {
        for (field, value) in values.iter().enumerate() {
            self.set(field, *value);
        }
    }

    /// Makes the row what zeroed memory is, whatever its writer, who is no more, had half done. For one thread alone.
    pub fn wipe(&self) {
        for field in &self.fields {
            field.store(0, Ordering::Relaxed);
        }
        self.sequence.restart();
    }

    /// Makes the row what zeroed memory is, for another life of its context. No reader takes it for whole meanwhile:
    /// the caller is within a move of its class, and the context in no life.
    pub(super) fn restart(&self) {
        self.set(COUNT, 0);
        self.sequence.restart();
    }
}

impl<const N: usize> Default for Leaf<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl Leaf<{ super::WAIT_FIELDS }> {
    /// Counts an acquisition that succeeded at once and was not timed.
    #[inline(always)]
    pub fn add_immediate(&self) {
        self.count_alone::<IMMEDIATE>();
    }

    /// Whether such an acquisition was counted before. Cost: one load.
    #[inline(always)]
    pub fn has_immediate(&self) -> bool {
        self.get(IMMEDIATE) != 0
    }

    /// Counts an acquisition that did not succeed at once and took `ticks`.
    #[inline(always)]
    pub fn add_waited(&self, ticks: u64) {
        self.event(|row| {
            row.add_time(ticks);
            row.set(WAITED, row.get(WAITED).wrapping_add(1));
            row.set(SUM_WAITED, row.get(SUM_WAITED).wrapping_add(ticks));
        });
    }
}

impl Leaf<{ super::STATEMENT_FIELDS }> {
    /// Adds to one of the counters, by its place among them; only while the row is not changing.
    pub fn add_counter(&self, counter: usize, by: u64) {
        self.fields[COUNTERS + counter].fetch_add(by, Ordering::Release);
    }

    /// Counts a statement of `ticks` (none if it was not timed) with its counters.
    pub fn add_statement(&self, ticks: Option<u64>, counters: &[u64; super::STATEMENT_COUNTERS]) {
        self.event(|row| {
            if let Some(ticks) = ticks {
                row.add_time(ticks);
            }
            for (at, counter) in counters.iter().enumerate() {
                row.set(COUNTERS + at, row.get(COUNTERS + at).wrapping_add(*counter));
            }
        });
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::{STAGE_FIELDS, WAIT_FIELDS};
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn a_wait_row_fills_one_cache_line() {
        assert_eq!(size_of::<Leaf<WAIT_FIELDS>>(), 64);
        assert_eq!(size_of::<Leaf<STAGE_FIELDS>>(), 40);
    }

    #[test]
    fn a_row_tells_what_may_be_added_right_away() {
        let row = Leaf::<WAIT_FIELDS>::new();
        let told = || (row.has_counted(), row.has_immediate(), row.is_at_rest(), row.is_changing());
        assert_eq!(told(), (false, false, false, false));
        row.add_timed(5);
        assert_eq!(told(), (false, false, true, false));
        row.event(|row| {
            row.add_time(3);
            assert_eq!(told(), (false, false, false, true));
            // What interrupts this may add single fields.
            row.add_counted();
            row.add_immediate();
        });
        row.add_immediate();
        assert_eq!(told(), (true, true, true, false));
        row.add_waited(9);
        assert_eq!(row.read(), Some([4, 17, !3, 9, 1, 9, 2]));
        // Also within the first change of all.
        let row = Leaf::<WAIT_FIELDS>::new();
        row.event(|row| assert!(row.is_changing() && !row.is_at_rest()));
    }

    #[test]
    fn a_counter_is_no_event() {
        let row = Leaf::<{ super::super::STATEMENT_FIELDS }>::new();
        row.add_timed(4);
        row.add_counter(2, 7);
        let values = row.read().unwrap();
        assert_eq!((values[COUNT], values[COUNTERS + 2]), (1, 7));
    }

    #[test]
    fn carrying_and_taking_keep_every_count() {
        let (row, carry) = (Leaf::<STAGE_FIELDS>::new(), Leaf::new());
        let carry_over = || row.empty(|held| carry.set_all(&carry.carried(held)));
        row.add_timed(5);
        carry_over();
        assert_eq!(row.read(), Some([0; 4]));
        row.add_timed(7);
        assert_eq!(row.read_carried(|| Some(&carry)), Some([2, 12, !5, 7]));
        carry_over();
        assert_eq!(row.read_carried(|| Some(&carry)), Some([2, 12, !5, 7]));
        row.empty(|held| {
            assert_eq!(held, &[0; 4]);
            carry.set_all(held);
        });
        assert_eq!(row.read_carried(|| Some(&carry)), Some([0; 4]));
        row.add_counted();
        row.merge(&[3, 30, !4, 20]);
        row.add_timed(2);
        assert_eq!(row.read(), Some([5, 32, !2, 20]));
        row.clear();
        assert_eq!(row.read(), Some([0; 4]));
        row.add_timed(9);
        assert_eq!(row.read(), Some([1, 9, !9, 9]));
    }

    #[test]
    fn every_row_read_under_load_is_whole() {
        let (row, stop) = (Leaf::<STAGE_FIELDS>::new(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    row.add_timed(11);
                }
            });
            let mut seen = 0;
            while seen < 20_000 {
                if let Some([count, sum, min, max]) = row.read()
                    && count > 0
                {
                    assert_eq!((sum, min, max), (11 * count, !11, 11));
                    seen += 1;
                }
            }
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
    }
}
