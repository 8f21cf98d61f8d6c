//! Where instances were made: a row for each place in the source and class, with what the ones that have ended left there.

use super::arena::{Arena, Plan, Section};
use super::{Instances, Schema};
use crate::class::Class;
use crate::model::{Site, Slot, Source};
use crate::slots::{Bitmap, Index, Living, Lost, gather};
use crate::stat::{Stat, Values, View, WAIT_FIELDS, WaitStat, merge};
use core::cell::Cell;
use core::hash::{Hash, Hasher};
use core::panic::Location;
use core::ptr::from_ref;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::hash::DefaultHasher;

/// The buffer as it is planned.
pub(super) struct Planned {
    rows: Section<Source>,
    map: Section<AtomicU64>,
    index: Section<AtomicU64>,
    capacity: u32,
}

/// The rows of sources. A row that is taken stays.
#[derive(Debug)]
pub struct Sources {
    rows: &'static [Source],
    map: Bitmap,
    index: Index<'static>,
    /// Rows that can be found: not those that are taken just now.
    entered: AtomicU32,
    lost: Lost,
}

laid_out!(Sources { rows, map, index, entered, lost });

impl Sources {
    pub(super) fn plan(plan: &mut Plan, capacity: u32) -> Planned {
        Planned {
            rows: plan.reserve("events_waits_summary_by_source", capacity as usize),
            map: plan.reserve("(sources_map)", Bitmap::words(capacity)),
            index: plan.reserve("(sources_index)", Index::entries_for(capacity)),
            capacity,
        }
    }

    pub(super) fn new(arena: &Arena, planned: &Planned) -> Self {
        Self {
            rows: arena.rows(&planned.rows),
            map: Bitmap::new(arena.rows(&planned.map), planned.capacity),
            index: Index::new(arena.rows(&planned.index)),
            entered: AtomicU32::new(0),
            lost: Lost::new(),
        }
    }

    /// How many instances found no row for where they were made.
    pub fn lost(&self) -> u64 {
        self.lost.get()
    }

    /// Finds or takes the row of where the instance in the slot was made, if that was not done yet. An instance that has
    /// none is counted as lost. The caller has the instance: the slot does not become another's.
    ///
    /// Where another thread takes the last row just now, it cannot be told whose that will be: then it stays to be found.
    pub(super) fn find(&self, slot: &Slot) {
        if !slot.lacks_source() {
            return;
        }
        let Some((class, made_at)) = slot.made() else { return };
        // Asked first: once all rows can be found, what is not found has none.
        let complete = self.is_complete();
        let source = self.of(class, made_at);
        if source.is_some() || complete {
            self.count_lost(slot.find_source(source) && source.is_none());
        }
    }

    /// The row that [`Sources::find`] would find, for a reader of the slot in that life.
    fn look_for(&self, slot: &Slot, living: Living) -> Option<&'static Source> {
        let made = if slot.lacks_source() { slot.made() } else { None };
        let (class, made_at) = slot.life.same(living, made)??;
        self.of(class, made_at)
    }

    /// Leaves what was counted of an instance that has ended to its row; without one, it is lost.
    pub(super) fn leave(&self, slot: &Slot, values: &Values<WAIT_FIELDS>) {
        self.find(slot);
        if let Some(source) = slot.source() {
            source.ended.merge(values);
        } else {
            self.count_lost(slot.lacks_source());
        }
    }

    /// Finds or takes the row of where the instance in the slot was made, as one of another class.
    pub(super) fn find_again(&self, slot: &Slot, class: &'static Class) {
        let Some((_, made_at)) = slot.made() else { return };
        let complete = self.is_complete();
        let source = self.of(class, made_at);
        if source.is_some() || complete {
            // One that had no row before was counted then.
            let had_one = slot.change_source(source);
            self.count_lost(had_one && source.is_none());
        } else {
            slot.forget_source();
        }
    }

    fn count_lost(&self, lost: bool) {
        if lost {
            self.lost.add(1);
        }
    }

    fn is_complete(&self) -> bool {
        // Acquire: who sees that all rows can be found finds them.
        self.entered.load(Ordering::Acquire) == self.map.capacity()
    }

    /// The row of the instances of `class` that were made at `made_at`, found or taken.
    ///
    /// Two places are the same if they are shown alike: a generic function has one in each crate that uses it, a class one
    /// for each declaration.
    fn of(&self, class: &'static Class, made_at: Site) -> Option<&'static Source> {
        let place = Place::of(class, made_at);
        let mut hasher = DefaultHasher::new();
        (place.file, place.line).hash(&mut hasher);
        let taken = Cell::new(false);
        let take = || {
            let row = self.map.acquire()?;
            let source = &self.rows[row as usize];
            source.class.store(from_ref(class).cast_mut(), Ordering::Relaxed);
            source.made_at.store(from_ref(made_at).cast_mut(), Ordering::Relaxed);
            taken.set(true);
            Some(row)
        };
        let is_it = |row: u32| self.rows[row as usize].place().is_some_and(|other| other == place);
        let give_back = |row| {
            self.map.release(row);
            taken.set(false);
        };
        let row = self.index.find_or_enter(hasher.finish(), is_it, take, give_back)?;
        if taken.get() {
            self.entered.fetch_add(1, Ordering::Release);
        }
        Some(&self.rows[row as usize])
    }

    /// Restarts all rows, and gives those back that threads that are no more had taken and not entered.
    pub(super) fn mend(&self) {
        let entered: Vec<u32> = self.index.slots().collect();
        self.map.mend(|row| entered.contains(&row));
        for source in self.all() {
            source.ended.take();
        }
    }

    fn all(&self) -> impl Iterator<Item = &'static Source> + use<> {
        let rows = self.rows;
        self.index.slots().map(|row| &rows[row as usize])
    }
}

/// A class and a place in the source as they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The name of the class.
    pub class: &'static str,
    /// The name of the file, without where it lies: a path tells of the machine that the program was built on.
    pub file: &'static str,
    /// The line.
    pub line: u32,
}

impl Place {
    fn of(class: &'static Class, made_at: &'static Location<'static>) -> Self {
        let file = made_at.file();
        let file = file.rsplit(['/', '\\']).next().unwrap_or(file);
        Self { class: class.name(), file, line: made_at.line() }
    }
}

impl Source {
    fn place(&self) -> Option<Place> {
        // SAFETY: only pointers to a `Class` and a `Location` that are `'static` are ever stored.
        let (class, made_at) = unsafe {
            (self.class.load(Ordering::Relaxed).as_ref()?, self.made_at.load(Ordering::Relaxed).as_ref()?)
        };
        Some(Place::of(class, made_at))
    }
}

/// What is shown of a source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BySource {
    pub(crate) place: Place,
    /// Its instances that live.
    pub(crate) instances: u64,
    pub(crate) waits: WaitStat,
}

impl Schema {
    /// What is shown of each source whose place is `wanted`, in the order of their places; `None` of one that could not be
    /// read.
    pub(crate) fn by_source(
        &self,
        wanted: &dyn Fn(&Place) -> bool,
    ) -> impl Iterator<Item = Option<BySource>> + use<> {
        let mut members = self.members();
        members.sort_unstable_by_key(|(source, ..)| from_ref(*source));
        let place = |source: &'static Source| Some((source.place()?, source));
        let mut sources: Vec<_> =
            self.sources.all().filter_map(place).filter(|(place, _)| wanted(place)).collect();
        sources.sort_unstable_by_key(|(place, _)| *place);
        sources.into_iter().map(move |(place, source)| {
            let first = members.partition_point(|(other, ..)| from_ref(*other) < from_ref(source));
            let its = members[first..].chunk_by(|a, b| core::ptr::eq(a.0, b.0)).next();
            let its = its.filter(|its| core::ptr::eq(its[0].0, source)).unwrap_or_default();
            let (instances, values) = read(source, its)?;
            Some(BySource { place, instances, waits: WaitStat::from_values(&values) })
        })
    }

    /// The instances that live and have a source. One that changes hands is waited for: it may be about to leave what was
    /// counted of it to its source.
    fn members(&self) -> Vec<Member> {
        let all = [&self.mutexes, &self.rwlocks, &self.conds];
        let member = |slot: &'static Slot| {
            let living = slot.life.settled_life()??;
            Some((slot.source().or_else(|| self.sources.look_for(slot, living))?, slot, living))
        };
        all.into_iter().flat_map(Instances::slots).filter_map(member).collect()
    }

    /// Restarts what is shown by instance, and nothing else.
    pub(crate) fn truncate_by_instance(&self) {
        let _folds = self.folds();
        for instances in [&self.mutexes, &self.rwlocks, &self.conds] {
            instances.truncate(View::Instance, &self.sources);
        }
    }

    /// Restarts what is shown by source, and nothing else.
    pub(crate) fn truncate_by_source(&self) {
        let _folds = self.folds();
        for instances in [&self.mutexes, &self.rwlocks, &self.conds] {
            instances.truncate(View::Source, &self.sources);
        }
        for source in self.sources.all() {
            source.ended.take();
        }
    }
}

/// A live instance of a source, in the life that it was found in.
type Member = (&'static Source, &'static Slot, Living);

/// How many of a source's instances live, and what is counted of it. What an instance leaves to its source when it ends is
/// seen there or at the instance, and not at both.
fn read(source: &Source, members: &[Member]) -> Option<(u64, Values<WAIT_FIELDS>)> {
    let mut held = Vec::with_capacity(members.len());
    for (_, slot, living) in members {
        let values = slot.views()?.read(View::Source);
        // Of an instance that ended meanwhile nothing may be readable.
        if slot.life.same(*living, ()).is_some() {
            held.push((&slot.life, *living, values?));
        } else if !slot.life.settled() {
            return None;
        }
    }
    let mut sum = gather(&mut held, || source.ended.read())?;
    for (.., values) in &held {
        merge(&mut sum, values);
    }
    Some((held.len() as u64, sum))
}
