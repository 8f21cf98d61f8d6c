//! Waits that are recorded, and waits that are no locks: conditions, barriers, channels, another thread's
//! initialisation, sleeping, parking, joining, what users name.

use super::lock::{Exclusive, UNTIMED, long_way, record_try};
use super::{attend_first, attended};
use crate::class::{Class, EventKind, Flags, Word};
use crate::clock::ticks;
use crate::context::{at_hand, current};
use crate::count::{self, Measure};
use crate::event;
use crate::instance::Instance;
use crate::model::{Context, Ending, Frame, Operation, Site, Slot};
use crate::schema::elapsed;
use core::cell::Cell;
use core::sync::atomic::Ordering::Relaxed;

/// What is kept of a wait between its begin and its end: two words, so that they stay in registers.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Begun {
    /// Raw ticks, all ones if the wait is not timed: what is measured from there is nothing.
    pub(super) start: u64,
    /// The frame of a wait that is recorded.
    pub(super) frame: Option<&'static Frame>,
}

impl Begun {
    /// Neither timed nor recorded.
    pub(super) const NOTHING: Self = Self { start: u64::MAX, frame: None };

    /// Ends and counts the wait and gives what is to be counted of its instance, if it could be counted.
    pub(super) fn end(self, context: &'static Context, decided: Word) -> Option<Measure> {
        self.end_as(Measure::Waited, context, decided)
    }

    /// Ends and counts the wait, by its ticks, and gives what is to be counted of its instance.
    fn end_as(
        self,
        measure: fn(u64) -> Measure,
        context: &'static Context,
        decided: Word,
    ) -> Option<Measure> {
        let flags = decided.flags();
        let timed = flags.any(Flags::TIMED | Flags::CONTENDED);
        let end = if timed { context.now(flags) } else { 0 };
        let measure = if timed { measure(elapsed(self.start, end)) } else { Measure::Counted };
        if let Some(frame) = self.frame
            && let Some(_changing) = context.change_events()
        {
            if !core::ptr::eq(context.top.load(Relaxed), frame)
                || frame.decided().flags().any(Flags::UNUSUAL_END)
            {
                event::end_descendants(context, frame, end, count::ended);
            }
            event::finish(context, EventKind::Wait, frame, flags, end, Ending::Itself);
            event::close(context, EventKind::Wait, frame);
        }
        counted(context, decided, measure)
    }
}

/// Counts a wait in its context; `None` if it interrupts a change of what it is to be counted in, and is lost.
#[inline(always)]
pub(super) fn counted(context: &'static Context, decided: Word, measure: Measure) -> Option<Measure> {
    if !attend_first(context) {
        event::lost(context, EventKind::Wait);
        return None;
    }
    count::wait(context, decided, measure).then_some(measure)
}

/// An instance's identity: the address of its slot.
#[inline(always)]
pub(super) fn object(slot: Option<&'static Slot>) -> u64 {
    slot.map_or(0, |slot| core::ptr::from_ref(slot).addr() as u64)
}

/// Begins a wait that takes the long way, `since` a clock reading if there was one; it is recorded if its flags say
/// so and not too many are open.
pub(super) fn begin(
    context: &'static Context,
    decided: Word,
    class: &'static Class,
    operation: Operation,
    site: Site,
    slot: Option<&'static Slot>,
    since: Option<u64>,
) -> Begun {
    let flags = decided.flags();
    let timed = flags.any(Flags::TIMED | Flags::CONTENDED);
    let start = if timed { since.unwrap_or_else(|| context.now(flags)) } else { 0 };
    let mut frame = None;
    if flags.any(Flags::CURRENT) {
        let changing = context.change_events();
        frame = if changing.is_some() { event::open(context, EventKind::Wait, decided, start) } else { None };
        if let Some(frame) = frame {
            event::publish(context, EventKind::Wait, frame, class, site, Some(operation), object(slot));
        } else {
            event::nested_too_deep(context, EventKind::Wait, flags);
        }
    }
    Begun { start: if timed { start } else { u64::MAX }, frame }
}

/// A wait that is held open by its owner: one that runs code of the user's, which may panic, or end what the wait is
/// nested in; one that may turn out to be none.
#[derive(Clone, Copy)]
struct Wait {
    context: &'static Context,
    decided: Word,
    begun: Begun,
    serial: u64,
    slot: Option<&'static Slot>,
}

impl Wait {
    /// Whether it is still the caller's to end. What the wait was nested in may have ended first: then that ended and
    /// counted the wait. Or the wait's code left the session it began in, which may have another writer now.
    fn is_open(&self) -> bool {
        self.begun.frame.is_none_or(|frame| frame.serial.load(Relaxed) == self.serial)
            && core::ptr::eq(current(), self.context)
    }

    /// Ends the wait, and counts it and its instance's.
    #[inline(never)]
    fn end(self, measure: fn(u64) -> Measure) {
        if self.is_open() {
            let measure = self.begun.end_as(measure, self.context, self.decided);
            if let (Some(slot), Some(measure)) = (self.slot, measure) {
                count::instance(slot, measure);
            }
        }
    }

    /// Ends the wait, which turned out to be one on `instance`.
    #[inline(never)]
    fn end_on(mut self, instance: &Instance, site: Site) {
        if self.is_open() {
            self.slot = instance.slot(self.context, site);
            if let Some(frame) = self.begun.frame
                && let Some(_changing) = self.context.change_events()
            {
                event::set_object(frame, object(self.slot));
            }
        }
        self.end(Measure::Waited);
    }

    /// Takes the wait back: it is in no row and in no count, as if it had never begun.
    #[cold]
    #[inline(never)]
    fn cancel(self) {
        if let Some(frame) = self.begun.frame
            && self.is_open()
            && let Some(_changing) = self.context.change_events()
        {
            event::withdraw(self.context, EventKind::Wait, frame);
        }
    }
}

/// Begins a wait of `class`, on `instance` if there is one, `since` a reading of the cycle counter if there was one.
/// `None` if the context lets it do nothing.
#[inline(never)]
fn begin_held(
    class: &'static Class,
    word: Word,
    instance: Option<&Instance>,
    operation: Operation,
    site: Site,
    since: u64,
) -> Option<Wait> {
    let (context, decided) = attended(at_hand(), word);
    if decided.flags().is_none() {
        return None;
    }
    let slot = instance.and_then(|instance| instance.slot(context, site));
    let since = (since != UNTIMED && !word.flags().any(Flags::SLOW_CLOCK)).then_some(since);
    let begun = begin(context, decided, class, operation, site, slot, since);
    let serial = begun.frame.map_or(0, |frame| frame.serial.load(Relaxed));
    Some(Wait { context, decided, begun, serial, slot })
}

/// Begins a wait on `instance`, whose class had the word `word`; see [`begin_held`].
#[inline(never)]
fn begin_held_on(
    instance: &Instance,
    word: Word,
    operation: Operation,
    site: Site,
    since: u64,
) -> Option<Wait> {
    let (class, word) = instance.known(word);
    begin_held(class, word, Some(instance), operation, site, since)
}

/// The same of a wait that takes no slot before it ends.
#[inline(never)]
fn begin_without_slot(instance: &Instance, word: Word, operation: Operation, site: Site) -> Option<Wait> {
    let (class, word) = instance.known(word);
    begin_held(class, word, None, operation, site, UNTIMED)
}

/// A wait that goes on. Dropping it ends it, so that a panic does.
#[must_use = "it ends when it is dropped"]
pub struct OpenWait(Option<Wait>);

impl OpenWait {
    /// Begins to wait on `instance`. Cost while not started or disabled: one relaxed load and a branch.
    #[inline]
    pub fn begin(instance: &Instance, operation: Operation, site: Site) -> Self {
        let word = instance.class().word();
        let off = word.is_off();
        Self(if off { None } else { begin_held_on(instance, word, operation, site, UNTIMED) })
    }

    /// Ends it; it `waited`, or was over at once.
    #[inline]
    pub fn end(mut self, waited: bool) {
        if let Some(wait) = self.0.take() {
            wait.end(if waited { Measure::Waited } else { Measure::Timed });
        }
    }
}

impl Drop for OpenWait {
    #[inline]
    fn drop(&mut self) {
        if let Some(wait) = self.0.take() {
            wait.end(Measure::Waited);
        }
    }
}

/// Runs `f` as a wait of `class` on no instance.
///
/// Cost while not started or disabled: one relaxed load and a branch.
#[inline]
pub fn wait<R>(class: &'static Class, operation: Operation, site: Site, f: impl FnOnce() -> R) -> R {
    let word = class.word();
    if word.is_off() {
        return f();
    }
    let wait = OpenWait(begin_held(class, word, None, operation, site, UNTIMED));
    let result = f();
    wait.end(true);
    result
}

/// Runs `f` as a wait on `instance`; `waited` says of its result whether it did not succeed at once.
///
/// Cost while not started or disabled: one relaxed load and a branch.
#[inline]
pub fn wait_on<R>(
    instance: &Instance,
    operation: Operation,
    site: Site,
    f: impl FnOnce() -> R,
    waited: impl FnOnce(&R) -> bool,
) -> R {
    let wait = OpenWait::begin(instance, operation, site);
    let result = f();
    wait.end(waited(&result));
    result
}

/// A wait on `instance` that may be over at once: `now` tries without waiting, `block` waits. One event in either case.
///
/// Cost while not started or disabled: one relaxed load and a branch; then `block` alone is called.
#[inline]
pub fn try_first<R>(
    instance: &Instance,
    operation: Operation,
    site: Site,
    now: impl FnOnce() -> Option<R>,
    block: impl FnOnce() -> R,
) -> R {
    let word = instance.class().word();
    if word.is_off() {
        return block();
    }
    let start = if word.flags().any(Flags::TIMED) { ticks() } else { UNTIMED };
    if let Some(result) = now() {
        end_at_once(instance, word, start, operation, site);
        return result;
    }
    let wait = OpenWait(begin_held_on(instance, word, operation, site, start));
    let result = block();
    wait.end(true);
    result
}

/// Counts a wait that was over at once.
#[inline(never)]
extern "C" fn end_at_once(instance: &Instance, word: Word, start: u64, operation: Operation, site: Site) {
    let (context, decided) = long_way(at_hand(), instance, word);
    if decided.flags().is_none() {
        return;
    }
    let slot = instance.slot(context, site);
    let measure = record_try(context, decided, instance, slot, start, operation, site);
    if let (Some(slot), Some(measure)) = (slot, measure) {
        count::instance(slot, measure);
    }
}

/// What is only a wait on `instance` where it does not succeed at once: `now` tries without waiting and gives `value`
/// back where it cannot, `block` waits. No event where `now` succeeds.
///
/// Cost while not started or disabled: one relaxed load and a branch; then `block` alone is called.
#[inline]
pub fn unless_at_once<V, R>(
    instance: &Instance,
    operation: Operation,
    site: Site,
    value: V,
    now: impl FnOnce(V) -> Result<R, V>,
    block: impl FnOnce(V) -> R,
) -> R {
    if instance.class().word().is_off() {
        return block(value);
    }
    match now(value) {
        Ok(result) => result,
        Err(value) => wait_on(instance, operation, site, || block(value), |_| true),
    }
}

/// A wait for what another thread does, where it may turn out that the calling thread has to do it itself: then it is
/// cancelled, and no event at all. Dropping it ends it.
///
/// Only when it ends does its instance take a slot, which what nobody waited for needs none.
#[must_use = "it ends when it is dropped"]
pub struct MaybeWait<'a> {
    wait: Cell<Option<Wait>>,
    instance: &'a Instance,
    site: Site,
}

impl<'a> MaybeWait<'a> {
    /// Begins to wait on `instance`. Cost while not started or disabled: one relaxed load and a branch.
    #[inline]
    pub fn begin(instance: &'a Instance, operation: Operation, site: Site) -> Self {
        let word = instance.class().word();
        let wait = if word.is_off() { None } else { begin_without_slot(instance, word, operation, site) };
        Self { wait: Cell::new(wait), instance, site }
    }

    /// It is no wait: what was begun is in no row and in no count. To be called before any other event begins.
    #[inline]
    pub fn cancel(&self) {
        if let Some(wait) = self.wait.take() {
            wait.cancel();
        }
    }
}

impl Drop for MaybeWait<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(wait) = self.wait.take() {
            wait.end_on(self.instance, self.site);
        }
    }
}

/// Waits on a condition: the mutex is given up, shows no holder meanwhile, and is taken back within the wait.
#[inline]
pub fn cond_wait<R>(
    cond: &Instance,
    operation: Operation,
    site: Site,
    mutex: Exclusive,
    wait: impl FnOnce() -> R,
) -> (R, Exclusive) {
    mutex.give_up();
    let result = wait_on(cond, operation, site, wait, |_| true);
    mutex.take_back(current());
    (result, mutex)
}
