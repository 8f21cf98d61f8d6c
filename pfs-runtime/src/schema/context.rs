//! What any layer may ask of a context: its schema, its id, where its frames and records lie, the time.

use super::Schema;
use crate::class::Flags;
use crate::clock::ticks;
use crate::model::{Actor, Context, Frame, Frames, Record, Ring};
use crate::stat::Level;
use core::sync::atomic::Ordering;

impl Context {
    /// The schema the context belongs to; `None` for the placeholder of a thread that has none.
    #[inline]
    pub(crate) fn schema(&self) -> Option<&'static Schema> {
        // SAFETY: only `Schema::leak` and `context::life` store here, a pointer to a schema that is never
        // dropped.
        unsafe { self.owner.load(Ordering::Relaxed).cast::<Schema>().as_ref() }
    }

    /// Whether events of this context are counted as nobody's, because there was no free context.
    #[inline]
    pub(crate) fn is_overflow(&self) -> bool {
        self.waits.load(Ordering::Relaxed).is_null()
    }

    /// The context's `THREAD_ID`, zero for a placeholder.
    #[inline(always)]
    pub(crate) fn id(&self) -> u64 {
        self.thread_id.load(Ordering::Relaxed)
    }

    /// Whose the context is at a level; `None` where there is no row for that, and for the levels that are nobody's.
    #[inline]
    pub(crate) fn actor(&self, level: Level) -> Option<&'static Actor> {
        let actor = match level {
            Level::Account => &self.account,
            Level::User => &self.user,
            Level::Host => &self.host,
            Level::Thread | Level::Global => return None,
        };
        // SAFETY: only pointers to actors of the schema's buffers are stored, which are never unmapped.
        unsafe { actor.load(Ordering::Relaxed).as_ref() }
    }

    /// The context that this one, a session, was attached over.
    pub(crate) fn below(&self) -> Option<&'static Self> {
        if self.extent.load(Ordering::Relaxed) == 0 {
            return None;
        }
        // Acquire: see `attach`.
        // SAFETY: of a context that was placed, `begin`, `attach` or `detach` stored a `&'static Context`.
        let below = unsafe { self.attached.load(Ordering::Acquire).as_ref() };
        // What stands for nobody is told from a thread's placeholder by what it lets through.
        below.filter(|below| !(below.schema().is_none() && Flags(below.requests.mask()).only(Flags::ALL)))
    }

    /// The id of the OS thread that the context is, or is attached to, if that has registered.
    pub(crate) fn os_thread_id(&self) -> Option<u64> {
        // Sessions may lie over each other; a chain that changes while it is followed is left after a while.
        let thread = core::iter::successors(self.below(), |context| context.below()).take(64).last();
        Some(thread.unwrap_or(self).os_id.load(Ordering::Relaxed)).filter(|id| *id != 0)
    }

    /// What a context of these settings lets its events do.
    pub(crate) fn allowed(settings: u32) -> Flags {
        if settings & Self::INSTRUMENTED == 0 {
            Flags::NONE
        } else if settings & Self::HISTORY == 0 {
            Flags::ALL.without(Flags::HISTORY | Flags::HISTORY_LONG)
        } else {
            Flags::ALL
        }
    }

    /// Raw ticks now, by the clock that a class's flags ask for.
    #[inline(always)]
    pub(crate) fn now(&self, flags: Flags) -> u64 {
        if flags.any(Flags::SLOW_CLOCK) { self.slow_now(flags) } else { ticks() }
    }

    #[cold]
    fn slow_now(&self, flags: Flags) -> u64 {
        self.schema().map_or(0, |schema| schema.clock().now_by(flags.resolution()))
    }
}

/// Ticks between two readings; a clock that stepped back measured nothing.
#[inline(always)]
pub(crate) fn elapsed(start: u64, end: u64) -> u64 {
    end.saturating_sub(start)
}

impl Frames {
    /// Whether an event of the kind is open.
    #[inline(always)]
    pub(crate) fn any(&self) -> bool {
        self.used.load(Ordering::Relaxed) != 0
    }

    /// The first frame of a context that was placed, which has one of each kind at least.
    #[inline(always)]
    pub(crate) fn first(&self) -> &'static Frame {
        // SAFETY: as in `frame`.
        unsafe { &*self.base.load(Ordering::Relaxed) }
    }

    /// The frame at `at`, which must be below the limit of a context that was placed.
    #[inline]
    pub(crate) fn frame(&self, at: u32) -> &'static Frame {
        let offset = at as usize * self.stride.load(Ordering::Relaxed) as usize;
        // SAFETY: `place` wrote base, stride and limit from the schema's layout; `at` is below the limit, so the
        // frame lies in the context's stretch of the mapping, zeroed or written as a `Frame`.
        unsafe { &*self.base.load(Ordering::Relaxed).byte_add(offset) }
    }
}

impl Ring {
    /// The record to be written now, of a ring that has some; the next one is the one after it.
    #[inline(always)]
    pub(crate) fn next_record(&self, stride: usize) -> &'static Record {
        let next = self.next.load(Ordering::Relaxed);
        let after = next + 1;
        self.next
            .store(if after == self.size.load(Ordering::Relaxed) { 0 } else { after }, Ordering::Relaxed);
        if self.filled.load(Ordering::Relaxed) < after {
            self.filled.store(after, Ordering::Relaxed);
        }
        self.record(next, stride)
    }

    /// The record at `at`, which must be below the ring's size.
    #[inline]
    pub(crate) fn record(&self, at: u32, stride: usize) -> &'static Record {
        // SAFETY: as for a frame: `place` wrote the base, `at` is below the size.
        unsafe { &*self.base.load(Ordering::Relaxed).add(at as usize * stride).cast() }
    }
}
