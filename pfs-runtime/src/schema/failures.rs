//! What is left, with the end of a statement that failed where its context is not, for the context's owner: see
//! [`posted`](crate::event).

use super::arena::{Arena, Plan, Section};
use crate::config::{SizeKey, Sizes};
use crate::model::Failure;
use crate::slots::Bitmap;
use core::sync::atomic::AtomicU64;

/// The buffer as it is planned.
pub(super) struct Planned {
    rows: Section<Failure>,
    map: Section<AtomicU64>,
    capacity: u32,
}

/// A place for each statement that can be open at once.
#[derive(Debug)]
pub struct Failures {
    rows: &'static [Failure],
    map: Bitmap,
}

laid_out!(Failures { rows, map });

impl Failures {
    pub(super) fn plan(plan: &mut Plan, sizes: &Sizes) -> Planned {
        let statements = sizes.get(SizeKey::MaxStatementStack);
        let capacity = sizes.get(SizeKey::MaxThreadInstances).saturating_mul(statements);
        Planned {
            rows: plan.reserve("(failures_elsewhere)", capacity as usize),
            map: plan.reserve("(failures_elsewhere_map)", Bitmap::words(capacity)),
            capacity,
        }
    }

    pub(super) fn new(arena: &Arena, planned: &Planned) -> Self {
        Self { rows: arena.rows(&planned.rows), map: Bitmap::new(arena.rows(&planned.map), planned.capacity) }
    }

    /// Lets `write` write a failure, and gives the number of its place; `None` if there is no place.
    pub(crate) fn leave(&self, write: impl FnOnce(&Failure)) -> Option<u32> {
        let place = self.map.acquire()?;
        write(&self.rows[place as usize]);
        Some(place)
    }

    /// The failure in a place. The caller has its end in hand.
    pub(crate) fn at(&self, place: u32) -> Option<&'static Failure> {
        self.rows.get(place as usize)
    }

    /// Gives the place back.
    pub(crate) fn give_back(&self, place: u32) {
        self.map.release(place);
    }
}
