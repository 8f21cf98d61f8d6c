//! The handle inside every instrumented object where the engine is compiled out: nothing, in no space.

#![allow(clippy::unused_self, reason = "the signatures are those of the engine")]

use crate::class::Class;
use crate::model::Site;
use core::ops::{Deref, Range};

/// Shows each instance of a static to a visitor.
pub type Visit = fn(&mut Visitor<'_>);

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
    pub fn name(&self, _: &'static Class) {}
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

    /// The handle of what stands for all objects of a kind.
    #[inline(always)]
    pub const fn of(_: &'static Instance) -> Self {
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

/// What would go through the instances that an object holds. There is none.
#[derive(Debug)]
pub struct Visitor<'a>(&'a mut ());

impl Visitor<'_> {
    /// Shows nothing.
    #[inline(always)]
    pub fn instance(&mut self, _: &Instance) {}

    /// Says nothing.
    #[inline(always)]
    pub fn unmade(&mut self) {}

    /// Shows nothing.
    #[inline(always)]
    pub fn named(&mut self, _: &[&'static Class], _: impl FnOnce(&mut Visitor<'_>)) {}

    /// Shows nothing.
    #[inline(always)]
    pub fn several(&mut self, _: usize, _: impl FnOnce(&mut Visitor<'_>)) {}
}

/// Visits nothing.
#[inline(always)]
pub fn name_own(_: impl FnOnce(&mut Visitor<'_>)) {}

/// Visits nothing.
#[inline(always)]
pub fn name_made(_: usize, _: impl Fn(&mut Visitor<'_>)) {}

/// Binds nothing: no static is listed.
pub fn bind_statics() {}

/// A named static, of which nothing is known.
#[derive(Debug)]
pub struct NamedStatic(());

impl NamedStatic {
    /// Any static.
    pub const fn new(_: Option<&'static Class>, _: fn() -> Range<usize>, _: Visit) -> Self {
        Self(())
    }
}

/// The addresses of a static.
pub fn place_of<T>(held: *const T) -> Range<usize> {
    held.addr()..held.addr() + size_of::<T>()
}

/// Checks the types of what would be listed.
#[doc(hidden)]
#[macro_export]
macro_rules! list_static {
    ($named:expr) => {
        const _: $crate::instance::NamedStatic = $named;
    };
}
