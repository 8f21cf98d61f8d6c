//! Waits that are recorded, and waits that are no locks: conditions, sleeping, parking, joining, what users name.

use super::count::{self, Measure};
use super::lock::Exclusive;
use super::{attended, elapsed, now};
use crate::class::{Class, EventKind, Flags, Word};
use crate::context::current;
use crate::event::{self, Begin};
use crate::instance::Instance;
use crate::model::{Context, Frame, Operation, Site, Slot};
use core::sync::atomic::Ordering::Relaxed;

/// A wait that has begun. It must be ended by [`Wait::end`]; dropped without, as by a panic, it ends too.
pub(super) struct Wait {
    context: &'static Context,
    frame: Option<&'static Frame>,
    serial: u32,
    flags: Flags,
    index: usize,
    start: u64,
}

impl Wait {
    pub(super) fn begin(
        context: &'static Context,
        flags: Flags,
        class: &'static Class,
        word: Word,
        operation: Operation,
        site: Site,
        slot: Option<&'static Slot>,
    ) -> Self {
        let timed = flags.any(Flags::TIMED | Flags::CONTENDED);
        let start = if timed { now(context, flags) } else { 0 };
        let frame = if flags.any(Flags::CURRENT) {
            let object = slot.map_or(0, |slot| core::ptr::from_ref(slot).addr() as u64);
            let begin = Begin { class, word, flags, site, start, operation: Some(operation), object };
            event::begin(context, EventKind::Wait, &begin)
        } else {
            None
        };
        let serial = frame.map_or(0, |frame| frame.serial.load(Relaxed));
        Self { context, frame, serial, flags, index: word.index(), start }
    }

    /// Ends the wait, counts it, and gives what is to be counted of the instance.
    pub(super) fn end(self, waited: bool) -> Measure {
        let measure = self.close(waited);
        core::mem::forget(self);
        measure
    }

    fn close(&self, waited: bool) -> Measure {
        let (context, flags) = (self.context, self.flags);
        let end = if self.start == 0 { 0 } else { now(context, flags) };
        let measure = match (self.start, waited) {
            (0, _) => Measure::Counted,
            (start, true) => Measure::Waited(elapsed(start, end)),
            (start, false) => Measure::Timed(elapsed(start, end)),
        };
        if let Some(frame) = self.frame {
            if frame.serial.load(Relaxed) != self.serial {
                // What it was nested in ended first, and ended and counted it.
                return measure;
            }
            event::end(context, EventKind::Wait, frame, end);
        }
        count::wait(context, flags, self.index, measure);
        measure
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        self.close(true);
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
        wait.end(true);
    }
    result
}

#[inline(never)]
fn begin_on(class: &'static Class, word: Word, operation: Operation, site: Site) -> Option<Wait> {
    let (context, flags) = attended(current(), word.flags());
    (!flags.is_none()).then(|| Wait::begin(context, flags, class, word, operation, site, None))
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
    let class = cond.class();
    let word = class.word();
    mutex.give_up();
    if word.is_off() {
        let result = wait();
        mutex.take_back(current());
        return (result, mutex);
    }
    let (context, flags) = attended(current(), word.flags());
    if flags.is_none() {
        let result = wait();
        mutex.take_back(context);
        return (result, mutex);
    }
    let slot = cond.slot(context);
    let began = Wait::begin(context, flags, class, word, operation, site, slot);
    let result = wait();
    let measure = began.end(true);
    if let Some(slot) = slot {
        count::instance(slot, measure);
    }
    mutex.take_back(context);
    (result, mutex)
}
