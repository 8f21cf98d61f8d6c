//! The handle of an object that has several owners, as a channel has at its two ends.

use super::Instance;
use crate::class::Class;
use crate::model::Site;
use core::ops::Deref;
use std::sync::Arc;

/// An [`Instance`] that lives as long as the last of those that share it, or for ever.
#[derive(Clone, Debug)]
pub struct SharedInstance(Owner);

#[derive(Clone, Debug)]
enum Owner {
    Shared(Arc<Instance>),
    Static(&'static Instance),
}

impl SharedInstance {
    /// The handle of an object of that class. It allocates, as making what has several owners does.
    pub fn new(class: &'static Class, made_at: Site) -> Self {
        Self(Owner::Shared(Arc::new(Instance::new(class, made_at))))
    }

    /// The handle of what stands for all objects of a kind that are made in constants.
    pub const fn of(instance: &'static Instance) -> Self {
        Self(Owner::Static(instance))
    }
}

impl Deref for SharedInstance {
    type Target = Instance;

    #[inline(always)]
    fn deref(&self) -> &Instance {
        match &self.0 {
            Owner::Shared(instance) => instance,
            Owner::Static(instance) => instance,
        }
    }
}
