//! Statics that an attribute names: listed at link time, bound to their class at `start`.

use super::Instance;
use crate::class::Class;

/// Calls a function with each instance of a static.
pub type Visit = fn(&mut dyn FnMut(&Instance));

/// A named static and the way to its instances.
#[derive(Debug)]
pub struct NamedStatic {
    class: &'static Class,
    visit: Visit,
}

/// Every named static that is linked into this program.
#[linkme::distributed_slice]
pub static STATICS: [NamedStatic];

impl NamedStatic {
    /// The instances that `visit` visits, named by `class`.
    pub const fn new(class: &'static Class, visit: Visit) -> Self {
        Self { class, visit }
    }
}

/// Binds the instances of all named statics to their classes.
pub fn bind_statics() {
    for named in STATICS {
        (named.visit)(&mut |instance| instance.rebind(named.class));
    }
}
