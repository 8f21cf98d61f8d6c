//! Acquiring locks: exclusive ones, whose holder alone writes the instance's row, and shared ones.

use super::attended_on;
use super::wait::{Begun, begin, counted, object};
use crate::class::{Flags, Word};
use crate::clock::ticks;
use crate::context::{at_hand, current};
use crate::count::{self, Measure};
use crate::event::Over;
use crate::instance::{Bound, Instance};
use crate::model::{Context, Frame, Operation, Site, Slot};
use crate::schema::elapsed;
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

    /// Leaves the holder shown: whoever releases the lock clears it by [`held::release`](super::held::release).
    #[inline(always)]
    pub fn leave(self) {
        core::mem::forget(self);
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

impl Shared {
    /// Leaves the reader shown: whoever releases the lock clears it by
    /// [`held::release_shared`](super::held::release_shared).
    #[inline(always)]
    pub fn leave(self) {
        core::mem::forget(self);
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

/// Acquires a lock that one thread holds at a time: `now` tries without waiting, `block` waits.
#[inline(always)]
pub fn exclusive<G>(
    instance: &Instance,
    operation: Operation,
    site: Site,
    now: impl FnOnce() -> Option<G>,
    block: impl FnOnce() -> G,
) -> (G, Exclusive) {
    let (guard, slot) = acquire::<true, G>(instance, operation, site, now, block);
    (guard, Exclusive(slot))
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
    let (guard, slot) = acquire::<false, G>(instance, operation, site, now, block);
    (guard, Shared(slot))
}

/// Tries to acquire a lock that one thread holds at a time. A failure is counted as an event that did not wait.
#[inline(always)]
pub fn try_exclusive<G>(
    instance: &Instance,
    operation: Operation,
    site: Site,
    now: impl FnOnce() -> Option<G>,
) -> Option<(G, Exclusive)> {
    attempt::<true, G>(instance, operation, site, now).map(|(guard, slot)| (guard, Exclusive(slot)))
}

/// Tries to acquire a lock that others may hold too. A failure is counted as an event that did not wait.
#[inline(always)]
pub fn try_shared<G>(
    instance: &Instance,
    operation: Operation,
    site: Site,
    now: impl FnOnce() -> Option<G>,
) -> Option<(G, Shared)> {
    attempt::<false, G>(instance, operation, site, now).map(|(guard, slot)| (guard, Shared(slot)))
}

/// Acquires a lock that one thread holds at a time, or gives it up in the end: `now` tries without waiting, `wait` waits
/// for a limited time. Giving up is counted as an event that waited.
#[inline(always)]
pub fn exclusive_in_time<G>(
    instance: &Instance,
    operation: Operation,
    site: Site,
    now: impl FnOnce() -> Option<G>,
    wait: impl FnOnce() -> Option<G>,
) -> Option<(G, Exclusive)> {
    acquire_in_time::<true, G>(instance, operation, site, now, wait)
        .map(|(guard, slot)| (guard, Exclusive(slot)))
}

/// Acquires a lock that others may hold too, or gives it up in the end: `now` tries without waiting, `wait` waits for a
/// limited time. Giving up is counted as an event that waited.
#[inline(always)]
pub fn shared_in_time<G>(
    instance: &Instance,
    operation: Operation,
    site: Site,
    now: impl FnOnce() -> Option<G>,
    wait: impl FnOnce() -> Option<G>,
) -> Option<(G, Shared)> {
    acquire_in_time::<false, G>(instance, operation, site, now, wait)
        .map(|(guard, slot)| (guard, Shared(slot)))
}

/// All ways of acquiring have one try and one wait in the user's code; a lock that is tried first and then waited
/// for is what the raw lock does too.
///
/// What is called from there is `extern "C"`, which no unwinding leaves: so the user's code need not keep the raw
/// guard in memory for a landing pad, and holds it in registers. What an exclusive acquisition that succeeds at once
/// usually needs is inlined, because around a call more is saved than done; a shared one has atomic additions to make
/// and is left smaller. The context is looked up in the user's code, because a thread-local is a call in a library
/// that was built to be linked anywhere, and an instruction or two in a program.
#[inline(always)]
fn acquire<const EXCLUSIVE: bool, G>(
    instance: &Instance,
    operation: Operation,
    site: Site,
    now: impl FnOnce() -> Option<G>,
    block: impl FnOnce() -> G,
) -> (G, Option<&'static Slot>) {
    let word = instance.class().word();
    if word.is_off() {
        return (block(), None);
    }
    let start;
    if word.flags().any(Flags::TIMED) {
        start = ticks();
        if let Some(guard) = now() {
            let slot = if EXCLUSIVE {
                end_timed::<true>(at_hand(), instance, word, start, operation, site)
            } else {
                slot_at(end_timed_shared(at_hand(), instance, word, start, operation, site))
            };
            return (guard, slot);
        }
    } else {
        start = UNTIMED;
        if let Some(guard) = now() {
            let slot = if EXCLUSIVE {
                end_untimed::<true>(at_hand(), instance, word, operation, site)
            } else {
                slot_at(end_untimed_shared(at_hand(), instance, word, operation, site))
            };
            return (guard, slot);
        }
    }
    let begun = begin_waiting(instance, word, start, operation, site);
    let guard = block();
    (guard, slot_at(end_waited::<EXCLUSIVE>(instance, word, begun, site)))
}

#[inline(always)]
fn attempt<const EXCLUSIVE: bool, G>(
    instance: &Instance,
    operation: Operation,
    site: Site,
    now: impl FnOnce() -> Option<G>,
) -> Option<(G, Option<&'static Slot>)> {
    let word = instance.class().word();
    if word.is_off() {
        return now().map(|guard| (guard, None));
    }
    let start = if word.flags().any(Flags::TIMED) { ticks() } else { UNTIMED };
    let guard = now();
    if guard.is_none() {
        end_failed(instance, word, start, operation, site);
    }
    guard.map(|guard| (guard, slot_at(at_once_long_way::<EXCLUSIVE>(instance, word, start, operation, site))))
}

#[inline(always)]
fn acquire_in_time<const EXCLUSIVE: bool, G>(
    instance: &Instance,
    operation: Operation,
    site: Site,
    now: impl FnOnce() -> Option<G>,
    wait: impl FnOnce() -> Option<G>,
) -> Option<(G, Option<&'static Slot>)> {
    let word = instance.class().word();
    if word.is_off() {
        return wait().map(|guard| (guard, None));
    }
    let start = if word.flags().any(Flags::TIMED) { ticks() } else { UNTIMED };
    if let Some(guard) = now() {
        return Some((guard, slot_at(at_once_long_way::<EXCLUSIVE>(instance, word, start, operation, site))));
    }
    let begun = begin_waiting(instance, word, start, operation, site);
    let guard = wait();
    if guard.is_none() {
        end_given_up(instance, word, begun);
    }
    guard.map(|guard| (guard, slot_at(end_waited::<EXCLUSIVE>(instance, word, begun, site))))
}

/// The begin of what is not timed: from there nothing is measured.
///
/// By another clock than the cycle counter, what is acquired at once is measured when it is counted.
pub(super) const UNTIMED: u64 = u64::MAX;

#[inline(always)]
fn slot_at(slot: *const Slot) -> Option<&'static Slot> {
    // SAFETY: the functions that end an acquisition give null or a slot of a schema's mapping, never unmapped.
    unsafe { slot.as_ref() }
}

#[inline(always)]
fn address_of(slot: Option<&'static Slot>) -> *const Slot {
    slot.map_or(core::ptr::null(), core::ptr::from_ref)
}

/// The context the event belongs to and what it lets the event do.
#[inline(always)]
pub(super) fn long_way(
    context: &'static Context,
    instance: &Instance,
    word: Word,
) -> (&'static Context, Word) {
    let decided = context.allow(word);
    if decided.flags().any(Flags::LONG_WAY) {
        attended_on(context, instance, word)
    } else {
        (context, decided)
    }
}

/// Begins the waiting of an acquisition that did not succeed at once.
#[cold]
#[inline(never)]
extern "C" fn begin_waiting(
    instance: &Instance,
    word: Word,
    start: u64,
    operation: Operation,
    site: Site,
) -> Begun {
    let (context, decided) = long_way(at_hand(), instance, word);
    if decided.flags().is_none() {
        return Begun::NOTHING;
    }
    let cycles = !decided.flags().any(Flags::SLOW_CLOCK) && start != UNTIMED;
    let start = cycles.then_some(start);
    begin(context, decided, instance.class(), operation, site, instance.slot(context, site), start)
}

/// Counts an acquisition that succeeded at once after it was timed, and gives the slot that shows who holds the lock.
#[inline(always)]
fn end_timed<const EXCLUSIVE: bool>(
    context: &'static Context,
    instance: &Instance,
    word: Word,
    start: u64,
    operation: Operation,
    site: Site,
) -> Option<&'static Slot> {
    let flags = word.flags() & context.mask();
    let ticks = elapsed(start, ticks());
    // All that is usual in one comparison: enabled and timed, with nothing more to do.
    if flags.only(Flags::COUNT | Flags::TIMED) {
        settle::<EXCLUSIVE>(context, word, instance, Measure::Timed(ticks), site)
    } else {
        let acquiring = Acquiring::new(word, operation);
        slot_at(end_shown::<EXCLUSIVE>(context, instance, acquiring, site, start, ticks))
    }
}

/// Counts an acquisition that succeeded at once and is not timed, and gives the slot that shows who holds the lock.
#[inline(always)]
fn end_untimed<const EXCLUSIVE: bool>(
    context: &'static Context,
    instance: &Instance,
    word: Word,
    operation: Operation,
    site: Site,
) -> Option<&'static Slot> {
    let flags = word.flags() & context.mask();
    if flags.only(Flags::COUNT | Flags::CONTENDED) {
        settle::<EXCLUSIVE>(context, word, instance, Measure::Immediate, site)
    } else if flags.only(Flags::COUNT) {
        settle::<EXCLUSIVE>(context, word, instance, Measure::Counted, site)
    } else {
        slot_at(at_once_long_way::<EXCLUSIVE>(instance, word, UNTIMED, operation, site))
    }
}

/// [`end_timed`] of a shared acquisition, out of line.
#[inline(never)]
extern "C" fn end_timed_shared(
    context: &'static Context,
    instance: &Instance,
    word: Word,
    start: u64,
    operation: Operation,
    site: Site,
) -> *const Slot {
    address_of(end_timed::<false>(context, instance, word, start, operation, site))
}

/// [`end_untimed`] of a shared acquisition, out of line.
#[inline(never)]
extern "C" fn end_untimed_shared(
    context: &'static Context,
    instance: &Instance,
    word: Word,
    operation: Operation,
    site: Site,
) -> *const Slot {
    address_of(end_untimed::<false>(context, instance, word, operation, site))
}

#[inline(always)]
fn settle<const EXCLUSIVE: bool>(
    context: &'static Context,
    word: Word,
    instance: &Instance,
    measure: Measure,
    site: Site,
) -> Option<&'static Slot> {
    if !count::own_wait(context, word.index(), measure) {
        return slot_at(settle_rare::<EXCLUSIVE>(context, instance, word.index(), measure, site));
    }
    match instance.peek() {
        Bound::To(slot) => {
            settle_bound::<EXCLUSIVE>(context, slot, measure);
            Some(slot)
        }
        Bound::No => None,
        Bound::NotYet => slot_at(settle_unbound::<EXCLUSIVE>(context, instance, measure, site)),
    }
}

/// Counts an acquisition of an instance that has its slot, and shows who holds it.
#[inline(always)]
fn settle_bound<const EXCLUSIVE: bool>(context: &'static Context, slot: &'static Slot, measure: Measure) {
    if EXCLUSIVE && !slot.marks.any() {
        measure.add(&slot.row);
        slot.holder.store(context.id(), Relaxed);
    } else {
        settle_slot::<EXCLUSIVE>(context, slot, measure);
    }
}

/// Counts an acquisition that may be the first that a context counts of a class, or interrupt another.
#[cold]
#[inline(never)]
extern "C" fn settle_rare<const EXCLUSIVE: bool>(
    context: &'static Context,
    instance: &Instance,
    index: usize,
    measure: Measure,
    site: Site,
) -> *const Slot {
    if !count::rare_wait(context, index, measure) {
        return core::ptr::null();
    }
    settle_unbound::<EXCLUSIVE>(context, instance, measure, site)
}

/// What is left to do for an acquisition of an instance that may have to get its slot first.
#[cold]
#[inline(never)]
extern "C" fn settle_unbound<const EXCLUSIVE: bool>(
    context: &'static Context,
    instance: &Instance,
    measure: Measure,
    site: Site,
) -> *const Slot {
    hold::<EXCLUSIVE>(context, instance.slot(context, site), measure)
}

/// What is left to do for an acquisition of an instance whose row others write too, or is to be restarted.
#[inline(never)]
extern "C" fn settle_slot<const EXCLUSIVE: bool>(
    context: &'static Context,
    slot: &'static Slot,
    measure: Measure,
) {
    hold::<EXCLUSIVE>(context, Some(slot), measure);
}

/// Counts an acquisition of an instance and shows who holds it.
#[inline(always)]
fn hold<const EXCLUSIVE: bool>(
    context: &'static Context,
    slot: Option<&'static Slot>,
    measure: Measure,
) -> *const Slot {
    let Some(slot) = slot else { return core::ptr::null() };
    count::instance(slot, measure);
    if EXCLUSIVE {
        slot.holder.store(context.id(), Relaxed);
    } else {
        slot.readers.fetch_add(1, Relaxed);
    }
    slot
}

/// A class's word and an operation on an instance of it, in one register: the operation's number stands above the
/// class's index, which has 24 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Acquiring(u64);

impl Acquiring {
    #[inline(always)]
    fn new(word: Word, operation: Operation) -> Self {
        Self(word.0 | (operation as u64) << 56)
    }

    #[inline(always)]
    fn flags(self) -> Flags {
        Word(self.0).flags()
    }

    #[inline(always)]
    fn word(self) -> Word {
        Word(self.0 & 0x00ff_ffff_ffff_ffff)
    }

    #[inline(always)]
    fn index(self) -> usize {
        (self.0 << 8 >> 40) as usize
    }

    /// The number of the operation.
    #[inline(always)]
    fn operation(self) -> u8 {
        (self.0 >> 56) as u8
    }
}

/// Ends an acquisition that succeeded at once and is timed and shown in the current table.
///
/// This and what it leaves the rest to have the same arguments, no more than there are registers for: so one ends in a
/// jump to the other, and nothing passes through memory.
#[inline(never)]
extern "C" fn end_shown<const EXCLUSIVE: bool>(
    context: &'static Context,
    instance: &Instance,
    acquiring: Acquiring,
    site: Site,
    start: u64,
    ticks: u64,
) -> *const Slot {
    let flags = acquiring.flags() & context.mask();
    if !flags.only(Flags::COUNT | Flags::TIMED | Flags::CURRENT) {
        return end_kept::<EXCLUSIVE>(context, instance, acquiring, site, start, ticks);
    }
    record_at_once::<EXCLUSIVE>(context, instance, acquiring, site, start, ticks, |over, frame| {
        over.show(context, frame);
    })
}

/// Ends an acquisition that succeeded at once and is timed, shown in the current table and kept in a history.
#[inline(never)]
extern "C" fn end_kept<const EXCLUSIVE: bool>(
    context: &'static Context,
    instance: &Instance,
    acquiring: Acquiring,
    site: Site,
    start: u64,
    ticks: u64,
) -> *const Slot {
    let flags = acquiring.flags() & context.mask();
    let unkept = flags.without(Flags::HISTORY | Flags::HISTORY_LONG);
    if !unkept.only(Flags::COUNT | Flags::TIMED | Flags::CURRENT) {
        return end_unusual::<EXCLUSIVE>(context, instance, acquiring, site, start, ticks);
    }
    record_at_once::<EXCLUSIVE>(context, instance, acquiring, site, start, ticks, |over, frame| {
        over.keep(context, flags, frame);
    })
}

/// Ends an acquisition that succeeded at once and is timed, in whatever way is asked for.
#[cold]
#[inline(never)]
extern "C" fn end_unusual<const EXCLUSIVE: bool>(
    _: &'static Context,
    instance: &Instance,
    acquiring: Acquiring,
    site: Site,
    start: u64,
    _: u64,
) -> *const Slot {
    let operation = Operation::from_number(acquiring.operation()).unwrap_or(Operation::Lock);
    at_once_long_way::<EXCLUSIVE>(instance, acquiring.word(), start, operation, site)
}

/// Records by `record`, and counts, an acquisition that is all that its context waits for, of an instance whose slot is
/// known.
#[inline(always)]
fn record_at_once<const EXCLUSIVE: bool>(
    context: &'static Context,
    instance: &Instance,
    acquiring: Acquiring,
    site: Site,
    start: u64,
    ticks: u64,
    record: impl FnOnce(Over, &'static Frame),
) -> *const Slot {
    let peeked = instance.look();
    let slot = if peeked.is_slot() {
        peeked.address()
    } else if peeked.is_lost() {
        core::ptr::null()
    } else {
        return end_unusual::<EXCLUSIVE>(context, instance, acquiring, site, start, ticks);
    };
    let Some(changing) = context.change_events() else {
        return end_unusual::<EXCLUSIVE>(context, instance, acquiring, site, start, ticks);
    };
    if context.wait_frames.any() {
        drop(changing);
        return end_unusual::<EXCLUSIVE>(context, instance, acquiring, site, start, ticks);
    }
    let frame = context.wait_frames.first();
    let (class, operation, object) = (instance.class(), acquiring.operation(), slot.addr() as u64);
    record(Over { class, site, operation, object, start, end: start + ticks }, frame);
    drop(changing);
    let measure = Measure::Timed(ticks);
    if !count::own_wait(context, acquiring.index(), measure) {
        return settle_rare::<EXCLUSIVE>(context, instance, acquiring.index(), measure, site);
    }
    if let Some(slot) = slot_at(slot) {
        settle_bound::<EXCLUSIVE>(context, slot, measure);
    }
    slot
}

/// Ends an acquisition that succeeded at once and is recorded, or whose statistics go elsewhere.
#[inline(never)]
extern "C" fn at_once_long_way<const EXCLUSIVE: bool>(
    instance: &Instance,
    word: Word,
    start: u64,
    operation: Operation,
    site: Site,
) -> *const Slot {
    let (context, decided) = long_way(at_hand(), instance, word);
    if decided.flags().is_none() {
        return core::ptr::null();
    }
    let slot = instance.slot(context, site);
    match record_try(context, decided, instance, slot, start, operation, site) {
        Some(measure) => hold::<EXCLUSIVE>(context, slot, measure),
        None => core::ptr::null(),
    }
}

/// Ends a try that failed: it is an event of the context, and none of the instance, whose row is another thread's to
/// write.
#[cold]
#[inline(never)]
extern "C" fn end_failed(instance: &Instance, word: Word, start: u64, operation: Operation, site: Site) {
    let (context, decided) = long_way(at_hand(), instance, word);
    if !decided.flags().is_none() {
        record_try(context, decided, instance, instance.slot(context, site), start, operation, site);
    }
}

/// Records and counts an acquisition, or a failure, that waited for nothing; gives what is to be counted of its instance, if
/// it could be counted.
#[inline(always)]
pub(super) fn record_try(
    context: &'static Context,
    decided: Word,
    instance: &Instance,
    slot: Option<&'static Slot>,
    start: u64,
    operation: Operation,
    site: Site,
) -> Option<Measure> {
    let flags = decided.flags();
    // In the mode CONTENDED what does not wait takes neither an event id nor a row.
    let measure = if flags.any(Flags::CONTENDED) {
        Measure::Immediate
    } else {
        let timed = flags.any(Flags::TIMED);
        let start = if timed && flags.any(Flags::SLOW_CLOCK) { context.now(flags) } else { start };
        let end = if timed { context.now(flags) } else { 0 };
        let start = start.min(end);
        if flags.any(Flags::CURRENT) {
            let (class, operation, object) = (instance.class(), operation as u8, object(slot));
            Over { class, site, operation, object, start, end }.record(context, flags);
        }
        if timed { Measure::Timed(end - start) } else { Measure::Counted }
    };
    counted(context, decided, measure)
}

#[cold]
#[inline(never)]
extern "C" fn end_waited<const EXCLUSIVE: bool>(
    instance: &Instance,
    word: Word,
    begun: Begun,
    site: Site,
) -> *const Slot {
    let (context, decided) = deciding(instance, word, begun);
    if decided.flags().is_none() {
        return core::ptr::null();
    }
    match begun.end(context, decided) {
        Some(measure) => hold::<EXCLUSIVE>(context, instance.slot(context, site), measure),
        None => core::ptr::null(),
    }
}

/// Ends waiting that was in vain: as a try that failed, it is none of the instance.
#[cold]
#[inline(never)]
extern "C" fn end_given_up(instance: &Instance, word: Word, begun: Begun) {
    let (context, decided) = deciding(instance, word, begun);
    if !decided.flags().is_none() {
        begun.end(context, decided);
    }
}

/// The context of a wait that ends and what it lets the wait do.
#[inline(always)]
fn deciding(instance: &Instance, word: Word, begun: Begun) -> (&'static Context, Word) {
    match begun.frame {
        // A recorded event keeps what was decided when it began.
        Some(frame) => (current(), frame.decided()),
        None => long_way(at_hand(), instance, word),
    }
}
