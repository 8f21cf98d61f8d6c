//! The one mapping that holds every buffer, and the plan of what lies where in it.

use super::{StartError, mapping};
use crate::config::ConfigError;
use crate::laid_out::Listed;
use crate::model::{Actor, Context, Detail, Digest, Failure, Frame, Record, Slot, Source};
use crate::sequence::Sequence;
use crate::slots::Pins;
use crate::stat::{Histogram, Kept, Leaf, Moves, Shared, Sink};
use core::marker::PhantomData;
use core::sync::atomic::AtomicU64;

/// Types of which zeroed memory is a valid value that several threads may share.
///
/// # Safety
///
/// Every field is an atomic that may be all-zero; alignment is at most [`ALIGNMENT`].
pub(crate) unsafe trait Zeroed: Sync + Listed {}

// SAFETY: an atomic integer.
unsafe impl Zeroed for AtomicU64 {}
// SAFETY: atomics alone, as its module says.
unsafe impl<const N: usize> Zeroed for Leaf<N> {}
// SAFETY: atomics alone.
unsafe impl<const N: usize> Zeroed for Shared<N> {}
// SAFETY: atomics alone, as its module says.
unsafe impl<const N: usize> Zeroed for Sink<N> {}
// SAFETY: one atomic.
unsafe impl Zeroed for Sequence {}
// SAFETY: one atomic.
unsafe impl Zeroed for Moves {}
// SAFETY: atomics alone.
unsafe impl Zeroed for Actor {}
// SAFETY: atomics alone; null is a valid pointer value.
unsafe impl Zeroed for Context {}
// SAFETY: atomics alone; null is a valid pointer value.
unsafe impl Zeroed for Frame {}
// SAFETY: atomics alone; null is a valid pointer value.
unsafe impl Zeroed for Record {}
// SAFETY: atomics alone.
unsafe impl Zeroed for Detail {}
// SAFETY: atomics alone.
unsafe impl Zeroed for Failure {}
// SAFETY: atomics alone; null is a valid pointer value.
unsafe impl Zeroed for Slot {}
// SAFETY: atomics alone; null is a valid pointer value.
unsafe impl Zeroed for Source {}
// SAFETY: atomics alone.
unsafe impl<const N: usize> Zeroed for Kept<N> {}
// SAFETY: one atomic.
unsafe impl Zeroed for Pins {}
// SAFETY: atomics alone.
unsafe impl Zeroed for Digest {}
// SAFETY: atomics alone.
unsafe impl Zeroed for Histogram {}

/// What every buffer begins on: two cache lines, because processors fetch lines in pairs.
pub(crate) const ALIGNMENT: usize = 128;

/// A buffer, as the memory report shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// The table that shows the buffer, or a name in parentheses.
    pub name: &'static str,
    /// Bytes of one row.
    pub row_size: usize,
    /// Rows.
    pub row_count: usize,
}

laid_out!(Buffer { name, row_size, row_count });

impl Buffer {
    /// Bytes of all rows.
    pub fn memory(&self) -> usize {
        self.row_size * self.row_count
    }
}

/// Every buffer of a schema, known before anything is mapped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    buffers: Vec<Buffer>,
    total: usize,
}

laid_out!(Memory { buffers, total });

impl Memory {
    /// Each buffer; the last is what aligning the others takes.
    pub fn buffers(&self) -> &[Buffer] {
        &self.buffers
    }

    /// Bytes of address space of all buffers together: the sum of their memory, and the length of the one mapping that
    /// holds them. Pages of it become resident when they are first used.
    pub fn total(&self) -> usize {
        self.total
    }
}

/// Where a buffer lies in the mapping.
pub(crate) struct Section<T> {
    offset: usize,
    count: usize,
    rows: PhantomData<fn() -> T>,
}

/// The buffers reserved so far.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    buffers: Vec<Buffer>,
    /// In 128 bits, so that no product of sizes wraps before it is refused.
    length: u128,
}

impl Plan {
    /// Reserves `count` rows.
    pub(crate) fn reserve<T: Zeroed>(&mut self, name: &'static str, count: usize) -> Section<T> {
        const { assert!(align_of::<T>() <= ALIGNMENT) };
        let offset = self.bytes(size_of::<T>(), count);
        self.report(name, size_of::<T>(), count);
        Section { offset, count, rows: PhantomData }
    }

    /// Reserves `count` stretches of `stride` bytes whose parts the caller reports itself.
    pub(crate) fn bytes(&mut self, stride: usize, count: usize) -> usize {
        let offset = self.length.next_multiple_of(ALIGNMENT as u128);
        self.length = offset + stride as u128 * count as u128;
        usize::try_from(offset).unwrap_or(usize::MAX)
    }

    /// Reports rows that lie in stretches reserved by [`Plan::bytes`].
    pub(crate) fn report(&mut self, name: &'static str, row_size: usize, row_count: usize) {
        self.buffers.push(Buffer { name, row_size, row_count });
    }

    /// Ends the plan: what it takes, to the byte.
    pub(crate) fn finish(mut self) -> Result<Memory, ConfigError> {
        const LARGEST: u128 = 1 << 46;
        let wanted = self.length.next_multiple_of(4096).max(4096);
        let total = usize::try_from(wanted).ok().filter(|_| wanted <= LARGEST);
        let total = total.ok_or(ConfigError::TooLarge { bytes: wanted })?;
        let reported: usize = self.buffers.iter().map(Buffer::memory).sum();
        self.report("(alignment)", 1, total - reported);
        Ok(Memory { buffers: self.buffers, total })
    }
}

/// The mapping.
#[derive(Debug)]
pub(crate) struct Arena {
    base: *mut u8,
    memory: Memory,
}

laid_out!(Arena { base, memory });

// SAFETY: the mapping lives as long as the process, and what is handed out of it is `Sync`.
unsafe impl Send for Arena {}
// SAFETY: as above.
unsafe impl Sync for Arena {}

impl Arena {
    /// Maps what was planned, zeroed and never resident before it is used. It stays until the process ends.
    pub(crate) fn map(plan: Plan) -> Result<Self, StartError> {
        let memory = plan.finish()?;
        let bytes = memory.total();
        let base = mapping::zeroed(bytes).map_err(|source| StartError::Memory { bytes, source })?;
        Ok(Self { base, memory })
    }

    /// The rows of a section of this arena's plan.
    pub(crate) fn rows<T: Zeroed>(&self, section: &Section<T>) -> &'static [T] {
        assert!(section.offset + section.count * size_of::<T>() <= self.memory.total);
        // SAFETY: the section lies in the mapping (asserted) and is aligned by the plan; the mapping is never
        // unmapped; all-zero is a valid `T` and `T` is shared by atomics alone, so no `&mut` to it ever exists.
        unsafe { core::slice::from_raw_parts(self.base.add(section.offset).cast(), section.count) }
    }

    /// The address of a stretch reserved by [`Plan::bytes`].
    pub(crate) fn address(&self, offset: usize) -> *mut u8 {
        self.base.wrapping_add(offset)
    }

    /// Every buffer, whose memory adds up to the mapping's length.
    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }
}
