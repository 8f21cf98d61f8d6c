//! Models of an instance's row: that its views are restarted by themselves, and that what it leaves to its source when it
//! ends is neither lost nor doubled. What is under `schema` is done here for one slot, whose row is of one kind.

use loom::sync::{Arc, Mutex};
use loom::thread;

use crate::atomic::{AtomicU64, Ordering, fence};
use crate::loom_models::{check, reads_in_order};
use crate::slots::{Life, gather};
use crate::stat::{Kept, Leaf, Marks, STAGE_FIELDS, Shared, Values, View, Views, merge};

/// A slot with what the instances in it left to their source.
///
/// Models with a reader have rows of one field, which makes far fewer schedules; they cannot tell events apart.
struct Slot<const N: usize> {
    many: bool,
    life: Life,
    marks: Marks,
    row: Leaf<N>,
    shared: Shared<N>,
    kept: Kept<N>,
    ended: Shared<N>,
    /// The lock that the row is of, if it has a holder.
    lock: Mutex<()>,
    folds: Mutex<()>,
    freed: AtomicU64,
}

/// What a row shows after it counted events of so many ticks each.
fn timed(ticks: &[u64]) -> Values<STAGE_FIELDS> {
    let count = u64::try_from(ticks.len()).unwrap();
    let min = ticks.iter().min().map_or(0, |min| !min);
    [count, ticks.iter().sum(), min, ticks.iter().max().copied().unwrap_or(0)]
}

impl<const N: usize> Slot<N> {
    fn bound(many: bool) -> Arc<Self> {
        let slot = Self {
            many,
            life: Life::new(),
            marks: Marks::default(),
            row: Leaf::new(),
            shared: Shared::new(),
            kept: Kept::new(),
            ended: Shared::new(),
            lock: Mutex::new(()),
            folds: Mutex::new(()),
            freed: AtomicU64::new(0),
        };
        slot.bind();
        Arc::new(slot)
    }

    fn bind(&self) {
        self.life.change();
        self.marks.reset(self.many);
        self.life.begin();
    }

    fn views(&self) -> Views<'_, N> {
        Views { marks: &self.marks, row: &self.row, shared: &self.shared, kept: &self.kept }
    }

    /// An event that took so many ticks, where they are counted.
    fn count(&self, ticks: u64) {
        let ticks = (N == STAGE_FIELDS).then_some(ticks);
        if self.many {
            self.shared.add_event(ticks);
            return;
        }
        let _held = self.lock.lock().unwrap();
        if self.marks.any() {
            self.views().carry_out();
        }
        self.row.add_event(ticks);
    }

    fn unbind(&self) {
        self.life.change();
        fence(Ordering::SeqCst);
        if !self.many || self.marks.end() {
            self.free();
        }
    }

    fn free(&self) {
        let values = self.views().end();
        self.ended.merge(&values);
        self.life.end();
        self.freed.fetch_add(1, Ordering::Relaxed);
    }

    fn truncate(&self, view: View) {
        let _folds = self.folds.lock().unwrap();
        if self.life.living().is_some() {
            if !self.many {
                self.views().restart(view);
            } else if self.marks.claim() {
                self.views().restart(view);
                if self.marks.give_up() {
                    self.free();
                }
            }
        }
        fence(Ordering::SeqCst);
        // As long as it takes: in a model the other thread goes on.
        while !self.life.settled() {}
        if view == View::Source {
            self.ended.take();
        }
    }

    fn by_source(&self) -> Option<Values<N>> {
        let mut held = Vec::new();
        if let Some(living) = self.life.settled_life()? {
            let values = self.views().read(View::Source);
            if self.life.same(living, ()).is_some() {
                held.push((&self.life, living, values?));
            } else {
                self.life.settled().then_some(())?;
            }
        }
        let mut sum = gather(&mut held, || self.ended.read())?;
        held.iter().for_each(|(.., values)| merge(&mut sum, values));
        Some(sum)
    }

    fn by_instance(&self) -> Option<Values<N>> {
        self.views().read(View::Instance)
    }
}

fn spawn<const N: usize>(
    slot: &Arc<Slot<N>>,
    act: impl FnOnce(&Slot<N>) + Send + 'static,
) -> thread::JoinHandle<()> {
    let slot = slot.clone();
    thread::spawn(move || act(&slot))
}

/// What was counted before a view by source was truncated is gone, wherever the instance was with its end.
#[test]
fn what_was_counted_before_a_truncation_is_gone_when_the_instance_ends_meanwhile() {
    for many in [false, true] {
        check(2, move || {
            let slot = Slot::<STAGE_FIELDS>::bound(many);
            slot.count(5);
            let truncate = spawn(&slot, |slot| slot.truncate(View::Source));
            slot.unbind();
            truncate.join().unwrap();
            assert_eq!(slot.by_source(), Some([0; STAGE_FIELDS]));
            assert_eq!(slot.freed.load(Ordering::Relaxed), 1);
        });
    }
}

/// Truncating the other view takes nothing from it, and the next instance in the slot starts at nothing.
#[test]
fn what_an_instance_leaves_is_whole_when_the_other_view_is_truncated_meanwhile() {
    for many in [false, true] {
        check(2, move || {
            let slot = Slot::<STAGE_FIELDS>::bound(many);
            slot.count(5);
            let truncate = spawn(&slot, |slot| slot.truncate(View::Instance));
            slot.count(3);
            slot.unbind();
            truncate.join().unwrap();
            assert_eq!(slot.by_source(), Some(timed(&[5, 3])));
            assert_eq!(slot.freed.load(Ordering::Relaxed), 1);
            slot.bind();
            assert_eq!(slot.by_instance(), Some([0; STAGE_FIELDS]));
            slot.count(7);
            assert_eq!((slot.by_instance(), slot.by_source()), (Some(timed(&[7])), Some(timed(&[5, 3, 7]))));
        });
    }
}

/// A reader of one view sees nothing of a truncation of the other, nor of the end.
#[test]
fn a_reader_by_source_sees_counts_grow() {
    for many in [false, true] {
        check(2, move || {
            let slot = Slot::<1>::bound(many);
            slot.count(1);
            let reader = spawn(&slot, |slot| reads_in_order(&[[1], [2]], || slot.by_source()));
            slot.truncate(View::Instance);
            slot.count(2);
            slot.unbind();
            reader.join().unwrap();
            assert_eq!(slot.by_source(), Some([2]));
        });
    }
}

#[test]
fn a_reader_by_instance_sees_nothing_of_the_other_truncation() {
    for many in [false, true] {
        check(3, move || {
            let slot = Slot::<1>::bound(many);
            slot.count(1);
            let reader = spawn(&slot, |slot| reads_in_order(&[[1], [2]], || slot.by_instance()));
            slot.truncate(View::Source);
            slot.count(2);
            reader.join().unwrap();
            assert_eq!((slot.by_instance(), slot.by_source()), (Some([2]), Some([1])));
        });
    }
}

/// Both views are truncated at once while events are counted: each shows what came after, and nothing twice.
#[test]
fn both_views_are_truncated_while_events_are_counted() {
    for many in [false, true] {
        check(2, move || {
            let slot = Slot::<STAGE_FIELDS>::bound(many);
            slot.count(1);
            let truncate = spawn(&slot, |slot| {
                slot.truncate(View::Instance);
                slot.truncate(View::Source);
            });
            slot.count(2);
            truncate.join().unwrap();
            let may_be = [Some(timed(&[])), Some(timed(&[2]))];
            assert!(may_be.contains(&slot.by_instance()) || many, "{:?}", slot.by_instance());
            assert!(may_be.contains(&slot.by_source()) || many, "{:?}", slot.by_source());
            slot.count(4);
            let count = |values: Option<Values<STAGE_FIELDS>>| values.unwrap()[0];
            assert!(
                (1..=2).contains(&count(slot.by_instance())) && (1..=2).contains(&count(slot.by_source()))
            );
        });
    }
}
