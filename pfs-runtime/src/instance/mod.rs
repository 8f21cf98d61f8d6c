//! The handle inside every instrumented object: its class, and its slot in the instance tables once it has one.

mod statics;

pub use statics::{NamedStatic, STATICS, Visit, bind_statics};

use crate::class::Class;
use crate::model::{Context, Site, Slot};
use core::ptr::from_ref;
use core::sync::atomic::{
    AtomicPtr,
    Ordering::{Acquire, Relaxed, Release},
};

/// Two words that make an object an instance of a class.
///
/// The second word is one of: the slot (no tag); or, tagged in its low bits, the place where the object was made
/// while it has no slot yet, is being given one, or found none. A slot is looked for once, at the first
/// instrumented use.
#[derive(Debug)]
pub struct Instance {
    class: AtomicPtr<Class>,
    slot: AtomicPtr<Slot>,
}

/// Whether an instance has a slot.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bound {
    /// It has none and never will, or another thread is getting it one just now.
    No,
    /// None was looked for yet.
    NotYet,
    /// This one.
    To(&'static Slot),
}

const TAGS: usize = 0b11;
/// No slot yet.
const UNBOUND: usize = 1;
/// A thread is getting the slot; the others go on without.
const BINDING: usize = 2;
/// There was no slot.
const LOST: usize = 3;

const _: () = assert!(align_of::<core::panic::Location<'static>>() > TAGS);

impl Instance {
    /// The handle of an object of that class. Nothing is registered before its first instrumented use.
    pub const fn new(class: &'static Class, made_at: Site) -> Self {
        Self {
            class: AtomicPtr::new(from_ref(class).cast_mut()),
            slot: AtomicPtr::new(from_ref(made_at).cast::<Slot>().cast_mut().wrapping_byte_add(UNBOUND)),
        }
    }

    /// The class. Cost: one relaxed load.
    #[inline(always)]
    pub fn class(&self) -> &'static Class {
        // SAFETY: only `new` and `rebind` store here, both from a `&'static Class`.
        unsafe { &*self.class.load(Relaxed) }
    }

    /// Makes the object one of another class. An instance that has a slot keeps it.
    pub fn rebind(&self, class: &'static Class) {
        self.class.store(from_ref(class).cast_mut(), Relaxed);
    }

    /// Whether the instance has a slot. Cost: one load.
    #[inline(always)]
    pub(crate) fn peek(&self) -> Bound {
        // Acquire: the slot was prepared by whoever bound it.
        let slot = self.slot.load(Acquire);
        match slot.addr() & TAGS {
            // SAFETY: an untagged word is only stored by `bind`: a slot of a schema's mapping, never unmapped.
            0 => Bound::To(unsafe { &*slot }),
            UNBOUND => Bound::NotYet,
            _ => Bound::No,
        }
    }

    /// The instance's slot, if it has one or gets one now.
    #[inline]
    pub(crate) fn slot(&self, context: &Context) -> Option<&'static Slot> {
        match self.peek() {
            Bound::To(slot) => Some(slot),
            Bound::NotYet => self.bind(context),
            Bound::No => None,
        }
    }

    #[cold]
    #[inline(never)]
    fn bind(&self, context: &Context) -> Option<&'static Slot> {
        let schema = context.schema()?;
        let unbound = self.slot.load(Relaxed);
        if unbound.addr() & TAGS != UNBOUND {
            return None;
        }
        let made_at = unbound.wrapping_byte_sub(UNBOUND);
        let binding = made_at.wrapping_byte_add(BINDING);
        // One thread binds; the others' events go without the instance until it has.
        self.slot.compare_exchange(unbound, binding, Relaxed, Relaxed).ok()?;
        // SAFETY: `new` stored a `&'static Location` under the tag.
        let site = unsafe { &*made_at.cast_const().cast() };
        let slot = schema.bind(self.class(), site);
        let word = slot.map_or(made_at.wrapping_byte_add(LOST), |slot| from_ref(slot).cast_mut());
        self.slot.store(word, Release);
        slot
    }
}

impl Drop for Instance {
    #[inline]
    fn drop(&mut self) {
        let slot = *self.slot.get_mut();
        if slot.addr() & TAGS == 0 {
            unbind(slot);
        }
    }
}

#[cold]
#[inline(never)]
fn unbind(slot: *mut Slot) {
    // SAFETY: as in `Instance::slot`; null, if it were stored, is no slot.
    let Some(slot) = (unsafe { slot.as_ref() }) else { return };
    // The instance may be dropped on a thread without a context; its slot says which schema it belongs to.
    slot.give_back();
}
