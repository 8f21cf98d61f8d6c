//! The handle of an object that has several owners, as a channel has at its two ends.

use super::Instance;
use crate::class::Class;
use crate::model::Site;
use core::ops::Deref;
use std::sync::Arc;

/// An [`Instance`] that lives as long as the last of those that share it.
#[derive(Clone, Debug)]
pub struct SharedInstance(Arc<Instance>);

impl SharedInstance {
    /// The handle of an object of that class. It allocates, as making what has several owners does.
    pub fn new(class: &'static Class, made_at: Site) -> Self {
        Self(Arc::new(Instance::new(class, made_at)))
    }
}

impl Deref for SharedInstance {
    type Target = Instance;

    #[inline(always)]
    fn deref(&self) -> &Instance {
        &self.0
    }
}
