//! The buffer of live instances of one kind.

use super::arena::{Arena, Plan, Section};
use crate::class::Class;
use crate::model::{Site, Slot};
use crate::slots::{Bitmap, Lost};
use core::sync::atomic::{AtomicU64, Ordering};

/// The buffer as it is planned.
pub(crate) struct Planned {
    slots: Section<Slot>,
    map: Section<AtomicU64>,
    capacity: u32,
}

/// The live instances of one kind of lock.
#[derive(Debug)]
pub struct Instances {
    slots: &'static [Slot],
    map: Bitmap,
    lost: Lost,
    /// Whether several threads count into a slot's row at once.
    many: bool,
}

impl Instances {
    pub(crate) fn plan(plan: &mut Plan, name: &'static str, map: &'static str, capacity: u32) -> Planned {
        Planned {
            slots: plan.reserve(name, capacity as usize),
            map: plan.reserve(map, Bitmap::words(capacity)),
            capacity,
        }
    }

    pub(crate) fn new(arena: &Arena, planned: &Planned, many: bool) -> Self {
        Self {
            slots: arena.rows(&planned.slots),
            map: Bitmap::new(arena.rows(&planned.map), planned.capacity),
            lost: Lost::new(),
            many,
        }
    }

    /// How many instances found no slot.
    pub fn lost(&self) -> u64 {
        self.lost.get()
    }

    /// Takes a slot for a new instance, or counts it as lost.
    pub(crate) fn bind(&self, class: &'static Class, made_at: Site) -> Option<&'static Slot> {
        let Some(index) = self.map.acquire() else {
            self.lost.add(1);
            return None;
        };
        let slot = &self.slots[index as usize];
        slot.life.change();
        slot.marks.reset(self.many);
        slot.class.store(core::ptr::from_ref(class).cast_mut(), Ordering::Relaxed);
        slot.made_at.store(core::ptr::from_ref(made_at).cast_mut(), Ordering::Relaxed);
        slot.life.begin();
        Some(slot)
    }

    /// Gives a slot back. The caller owns the instance, which no thread uses any more.
    pub(crate) fn unbind(&self, slot: &'static Slot) {
        slot.life.change();
        slot.holder.store(0, Ordering::Relaxed);
        slot.readers.store(0, Ordering::Relaxed);
        if self.many {
            slot.shared().take();
        } else {
            slot.row.clear();
        }
        slot.life.end();
        let index = (core::ptr::from_ref(slot).addr() - self.slots.as_ptr().addr()) / size_of::<Slot>();
        if let Ok(index) = u32::try_from(index) {
            self.map.release(index);
        }
    }

    /// Whether `slot` is one of these.
    pub(crate) fn owns(&self, slot: &Slot) -> bool {
        self.slots.as_ptr_range().contains(&core::ptr::from_ref(slot))
    }

    /// The live instances, each by a reader that gives `None` if the slot changed hands while it was read.
    pub(crate) fn live<R, F>(&self, read: F) -> impl Iterator<Item = R> + use<R, F>
    where
        F: Fn(&'static Slot, &'static Class) -> Option<R>,
    {
        let slots = self.slots;
        (0..self.map.high_water() as usize).filter_map(move |index| {
            let slot = &slots[index];
            let living = slot.life.living()?;
            // SAFETY: a class is only ever stored from a `&'static Class`.
            let class = unsafe { slot.class.load(Ordering::Relaxed).as_ref() }?;
            let row = read(slot, class)?;
            slot.life.same(living, row)
        })
    }

    /// Restarts the rows of all live instances.
    pub(crate) fn truncate(&self) {
        for index in 0..self.map.high_water() as usize {
            let slot = &self.slots[index];
            if slot.life.living().is_some() {
                if self.many {
                    slot.shared().take();
                } else {
                    slot.marks.ask_restart();
                }
            }
        }
    }
}
