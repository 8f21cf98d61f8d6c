//! The buffers of accounts, users and hosts, and the rows of statistics that ended contexts left in each.
//!
//! Rows are found and taken under the schema's fold lock, which sessions hold when they say who they are and when they
//! end; readers take no lock.

use super::Schema;
use super::arena::{ALIGNMENT, Arena, Plan, Section};
use crate::class::{EventKind, Instruments};
use crate::model::{Actor, Context, Name};
use crate::sequence::Sequence;
use crate::slots::{Bitmap, Directory, Lost};
use crate::stat::{Level, STAGE_FIELDS, STATEMENT_FIELDS, Sink, WAIT_FIELDS};
use crate::words;
use core::hash::{Hash, Hasher};
use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering::Relaxed};
use std::hash::DefaultHasher;

/// Bytes of a row that contexts leave their counts in, by [`EventKind`].
const SINK_SIZE: [usize; EventKind::COUNT] = [
    size_of::<Sink<WAIT_FIELDS>>(),
    size_of::<Sink<STAGE_FIELDS>>(),
    size_of::<Sink<STATEMENT_FIELDS>>(),
    size_of::<Sink<STAGE_FIELDS>>(),
];

/// How one actor's arrays lie together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ActorLayout {
    stride: usize,
    /// By [`EventKind`], in bytes from the actor's begin.
    pub(crate) rows: [usize; EventKind::COUNT],
}

impl ActorLayout {
    pub(crate) fn of(instruments: &Instruments) -> Self {
        let mut end = size_of::<Actor>();
        let mut rows = [0; EventKind::COUNT];
        for kind in EventKind::ALL {
            let at = kind as usize;
            rows[at] = end.next_multiple_of(64);
            end = rows[at] + SINK_SIZE[at] * instruments.rows(kind);
        }
        Self { stride: end.next_multiple_of(ALIGNMENT), rows }
    }
}

/// The names of a kind of actor's buffers: the actors, their rows by [`EventKind`], the map of places, the directory and
/// what counts its changes.
pub(crate) struct Names {
    pub(crate) actors: &'static str,
    pub(crate) rows: [&'static str; EventKind::COUNT],
    pub(crate) map: &'static str,
    pub(crate) directory: &'static str,
    pub(crate) changes: &'static str,
}

/// The buffer as it is planned.
pub(crate) struct Planned {
    offset: usize,
    map: Section<AtomicU64>,
    sequence: Section<Sequence>,
    entries: Section<AtomicU64>,
    capacity: u32,
}

/// Who somebody is; no name for what is in the background or has not said yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Who<'a> {
    /// The user.
    pub user: Option<&'a str>,
    /// The host.
    pub host: Option<&'a str>,
}

/// All accounts, all users or all hosts of a schema.
#[derive(Debug)]
pub struct Actors {
    base: *mut u8,
    stride: usize,
    map: Bitmap,
    directory: Directory<'static>,
    lost: Lost,
}

laid_out!(Actors { base, stride, map, directory, lost });

// SAFETY: `base` points into the schema's mapping, which is never unmapped and holds atomics alone.
unsafe impl Send for Actors {}
// SAFETY: as above.
unsafe impl Sync for Actors {}

impl Actors {
    pub(crate) fn plan(
        plan: &mut Plan,
        layout: &ActorLayout,
        names: &Names,
        capacity: u32,
        instruments: &Instruments,
    ) -> Planned {
        let count = capacity as usize;
        plan.report(names.actors, size_of::<Actor>(), count);
        for kind in EventKind::ALL {
            let at = kind as usize;
            plan.report(names.rows[at], SINK_SIZE[at], instruments.rows(kind) * count);
        }
        Planned {
            offset: plan.bytes(layout.stride, count),
            map: plan.reserve(names.map, Bitmap::words(capacity)),
            sequence: plan.reserve(names.changes, 1),
            entries: plan.reserve(names.directory, Directory::entries_for(capacity)),
            capacity,
        }
    }

    pub(crate) fn new(arena: &Arena, planned: &Planned, layout: &ActorLayout) -> Self {
        Self {
            base: arena.address(planned.offset),
            stride: layout.stride,
            map: Bitmap::new(arena.rows(&planned.map), planned.capacity),
            directory: Directory::new(&arena.rows(&planned.sequence)[0], arena.rows(&planned.entries)),
            lost: Lost::new(),
        }
    }

    /// Connections that found no row.
    pub fn lost(&self) -> u64 {
        self.lost.get()
    }

    fn at(&self, place: usize) -> &'static Actor {
        // SAFETY: callers pass a place below the capacity, so the actor lies in the mapping, zeroed or in use; it holds
        // atomics alone and is never unmapped.
        unsafe { &*self.base.wrapping_add(place * self.stride).cast::<Actor>() }
    }

    /// The actors that exist, those that come or go just now left out. They come and go under the fold lock, so whoever
    /// holds it leaves out none.
    pub(crate) fn live(&self) -> impl Iterator<Item = &'static Actor> + Clone + use<> {
        let (base, stride) = (self.base, self.stride);
        (0..self.map.high_water() as usize)
            .map(move |place| {
                // SAFETY: as in `at`; places ever used are below the capacity.
                unsafe { &*base.wrapping_add(place * stride).cast::<Actor>() }
            })
            .filter(|actor| actor.life.living().is_some())
    }

    /// The actor of these names, which is made if there is none and room for it; else it is counted as lost. The caller
    /// holds the fold lock.
    pub(crate) fn find_or_make(&self, who: Who<'_>) -> Option<&'static Actor> {
        if let Some(actor) = self.find(who) {
            return Some(actor);
        }
        let Some(place) = self.map.acquire() else {
            self.lost.add(1);
            return None;
        };
        let actor = self.at(place as usize);
        actor.life.change();
        actor.current_connections.store(0, Relaxed);
        actor.total_connections.store(0, Relaxed);
        actor.tasks.store(0, Relaxed);
        actor.user.set(who.user);
        actor.host.set(who.host);
        actor.life.begin();
        self.directory.enter(who.hashed(), place);
        Some(actor)
    }

    fn find(&self, who: Who<'_>) -> Option<&'static Actor> {
        let is_it = |place| {
            let actor = self.at(place as usize);
            actor.user.is(who.user) && actor.host.is(who.host)
        };
        self.directory.find_locked(who.hashed(), is_it).map(|place| self.at(place as usize))
    }

    /// Forgets what was lost, and as [`Actors::forget_idle`] who is not connected.
    pub(super) fn restart(&self, background: &[AtomicPtr<Actor>; 3]) {
        self.lost.take();
        self.forget_idle(background);
    }

    /// Takes away the actors without a connection or task but `background`; of the others all connections but the present
    /// are forgotten. The caller holds the fold lock, and has emptied the rows of all.
    fn forget_idle(&self, background: &[AtomicPtr<Actor>; 3]) {
        let is_background = |actor| background.iter().any(|of| ptr::eq(of.load(Relaxed), actor));
        for place in 0..self.map.high_water() {
            let actor = self.at(place as usize);
            if actor.life.living().is_none() {
                continue;
            }
            let current = actor.current_connections.load(Relaxed);
            if current == 0 && actor.tasks.load(Relaxed) == 0 && !is_background(actor) {
                let (user, host) = (actor.user.read(), actor.host.read());
                let who = Who { user: user.as_deref(), host: host.as_deref() };
                self.directory.leave(who.hashed(), place);
                actor.life.change();
                actor.life.end();
                self.map.release(place);
            } else {
                actor.total_connections.store(current, Relaxed);
            }
        }
    }
}

impl Who<'_> {
    fn hashed(self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }
}

impl<const N: usize> Name<N> {
    /// Sets the name, cut at a character to the bytes there are. Before the actor's life begins.
    fn set(&self, name: Option<&str>) {
        let kept = name.map(Self::kept);
        words::write(&self.words, kept.unwrap_or_default());
        self.length.store(kept.map_or(0, |kept| u32::try_from(kept.len() + 1).unwrap_or(0)), Relaxed);
    }

    /// The name; `None` for none. The caller checks that the actor's life is the same afterwards.
    pub(crate) fn read(&self) -> Option<String> {
        self.length().map(|length| words::read(&self.words, length))
    }

    fn is(&self, name: Option<&str>) -> bool {
        match (self.length(), name.map(Self::kept)) {
            (Some(length), Some(name)) => words::hold(&self.words, length, name),
            (length, name) => length.is_none() && name.is_none(),
        }
    }

    fn length(&self) -> Option<usize> {
        (self.length.load(Relaxed) as usize).min(N * 8 + 1).checked_sub(1)
    }

    fn kept(name: &str) -> &[u8] {
        &name.as_bytes()[..words::boundary(name.as_bytes(), N * 8)]
    }
}

impl Schema {
    /// Makes the actors of what is in the background, where there is room.
    pub(super) fn make_background(&self) {
        for (actors, background) in self.actors().into_iter().zip(&self.background) {
            if let Some(actor) = actors.find_or_make(Who::default()) {
                background.store(ptr::from_ref(actor).cast_mut(), Relaxed);
            }
        }
    }

    /// Forgets all actors but those that somebody is now, and what was lost of them. The caller holds the fold lock, and
    /// has emptied their rows.
    pub(super) fn restart_actors(&self) {
        // Who came or went just when the process was forked may be counted or not.
        for actor in self.actors().into_iter().flat_map(Actors::live) {
            actor.current_connections.store(0, Relaxed);
        }
        let connected = self.contexts.used().filter(|context| context.connected.load(Relaxed) != 0);
        for of in connected.flat_map(Context::actors) {
            // SAFETY: null, or an actor of the schema's buffers, which are never unmapped.
            if let Some(actor) = unsafe { of.load(Relaxed).as_ref() } {
                actor.connect();
            }
        }
        for actors in self.actors() {
            actors.restart(&self.background);
        }
    }

    /// Accounts, users and hosts.
    fn actors(&self) -> [&Actors; 3] {
        [&self.accounts, &self.users, &self.hosts]
    }

    /// The actors of a level; `None` for the levels that are nobody's.
    pub(crate) fn actors_of(&self, level: Level) -> Option<&Actors> {
        match level {
            Level::Account => Some(&self.accounts),
            Level::User => Some(&self.users),
            Level::Host => Some(&self.hosts),
            Level::Thread | Level::Global => None,
        }
    }

    /// Counts a new context to the background. Takes no lock: any thread's first event may do it.
    pub(crate) fn join_background(&self, context: &Context) {
        for (of, background) in context.actors().into_iter().zip(&self.background) {
            let actor = background.load(Relaxed);
            of.store(actor, Relaxed);
            // SAFETY: null, or an actor of the schema's buffers, which are never unmapped.
            if let Some(actor) = unsafe { actor.as_ref() } {
                actor.connect();
            }
        }
        context.connected.store(1, Relaxed);
    }

    /// Moves all that a context has counted to whose it was, and makes it somebody's. Only the context's owner may call
    /// this.
    pub(crate) fn change_actor(&self, context: &'static Context, who: Who<'_>) {
        let _folds = self.folds();
        self.leave(context);
        context.disconnect();
        let names = [who, Who { host: None, ..who }, Who { user: None, ..who }];
        for ((actors, of), who) in self.actors().into_iter().zip(context.actors()).zip(names) {
            let actor = actors.find_or_make(who);
            of.store(actor.map_or(ptr::null_mut(), |actor| ptr::from_ref(actor).cast_mut()), Relaxed);
            if let Some(actor) = actor {
                actor.connect();
            }
        }
        context.connected.store(1, Relaxed);
    }

    /// Truncates the table of a level's actors: those without a connection or task go, and the level and what it is summed up from
    /// restarts for every kind of event.
    pub fn truncate_actors(&self, level: Level) {
        let Some(actors) = self.actors_of(level) else { return };
        let _folds = self.folds();
        self.restart(level);
        actors.forget_idle(&self.background);
        // An account is of its user and its host.
        if level != Level::Account {
            self.accounts.forget_idle(&self.background);
        }
    }
}

impl Context {
    /// Makes a new context of a task whose the task is.
    pub(crate) fn join(&self, task: Membership) {
        for (of, actor) in self.actors().into_iter().zip(task.0) {
            of.store(actor.map_or(ptr::null_mut(), |actor| ptr::from_ref(actor).cast_mut()), Relaxed);
        }
        self.connected.store(0, Relaxed);
        // From now on the context holds them.
        core::mem::forget(task);
    }

    /// Counts the context out of whose it is. The caller owns it and holds the fold lock.
    pub(crate) fn disconnect(&self) {
        let connected = self.connected.load(Relaxed) != 0;
        for of in self.actors() {
            // SAFETY: null, or an actor of the schema's buffers, which are never unmapped.
            if let Some(actor) = unsafe { of.swap(ptr::null_mut(), Relaxed).as_ref() } {
                let counted = if connected { &actor.current_connections } else { &actor.tasks };
                counted.fetch_sub(1, Relaxed);
            }
        }
    }

    /// Where it says whose it is: account, user, host.
    fn actors(&self) -> [&AtomicPtr<Actor>; 3] {
        [&self.account, &self.user, &self.host]
    }
}

/// Whose a task is: account, user and host of what brought it forth. While this is there, or the task's context, they stay.
#[derive(Debug)]
pub(crate) struct Membership([Option<&'static Actor>; 3]);

impl Membership {
    /// The same as a context that the caller owns.
    ///
    /// Takes no lock: as long as the context is there, its actors are. What it counts here comes before the context's end,
    /// which takes the lock under which actors go.
    pub(crate) fn of(context: &Context) -> Self {
        Self::hold([Level::Account, Level::User, Level::Host].map(|level| context.actor(level)))
    }

    /// The background's.
    pub(crate) fn of_background(schema: &Schema) -> Self {
        // SAFETY: null, or an actor of the schema's buffers, which are never unmapped.
        Self::hold(schema.background.each_ref().map(|actor| unsafe { actor.load(Relaxed).as_ref() }))
    }

    fn hold(actors: [Option<&'static Actor>; 3]) -> Self {
        for actor in actors.into_iter().flatten() {
            actor.tasks.fetch_add(1, Relaxed);
        }
        Self(actors)
    }
}

impl Drop for Membership {
    fn drop(&mut self) {
        for actor in self.0.into_iter().flatten() {
            actor.tasks.fetch_sub(1, Relaxed);
        }
    }
}

impl Actor {
    fn connect(&self) {
        self.current_connections.fetch_add(1, Relaxed);
        self.total_connections.fetch_add(1, Relaxed);
    }
}
