//! The link-time list of classes, and the instruments that a schema makes of it.

use super::{Appended, Class, EventKind, Instrument, Kind, classes, fresh};
use core::fmt;
use std::collections::BTreeMap;

/// The link-time list is empty although the engine itself declares classes: the linker dropped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotLinked;

impl fmt::Display for NotLinked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "this build lists no instrument classes: the linker dropped the section `linkme_CLASSES`; keep it (no \
             stripping of sections, no custom linker script without it)",
        )
    }
}

impl core::error::Error for NotLinked {}

/// The instruments of a schema. Those of each kind of event are numbered from 0.
#[derive(Debug)]
pub struct Instruments {
    /// Those of the program, sorted by kind and name.
    own: Vec<Instrument>,
    /// Positions in `own`, by kind of event and number.
    by_event: [Vec<usize>; EventKind::COUNT],
    /// Those that plugins brought, in the order in which they came.
    brought: Appended<Instrument>,
    /// How many plugins may bring.
    reserve: usize,
    /// Those that found no place.
    lost: Appended<(Kind, &'static str)>,
    /// The classes of objects whose own is not found yet.
    fresh: Appended<&'static Class>,
}

laid_out!(Instruments { own, by_event, brought, reserve, lost, fresh });

/// What became of a class that a plugin brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Brought {
    /// It is one more declaration of an instrument.
    Declaration,
    /// It is an instrument.
    Instrument,
    /// There was no place for it.
    Lost {
        /// That was not so before.
        first: bool,
    },
}

impl Instruments {
    /// The instruments of the classes that are linked into this program.
    ///
    /// # Errors
    ///
    /// If the list does not hold even the engine's own classes.
    pub fn linked() -> Result<Self, NotLinked> {
        let instruments = Self::of(own_classes()?.iter().copied());
        instruments.add_fresh(fresh::all());
        Ok(instruments)
    }

    /// The instruments of the given declarations; those of one name and kind are one instrument.
    pub fn of(classes: impl IntoIterator<Item = &'static Class>) -> Self {
        let mut by_event = [const { Vec::new() }; EventKind::COUNT];
        let mut others = BTreeMap::<Kind, usize>::new();
        let mut own = Vec::new();
        for ((kind, name), declarations) in by_name(classes) {
            let index = if let Some(event) = kind.event() {
                let numbers: &mut Vec<usize> = &mut by_event[event as usize];
                numbers.push(own.len());
                numbers.len() - 1
            } else {
                let count = others.entry(kind).or_default();
                *count += 1;
                *count - 1
            };
            let instrument = Instrument::new(kind, name, u32::try_from(index).unwrap_or(u32::MAX));
            for class in declarations {
                instrument.declare(class);
            }
            own.push(instrument);
        }
        Self {
            own,
            by_event,
            brought: Appended::new(),
            reserve: 0,
            lost: Appended::new(),
            fresh: Appended::new(),
        }
    }

    /// With places for as many that plugins bring.
    #[must_use]
    pub(crate) fn with_reserve(self, reserve: usize) -> Self {
        Self { reserve, ..self }
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &Instrument> + Clone {
        self.own.iter().chain(self.brought.iter())
    }

    /// Those that make events of this kind, in the order of their numbers.
    pub fn of_event(&self, event: EventKind) -> impl Iterator<Item = &Instrument> + Clone {
        let own = self.by_event[event as usize].iter().map(|at| &self.own[*at]);
        own.chain(self.brought.iter().filter(move |instrument| instrument.kind().event() == Some(event)))
    }

    /// How many make events of this kind.
    pub fn count(&self, event: EventKind) -> usize {
        self.of_event(event).count()
    }

    /// How many rows of statistics of this kind of event there are: a class has its own, and so has each place that is
    /// left for a plugin's.
    pub(crate) fn rows(&self, event: EventKind) -> usize {
        let reserve = match event {
            EventKind::Wait | EventKind::Stage | EventKind::Statement => self.reserve,
            // There is one class, and the program has it.
            EventKind::Transaction => 0,
        };
        (self.by_event[event as usize].len() + reserve) * event.rows_a_class()
    }

    /// How many of these rows are a class's: they are the first.
    pub(crate) fn rows_in_use(&self, event: EventKind) -> usize {
        self.count(event) * event.rows_a_class()
    }

    /// The classes of objects whose own class is found at their first event: those of the program's own instruments, and
    /// those of plugins.
    pub(crate) fn fresh(&self) -> impl Iterator<Item = &'static Class> {
        self.fresh.iter().copied()
    }

    /// Adds such classes; the caller recomputes their words.
    pub(crate) fn add_fresh(&self, classes: impl Iterator<Item = &'static Class>) {
        classes.for_each(|class| self.fresh.push(class));
    }

    /// The instrument of that name.
    pub fn find(&self, name: &str) -> Option<&Instrument> {
        self.all().find(|instrument| instrument.name() == name)
    }

    /// Takes in the declarations of a plugin, in the order of kinds and names, where those of the program stand too;
    /// `prepare` sees each new instrument before anyone else. Tells of each name what became of it.
    ///
    /// Readers may read meanwhile. The caller serialises callers, and recomputes the words.
    pub(crate) fn bring(
        &self,
        classes: impl IntoIterator<Item = &'static Class>,
        prepare: impl Fn(&Instrument),
    ) -> Vec<(Kind, Brought)> {
        let bring = |((kind, name), declarations): (Name, Vec<&'static Class>)| {
            let has_this_name = |other: &&Instrument| other.kind() == kind && other.name() == name;
            if let Some(instrument) = self.all().find(has_this_name) {
                for class in declarations {
                    instrument.declare(class);
                }
                return (kind, Brought::Declaration);
            }
            let Some(index) = self.free_place(kind) else {
                let first = !self.lost.iter().any(|lost| *lost == (kind, name));
                if first {
                    self.lost.push((kind, name));
                }
                return (kind, Brought::Lost { first });
            };
            let instrument = Instrument::new(kind, name, index);
            for class in declarations {
                instrument.declare(class);
            }
            prepare(&instrument);
            self.brought.push(instrument);
            (kind, Brought::Instrument)
        };
        by_name(classes).into_iter().map(bring).collect()
    }

    /// The number that a further instrument of this kind gets; `None` if there is no place for it.
    fn free_place(&self, kind: Kind) -> Option<u32> {
        if self.brought.iter().count() >= self.reserve {
            return None;
        }
        let index = match kind.event() {
            Some(event) => {
                let next = self.count(event);
                (next * event.rows_a_class() < self.rows(event)).then_some(next)
            }
            None => Some(self.all().filter(|other| other.kind() == kind).count()),
        };
        u32::try_from(index?).ok()
    }
}

type Name = (Kind, &'static str);

/// Declarations by kind and name; those of one name are sorted by their places in the source.
fn by_name(classes: impl IntoIterator<Item = &'static Class>) -> BTreeMap<Name, Vec<&'static Class>> {
    let mut names = BTreeMap::<Name, Vec<&'static Class>>::new();
    for class in classes {
        names.entry((class.kind(), class.name())).or_default().push(class);
    }
    for declarations in names.values_mut() {
        declarations.sort_by_key(|class| (class.file(), class.line()));
        declarations.dedup_by_key(|class| core::ptr::from_ref(*class));
    }
    names
}

/// The classes that are linked into this program, or into this library if it is a plugin.
///
/// # Errors
///
/// If the list does not hold even the engine's own classes.
pub(crate) fn own_classes() -> Result<&'static [&'static Class], NotLinked> {
    let classes = classes();
    let linked = classes.iter().any(|class| core::ptr::eq(*class, &raw const super::builtin::MUTEX_UNNAMED));
    if linked { Ok(classes) } else { Err(NotLinked) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leak(kind: Kind, name: &'static str, line: u32) -> &'static Class {
        Box::leak(Box::new(Class::new(kind, name, "src/x.rs", line)))
    }

    #[test]
    fn declarations_of_one_name_are_one_instrument() {
        let instruments = Instruments::of([
            leak(Kind::Mutex, "wait/synch/mutex/a/b", 9),
            leak(Kind::Stage, "stage/a/s", 1),
            leak(Kind::Mutex, "wait/synch/mutex/a/b", 2),
            leak(Kind::RwLock, "wait/synch/rwlock/a/b", 3),
        ]);
        assert_eq!(instruments.all().count(), 3);
        assert_eq!((instruments.count(EventKind::Wait), instruments.count(EventKind::Stage)), (2, 1));
        let both = instruments.find("wait/synch/mutex/a/b").unwrap();
        assert_eq!(both.declarations().map(Class::line).collect::<Vec<_>>(), [2, 9]);
        assert_eq!(instruments.find("wait/synch/rwlock/a/b").unwrap().index(), 1);
        assert_eq!(instruments.find("stage/a/s").unwrap().index(), 0);
    }

    fn indices(instruments: &Instruments, event: EventKind) -> Vec<(&'static str, usize)> {
        instruments.of_event(event).map(|instrument| (instrument.name(), instrument.index())).collect()
    }

    #[test]
    fn what_plugins_bring_takes_the_reserve_and_no_more() {
        let own = [leak(Kind::Mutex, "wait/synch/mutex/a/b", 9), leak(Kind::Thread, "thread/a/t", 1)];
        let instruments = Instruments::of(own).with_reserve(3);
        assert_eq!((instruments.rows(EventKind::Wait), instruments.rows_in_use(EventKind::Wait)), (4, 1));
        assert_eq!((instruments.rows(EventKind::Stage), instruments.rows_in_use(EventKind::Stage)), (3, 0));

        let brought = instruments.bring(
            [
                leak(Kind::Stage, "stage/p/s", 1),
                leak(Kind::Mutex, "wait/synch/mutex/a/b", 3),
                leak(Kind::Thread, "thread/p/t", 2),
                leak(Kind::Cond, "wait/synch/cond/p/c", 4),
            ],
            |new| new.set(super::super::Settings { enabled: false, ..new.settings() }),
        );
        let new = Brought::Instrument;
        assert_eq!(
            brought,
            [(Kind::Mutex, Brought::Declaration), (Kind::Cond, new), (Kind::Stage, new), (Kind::Thread, new)]
        );
        let both = instruments.find("wait/synch/mutex/a/b").unwrap();
        assert_eq!(both.declarations().map(Class::line).collect::<Vec<_>>(), [9, 3]);
        assert!(both.settings().enabled);
        assert!(!instruments.find("stage/p/s").unwrap().settings().enabled);
        assert_eq!(instruments.find("thread/p/t").unwrap().index(), 1);
        let waits = [("wait/synch/mutex/a/b", 0), ("wait/synch/cond/p/c", 1)];
        assert_eq!(indices(&instruments, EventKind::Wait), waits);
        assert_eq!((instruments.rows(EventKind::Wait), instruments.rows_in_use(EventKind::Wait)), (4, 2));

        // A class is lost once, however often it is declared.
        let lost = |first| (Kind::Stage, Brought::Lost { first });
        let further = || [leak(Kind::Stage, "stage/p/further", 1), leak(Kind::Stage, "stage/p/further", 2)];
        assert_eq!(instruments.bring(further(), |_| panic!("there is no place")), [lost(true)]);
        assert_eq!(instruments.bring(further(), |_| panic!("there is no place")), [lost(false)]);
        assert_eq!(
            instruments.bring([leak(Kind::Stage, "stage/p/s", 7)], |_| panic!("it is there")),
            [(Kind::Stage, Brought::Declaration)]
        );
        assert_eq!(indices(&instruments, EventKind::Stage), [("stage/p/s", 0)]);
    }

    #[test]
    fn a_second_class_of_transactions_finds_no_row() {
        let instruments = Instruments::of([]).with_reserve(1);
        assert_eq!(instruments.rows(EventKind::Transaction), 0);
        assert_eq!(
            instruments.bring([leak(Kind::Transaction, "transaction", 1)], |_| panic!("there is no place")),
            [(Kind::Transaction, Brought::Lost { first: true })]
        );
    }
}
