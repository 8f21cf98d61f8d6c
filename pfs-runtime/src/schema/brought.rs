//! What a plugin brings to a schema that runs: its classes.

use super::{Schema, apply};
use crate::class::{Brought, Class};

/// What became of the classes of a plugin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Those that have a place now, and those whose name was there before.
    pub classes: usize,
    /// Those that found no place, whether they were counted as lost before or not.
    pub lost: usize,
}

impl Schema {
    /// Takes in the classes of a plugin: each is set to what the startup rules say of it, and follows all settings from
    /// then on. Those past the reserve are counted as lost, once each, and stay off.
    ///
    /// `fresh` are the plugin's classes of objects whose own is not found yet: see [`fresh`](crate::class::fresh).
    pub fn take_in(
        &self,
        classes: impl IntoIterator<Item = &'static Class>,
        fresh: impl IntoIterator<Item = &'static Class>,
    ) -> Taken {
        self.change_settings(|| {
            self.instruments.add_fresh(fresh.into_iter());
            let mut taken = Taken::default();
            for (kind, brought) in self.instruments.bring(classes, |new| apply(&self.rules, new)) {
                match brought {
                    Brought::Declaration | Brought::Instrument => taken.classes += 1,
                    Brought::Lost { first } => {
                        taken.lost += 1;
                        self.status.classes_lost(kind).add(u64::from(first));
                    }
                }
            }
            taken
        })
    }
}
