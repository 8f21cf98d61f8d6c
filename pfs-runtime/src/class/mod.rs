//! Instrument classes: the named points of a program, listed at link time.
//!
//! A class is a static beside the code it names. Nothing here knows of instances, contexts or a running schema;
//! a class only carries the one word that the schema writes and the hot path reads.

mod appended;
pub mod builtin;
#[cfg_attr(not(feature = "engine"), path = "../null/cell.rs")]
mod cell;
pub mod fresh;
mod instrument;
mod kind;
#[cfg_attr(not(feature = "engine"), path = "../null/list.rs")]
#[cfg_attr(all(feature = "engine", listed_by_constructors), path = "list_by_constructors.rs")]
mod list;
mod macros;
mod registry;
mod word;

pub(crate) use appended::Appended;
pub use instrument::{Instrument, Settings, Timed};
pub use kind::{EventKind, Kind, TimedKind};
pub use list::*;
pub(crate) use registry::{Brought, own_classes};
pub use registry::{Instruments, NotLinked};
pub use word::{Flags, Word};

use cell::WordCell;

/// One declaration of an instrument class.
///
/// Two declarations of the same name are one class with one row of statistics; `setup_instruments` shows both
/// places.
#[derive(Debug)]
pub struct Class {
    word: WordCell,
    kind: Kind,
    name: &'static str,
    file: &'static str,
    line: u32,
}

laid_out!(Class { word, kind, name, file, line });

impl Class {
    /// A class that is not part of a schema yet.
    ///
    /// # Panics
    ///
    /// At compile time, in a constant: if `name` is no instrument name or does not begin with the prefix of
    /// `kind`.
    pub const fn new(kind: Kind, name: &'static str, file: &'static str, line: u32) -> Self {
        let name = crate::name::checked(name);
        assert!(kind.admits(name), "the instrument name does not begin with the prefix of its kind");
        Self { word: WordCell::new(), kind, name, file, line }
    }

    /// The full name, `wait/synch/mutex/kv/LOCK_index`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What the class instruments.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The source file of the declaration, as the compiler was given it.
    pub fn file(&self) -> &'static str {
        self.file
    }

    /// The line of the declaration.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Everything that decides what happens to an event of this class. Cost: one relaxed load.
    #[inline(always)]
    pub fn word(&self) -> Word {
        self.word.get()
    }

    pub(crate) fn set_word(&self, word: Word) {
        self.word.set(word);
    }
}
