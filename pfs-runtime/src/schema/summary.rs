//! The statistics of one kind of event across a schema: where a class's counts lie, and how they are put together.
//!
//! Global is a sum: the rows of living contexts with their carries, what ended contexts left, and what was counted
//! without a context.

use super::Schema;
use super::arena::{Arena, Plan, Section};
use super::layout::RowsAt;
use crate::class::EventKind;
use crate::clock::Clock;
use crate::model::{Actor, Context};
use crate::stat::{
    Fold, Leaf, Leaves, Level, Moves, Request, SUM, Shared, Sink, StageStat, Stat, Values, total,
};
use core::sync::atomic::{AtomicU64, Ordering};

/// Rows that belong to no context are sharded, so that threads that count into them rarely share a line.
pub(crate) const SHARDS: usize = 8;

/// The total of a class.
#[derive(Clone, Copy, Debug)]
pub struct Total<S> {
    /// The total, times in raw ticks.
    pub stat: S,
    /// The sum of the times in picoseconds, of which each place's part was converted by itself: so it is the sum of
    /// what is shown by thread, to the last digit, and never falls when counts move from one place to another.
    pub sum_picos: u64,
}

impl Total<StageStat> {
    /// The total of what one place holds.
    pub(crate) fn of_one_place(stat: StageStat, clock: &Clock) -> Self {
        Self { stat, sum_picos: clock.to_picos(stat.sum) }
    }
}

/// The buffers of one kind of event as they are planned.
pub(crate) struct Planned<const N: usize> {
    retired: Section<Sink<N>>,
    moves: Section<Moves>,
    shared: Section<Shared<N>>,
}

/// The statistics of one kind of event.
#[derive(Debug)]
pub struct Summary<const N: usize> {
    kind: EventKind,
    /// Rows there are, with those that are left for plugins.
    classes: usize,
    /// What ended contexts left, written under the schema's fold lock.
    retired: &'static [Sink<N>],
    moves: &'static [Moves],
    /// Shard after shard.
    shared: &'static [Shared<N>],
    at: RowsAt,
    /// Where the rows of an actor lie, in bytes from its begin.
    at_actor: usize,
}

laid_out!(impl[const N: usize] Summary<N> as Summary { kind, classes, retired, moves, shared, at, at_actor });

impl<const N: usize> Summary<N> {
    pub(crate) fn plan(plan: &mut Plan, kind: EventKind, classes: usize) -> Planned<N> {
        let [retired, moves, shared] = match kind {
            EventKind::Wait => {
                ["events_waits_summary_global_by_event_name", "(moves_of_waits)", "(shared_waits)"]
            }
            EventKind::Stage => {
                ["events_stages_summary_global_by_event_name", "(moves_of_stages)", "(shared_stages)"]
            }
            EventKind::Statement => [
                "events_statements_summary_global_by_event_name",
                "(moves_of_statements)",
                "(shared_statements)",
            ],
            EventKind::Transaction => [
                "events_transactions_summary_global_by_event_name",
                "(moves_of_transactions)",
                "(shared_transactions)",
            ],
        };
        Planned {
            retired: plan.reserve(retired, classes),
            moves: plan.reserve(moves, classes),
            shared: plan.reserve(shared, classes * SHARDS),
        }
    }

    pub(crate) fn new(
        arena: &Arena,
        planned: &Planned<N>,
        kind: EventKind,
        classes: usize,
        at: RowsAt,
        at_actor: usize,
    ) -> Self {
        Self {
            kind,
            classes,
            retired: arena.rows(&planned.retired),
            moves: arena.rows(&planned.moves),
            shared: arena.rows(&planned.shared),
            at,
            at_actor,
        }
    }

    const fn number(&self) -> u32 {
        self.kind as u32
    }

    /// Where the rows of a context begin.
    pub(crate) fn rows_of(&self, context: &Context) -> *mut Leaf<N> {
        Self::part(context, self.at.rows).cast()
    }

    fn part(context: &Context, offset: usize) -> *mut u8 {
        core::ptr::from_ref(context).cast::<u8>().cast_mut().wrapping_add(offset)
    }

    /// The rows of a context of this schema's buffer.
    pub(crate) fn leaves(&self, context: &'static Context) -> Leaves<'static, N> {
        let words = Leaves::<N>::touched_words(self.classes);
        // SAFETY: a context of the schema lies at the begin of a stretch laid out by `ContextLayout`, where these
        // offsets hold as many rows and words; all are atomics in zeroed memory that is never unmapped.
        unsafe {
            Leaves {
                rows: core::slice::from_raw_parts(self.rows_of(context), self.classes),
                carries: self.at.carries.map(|carries| {
                    core::slice::from_raw_parts(Self::part(context, carries).cast::<Leaf<N>>(), self.classes)
                }),
                touched: core::slice::from_raw_parts(
                    Self::part(context, self.at.touched).cast::<AtomicU64>(),
                    words,
                ),
                carried: &*Self::part(context, self.at.carried).cast::<AtomicU64>(),
            }
        }
    }

    /// The row of `class` that belongs to no context, for the caller's shard.
    pub(crate) fn shared(&self, class: usize, shard: usize) -> &'static Shared<N> {
        &self.shared[(shard % SHARDS) * self.classes + class]
    }

    /// The rows of an actor of this schema's buffers.
    pub(crate) fn sinks(&self, actor: &Actor) -> &'static [Sink<N>] {
        let at = core::ptr::from_ref(actor).cast::<u8>().wrapping_add(self.at_actor);
        // SAFETY: an actor of the schema lies at the begin of a stretch laid out by `ActorLayout`, where this offset holds
        // as many rows; all are atomics in zeroed memory that is never unmapped.
        unsafe { core::slice::from_raw_parts(at.cast(), self.classes) }
    }

    fn move_out(&self, context: &'static Context, schema: &Schema, ends: bool) {
        let actor = |level| context.actor(level).map(|actor| self.sinks(actor));
        let fold = Fold {
            kind: self.number(),
            sinks: [actor(Level::Account), actor(Level::User), actor(Level::Host), Some(self.retired)],
            moves: self.moves,
            picos: &|values| schema.clock().to_picos(values[SUM]),
        };
        let leaves = self.leaves(context);
        if ends {
            leaves.fold(&context.requests, &fold);
        } else {
            leaves.leave(&context.requests, &fold);
        }
    }

    /// The total of a class over the whole schema; `None` if it could not be read whole.
    pub fn global<S: Stat<N>>(&self, schema: &Schema, class: usize) -> Option<Total<S>> {
        self.total(schema, Level::Global, class, self.retired, |_| true, true)
    }

    /// The total of a class over an account, user or host; `None` if it could not be read whole.
    pub(crate) fn of_actor<S: Stat<N>>(
        &self,
        schema: &Schema,
        level: Level,
        actor: &'static Actor,
        class: usize,
    ) -> Option<Total<S>> {
        let is_its = |context: &Context| context.actor(level).is_some_and(|of| core::ptr::eq(of, actor));
        self.total(schema, level, class, self.sinks(actor), is_its, false)
    }

    fn total<S: Stat<N>>(
        &self,
        schema: &Schema,
        level: Level,
        class: usize,
        left: &[Sink<N>],
        counts: impl Fn(&Context) -> bool,
        with_shared: bool,
    ) -> Option<Total<S>> {
        let mut sum_picos = 0_u64;
        let values = total(&self.moves[class], |sum| {
            let (values, picos) = left[class].read()?;
            sum_picos = picos;
            sum(&values);
            let mut add = |values: &Values<N>| {
                sum_picos = sum_picos.saturating_add(schema.clock().to_picos(values[SUM]));
                sum(values);
            };
            if with_shared {
                for shard in 0..SHARDS {
                    add(&self.shared(class, shard).read());
                }
            }
            for context in schema.contexts.used().filter(|context| counts(context)) {
                let values = self.leaves(context).at(level, self.number(), &context.requests, class)?;
                // Whose it is changes when it has moved its counts out; what it counted since is not the former's.
                if counts(context) {
                    add(&values);
                }
            }
            Some(())
        });
        schema.whole(values).map(|values| Total { stat: S::from_values(&values), sum_picos })
    }

    /// What is shown of a class by thread; `None` if it could not be read whole.
    pub(crate) fn by_thread<S: Stat<N>>(
        &self,
        schema: &Schema,
        context: &'static Context,
        class: usize,
    ) -> Option<S> {
        let values = self.leaves(context).at(Level::Thread, self.number(), &context.requests, class);
        schema.whole(values).map(|values| S::from_values(&values))
    }

    /// Restarts a level and those that it is summed up from; what was counted stays in the totals above.
    pub fn truncate(&self, schema: &Schema, level: Level) {
        let _folds = schema.folds();
        self.restart(schema, level);
    }

    /// The same for a caller that holds the fold lock: so no actor comes or goes, and no context ends. One that begins
    /// meanwhile has counted nothing that was before, and one that ends waits for the lock with what it was asked for.
    fn restart(&self, schema: &Schema, level: Level) {
        for context in schema.contexts.used() {
            context.requests.ask(Request::restart(self.number(), level));
        }
        for (restarts, actors) in
            [(Level::Account, &schema.accounts), (Level::User, &schema.users), (Level::Host, &schema.hosts)]
        {
            if restarts.restarted_by().contains(&level) {
                for actor in actors.live() {
                    self.clear(schema, actor);
                }
            }
        }
        if level == Level::Global {
            // A row that no class has is left as it is, so that it does not become resident.
            for class in 0..schema.instruments().rows_in_use(self.kind) {
                self.moves[class].make(|| self.retired[class].clear());
                for shard in 0..SHARDS {
                    self.shared(class, shard).take();
                }
            }
        }
    }

    /// Empties the rows of an actor. The caller holds the fold lock.
    fn clear(&self, schema: &Schema, actor: &Actor) {
        let in_use = schema.instruments().rows_in_use(self.kind);
        for (class, sink) in self.sinks(actor).iter().enumerate().take(in_use) {
            // What holds nothing is left alone, so that it does not become resident.
            if sink.read().is_none_or(|held| held != ([0; N], 0)) {
                self.moves[class].make(|| sink.clear());
            }
        }
    }
}

/// Does the same to the statistics of every kind of event.
macro_rules! each_summary {
    ($schema:expr, |$summary:ident| $act:expr) => {{
        let $summary = &$schema.waits;
        $act;
        let $summary = &$schema.stages;
        $act;
        let $summary = &$schema.statements;
        $act;
        let $summary = &$schema.transactions;
        $act;
    }};
}

/// What is done for all kinds of event at once.
impl Schema {
    /// Moves all that a context counted, which ends, to its account, user, host and what ended contexts left. The caller
    /// owns the context and holds the fold lock.
    pub(crate) fn fold(&self, context: &'static Context) {
        each_summary!(self, |summary| summary.move_out(context, self, true));
    }

    /// The same of a context that lives on as somebody else's.
    pub(crate) fn leave(&self, context: &'static Context) {
        each_summary!(self, |summary| summary.move_out(context, self, false));
    }

    /// Remembers that a context's row is about to hold something. Only the owner may call this, or what interrupts it.
    pub(crate) fn touch(&self, context: &'static Context, kind: EventKind, class: usize) {
        match kind {
            EventKind::Wait => self.waits.leaves(context).touch(class),
            EventKind::Stage => self.stages.leaves(context).touch(class),
            EventKind::Statement => self.statements.leaves(context).touch(class),
            EventKind::Transaction => self.transactions.leaves(context).touch(class),
        }
    }

    /// Makes a context's rows those of one that never counted, whose owner is no more. For one thread alone.
    pub(crate) fn wipe(&self, context: &'static Context) {
        each_summary!(self, |summary| summary.leaves(context).wipe());
    }

    /// Whether a row of a context is changing under whom the caller interrupted.
    pub(crate) fn rows_change(&self, context: &'static Context) -> bool {
        let mut changing = false;
        each_summary!(self, |summary| changing |= summary.leaves(context).is_changing());
        changing
    }

    /// Carries out the owner's part of truncation.
    pub(crate) fn attend(&self, context: &'static Context, asked: &dyn Fn(Request) -> bool) {
        each_summary!(self, |summary| summary.leaves(context).attend(summary.number(), asked));
    }

    /// Restarts a level. The caller holds the fold lock.
    pub(crate) fn restart(&self, level: Level) {
        each_summary!(self, |summary| summary.restart(self, level));
    }
}

/// The shard of the calling OS thread.
pub(crate) fn shard() -> usize {
    use core::cell::Cell;
    use core::sync::atomic::AtomicUsize;
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static SHARD: Cell<usize> = const { Cell::new(usize::MAX) };
    }
    SHARD.with(|shard| {
        if shard.get() == usize::MAX {
            shard.set(NEXT.fetch_add(1, Ordering::Relaxed) % SHARDS);
        }
        shard.get()
    })
}
