//! Models of the rows: that they are read whole, and that truncating and folding them neither loses nor doubles a
//! count. Counts are told apart by their ticks.

use loom::sync::{Arc, Mutex};
use loom::thread;

use super::{
    Fold, Leaf, Leaves, Level, Moves, Request, Requests, STAGE_FIELDS, Sink, Values, WAIT_FIELDS, total,
};
use crate::atomic::AtomicU64;
use crate::loom_models::{Stir, check, reads_in_order};

const KIND: u32 = 1;
/// A mask that lets everything through.
const ALL: u32 = !Requests::ATTENTION;

type Row = Leaf<STAGE_FIELDS>;

/// What a row holds after it counted events of so many ticks each.
fn timed(ticks: &[u64]) -> Values<STAGE_FIELDS> {
    let count = u64::try_from(ticks.len()).unwrap();
    let min = ticks.iter().min().map_or(0, |min| !min);
    [count, ticks.iter().sum(), min, ticks.iter().max().copied().unwrap_or(0)]
}

fn a_reader_of<const N: usize>(row: &Arc<Leaf<N>>, states: &'static [Values<N>]) -> thread::JoinHandle<()> {
    let row = row.clone();
    thread::spawn(move || reads_in_order(states, || row.read()))
}

#[test]
fn events_of_a_row_are_read_whole() {
    check(2, || {
        let row = Arc::new(Row::new());
        let reader = a_reader_of(&row, &[[0, 0, 0, 0], [1, 5, !5, 5], [2, 5, !5, 5], [3, 8, !3, 5]]);
        row.add_timed(5);
        row.add_counted();
        row.add_timed(3);
        reader.join().unwrap();
        assert_eq!(row.read(), Some([3, 8, !3, 5]));
    });
}

#[test]
fn acquisitions_are_read_whole() {
    check(2, || {
        let row = Arc::new(Leaf::<WAIT_FIELDS>::new());
        let reader = a_reader_of(&row, &[[0; WAIT_FIELDS], [0, 0, 0, 0, 0, 0, 1], [1, 5, !5, 5, 1, 5, 1]]);
        row.add_immediate();
        row.add_waited(5);
        reader.join().unwrap();
        assert_eq!(row.read(), Some([1, 5, !5, 5, 1, 5, 1]));
    });
}

#[test]
fn a_row_is_cleared_and_merged_whole() {
    check(2, || {
        let row = Arc::new(Row::new());
        row.add_timed(5);
        let reader = a_reader_of(&row, &[[1, 5, !5, 5], [0, 0, 0, 0], [2, 9, !2, 7]]);
        row.clear();
        row.merge(&[2, 9, !2, 7]);
        reader.join().unwrap();
    });
}

/// A row's one writer is not always the same thread: a session moves, a lock's next holder comes.
#[test]
fn a_row_that_gets_another_writer_is_read_whole() {
    check(2, || {
        let row = Arc::new(Row::new());
        let reader = a_reader_of(&row, &[[0, 0, 0, 0], [1, 5, !5, 5], [2, 5, !5, 5]]);
        row.add_timed(5);
        let next = thread::spawn({
            let row = row.clone();
            move || row.add_counted()
        });
        next.join().unwrap();
        reader.join().unwrap();
        assert_eq!(row.read(), Some([2, 5, !5, 5]));
    });
}

/// The rows of one context for one class, and what stands above them in the totals.
///
/// Models that only count events have rows of one field, which makes far fewer schedules.
struct Rows<const N: usize> {
    own: [Leaf<N>; 1],
    carries: [[Leaf<N>; 1]; 4],
    touched: [AtomicU64; 1],
    carried: AtomicU64,
    requests: Requests,
    folds: Mutex<()>,
    retired: [Sink<N>; 1],
    moves: [Moves; 1],
    stir: Stir,
}

impl<const N: usize> Rows<N> {
    fn new(mask: u32) -> Arc<Self> {
        Arc::new(Self {
            own: [Leaf::new()],
            carries: core::array::from_fn(|_| [Leaf::new()]),
            touched: [AtomicU64::new(0)],
            carried: AtomicU64::new(0),
            requests: Requests::new(mask),
            folds: Mutex::new(()),
            retired: [Sink::new()],
            moves: [Moves::new()],
            stir: Stir::new(),
        })
    }

    fn leaves(&self) -> Leaves<'_, N> {
        Leaves {
            rows: &self.own,
            carries: self.carries.each_ref().map(<[_; 1]>::as_slice),
            touched: &self.touched,
            carried: &self.carried,
        }
    }

    /// The owner: counts an event of so many ticks.
    fn count(&self, ticks: u64) {
        self.event(|row| row.add_timed(ticks));
    }

    /// The owner: counts an event that is not timed.
    fn count_untimed(&self) {
        self.event(Leaf::add_counted);
    }

    /// The owner: an event, after what it was asked for.
    fn event(&self, add: impl FnOnce(&Leaf<N>)) {
        self.stir.stir();
        if self.requests.mask() & Requests::ATTENTION != 0 {
            self.requests.attend(|asked| {
                self.stir.stir();
                self.leaves().attend(KIND, asked);
                self.stir.stir();
            });
        }
        self.leaves().touch(0);
        add(&self.own[0]);
        self.stir.stir();
    }

    /// The owner: ends.
    fn end(&self) {
        let _folds = self.folds.lock().unwrap();
        self.stir.stir();
        let sinks = [None, None, None, Some(self.retired.as_slice())];
        let fold = Fold { kind: KIND, sinks, moves: &self.moves, picos: &|_| 0 };
        self.leaves().fold(&self.requests, &fold);
        self.requests.reset(0);
    }

    fn truncate_by_thread(&self) {
        let _folds = self.folds.lock().unwrap();
        self.requests.ask(Request::restart(KIND, Level::Thread));
        self.stir.stir();
    }

    fn truncate_global(&self) {
        let _folds = self.folds.lock().unwrap();
        self.requests.ask(Request::restart(KIND, Level::Global));
        self.stir.stir();
        self.moves[0].make(|| self.retired[0].clear());
        self.stir.stir();
    }

    fn by_thread(&self) -> Option<Values<N>> {
        self.leaves().at(Level::Thread, KIND, &self.requests, 0)
    }

    fn total(&self) -> Option<Values<N>> {
        total(&self.moves[0], |add| {
            add(&self.retired[0].read()?.0);
            add(&self.leaves().at(Level::Global, KIND, &self.requests, 0)?);
            Some(())
        })
    }
}

fn spawn<const N: usize>(
    rows: &Arc<Rows<N>>,
    run: impl FnOnce(&Rows<N>) + 'static,
) -> thread::JoinHandle<()> {
    let rows = rows.clone();
    thread::spawn(move || run(&rows))
}

/// What was read, if it could be, holds the events of one of the lists.
#[track_caller]
fn holds(read: Option<Values<STAGE_FIELDS>>, lists: &[&[u64]]) {
    if let Some(values) = read {
        assert!(lists.iter().any(|ticks| values == timed(ticks)), "{values:?}: not one of {lists:?}");
    }
}

/// What is read while no one writes holds the events of one of the lists.
#[track_caller]
fn rests_at(read: Option<Values<STAGE_FIELDS>>, lists: &[&[u64]]) {
    assert!(read.is_some());
    holds(read, lists);
}

#[test]
fn truncated_by_thread_a_row_restarts_at_once() {
    check(3, || {
        let rows = Rows::new(ALL);
        rows.count(1);
        let truncate = spawn(&rows, |rows| {
            rows.truncate_by_thread();
            holds(rows.by_thread(), &[&[], &[2]]);
        });
        rows.count(2);
        truncate.join().unwrap();
        rests_at(rows.by_thread(), &[&[], &[2]]);
        rests_at(rows.total(), &[&[1, 2]]);
        rows.count(3);
        rests_at(rows.by_thread(), &[&[3], &[2, 3]]);
        rests_at(rows.total(), &[&[1, 2, 3]]);
        assert!(!rows.requests.is_pending(Request::restart(KIND, Level::Thread)));
    });
}

#[test]
fn truncating_by_thread_leaves_totals_alone() {
    check(2, || {
        let rows = Rows::new(ALL);
        rows.count_untimed();
        rows.truncate_by_thread();
        let reader = spawn(&rows, |rows| reads_in_order(&[[1], [2]], || rows.total()));
        rows.count_untimed();
        reader.join().unwrap();
    });
}

#[test]
fn truncating_all_forgets_what_was_before_and_nothing_after() {
    check(3, || {
        let rows = Rows::new(ALL);
        rows.count(1);
        let truncate = spawn(&rows, |rows| {
            rows.truncate_global();
            holds(rows.total(), &[&[], &[2]]);
            holds(rows.by_thread(), &[&[], &[2]]);
        });
        rows.count(2);
        truncate.join().unwrap();
        rows.count(3);
        rests_at(rows.total(), &[&[3], &[2, 3]]);
        assert_eq!(rows.by_thread(), rows.total());
        assert!(!rows.requests.is_pending(Request::restart(KIND, Level::Global)));
    });
}

#[test]
fn truncating_all_forgets_what_was_moved_up_with_the_rest() {
    check(2, || {
        let rows = Rows::new(ALL);
        rows.count_untimed();
        rows.count_untimed();
        rows.truncate_by_thread();
        (0..3).for_each(|_| rows.count_untimed());
        let reader = spawn(&rows, |rows| reads_in_order(&[[5], [0], [1]], || rows.total()));
        rows.truncate_global();
        rows.count_untimed();
        reader.join().unwrap();
        assert_eq!(rows.total(), Some([1]));
    });
}

#[test]
fn both_truncations_at_once() {
    check(2, || {
        let rows = Rows::new(ALL);
        rows.count(1);
        let by_thread = spawn(&rows, Rows::truncate_by_thread);
        let global = spawn(&rows, Rows::truncate_global);
        rows.count(2);
        by_thread.join().unwrap();
        global.join().unwrap();
        rows.count(3);
        rests_at(rows.total(), &[&[3], &[2, 3]]);
        rests_at(rows.by_thread(), &[&[3], &[2, 3]]);
    });
}

/// A request that comes while a context gets a new owner is dropped whole or found by the owner.
#[test]
fn a_request_at_the_begin_of_a_life_does_not_stay_unseen() {
    check(3, || {
        let rows = Rows::new(0);
        let truncate = spawn(&rows, Rows::truncate_global);
        rows.requests.reset(ALL);
        rows.count(1);
        truncate.join().unwrap();
        let pending = rows.requests.is_pending(Request::restart(KIND, Level::Global));
        assert!(!pending || rows.requests.mask() & Requests::ATTENTION != 0);
        rows.count(2);
        assert_eq!(rows.requests.mask() & ALL, ALL);
        rests_at(rows.total(), &[&[2], &[1, 2]]);
        assert_eq!(rows.by_thread(), rows.total());
    });
}

#[test]
fn settings_change_while_requests_come() {
    check(3, || {
        let rows = Rows::new(ALL);
        rows.count(1);
        let truncate = spawn(&rows, Rows::truncate_global);
        let settings = spawn(&rows, |rows| rows.requests.set_mask(5));
        rows.count(2);
        truncate.join().unwrap();
        settings.join().unwrap();
        assert_eq!(rows.requests.mask() & ALL, 5);
        rows.count(3);
        rests_at(rows.total(), &[&[3], &[2, 3]]);
    });
}

#[test]
fn a_context_that_ends_moves_its_counts_under_readers() {
    check(2, || {
        let rows = Rows::new(ALL);
        rows.count_untimed();
        let reader = spawn(&rows, |rows| reads_in_order(&[[1], [2]], || rows.total()));
        rows.count_untimed();
        rows.end();
        reader.join().unwrap();
        assert_eq!((rows.total(), rows.by_thread()), (Some([2]), Some([0])));
    });
}

#[test]
fn a_context_that_ends_takes_what_was_moved_up_with_it() {
    check(2, || {
        let rows = Rows::new(ALL);
        rows.count(1);
        let truncate = spawn(&rows, |rows| {
            rows.truncate_by_thread();
            holds(rows.total(), &[&[1], &[1, 2]]);
        });
        rows.count(2);
        rows.end();
        truncate.join().unwrap();
        rests_at(rows.total(), &[&[1, 2]]);
    });
}

#[test]
fn a_context_that_ends_forgets_what_it_was_asked_to() {
    check(2, || {
        let rows = Rows::new(ALL);
        rows.count(1);
        let truncate = spawn(&rows, |rows| {
            rows.truncate_global();
            holds(rows.total(), &[&[], &[2]]);
        });
        rows.count(2);
        rows.end();
        truncate.join().unwrap();
        rests_at(rows.total(), &[&[], &[2]]);
    });
}
