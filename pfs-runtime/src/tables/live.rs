//! What lives at the moment of reading, as tables see it: contexts and instances, each told from whoever comes to
//! use its slot later.

use std::sync::atomic::Ordering::Relaxed;

use crate::class::{Class, Kind};
use crate::model::{Actor, Context, Slot};
use crate::schema::{Actors, Schema};
use crate::slots::Living;
use crate::stat::{Level, Stat, View, WaitStat};

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

/// An account, user or host, in the life that it was found in.
#[derive(Clone, Debug)]
pub(super) struct LiveActor {
    pub(super) actor: &'static Actor,
    pub(super) user: Option<String>,
    pub(super) host: Option<String>,
    living: Living,
}

impl LiveActor {
    /// What was read of the actor, unless it may have been read of another one in its place.
    pub(super) fn same_life<R>(&self, read: Option<R>) -> Option<R> {
        self.actor.life.same(self.living, read?)
    }
}

impl LiveActor {
    /// How many connections the actor has, and how many it had with those.
    pub(super) fn connections(&self) -> [i64; 2] {
        [&self.actor.current_connections, &self.actor.total_connections]
            .map(|of| i64::try_from(of.load(Relaxed)).unwrap_or(i64::MAX))
    }
}

/// The accounts, users or hosts there are.
pub(super) fn actors(schema: &Schema, level: Level) -> impl Iterator<Item = LiveActor> + use<> {
    let actors = schema.actors_of(level).map(Actors::live);
    actors.into_iter().flatten().filter_map(|actor| {
        let living = actor.life.living()?;
        let live = LiveActor { actor, user: actor.user.read(), host: actor.host.read(), living };
        live.same_life(Some(live.clone()))
    })
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
    slot.views()?.read(View::Instance).map(|values| WaitStat::from_values(&values))
}
