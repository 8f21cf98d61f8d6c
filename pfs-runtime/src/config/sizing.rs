//! Sizes: as they are configured, what automatic ones follow from, and as they are in the end.

use super::SizeKey;

/// A size as it is configured: a number, or −1 for automatic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub(super) i64);

impl Size {
    /// Left to the formula of its key.
    pub const AUTO: Self = Self(-1);
}

impl Default for Size {
    fn default() -> Self {
        Self::AUTO
    }
}

macro_rules! from {
    ($($int:ty)*) => {$(
        impl From<$int> for Size {
            fn from(size: $int) -> Self {
                Self(i64::from(size))
            }
        }
    )*};
}
from!(u16 i32 u32 i64);

macro_rules! from_large {
    ($($int:ty)*) => {$(
        /// More than there is a number for is more than any limit, and is refused as that.
        impl From<$int> for Size {
            fn from(size: $int) -> Self {
                Self(i64::try_from(size).unwrap_or(i64::MAX))
            }
        }
    )*};
}
from_large!(u64 usize);

/// What automatic sizes follow from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Inputs {
    pub(super) max_connections: u32,
    pub(super) worker_threads: u32,
    pub(super) sizing_scale: f64,
}

laid_out!(Inputs { max_connections, worker_threads, sizing_scale });

/// Sizes as they are: every key has a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Sizes {
    inputs: Inputs,
    sizes: [u32; SizeKey::ALL.len()],
}

laid_out!(Sizes { inputs, sizes });

impl Sizes {
    /// The automatic sizes, but for those that `given` gives.
    pub(super) fn of(inputs: Inputs, given: impl Fn(SizeKey) -> Option<u32>) -> Self {
        let mut sizes = [0; SizeKey::ALL.len()];
        for key in SizeKey::ALL {
            sizes[*key as usize] = given(*key).unwrap_or_else(|| key.automatic(&inputs));
        }
        Self { inputs, sizes }
    }

    /// The size of that key.
    pub fn get(&self, key: SizeKey) -> u32 {
        self.sizes[key as usize]
    }

    pub(crate) fn count(&self, key: SizeKey) -> usize {
        self.get(key) as usize
    }

    /// The connections that automatic sizes follow from.
    pub fn max_connections(&self) -> u32 {
        self.inputs.max_connections
    }

    /// The worker threads that automatic sizes follow from.
    pub fn worker_threads(&self) -> u32 {
        self.inputs.worker_threads
    }

    /// What automatic sizes were multiplied by.
    pub fn sizing_scale(&self) -> f64 {
        self.inputs.sizing_scale
    }
}
