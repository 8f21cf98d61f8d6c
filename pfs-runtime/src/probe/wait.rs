//! Waits that are recorded, and waits that are no locks: conditions, sleeping, parking, joining, what users name.

use super::lock::Exclusive;
use super::{attend_first, attended};
use crate::class::{Class, EventKind, Flags, Word};
use crate::context::current;
use crate::count::{self, Measure};
use crate::event;
use crate::instance::Instance;
use crate::model::{Context, Ending, Frame, Operation, Site, Slot};
use crate::schema::elapsed;
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

    /// Ends and counts the wait and gives what is to be counted of its instance.
    pub(super) fn end(self, context: &'static Context, decided: Word) -> Measure {
        let flags = decided.flags();
        let timed = flags.any(Flags::TIMED | Flags::CONTENDED);
        let end = if timed { context.now(flags) } else { 0 };
        let measure = if timed { Measure::Waited(elapsed(self.start, end)) } else { Measure::Counted };
        if let Some(frame) = self.frame {
            if !core::ptr::eq(context.top.load(Relaxed), frame) {
                event::end_descendants(context, frame, end, count::framed);
            }
            event::finish(context, EventKind::Wait, frame, flags, end, Ending::Itself);
            event::close(context, EventKind::Wait, frame);
        }
        attend_first(context, decided);
        count::wait(context, decided, measure);
        measure
    }
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
        frame = event::open(context, EventKind::Wait, decided, start);
        if let Some(frame) = frame {
            event::publish(context, EventKind::Wait, frame, class, site, Some(operation), object(slot));
        } else {
            event::nested_too_deep(context, EventKind::Wait, flags);
        }
    }
    Begun { start: if timed { start } else { u64::MAX }, frame }
}

/// A wait that runs code of the user's, which may panic, or end what the wait is nested in.
struct Wait {
    context: &'static Context,
    decided: Word,
    begun: Begun,
    serial: u64,
}

impl Wait {
    fn begin(
        context: &'static Context,
        decided: Word,
        class: &'static Class,
        operation: Operation,
        site: Site,
        slot: Option<&'static Slot>,
    ) -> Self {
        let begun = begin(context, decided, class, operation, site, slot, None);
        let serial = begun.frame.map_or(0, |frame| frame.serial.load(Relaxed));
        Self { context, decided, begun, serial }
    }

    /// Ends the wait; gives what is to be counted of its instance.
    fn end(self) -> Option<Measure> {
        let measure = self.close();
        core::mem::forget(self);
        measure
    }

    fn close(&self) -> Option<Measure> {
        let open = self.begun.frame.is_none_or(|frame| frame.serial.load(Relaxed) == self.serial);
        // What the wait was nested in may have ended first: then it ended and counted the wait. Or the wait's code left
        // the session it began in, which may have another writer now.
        let mine = core::ptr::eq(current(), self.context);
        (open && mine).then(|| self.begun.end(self.context, self.decided))
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        self.close();
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
    let wait = begin_on(class, word, operation, site);
    let result = f();
    if let Some(wait) = wait {
        wait.end();
    }
    result
}

#[inline(never)]
fn begin_on(class: &'static Class, word: Word, operation: Operation, site: Site) -> Option<Wait> {
    let (context, decided) = attended(current(), word);
    (!decided.flags().is_none()).then(|| Wait::begin(context, decided, class, operation, site, None))
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
    let begun = begin_cond(cond, operation, site, &mutex);
    let result = wait();
    end_cond(cond, begun, &mutex, site);
    (result, mutex)
}

#[inline(never)]
fn begin_cond(cond: &Instance, operation: Operation, site: Site, mutex: &Exclusive) -> Option<Wait> {
    mutex.give_up();
    let (class, word) = (cond.class(), cond.class().word());
    if word.is_off() {
        return None;
    }
    let (context, decided) = attended(current(), word);
    (!decided.flags().is_none())
        .then(|| Wait::begin(context, decided, class, operation, site, cond.slot(context, site)))
}

#[inline(never)]
fn end_cond(cond: &Instance, begun: Option<Wait>, mutex: &Exclusive, site: Site) {
    if let Some(wait) = begun {
        let context = wait.context;
        if let (Some(measure), Some(slot)) = (wait.end(), cond.slot(context, site)) {
            count::instance(slot, measure);
        }
    }
    mutex.take_back(current());
}
