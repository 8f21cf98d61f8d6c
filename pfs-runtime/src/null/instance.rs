//! The handle inside every instrumented object where the engine is compiled out: nothing, in no space.

#![allow(clippy::unused_self, reason = "the signatures are those of the engine")]

use crate::class::Class;
use crate::model::Site;
use core::ops::Deref;

/// Calls a function with each instance of a static.
pub type Visit = fn(&mut dyn FnMut(&Instance));

/// What stands where the engine keeps an object's class and slot.
#[derive(Debug)]
pub struct Instance(());

impl Instance {
    /// The handle of an object of any class.
    #[inline(always)]
    pub const fn new(_: &'static Class, _: Site) -> Self {
        Self(())
    }

    /// The handle of an object of any class that cannot say where it was made.
    #[inline(always)]
    pub const fn unplaced(_: &'static Class) -> Self {
        Self(())
    }

    /// The handle of another object.
    #[must_use]
    #[inline(always)]
    pub fn another(&self, _: Site) -> Self {
        Self(())
    }

    /// Does nothing: the object has no class.
    #[inline(always)]
    pub fn rebind(&self, _: &'static Class) {}
}

/// What stands where the engine keeps an object's class and slot for several owners.
#[derive(Clone, Debug)]
pub struct SharedInstance(());

impl SharedInstance {
    /// The handle of an object of any class.
    #[inline(always)]
    pub fn new(_: &'static Class, _: Site) -> Self {
        Self(())
    }
}

impl Deref for SharedInstance {
    type Target = Instance;

    #[inline(always)]
    fn deref(&self) -> &Instance {
        &Instance(())
    }
}

/// Binds nothing: no static is listed.
pub fn bind_statics() {}

/// Checks that a static holds instrumented objects, and lists nothing.
#[doc(hidden)]
#[macro_export]
macro_rules! instrument_static {
    ($class:ident, $ident:ident) => {
        const _: (&$crate::class::Class, $crate::instance::Visit) =
            (&$class, |visit| $crate::sync::visit::Instrumented::visit(&$ident, visit));
    };
}
