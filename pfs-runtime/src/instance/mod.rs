//! The handle inside every instrumented object: its class, and its slot in the instance tables once it has one.

mod shared;
#[cfg_attr(listed_by_constructors, path = "list_by_constructors.rs")]
mod list;
mod statics;

pub use list::*;
pub use shared::SharedInstance;
pub use statics::{NamedStatic, Visit, bind_statics};

use crate::class::Class;
use crate::model::{Context, Site, Slot};
use crate::slots::Handle;
use core::ptr::from_ref;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

pub(crate) use crate::slots::Bound;

/// Two words that make an object an instance of a class. A slot is looked for once, at the first instrumented use.
#[derive(Debug)]
pub struct Instance {
    class: AtomicPtr<Class>,
    slot: Handle<Slot>,
}

impl Instance {
    /// The handle of an object of that class. Nothing is registered before its first instrumented use.
    pub const fn new(class: &'static Class, made_at: Site) -> Self {
        Self { class: AtomicPtr::new(from_ref(class).cast_mut()), slot: Handle::new(made_at) }
    }

    /// The handle of an object of that class that cannot say where it was made: it is shown as made where it is first
    /// used.
    pub const fn unplaced(class: &'static Class) -> Self {
        Self { class: AtomicPtr::new(from_ref(class).cast_mut()), slot: Handle::unplaced() }
    }

    /// The handle of another object of the same class.
    #[must_use]
    pub fn another(&self, made_at: Site) -> Self {
        Self::new(self.class(), made_at)
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
    pub(crate) fn peek(&self) -> Bound<Slot> {
        self.slot.peek()
    }

    /// The instance's slot, if it has one or gets one now, at its use at `site`.
    #[inline]
    pub(crate) fn slot(&self, context: &Context, site: Site) -> Option<&'static Slot> {
        match self.peek() {
            Bound::To(slot) => Some(slot),
            Bound::NotYet => self.bind(context, site),
            Bound::No => None,
        }
    }

    #[cold]
    #[inline(never)]
    fn bind(&self, context: &Context, site: Site) -> Option<&'static Slot> {
        let schema = context.schema()?;
        self.slot.bind(|made_at| schema.bind(self.class(), made_at.unwrap_or(site)))
    }
}

impl Drop for Instance {
    #[inline]
    fn drop(&mut self) {
        if let Some(slot) = self.slot.bound() {
            unbind(slot);
        }
    }
}

#[cold]
#[inline(never)]
fn unbind(slot: &'static Slot) {
    // The instance may be dropped on a thread without a context; its slot says which schema it belongs to.
    slot.give_back();
}
