//! Models of a context's life, of the parts that only work together: its slot, its life word, what it is asked for,
//! its rows, and the totals above them. What is under `schema` and `context` is done here for one context with rows of
//! one class. And what all models share.

use loom::sync::{Arc, Mutex};
use loom::thread;

use crate::atomic::{AtomicU64, Ordering};
use crate::slots::{Bitmap, Life};
use crate::stat::{Fold, Leaf, Leaves, Level, Moves, Request, Requests, Sink, Values, total};

/// Checks every schedule of a model with at most so many preemptions.
pub(crate) fn check(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(model);
}

/// A word that threads store to where a model is to be scheduled in every way.
///
/// Loom tries another schedule where two threads access one word, but knows of a word's last access only: a thread that
/// loads a word and then changes it hides from loom that another had loaded it before. Stores that no one loads order
/// nothing, so what a model proves of the orderings stays proved.
pub(crate) struct Stir(AtomicU64);

impl Stir {
    pub(crate) fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    pub(crate) fn stir(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// What is read, where it can be, is one of `states`, and never one before another that was already read.
pub(crate) fn reads_in_order<T: PartialEq + core::fmt::Debug>(
    states: &[T],
    mut read: impl FnMut() -> Option<T>,
) {
    let mut at = 0;
    for _ in 0..2 {
        if let Some(found) = read() {
            let ahead = states[at..].iter().position(|state| *state == found);
            at += ahead.unwrap_or_else(|| panic!("{found:?} after {:?}: not one of {states:?}", states[at]));
        }
    }
}

const KIND: u32 = 0;
const ALL: u32 = !Requests::ATTENTION;

/// A schema of one context.
struct Schema<const N: usize> {
    map: Bitmap,
    folds: Mutex<()>,
    retired: [Sink<N>; 1],
    moves: [Moves; 1],
    context: Context<N>,
    stir: Stir,
}

struct Context<const N: usize> {
    life: Life,
    requests: Requests,
    thread_id: AtomicU64,
    rows: [Leaf<N>; 1],
    carries: [[Leaf<N>; 1]; 4],
    touched: [AtomicU64; 1],
    carried: AtomicU64,
}

/// Ownership of the context, by a thread or a session: it moves, and is never shared.
struct Owned<const N: usize>(&'static Schema<N>);

impl<const N: usize> Schema<N> {
    fn new() -> &'static Self {
        let words: Vec<_> = (0..Bitmap::words(1)).map(|_| AtomicU64::new(0)).collect();
        Box::leak(Box::new(Self {
            map: Bitmap::new(words.leak(), 1),
            folds: Mutex::new(()),
            retired: [Sink::new()],
            moves: [Moves::new()],
            context: Context {
                life: Life::new(),
                requests: Requests::new(0),
                thread_id: AtomicU64::new(0),
                rows: [Leaf::new()],
                carries: core::array::from_fn(|_| [Leaf::new()]),
                touched: [AtomicU64::new(0)],
                carried: AtomicU64::new(0),
            },
            stir: Stir::new(),
        }))
    }

    fn begin(&'static self, thread_id: u64) -> Option<Owned<N>> {
        self.map.acquire()?;
        let context = &self.context;
        context.life.change();
        context.thread_id.store(thread_id, Ordering::Relaxed);
        context.requests.reset(ALL);
        context.life.begin();
        self.stir.stir();
        Some(Owned(self))
    }

    /// Contexts that may have counted something.
    fn used(&self) -> impl Iterator<Item = &Context<N>> {
        let contexts = (0..self.map.high_water()).map(|_| &self.context);
        contexts.filter(|context| context.life.is_used())
    }

    fn total(&self) -> Option<Values<N>> {
        total(&self.moves[0], |add| {
            add(&self.retired[0].read()?.0);
            for context in self.used() {
                add(&context.leaves().at(Level::Global, KIND, &context.requests, 0)?);
            }
            Some(())
        })
    }

    /// The row by thread: whose it is, and what it shows.
    fn by_thread(&self) -> Option<(u64, Values<N>)> {
        let context = &self.context;
        let living = context.life.living()?;
        let thread_id = context.thread_id.load(Ordering::Relaxed);
        let values = context.leaves().at(Level::Thread, KIND, &context.requests, 0)?;
        context.life.same(living, (thread_id, values))
    }

    /// Changes the mask of the context of that id.
    fn set_thread(&self, thread_id: u64, mask: u32) {
        let _folds = self.folds.lock().unwrap();
        let found = self.used().find(|context| {
            context.life.living().is_some() && context.thread_id.load(Ordering::Relaxed) == thread_id
        });
        if let Some(context) = found {
            self.stir.stir();
            context.requests.set_mask(mask);
        }
    }

    fn truncate_by_thread(&self) {
        let _folds = self.folds.lock().unwrap();
        self.used().for_each(|context| context.requests.ask(Request::restart(KIND, Level::Thread)));
        self.stir.stir();
    }

    fn truncate_global(&self) {
        let _folds = self.folds.lock().unwrap();
        self.used().for_each(|context| context.requests.ask(Request::restart(KIND, Level::Global)));
        self.stir.stir();
        self.moves[0].make(|| self.retired[0].clear());
        self.stir.stir();
    }

    fn spawn<R: 'static>(
        &'static self,
        run: impl FnOnce(&'static Self) -> R + 'static,
    ) -> thread::JoinHandle<R> {
        thread::spawn(move || run(self))
    }
}

impl<const N: usize> Context<N> {
    fn leaves(&self) -> Leaves<'_, N> {
        Leaves {
            rows: &self.rows,
            carries: self.carries.each_ref().map(<[_; 1]>::as_slice),
            touched: &self.touched,
            carried: &self.carried,
        }
    }
}

impl<const N: usize> Owned<N> {
    /// An event on the thread that the context is attached to.
    fn count(&mut self) {
        self.event(Leaf::add_counted);
    }

    /// An event that took so many ticks.
    fn time(&mut self, ticks: u64) {
        self.event(|row| row.add_timed(ticks));
    }

    fn event(&mut self, add: impl FnOnce(&Leaf<N>)) {
        let Schema { context, stir, .. } = self.0;
        stir.stir();
        if context.requests.mask() & Requests::ATTENTION != 0 {
            context.requests.attend(|asked| {
                stir.stir();
                context.leaves().attend(KIND, asked);
                stir.stir();
            });
        }
        context.leaves().touch(0);
        add(&context.rows[0]);
        stir.stir();
    }
}

impl<const N: usize> Drop for Owned<N> {
    fn drop(&mut self) {
        let schema = self.0;
        let context = &schema.context;
        context.life.change();
        {
            let _folds = schema.folds.lock().unwrap();
            let sinks = [None, None, None, Some(schema.retired.as_slice())];
            let fold = Fold { kind: KIND, sinks, moves: &schema.moves, picos: &|_| 0 };
            context.leaves().fold(&context.requests, &fold);
            context.requests.reset(0);
            context.life.end();
        }
        schema.stir.stir();
        schema.map.release(0);
    }
}

#[test]
fn a_session_moves_between_threads_under_readers() {
    check(2, || {
        let schema = Schema::<1>::new();
        let session = Arc::new(Mutex::new(schema.begin(1).unwrap()));
        let reader = schema.spawn(|schema| {
            reads_in_order(&[(1, [0]), (1, [1]), (1, [2])], || schema.by_thread());
            reads_in_order(&[[0], [1], [2]], || schema.total());
        });
        let other = thread::spawn({
            let session = session.clone();
            move || session.lock().unwrap().count()
        });
        session.lock().unwrap().count();
        other.join().unwrap();
        reader.join().unwrap();
        assert_eq!((schema.by_thread(), schema.total()), (Some((1, [2])), Some([2])));
    });
}

#[test]
fn a_session_moves_between_threads_while_it_is_truncated() {
    check(2, || {
        let schema = Schema::<1>::new();
        let mut session = schema.begin(1).unwrap();
        session.count();
        let session = Arc::new(Mutex::new(session));
        let truncate = schema.spawn(|schema| {
            schema.truncate_by_thread();
            reads_in_order(&[(1, [0]), (1, [1]), (1, [2])], || schema.by_thread());
            reads_in_order(&[[1], [2], [3]], || schema.total());
        });
        let other = thread::spawn({
            let session = session.clone();
            move || session.lock().unwrap().count()
        });
        session.lock().unwrap().count();
        other.join().unwrap();
        truncate.join().unwrap();
        assert_eq!(schema.total(), Some([3]));
    });
}

#[test]
fn a_context_gets_another_owner_under_readers_by_thread() {
    check(2, || {
        let schema = Schema::<1>::new();
        let mut first = schema.begin(1).unwrap();
        first.count();
        first.count();
        let reader =
            schema.spawn(|schema| reads_in_order(&[(1, [2]), (2, [0]), (2, [1])], || schema.by_thread()));
        drop(first);
        let next = schema.spawn(|schema| {
            let mut second = schema.begin(2).unwrap();
            second.count();
            second
        });
        let second = next.join().unwrap();
        reader.join().unwrap();
        assert_eq!((schema.by_thread(), schema.total()), (Some((2, [1])), Some([3])));
        drop(second);
        assert_eq!((schema.by_thread(), schema.total()), (None, Some([3])));
    });
}

#[test]
fn a_context_gets_another_owner_under_readers_of_totals() {
    check(1, || {
        let schema = Schema::<1>::new();
        let mut first = schema.begin(1).unwrap();
        first.count();
        first.count();
        let reader = schema.spawn(|schema| reads_in_order(&[[2], [3]], || schema.total()));
        drop(first);
        let next = schema.spawn(|schema| {
            let mut second = schema.begin(2).unwrap();
            second.count();
            second
        });
        let second = next.join().unwrap();
        reader.join().unwrap();
        assert_eq!(schema.total(), Some([3]));
        drop(second);
    });
}

/// Both lives write the row as often: what is read of both is not taken for whole because the number of writes agrees.
#[test]
fn rows_of_two_lives_are_not_mixed() {
    check(1, || {
        let schema = Schema::<4>::new();
        let mut first = schema.begin(1).unwrap();
        first.time(5);
        let reader = schema.spawn(|schema| {
            reads_in_order(&[(1, [1, 5, !5, 5]), (2, [0; 4]), (2, [1, 9, !9, 9])], || schema.by_thread());
        });
        drop(first);
        let mut second = schema.begin(2).unwrap();
        second.time(9);
        reader.join().unwrap();
    });
}

#[test]
fn two_threads_want_the_one_context() {
    check(3, || {
        let schema = Schema::<1>::new();
        let visit = |schema: &'static Schema<1>, thread_id| {
            schema.begin(thread_id).map_or(0, |mut owned| {
                owned.count();
                let (shown, _) = schema.by_thread().unwrap();
                assert_eq!(shown, thread_id);
                1
            })
        };
        let other = schema.spawn(move |schema| visit(schema, 2));
        let counted = visit(schema, 1) + other.join().unwrap();
        assert!(counted >= 1);
        assert_eq!(schema.total(), Some([counted]));
    });
}

#[test]
fn settings_are_those_of_the_life_they_were_made_for() {
    check(3, || {
        let schema = Schema::<1>::new();
        let first = schema.begin(1).unwrap();
        let settings = schema.spawn(|schema| schema.set_thread(1, 5));
        drop(first);
        let second = schema.begin(2).unwrap();
        settings.join().unwrap();
        assert_eq!(schema.context.requests.mask(), ALL);
        drop(second);
    });
}

#[test]
fn what_is_forgotten_stays_so_in_the_next_life() {
    check(2, || {
        let schema = Schema::<1>::new();
        let mut first = schema.begin(1).unwrap();
        first.count();
        first.count();
        let truncate = schema.spawn(|schema| {
            schema.truncate_global();
            if let Some([count]) = schema.total() {
                assert!(count <= 1, "{count}");
            }
        });
        drop(first);
        let mut second = schema.begin(2).unwrap();
        second.count();
        truncate.join().unwrap();
        second.count();
        let Some([count @ (1 | 2)]) = schema.total() else { panic!("{:?}", schema.total()) };
        assert_eq!(schema.by_thread(), Some((2, [count])));
    });
}
