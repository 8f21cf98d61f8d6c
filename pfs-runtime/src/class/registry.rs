//! The link-time list of classes, and the instruments that a schema makes of it.

use super::{CLASSES, Class, EventKind, Instrument, Kind};
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

/// The instruments of a schema, sorted by kind and name, with those of each kind of event numbered from 0.
#[derive(Debug)]
pub struct Instruments {
    all: Vec<Instrument>,
    /// Positions in `all`, by kind of event and number.
    by_event: [Vec<usize>; EventKind::COUNT],
}

impl Instruments {
    /// The instruments of the classes that are linked into this program.
    ///
    /// # Errors
    ///
    /// If the list does not hold even the engine's own classes.
    pub fn linked() -> Result<Self, NotLinked> {
        let linked =
            CLASSES.iter().any(|class| core::ptr::eq(*class, &raw const super::builtin::MUTEX_UNNAMED));
        if linked { Ok(Self::of(CLASSES.iter().copied())) } else { Err(NotLinked) }
    }

    /// The instruments of the given declarations; those of one name and kind are one instrument.
    pub fn of(classes: impl IntoIterator<Item = &'static Class>) -> Self {
        let mut names = BTreeMap::<(Kind, &'static str), Vec<&'static Class>>::new();
        for class in classes {
            names.entry((class.kind(), class.name())).or_default().push(class);
        }
        let mut by_event = [const { Vec::new() }; EventKind::COUNT];
        let mut counts = BTreeMap::<Kind, u32>::new();
        let mut all = Vec::with_capacity(names.len());
        for ((kind, _), mut declarations) in names {
            declarations.sort_by_key(|class| (class.file(), class.line()));
            declarations.dedup_by_key(|class| core::ptr::from_ref(*class));
            let index = if let Some(event) = kind.event() {
                let numbers: &mut Vec<usize> = &mut by_event[event as usize];
                numbers.push(all.len());
                numbers.len() - 1
            } else {
                let count = counts.entry(kind).or_default();
                *count += 1;
                *count as usize - 1
            };
            all.push(Instrument::new(declarations, u32::try_from(index).unwrap_or(u32::MAX)));
        }
        Self { all, by_event }
    }

    /// All of them.
    pub fn all(&self) -> &[Instrument] {
        &self.all
    }

    /// How many make events of this kind.
    pub fn count(&self, event: EventKind) -> usize {
        self.by_event[event as usize].len()
    }

    /// How many rows of statistics those have.
    pub(crate) fn rows(&self, event: EventKind) -> usize {
        self.count(event) * event.rows_a_class()
    }

    /// Those that make events of this kind, in the order of their numbers.
    pub fn of_event(&self, event: EventKind) -> impl ExactSizeIterator<Item = &Instrument> + Clone {
        self.by_event[event as usize].iter().map(|at| &self.all[*at])
    }

    /// The instrument of that name.
    pub fn find(&self, name: &str) -> Option<&Instrument> {
        self.all.iter().find(|instrument| instrument.name() == name)
    }
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
        assert_eq!(instruments.all().len(), 3);
        assert_eq!((instruments.count(EventKind::Wait), instruments.count(EventKind::Stage)), (2, 1));
        let both = instruments.find("wait/synch/mutex/a/b").unwrap();
        assert_eq!(both.declarations().iter().map(|class| class.line()).collect::<Vec<_>>(), [2, 9]);
        assert_eq!(instruments.find("wait/synch/rwlock/a/b").unwrap().index(), 1);
        assert_eq!(instruments.find("stage/a/s").unwrap().index(), 0);
    }
}
