//! Who holds a lock, for locks whose guards are another crate's and so have no place for a token: what is to be cleared
//! is found by the lock alone.
//!
//! What changes who is shown is called by who holds the lock, before it is released. So there is no doubt about an exclusive
//! holder. Which of several readers were counted is not known; there are never more of them shown than there are, and
//! none when there is none, whatever was switched on and off meanwhile.

use crate::context::current;
use crate::instance::{Bound, Instance};
use crate::model::Slot;
use core::sync::atomic::Ordering::Relaxed;

/// Whether an acquisition is an event, or the raw operation and no more. Cost: one load.
#[inline(always)]
pub fn is_counted(instance: &Instance) -> bool {
    !instance.class().word().is_off()
}

/// Shows that a lock that was held exclusively is free. Cost where none is shown: one load and a branch.
#[inline(always)]
pub fn release(instance: &Instance) {
    if let Bound::To(slot) = instance.peek() {
        slot.holder.store(0, Relaxed);
    }
}

/// Shows that a lock that was held with others has a reader less. Cost where none is shown: one load and a branch.
#[inline(always)]
pub fn release_shared(instance: &Instance) {
    if let Bound::To(slot) = instance.peek() {
        one_less(slot);
    }
}

/// Takes a reader away, unless none was counted.
#[inline]
fn one_less(slot: &Slot) -> bool {
    slot.readers.fetch_update(Relaxed, Relaxed, |readers| readers.checked_sub(1)).is_ok()
}

/// Turns the writer into a reader, before the lock does.
#[inline]
pub fn downgrade(instance: &Instance) {
    if let Some(slot) = shown(instance) {
        slot.holder.store(0, Relaxed);
        slot.readers.store(1, Relaxed);
    }
}

/// Shows that there is no reader any more, because the last has become the writer.
#[inline]
pub fn upgraded(instance: &Instance) {
    if let Bound::To(slot) = instance.peek() {
        slot.readers.store(0, Relaxed);
    }
}

/// The slot that shows who holds the lock exclusively.
fn shown(instance: &Instance) -> Option<&'static Slot> {
    match instance.peek() {
        Bound::To(slot) if slot.holder.load(Relaxed) != 0 => Some(slot),
        _ => None,
    }
}

/// A lock that its holder lends to others: it is not shown as held. When this is dropped, the calling thread is shown to
/// hold it again, unless it was not before.
#[derive(Debug)]
#[must_use = "the lock is lent until this is dropped"]
pub struct Lent(Option<&'static Slot>);

/// Shows that a lock that is held exclusively is free for a while.
#[inline]
pub fn lend(instance: &Instance) -> Lent {
    let slot = shown(instance);
    if let Some(slot) = slot {
        slot.holder.store(0, Relaxed);
    }
    Lent(slot)
}

impl Drop for Lent {
    #[inline]
    fn drop(&mut self) {
        if let Some(slot) = self.0 {
            slot.holder.store(current().id(), Relaxed);
        }
    }
}

/// A lock that one of its readers lends. When this is dropped, it is shown to have that reader again, unless it had not
/// before.
#[derive(Debug)]
#[must_use = "the lock is lent until this is dropped"]
pub struct LentShared(Option<&'static Slot>);

/// Shows that a lock that is held with others has a reader less for a while.
#[inline]
pub fn lend_shared(instance: &Instance) -> LentShared {
    match instance.peek() {
        Bound::To(slot) if one_less(slot) => LentShared(Some(slot)),
        _ => LentShared(None),
    }
}

impl Drop for LentShared {
    #[inline]
    fn drop(&mut self) {
        if let Some(slot) = self.0 {
            slot.readers.fetch_add(1, Relaxed);
        }
    }
}
