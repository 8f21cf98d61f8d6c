//! The classes of objects that were made without a name, until their first event.
//!
//! An event is counted by its class before anything else of its object is looked at. So whether a static that an
//! attribute names holds the object must be known by then, and must cost nothing later: such an object begins with a
//! class whose word takes its first event the long way, where its class is found. No event is ever counted by a
//! class of these, and none is listed.

use super::{Class, Flags, Kind, builtin};

macro_rules! fresh {
    ($($(#[$doc:meta])+ $ident:ident: $kind:ident = $unnamed:ident, $name:literal;)+) => {
        $(
            $(#[$doc])+
            pub static $ident: Class = Class::new(Kind::$kind, $name, file!(), line!());
        )+

        /// Each of them, and the class of its objects that no one names.
        static ALL: &[(&Class, &Class)] = &[$((&$ident, &builtin::$unnamed)),+];
    };
}

fresh! {
    /// Mutexes made by `Mutex::new`.
    MUTEX: Mutex = MUTEX_UNNAMED, "wait/synch/mutex/pfs/unnamed";
    /// Rwlocks made by `RwLock::new`.
    RWLOCK: RwLock = RWLOCK_UNNAMED, "wait/synch/rwlock/pfs/unnamed";
    /// Condvars made by `Condvar::new`.
    COND: Cond = COND_UNNAMED, "wait/synch/cond/pfs/unnamed";
    /// `Once`s made by `Once::new`.
    ONCE: Cond = ONCE, "wait/synch/cond/std/once";
    /// Barriers made by `Barrier::new`.
    BARRIER: Cond = BARRIER, "wait/synch/cond/std/barrier";
}

/// All of them.
pub(crate) fn all() -> impl Iterator<Item = &'static Class> {
    ALL.iter().map(|(fresh, _)| *fresh)
}

/// The class of an object of the class `fresh` that no one names; `None` if `class` is not one of these.
pub(crate) fn unnamed(class: &'static Class) -> Option<&'static Class> {
    ALL.iter().find(|(fresh, _)| stands_for(fresh, class)).map(|(_, unnamed)| *unnamed)
}

/// Whether objects of that class have no name: it was not found yet, or there is none.
pub(crate) fn is_nameless(class: &'static Class) -> bool {
    ALL.iter().any(|(fresh, unnamed)| core::ptr::eq(*fresh, class) || is_called_as(unnamed, class))
}

/// Whether `class` is `fresh`, or that of another copy of pfs: a plugin has its own, and objects go from one to the other.
/// From the class of objects without a name, which is called the same, such a one differs by its word.
fn stands_for(fresh: &'static Class, class: &'static Class) -> bool {
    core::ptr::eq(fresh, class) || class.word().flags().any(Flags::FRESH) && is_called_as(fresh, class)
}

fn is_called_as(one: &Class, other: &Class) -> bool {
    one.kind() == other.kind() && one.name() == other.name()
}
