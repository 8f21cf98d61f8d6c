//! What lives at the moment of reading, as tables see it: contexts and instances, each told from whoever comes to
//! use its slot later.

use std::sync::atomic::Ordering::Relaxed;

use crate::class::{Class, Kind};
use crate::model::{Context, Slot};
use crate::schema::Schema;
use crate::slots::Living;
use crate::stat::{Stat, WaitStat};

/// A context, in the life that it was found in.
#[derive(Clone, Copy, Debug)]
pub(super) struct LiveContext {
    pub(super) context: &'static Context,
    pub(super) thread_id: u64,
    pub(super) class: &'static Class,
    living: Living,
}

impl LiveContext {
    /// What was read of the context, unless it may have been read of a later life.
    pub(super) fn same_life<R>(&self, read: Option<R>) -> Option<R> {
        self.context.life.same(self.living, read?)
    }
}

/// The contexts that are owned.
pub(super) fn contexts(schema: &Schema) -> impl Iterator<Item = LiveContext> + use<> {
    schema.contexts.live().filter_map(|context| {
        let living = context.life.living()?;
        // SAFETY: a class is only ever stored from a `&'static Class`.
        let class = unsafe { context.class.load(Relaxed).as_ref() }?;
        let live = LiveContext { context, thread_id: context.id(), class, living };
        live.same_life(Some(live))
    })
}

/// An instance of a lock or condition variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct LiveInstance {
    pub(super) slot: &'static Slot,
    pub(super) class: &'static Class,
    /// The thread that holds it exclusively.
    pub(super) holder: Option<u64>,
    /// How many hold it for reading.
    pub(super) readers: u32,
    /// What was counted of it; `None` if that changed at every try.
    pub(super) waits: Option<WaitStat>,
}

impl LiveInstance {
    /// Which instance it is: the address of its slot.
    pub(super) fn address(&self) -> u64 {
        std::ptr::from_ref(self.slot).addr() as u64
    }
}

/// The instances of a kind.
pub(super) fn instances(schema: &Schema, kind: Kind) -> impl Iterator<Item = LiveInstance> + use<> {
    let live = schema.instances(kind).map(|instances| {
        instances.live(|slot, class| {
            let holder = slot.holder.load(Relaxed);
            Some(LiveInstance {
                slot,
                class,
                holder: (holder != 0).then_some(holder),
                readers: slot.readers.load(Relaxed),
                waits: waits(slot),
            })
        })
    });
    live.into_iter().flatten()
}

fn waits(slot: &Slot) -> Option<WaitStat> {
    let values = if slot.marks.is_many() { slot.shared().read() } else { slot.marks.read(&slot.row)? };
    Some(WaitStat::from_values(&values))
}
