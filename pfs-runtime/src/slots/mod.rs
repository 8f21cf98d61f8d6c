//! Slots of fixed capacity: which ones are in use ([`Bitmap`]), whose one is ([`Life`]), how an object finds its own
//! ([`Handle`]), which one has an object of a key ([`Directory`], [`Index`], [`Catalog`]), who uses one ([`Pins`]), and how
//! many objects found none ([`Lost`]); and the places of a ring ([`Ring`]). What lies in a slot is not known here.

mod bitmap;
mod catalog;
mod directory;
mod entries;
mod gather;
mod handle;
mod index;
mod life;
mod pins;
mod ring;
#[cfg(all(test, loom))]
mod loom_models;

pub use bitmap::Bitmap;
pub use catalog::{Catalog, Contents, Entry, Found};
pub use directory::{Directory, Moved};
pub use gather::gather;
pub use handle::Handle;
pub use index::Index;
pub use life::{Life, Living};
pub use pins::{Pins, Tenure};
pub use ring::{Chunk, Place, Ring};

#[cfg(not(loom))]
pub(crate) use handle::{Bound, Peeked, Slots};

use crate::atomic::{AtomicU64, Ordering};

/// How many objects found no place, for one `*_lost` counter.
///
/// One object is counted once, by whoever tried to place it, however often it is used afterwards.
///
/// ```
/// use pfs_runtime::slots::Lost;
///
/// static MUTEX_INSTANCES_LOST: Lost = Lost::new();
/// MUTEX_INSTANCES_LOST.add(1);
/// assert_eq!(MUTEX_INSTANCES_LOST.get(), 1);
/// ```
#[derive(Debug)]
pub struct Lost(AtomicU64);

laid_out!(Lost { 0 });

impl Lost {
    /// Nothing lost yet.
    #[cfg(not(loom))]
    pub const fn new() -> Self {
        Lost(AtomicU64::new(0))
    }

    /// Nothing lost yet.
    #[cfg(loom)]
    pub fn new() -> Self {
        Lost(AtomicU64::new(0))
    }

    /// Counts `objects` more. One atomic addition.
    #[inline]
    pub fn add(&self, objects: u64) {
        // A count orders nothing else.
        self.0.fetch_add(objects, Ordering::Relaxed);
    }

    /// How many so far.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Starts again from 0 and gives what was counted, so that nothing is lost between reading and resetting.
    pub fn take(&self) -> u64 {
        self.0.swap(0, Ordering::Relaxed)
    }
}

impl Default for Lost {
    fn default() -> Self {
        Self::new()
    }
}
