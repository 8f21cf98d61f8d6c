//! The buffer of live instances of one kind.

use super::Sources;
use super::arena::{Arena, Plan, Section};
use crate::class::Class;
use crate::model::{Site, Slot};
use crate::slots::{Bitmap, Lost};
use crate::stat::{Kept, Values, View, WAIT_FIELDS};
use core::ptr::from_ref;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

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
    /// Slots that are some instance's: not those that are taken, or given back, just now.
    installed: AtomicU32,
    lost: Lost,
    /// Whether several threads count into a slot's row at once.
    many: bool,
}

laid_out!(Instances { slots, kept, map, installed, lost, many });

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
            installed: AtomicU32::new(0),
            lost: Lost::new(),
            many,
        }
    }

    /// How many instances found no slot.
    pub fn lost(&self) -> u64 {
        self.lost.get()
    }

    /// Takes a slot for a new instance. Nothing shows it before it is settled.
    pub(crate) fn take(&self, class: &'static Class, made_at: Site, owner: *mut ()) -> Option<&'static Slot> {
        let index = self.map.reserve()? as usize;
        let (slot, kept) = (&self.slots[index], &self.kept[index]);
        slot.life.change();
        slot.class.store(from_ref(class).cast_mut(), Ordering::Relaxed);
        slot.made_at.store(from_ref(made_at).cast_mut(), Ordering::Relaxed);
        slot.owner.store(owner, Ordering::Relaxed);
        slot.kept.store(from_ref(kept).cast_mut(), Ordering::Relaxed);
        slot.forget_source();
        // Last: now the row can be claimed.
        slot.marks.reset(self.many);
        Some(slot)
    }

    /// Counts a slot that is an instance's now. Once.
    pub(crate) fn installed(&self) {
        // Release: who sees it counted sees it installed.
        self.installed.fetch_add(1, Ordering::Release);
    }

    /// Whether every slot is an instance's, and none is taken, or given back, just now.
    pub(crate) fn all_installed(&self) -> bool {
        self.installed.load(Ordering::Acquire) == self.map.capacity()
    }

    /// Shows the row of a new instance. Several threads may do so at once, each before it uses the slot.
    pub(crate) fn settle(&self, slot: &'static Slot, sources: &Sources) {
        if let Some(index) = self.index_of(slot) {
            self.map.show(index);
        }
        sources.find(slot);
        slot.life.begin_once();
    }

    /// Counts an instance that finds no slot.
    pub(crate) fn count_lost(&self) {
        self.lost.add(1);
    }

    /// Gives the slot of an instance back. The caller owns the instance, which no thread uses any more.
    pub(crate) fn unbind(&self, slot: &'static Slot, sources: &Sources) {
        // Before the slot can be taken again, and Release for whoever takes it: so there are never more than there are.
        self.installed.fetch_sub(1, Ordering::Release);
        self.give_back(slot, sources);
    }

    /// Gives a slot back that was an instance's, or was taken for nothing: then nothing is left of that.
    pub(crate) fn give_back(&self, slot: &'static Slot, sources: &Sources) {
        slot.life.change();
        // Against the one in `truncate`: who asks for a restart sees that the slot changes hands, or is seen to ask.
        fence(Ordering::SeqCst);
        if !self.many || slot.marks.end() {
            self.free(slot, sources);
        }
    }

    /// Leaves what was counted of an instance that has ended to its source, and its slot to the next.
    fn free(&self, slot: &'static Slot, sources: &Sources) {
        slot.holder.store(0, Ordering::Relaxed);
        slot.readers.store(0, Ordering::Relaxed);
        if let Some(views) = slot.views() {
            let values = views.end();
            // Of a slot that was taken for nothing there is nothing to leave, and its place may not be one.
            if values != Values::default() {
                sources.leave(slot, &values);
            }
        }
        slot.life.end();
        if let Some(index) = self.index_of(slot) {
            self.map.release(index);
        }
    }

    /// Where one of these slots lies among them.
    fn index_of(&self, slot: &Slot) -> Option<u32> {
        let index = from_ref(slot).addr().checked_sub(self.slots.as_ptr().addr())? / size_of::<Slot>();
        u32::try_from(index).ok()
    }

    /// Mends what threads that are no more had half done: rows that were changing have counted nothing. For one thread
    /// alone, that holds the fold lock.
    ///
    /// A slot that was being taken or given back stays taken, because its object may know of it.
    pub(super) fn mend(&self) {
        for slot in self.slots().filter(|slot| slot.life.living().is_some()) {
            if !self.many && slot.row.is_changing() {
                slot.row.wipe();
                slot.marks.reset(self.many);
                if let Some(views) = slot.views() {
                    views.kept.forget();
                }
            }
        }
        let mut installed = 0;
        self.map.mend(|index| {
            let used = self.slots[index as usize].life.is_used();
            installed += u32::from(used);
            used
        });
        self.installed.store(installed, Ordering::Relaxed);
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
    pub(super) fn truncate(&self, view: View, sources: &Sources) {
        for slot in self.slots() {
            if slot.life.living().is_some()
                && let Some(views) = slot.views()
            {
                if !self.many {
                    views.restart(view);
                } else if slot.marks.claim() {
                    views.restart(view);
                    if slot.marks.give_up() {
                        self.free(slot, sources);
                    }
                }
            }
            fence(Ordering::SeqCst);
            slot.life.settled();
        }
    }
}
