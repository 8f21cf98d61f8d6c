//! The classes of objects that were made without a name, until their first event.
//!
//! An event is counted by its class before anything else of its object is looked at. So whether a static that an
//! attribute names holds the object must be known by then, and must cost nothing later: such an object begins with a
//! class whose word takes its first event the long way, where its class is found. No event is ever counted by a
//! class of these, and none is listed.

use super::{Class, Kind, builtin};

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
pub(super) fn all() -> impl Iterator<Item = &'static Class> {
    ALL.iter().map(|(fresh, _)| *fresh)
}

/// The class of an object of the class `fresh` that no one names; `None` if `class` is not one of these.
pub(crate) fn unnamed(class: &'static Class) -> Option<&'static Class> {
    ALL.iter().find(|(fresh, _)| core::ptr::eq(*fresh, class)).map(|(_, unnamed)| *unnamed)
}

/// Whether objects of that class have no name: it was not found yet, or there is none.
pub(crate) fn is_nameless(class: &'static Class) -> bool {
    ALL.iter().any(|(fresh, unnamed)| core::ptr::eq(*fresh, class) || core::ptr::eq(*unnamed, class))
}
