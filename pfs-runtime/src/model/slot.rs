//! The slot of a live instance: one lock that the instance tables show.

use crate::class::Class;
use crate::slots::Life;
use crate::stat::{Kept, Leaf, Marks, Shared, Views, WAIT_FIELDS};
use core::panic::Location;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// A live instance. Its address is the instance's identity.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Slot {
    /// How `row` is written.
    pub marks: Marks,
    /// Readers that hold an rwlock.
    pub readers: AtomicU32,
    /// The thread that holds the lock exclusively, zero for none.
    pub holder: AtomicU64,
    /// Which instance the slot belongs to, if any.
    pub life: Life,
    /// The instance's class.
    pub class: AtomicPtr<Class>,
    /// Where the instance was made.
    pub made_at: AtomicPtr<Location<'static>>,
    /// The schema whose slot it is.
    pub owner: AtomicPtr<()>,
    /// The row of where the instance was made: see [`Slot::source`].
    source: AtomicPtr<Source>,
    /// The waits of this instance.
    pub row: Leaf<WAIT_FIELDS>,
    /// What a view of the row shows beside it.
    pub kept: AtomicPtr<Kept<WAIT_FIELDS>>,
}

laid_out!(Slot { marks, readers, holder, life, class, made_at, owner, source, row, kept });

/// What is shown of the instances of one class that were made at one place in the source.
#[derive(Debug)]
#[repr(C)]
pub struct Source {
    /// Their class.
    pub class: AtomicPtr<Class>,
    /// Where they were made.
    pub made_at: AtomicPtr<Location<'static>>,
    /// The waits of those that have ended.
    pub ended: Shared<WAIT_FIELDS>,
}

laid_out!(Source { class, made_at, ended });

/// Stands, in a slot, for a row of a source that is not found yet.
const UNKNOWN: *mut Source = core::ptr::without_provenance_mut(align_of::<Source>());

impl Slot {
    /// The row of where the instance was made, if there is one and it is found yet.
    pub fn source(&self) -> Option<&'static Source> {
        let source = self.source.load(Ordering::Relaxed);
        // SAFETY: but for what stands for none, only pointers to a `&'static Source` are ever stored.
        if source == UNKNOWN { None } else { unsafe { source.as_ref() } }
    }

    /// Says that the row is to be found.
    pub fn forget_source(&self) {
        self.source.store(UNKNOWN, Ordering::Relaxed);
    }

    /// Says which row it is, or that there is none, if no one said so before; and if this is so.
    ///
    /// Of several threads that found it at once, one does, so that what it found is counted once.
    pub fn find_source(&self, source: Option<&'static Source>) -> bool {
        self.source.compare_exchange(UNKNOWN, address(source), Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Makes it another row, or none; whether there was one, or it was not found yet.
    pub fn change_source(&self, source: Option<&'static Source>) -> bool {
        !self.source.swap(address(source), Ordering::Relaxed).is_null()
    }

    /// Whether the row is to be found.
    pub fn lacks_source(&self) -> bool {
        self.source.load(Ordering::Relaxed) == UNKNOWN
    }

    /// The row as several threads write it.
    pub fn shared(&self) -> &Shared<WAIT_FIELDS> {
        const {
            assert!(size_of::<Leaf<WAIT_FIELDS>>() == size_of::<Shared<WAIT_FIELDS>>());
            assert!(align_of::<Leaf<WAIT_FIELDS>>() == align_of::<Shared<WAIT_FIELDS>>());
        }
        // SAFETY: both types are `repr(C)` and nothing but as many `AtomicU64`, so either view of the memory is valid.
        unsafe { &*(&raw const self.row).cast() }
    }

    /// The row with both its views; `None` of a slot that no instance ever had.
    pub fn views(&self) -> Option<Views<'_, WAIT_FIELDS>> {
        // SAFETY: only a slot's own `Kept` is ever stored, which is in a mapping that is never unmapped.
        let kept = unsafe { self.kept.load(Ordering::Relaxed).as_ref() }?;
        Some(Views { marks: &self.marks, row: &self.row, shared: self.shared(), kept })
    }
}

fn address(source: Option<&'static Source>) -> *mut Source {
    source.map_or(core::ptr::null_mut(), |source| core::ptr::from_ref(source).cast_mut())
}
