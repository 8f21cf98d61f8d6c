//! Acquiring locks: exclusive ones, whose holder alone writes the instance's row, and shared ones.

use super::count::{self, Measure};
use super::wait::Wait;
use super::{attended, elapsed};
use crate::class::{Class, Flags, Word};
use crate::clock::ticks;
use crate::context::current;
use crate::instance::Instance;
use crate::model::{Context, Operation, Site, Slot};
use core::sync::atomic::Ordering::Relaxed;

/// The part of a guard that says that a lock is held exclusively. Dropping it clears the holder, so it must stand
/// before the raw guard.
#[derive(Debug)]
pub struct Exclusive(Option<&'static Slot>);

/// The part of a guard that says that a lock is held with others. It must stand before the raw guard.
#[derive(Debug)]
pub struct Shared(Option<&'static Slot>);

impl Exclusive {
    /// Turns a writer into a reader, as the lock under it did.
    #[inline]
    pub fn downgrade(self) -> Shared {
        let slot = self.0;
        drop(self);
        if let Some(slot) = slot {
            slot.readers.fetch_add(1, Relaxed);
        }
        Shared(slot)
    }

    /// Shows that the lock is free while its guard is lent to a condition.
    pub(super) fn give_up(&self) {
        if let Some(slot) = self.0 {
            slot.holder.store(0, Relaxed);
        }
    }

    /// Shows that the lock is held again.
    pub(super) fn take_back(&self, context: &Context) {
        if let Some(slot) = self.0 {
            slot.holder.store(context.id(), Relaxed);
        }
    }
}

impl Drop for Exclusive {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(slot) = self.0 {
            slot.holder.store(0, Relaxed);
        }
    }
}

impl Drop for Shared {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(slot) = self.0 {
            slot.readers.fetch_sub(1, Relaxed);
        }
    }
}

/// How a lock is held; decides what its instance shows.
trait Mode {
    type Held;
    fn none() -> Self::Held;
    fn held(slot: Option<&'static Slot>, context: &Context) -> Self::Held;
}

struct AsExclusive;
struct AsShared;

impl Mode for AsExclusive {
    type Held = Exclusive;
    #[inline(always)]
    fn none() -> Exclusive {
        Exclusive(None)
    }
    #[inline(always)]
    fn held(slot: Option<&'static Slot>, context: &Context) -> Exclusive {
        if let Some(slot) = slot {
            slot.holder.store(context.id(), Relaxed);
        }
        Exclusive(slot)
    }
}

impl Mode for AsShared {
    type Held = Shared;
    #[inline(always)]
    fn none() -> Shared {
        Shared(None)
    }
    #[inline(always)]
    fn held(slot: Option<&'static Slot>, _: &Context) -> Shared {
        if let Some(slot) = slot {
            slot.readers.fetch_add(1, Relaxed);
        }
        Shared(slot)
    }
}

/// Acquires a lock that one thread holds at a time: `now` tries without waiting, `block` waits.
#[inline(always)]
pub fn exclusive<G>(
    instance: &Instance,
    operation: Operation,
    site: Site,
    now: impl FnOnce() -> Option<G>,
    block: impl FnOnce() -> G,
) -> (G, Exclusive) {
    acquire::<AsExclusive, G>(instance, operation, site, now, block)
}

/// Acquires a lock that others may hold too: `now` tries without waiting, `block` waits.
#[inline(always)]
pub fn shared<G>(
    instance: &Instance,
    operation: Operation,
    site: Site,
    now: impl FnOnce() -> Option<G>,
    block: impl FnOnce() -> G,
) -> (G, Shared) {
    acquire::<AsShared, G>(instance, operation, site, now, block)
}

/// Tries to acquire a lock that one thread holds at a time. A failure is counted as an event that did not wait.
#[inline(always)]
pub fn try_exclusive<G>(
    instance: &Instance,
    operation: Operation,
    site: Site,
    now: impl FnOnce() -> Option<G>,
) -> Option<(G, Exclusive)> {
    attempt::<AsExclusive, G>(instance, operation, site, now)
}

/// Tries to acquire a lock that others may hold too. A failure is counted as an event that did not wait.
#[inline(always)]
pub fn try_shared<G>(
    instance: &Instance,
    operation: Operation,
    site: Site,
    now: impl FnOnce() -> Option<G>,
) -> Option<(G, Shared)> {
    attempt::<AsShared, G>(instance, operation, site, now)
}

#[inline(always)]
fn acquire<M: Mode, G>(
    instance: &Instance,
    operation: Operation,
    site: Site,
    now: impl FnOnce() -> Option<G>,
    block: impl FnOnce() -> G,
) -> (G, M::Held) {
    let class = instance.class();
    let word = class.word();
    if word.is_off() {
        return (block(), M::none());
    }
    let context = current();
    let flags = context.allow(word.flags());
    if flags.any(Flags::RECORDED) {
        return acquire_recorded::<M, G>(instance, class, word, context, operation, site, now, block);
    }
    if flags.is_none() {
        return (block(), M::none());
    }
    if flags.any(Flags::CONTENDED) {
        if let Some(guard) = now() {
            return (guard, M::held(settle_immediate(context, word, instance), context));
        }
        let start = ticks();
        let guard = block();
        let slot = settle_waited(context, word, instance, elapsed(start, ticks()));
        return (guard, M::held(slot, context));
    }
    if flags.any(Flags::TIMED) {
        let start = ticks();
        if let Some(guard) = now() {
            let slot = settle_timed(context, word, instance, elapsed(start, ticks()));
            return (guard, M::held(slot, context));
        }
        let guard = block();
        let slot = settle_waited(context, word, instance, elapsed(start, ticks()));
        return (guard, M::held(slot, context));
    }
    let guard = block();
    (guard, M::held(settle_counted(context, word, instance), context))
}

#[cold]
#[inline(never)]
#[expect(clippy::too_many_arguments, reason = "what the inlined part has at hand, passed on in registers")]
fn acquire_recorded<M: Mode, G>(
    instance: &Instance,
    class: &'static Class,
    word: Word,
    context: &'static Context,
    operation: Operation,
    site: Site,
    now: impl FnOnce() -> Option<G>,
    block: impl FnOnce() -> G,
) -> (G, M::Held) {
    let (context, flags) = attended(context, word.flags());
    if flags.is_none() {
        return (block(), M::none());
    }
    let slot = instance.slot(context);
    let begin = || Wait::begin(context, flags, class, word, operation, site, slot);
    // In the mode CONTENDED what succeeds at once takes neither an event id nor a row: nothing was waited for.
    let early = (!flags.any(Flags::CONTENDED)).then(begin);
    let guard = if flags.any(Flags::CONTENDED | Flags::TIMED) { now() } else { None };
    if let Some(guard) = guard {
        let measure = if let Some(wait) = early {
            wait.end(false)
        } else {
            count::wait(context, flags, word.index(), Measure::Immediate);
            Measure::Immediate
        };
        return (guard, held::<M>(slot, context, measure));
    }
    let wait = early.unwrap_or_else(begin);
    let guard = block();
    let measure = wait.end(true);
    (guard, held::<M>(slot, context, measure))
}

fn held<M: Mode>(slot: Option<&'static Slot>, context: &Context, measure: Measure) -> M::Held {
    if let Some(slot) = slot {
        count::instance(slot, measure);
    }
    M::held(slot, context)
}

#[inline(always)]
fn attempt<M: Mode, G>(
    instance: &Instance,
    operation: Operation,
    site: Site,
    now: impl FnOnce() -> Option<G>,
) -> Option<(G, M::Held)> {
    let class = instance.class();
    let word = class.word();
    if word.is_off() {
        return now().map(|guard| (guard, M::none()));
    }
    attempt_counted::<M, G>(instance, class, word, operation, site, now)
}

#[inline(never)]
fn attempt_counted<M: Mode, G>(
    instance: &Instance,
    class: &'static Class,
    word: Word,
    operation: Operation,
    site: Site,
    now: impl FnOnce() -> Option<G>,
) -> Option<(G, M::Held)> {
    let (context, flags) = attended(current(), word.flags());
    if flags.is_none() {
        return now().map(|guard| (guard, M::none()));
    }
    let slot = instance.slot(context);
    let (guard, measure) = if flags.any(Flags::CONTENDED) {
        let guard = now();
        count::wait(context, flags, word.index(), Measure::Immediate);
        (guard, Measure::Immediate)
    } else {
        let wait = Wait::begin(context, flags, class, word, operation, site, slot);
        let guard = now();
        (guard, wait.end(false))
    };
    // Without the lock the instance's row is another thread's to write.
    guard.map(|guard| (guard, held::<M>(slot, context, measure)))
}

/// Settles an acquisition that succeeded at once and was not timed.
#[inline(never)]
fn settle_immediate(context: &'static Context, word: Word, instance: &Instance) -> Option<&'static Slot> {
    settle(context, word, instance, Measure::Immediate)
}

/// Settles an acquisition that succeeded at once and was timed.
#[inline(never)]
fn settle_timed(
    context: &'static Context,
    word: Word,
    instance: &Instance,
    ticks: u64,
) -> Option<&'static Slot> {
    settle(context, word, instance, Measure::Timed(ticks))
}

/// Settles an acquisition that is only counted.
#[inline(never)]
fn settle_counted(context: &'static Context, word: Word, instance: &Instance) -> Option<&'static Slot> {
    settle(context, word, instance, Measure::Counted)
}

/// Settles an acquisition that waited. What was asked of the context meanwhile comes first.
#[cold]
#[inline(never)]
fn settle_waited(
    context: &'static Context,
    word: Word,
    instance: &Instance,
    ticks: u64,
) -> Option<&'static Slot> {
    if context.needs_attention() {
        attended(context, word.flags());
    }
    settle(context, word, instance, Measure::Waited(ticks))
}

#[inline(always)]
fn settle(
    context: &'static Context,
    word: Word,
    instance: &Instance,
    measure: Measure,
) -> Option<&'static Slot> {
    count::own_wait(context, word.index(), measure);
    let slot = instance.slot(context)?;
    count::instance(slot, measure);
    Some(slot)
}
