//! The buffer of live instances of one kind.

use super::Sources;
use super::arena::{Arena, Plan, Section};
use crate::class::Class;
use crate::model::{Site, Slot};
use crate::slots::{Bitmap, Lost};
use crate::stat::{Kept, View, WAIT_FIELDS};
use core::ptr::{from_ref, null_mut};
use core::sync::atomic::{AtomicU64, Ordering, fence};

/// The buffer as it is planned.
pub(crate) struct Planned {
    slots: Section<Slot>,
    kept: Section<Kept<WAIT_FIELDS>>,
    map: Section<AtomicU64>,
    capacity: u32,
}

/// The live instances of one kind of lock.
#[derive(Debug)]
pub struct Instances {
    slots: &'static [Slot],
    /// One a slot. They lie apart, so that those of slots whose views were never restarted are never resident.
    kept: &'static [Kept<WAIT_FIELDS>],
    map: Bitmap,
    lost: Lost,
    /// Whether several threads count into a slot's row at once.
    many: bool,
}

impl Instances {
    pub(crate) fn plan(plan: &mut Plan, [name, kept, map]: [&'static str; 3], capacity: u32) -> Planned {
        Planned {
            slots: plan.reserve(name, capacity as usize),
            kept: plan.reserve(kept, capacity as usize),
            map: plan.reserve(map, Bitmap::words(capacity)),
            capacity,
        }
    }

    pub(crate) fn new(arena: &Arena, planned: &Planned, many: bool) -> Self {
        Self {
            slots: arena.rows(&planned.slots),
            kept: arena.rows(&planned.kept),
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
    pub(crate) fn bind(
        &self,
        class: &'static Class,
        made_at: Site,
        owner: *mut (),
        sources: &Sources,
    ) -> Option<&'static Slot> {
        let Some(index) = self.map.acquire() else {
            self.lost.add(1);
            return None;
        };
        let (slot, kept) = (&self.slots[index as usize], &self.kept[index as usize]);
        slot.life.change();
        slot.class.store(from_ref(class).cast_mut(), Ordering::Relaxed);
        slot.made_at.store(from_ref(made_at).cast_mut(), Ordering::Relaxed);
        slot.owner.store(owner, Ordering::Relaxed);
        slot.kept.store(from_ref(kept).cast_mut(), Ordering::Relaxed);
        let source = sources.of(class, made_at);
        sources.count_lost(source.is_none());
        slot.source.store(source.map_or(null_mut(), |source| from_ref(source).cast_mut()), Ordering::Relaxed);
        // Last: now the row can be claimed.
        slot.marks.reset(self.many);
        slot.life.begin();
        Some(slot)
    }

    /// Gives a slot back. The caller owns the instance, which no thread uses any more.
    pub(crate) fn unbind(&self, slot: &'static Slot) {
        slot.life.change();
        // Against the one in `truncate`: who asks for a restart sees that the slot changes hands, or is seen to ask.
        fence(Ordering::SeqCst);
        if !self.many || slot.marks.end() {
            self.free(slot);
        }
    }

    /// Leaves what was counted of an instance that has ended to its source, and its slot to the next.
    fn free(&self, slot: &'static Slot) {
        slot.holder.store(0, Ordering::Relaxed);
        slot.readers.store(0, Ordering::Relaxed);
        if let Some(views) = slot.views() {
            let values = views.end();
            // SAFETY: only a `&'static Source` is ever stored.
            if let Some(source) = unsafe { slot.source.load(Ordering::Relaxed).as_ref() } {
                source.ended.merge(&values);
            }
        }
        slot.life.end();
        let index = (from_ref(slot).addr() - self.slots.as_ptr().addr()) / size_of::<Slot>();
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

    /// The slots that instances have or had.
    pub(super) fn slots(&self) -> impl Iterator<Item = &'static Slot> + use<> {
        self.slots[..self.map.high_water() as usize].iter()
    }

    /// Restarts a view of the rows of all live instances. Callers are serialised.
    ///
    /// What was counted before of an instance that ends meanwhile has been left to its source when this returns, or is
    /// forgotten with the view.
    pub(crate) fn truncate(&self, view: View) {
        for slot in self.slots() {
            if slot.life.living().is_some()
                && let Some(views) = slot.views()
            {
                if !self.many {
                    views.restart(view);
                } else if slot.marks.claim() {
                    views.restart(view);
                    if slot.marks.give_up() {
                        self.free(slot);
                    }
                }
            }
            fence(Ordering::SeqCst);
            slot.life.settled();
        }
    }
}
