//! Statics that an attribute names: listed at link time, bound to their class at `start`.

use super::Instance;
use super::list::statics;
use crate::class::Class;

/// Calls a function with each instance of a static.
pub type Visit = fn(&mut dyn FnMut(&Instance));

/// A named static and the way to its instances.
#[derive(Debug)]
pub struct NamedStatic {
    class: &'static Class,
    visit: Visit,
}

impl NamedStatic {
    /// The instances that `visit` visits, named by `class`.
    pub const fn new(class: &'static Class, visit: Visit) -> Self {
        Self { class, visit }
    }
}

/// Binds the instances of all named statics to their classes.
pub fn bind_statics() {
    for named in statics() {
        (named.visit)(&mut |instance| {
            // A static of another kind of lock, behind an alias that the attribute could not see through, keeps its own.
            if instance.class().kind() == named.class.kind() {
                instance.rebind(named.class);
            }
        });
    }
}

/// Lists a static, whose instances `start` binds to a class.
#[doc(hidden)]
#[macro_export]
macro_rules! instrument_static {
    ($class:ident, $ident:ident) => {
        $crate::list_static! {
            $crate::instance::NamedStatic::new(&$class, |visit| {
                $crate::sync::visit::Instrumented::visit(&$ident, visit);
            })
        }
    };
}
