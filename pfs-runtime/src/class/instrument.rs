//! An instrument: all declarations of one name, and whether it is enabled and timed.

use super::{Appended, Class, Kind, Word};
use core::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// When events of an instrument are timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Timed {
    /// Never.
    No = 0,
    /// Only acquisitions that do not succeed at once; for mutexes and rwlocks.
    Contended = 1,
    /// Always.
    Yes = 2,
}

/// The settings of an instrument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whether its events are counted.
    pub enabled: bool,
    /// When they are timed.
    pub timed: Timed,
}

/// All declarations of one instrument name in a schema, with their settings.
#[derive(Debug)]
pub struct Instrument {
    name: &'static str,
    kind: Kind,
    declarations: Appended<&'static Class>,
    index: u32,
    enabled: AtomicBool,
    timed: AtomicU8,
    /// Of a class of threads: whether they have a history.
    history: AtomicBool,
}

laid_out!(Instrument { name, kind, declarations, index, enabled, timed, history });

impl Instrument {
    pub(super) fn new(kind: Kind, name: &'static str, index: u32) -> Self {
        let defaults = kind.defaults();
        Self {
            name,
            kind,
            declarations: Appended::new(),
            index,
            enabled: AtomicBool::new(defaults.enabled),
            timed: AtomicU8::new(defaults.timed as u8),
            history: AtomicBool::new(true),
        }
    }

    /// The full name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What it instruments.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Its place among the instruments whose statistics lie together.
    pub fn index(&self) -> usize {
        self.index as usize
    }

    /// Every place in the source that declares it: those of the program, sorted by file and line, then those of plugins
    /// in the order in which they came.
    pub fn declarations(&self) -> impl Iterator<Item = &'static Class> + Clone {
        self.declarations.iter().copied()
    }

    /// Adds a declaration; the caller recomputes the word.
    pub(super) fn declare(&self, class: &'static Class) {
        self.declarations.push(class);
    }

    /// Its settings now.
    pub fn settings(&self) -> Settings {
        let timed = match self.timed.load(Ordering::Relaxed) {
            0 => Timed::No,
            1 => Timed::Contended,
            _ => Timed::Yes,
        };
        Settings { enabled: self.enabled.load(Ordering::Relaxed), timed }
    }

    /// Stores settings; the caller recomputes the word. What cannot be timed stays so.
    pub(crate) fn set(&self, settings: Settings) {
        self.enabled.store(settings.enabled, Ordering::Relaxed);
        if self.kind().can_be_timed() {
            self.timed.store(settings.timed as u8, Ordering::Relaxed);
        }
    }

    /// Whether threads of the class begin with a history.
    pub fn history(&self) -> bool {
        self.history.load(Ordering::Relaxed)
    }

    /// Stores whether threads of the class begin with a history; the caller recomputes the word.
    pub(crate) fn set_history(&self, history: bool) {
        self.history.store(history, Ordering::Relaxed);
    }

    pub(crate) fn set_word(&self, word: Word) {
        for class in self.declarations() {
            class.set_word(word);
        }
    }
}
