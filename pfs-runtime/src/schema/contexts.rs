//! The buffer of contexts.

use super::arena::{Arena, Plan, Section};
use super::layout::ContextLayout;
use crate::class::{Flags, Instruments};
use crate::model::Context;
use crate::slots::{Bitmap, Lost};
use core::sync::atomic::{AtomicU64, Ordering};

/// The buffer as it is planned.
pub(crate) struct Planned {
    offset: usize,
    map: Section<AtomicU64>,
    overflow: Section<Context>,
    capacity: u32,
}

/// All contexts of a schema.
#[derive(Debug)]
pub struct Contexts {
    base: *mut u8,
    stride: usize,
    map: Bitmap,
    /// What threads that found no context use: their events count, and are nobody's.
    overflow: &'static Context,
    /// What sessions and tasks use that found none.
    overflow_of_sessions: &'static Context,
    lost: Lost,
}

laid_out!(Contexts { base, stride, map, overflow, overflow_of_sessions, lost });

// SAFETY: `base` points into the schema's mapping, which is never unmapped and holds atomics alone.
unsafe impl Send for Contexts {}
// SAFETY: as above.
unsafe impl Sync for Contexts {}

impl Contexts {
    pub(crate) fn plan(
        plan: &mut Plan,
        layout: &ContextLayout,
        capacity: u32,
        instruments: &Instruments,
    ) -> Planned {
        Planned {
            offset: layout.reserve(plan, capacity as usize, instruments),
            map: plan.reserve("(threads_map)", Bitmap::words(capacity)),
            overflow: plan.reserve("(overflow_thread)", 2),
            capacity,
        }
    }

    pub(crate) fn new(arena: &Arena, planned: &Planned, layout: &ContextLayout) -> Self {
        let overflow = arena.rows(&planned.overflow);
        for context in overflow {
            context.requests.reset((Flags::ALL | Flags::ATTENTION).0);
            context.attached.store(core::ptr::dangling_mut(), Ordering::Relaxed);
            context.changing.store(1, Ordering::Relaxed);
        }
        Self {
            base: arena.address(planned.offset),
            stride: layout.stride,
            map: Bitmap::new(arena.rows(&planned.map), planned.capacity),
            overflow: &overflow[0],
            overflow_of_sessions: &overflow[1],
            lost: Lost::new(),
        }
    }

    fn at(&self, index: usize) -> &'static Context {
        // SAFETY: callers pass an index below the capacity, so the context lies in the mapping, zeroed or in use;
        // it holds atomics alone and is never unmapped.
        unsafe { &*self.base.wrapping_add(index * self.stride).cast::<Context>() }
    }

    /// Takes a free context, or counts one as lost.
    pub(crate) fn acquire(&self) -> Option<&'static Context> {
        let index = self.map.acquire();
        if index.is_none() {
            self.lost.add(1);
        }
        index.map(|index| self.at(index as usize))
    }

    /// Gives a context back that was folded.
    pub(crate) fn release(&self, context: &'static Context) {
        let index = (core::ptr::from_ref(context).addr() - self.base.addr()) / self.stride;
        if let Ok(index) = u32::try_from(index) {
            self.map.release(index);
        }
    }

    /// Mends what threads that are no more had half done, when none of them has a context any more.
    pub(super) fn mend(&self) {
        self.map.mend(|index| self.at(index as usize).life.is_used());
        self.lost.take();
    }

    /// The context of threads that have none.
    pub(crate) fn overflow(&self) -> &'static Context {
        self.overflow
    }

    /// The context of sessions and tasks that have none.
    pub(crate) fn overflow_of_sessions(&self) -> &'static Context {
        self.overflow_of_sessions
    }

    /// Threads, sessions and tasks that found no context.
    pub fn lost(&self) -> u64 {
        self.lost.get()
    }

    /// Contexts that may have counted something: those that are owned, or change owner just now.
    pub(crate) fn used(&self) -> impl Iterator<Item = &'static Context> + Clone + use<> {
        let (base, stride) = (self.base, self.stride);
        (0..self.map.high_water() as usize)
            .map(move |index| {
                // SAFETY: as in `at`; slots ever used are below the capacity.
                unsafe { &*base.wrapping_add(index * stride).cast::<Context>() }
            })
            .filter(|context| context.life.is_used())
    }

    /// Contexts that are owned.
    pub(crate) fn live(&self) -> impl Iterator<Item = &'static Context> + Clone + use<> {
        self.used().filter(|context| context.life.living().is_some())
    }
}
