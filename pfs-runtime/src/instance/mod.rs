//! The handle inside every instrumented object: its class, and its slot in the instance tables once it has one.

mod shared;
#[cfg_attr(listed_by_constructors, path = "list_by_constructors.rs")]
mod list;
mod statics;
mod visitor;

pub use list::*;
pub use shared::SharedInstance;
pub(crate) use statics::{LISTED_HERE, OF_ALL, Statics, add_statics};
pub use statics::{NamedStatic, Visit, bind_statics, name_made, place_of};
pub use visitor::{Visitor, name_own};

use crate::class::{Class, Flags, Word, fresh};
use crate::model::{Context, Site, Slot};
use crate::schema::{Instances, Schema};
use crate::slots::{Handle, Peeked, Slots};
use core::ptr::from_ref;
use core::sync::atomic::{AtomicPtr, Ordering, fence};

pub(crate) use crate::slots::Bound;

/// Two words that make an object an instance of a class. A slot is looked for once, at the first instrumented use.
#[derive(Debug)]
pub struct Instance {
    class: AtomicPtr<Class>,
    slot: Handle<Slot>,
}

laid_out!(Instance { class, slot });

impl Instance {
    /// The handle of an object of that class. Nothing is registered before its first instrumented use.
    ///
    /// An object that is made without a name has one of the classes of [`fresh`]; a name is then given by
    /// [`Instance::name`], or found at the first event.
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
        Self::class_at(self.class.load(Ordering::Relaxed))
    }

    #[inline(always)]
    fn class_at(class: *mut Class) -> &'static Class {
        // SAFETY: only `new` and `name` store in `Instance::class`, both from a `&'static Class`.
        unsafe { &*class }
    }

    /// Makes an object that has no name yet one of `class`; one that has a name keeps it, and no object becomes one of
    /// another kind. An instance that has a slot keeps it.
    pub fn name(&self, class: &'static Class) {
        let mut held = self.class.load(Ordering::Relaxed);
        loop {
            let before = Self::class_at(held);
            if before.kind() != class.kind() || !fresh::is_nameless(before) {
                return;
            }
            let named = from_ref(class).cast_mut();
            match self.class.compare_exchange(held, named, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => break,
                Err(other) => held = other,
            }
        }
        // Against the one in `bind`: one of the two threads sees what the other did.
        fence(Ordering::SeqCst);
        if let Some(slot) = self.slot.installed() {
            slot.rename(class);
        }
    }

    /// Finds the class of an object that was made without a name, before its first event is counted: that of the
    /// static that holds it, if an attribute names one. Gives the class's word.
    ///
    /// Threads that come here at once find the same.
    #[cold]
    #[inline(never)]
    pub(crate) fn found(&self) -> Word {
        if fresh::unnamed(self.class()).is_some() {
            statics::find(self);
            if let Some(unnamed) = fresh::unnamed(self.class()) {
                self.name(unnamed);
            }
        }
        self.class().word()
    }

    /// The class of an event on this object, whose class had the word `word`, and its own word: found now if need be.
    #[inline]
    pub(crate) fn known(&self, word: Word) -> (&'static Class, Word) {
        let word = if word.flags().any(Flags::FRESH) { self.found() } else { word };
        (self.class(), word)
    }

    /// Whether the instance has a slot. Cost: one load.
    #[inline(always)]
    pub(crate) fn peek(&self) -> Bound<Slot> {
        self.slot.peek()
    }

    /// The same as one word: see [`Handle::look`].
    #[inline(always)]
    pub(crate) fn look(&self) -> Peeked<Slot> {
        self.slot.look()
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
        let class = self.class();
        let slot =
            self.slot.bind(&SlotsOf { schema, instances: schema.instances(class.kind()), class, site })?;
        fence(Ordering::SeqCst);
        let named = self.class();
        if !core::ptr::eq(named, class) {
            slot.rename(named);
        }
        Some(slot)
    }
}

/// The slots of the instances of one kind, for one that is used at `site`.
struct SlotsOf {
    schema: &'static Schema,
    /// `None` of a kind that has none.
    instances: Option<&'static Instances>,
    class: &'static Class,
    site: Site,
}

impl Slots<Slot> for SlotsOf {
    fn take(&self, made_at: Option<Site>) -> Option<&'static Slot> {
        let owner = from_ref(self.schema).cast_mut().cast();
        self.instances?.take(self.class, made_at.unwrap_or(self.site), owner)
    }

    fn give_back(&self, slot: &'static Slot) {
        if let Some(instances) = self.instances {
            instances.give_back(slot, &self.schema.sources);
        }
    }

    fn installed(&self, _: &'static Slot) {
        if let Some(instances) = self.instances {
            instances.installed();
        }
    }

    fn settle(&self, slot: &'static Slot) {
        if let Some(instances) = self.instances {
            instances.settle(slot, &self.schema.sources);
        }
    }

    fn all_installed(&self) -> bool {
        self.instances.is_none_or(Instances::all_installed)
    }

    fn lost(&self) {
        if let Some(instances) = self.instances {
            instances.count_lost();
        }
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
