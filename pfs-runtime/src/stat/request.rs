//! What others ask a context to do with its rows, and the mask through which it learns of it.
//!
//! No one writes another context's rows. Who truncates a table sets a bit here; readers obey the bit at once,
//! and the owner carries it out before its next event is counted.

use crate::atomic::{AtomicU32, Ordering};

use super::Level;

/// A request: to restart a level of one kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request(u32);

impl Request {
    /// Restart `level`, and move up what is summed up above it. `kind` numbers the kinds of event, below 6.
    pub const fn restart(kind: u32, level: Level) -> Self {
        Self(1 << (kind * Level::COUNT + level as u32))
    }

    /// All requests after which `level` has restarted.
    pub const fn that_restart(kind: u32, level: Level) -> Self {
        let mut bits = 0;
        let mut by = level.restarted_by();
        while let [first, rest @ ..] = by {
            bits |= Self::restart(kind, *first).0;
            by = rest;
        }
        Self(bits)
    }
}

/// The set of requests that a context has not carried out yet, beside the mask its hot path reads.
///
/// The bit [`Requests::ATTENTION`] of the mask is set after a request and cleared before the requests are read,
/// so that none is missed.
#[repr(C)]
#[cfg_attr(not(loom), derive(Debug))]
pub struct Requests {
    mask: AtomicU32,
    pending: AtomicU32,
}

laid_out!(Requests { mask, pending });

impl Requests {
    /// The bit of the mask that takes the context off its hot path.
    pub const ATTENTION: u32 = 1 << 31;

    /// No requests, and `mask`.
    #[cfg(not(loom))]
    pub const fn new(mask: u32) -> Self {
        Self { mask: AtomicU32::new(mask), pending: AtomicU32::new(0) }
    }

    /// No requests, and `mask`.
    #[cfg(loom)]
    pub fn new(mask: u32) -> Self {
        Self { mask: AtomicU32::new(mask), pending: AtomicU32::new(0) }
    }

    /// The mask. Cost: one relaxed load.
    #[inline(always)]
    pub fn mask(&self) -> u32 {
        self.mask.load(Ordering::Relaxed)
    }

    /// Sets the bits of the mask that say what is recorded, and leaves [`Requests::ATTENTION`] as it is.
    pub fn set_mask(&self, bits: u32) {
        self.mask.fetch_and(Self::ATTENTION | bits, Ordering::Relaxed);
        self.mask.fetch_or(bits, Ordering::Relaxed);
    }

    /// Starts anew for another owner of the context; there must be none yet.
    ///
    /// The mask is stored first: a request that comes in between then either is dropped whole, for a context that
    /// has counted nothing, or leaves a needless [`Requests::ATTENTION`]; it never stays pending unseen.
    pub fn reset(&self, mask: u32) {
        // Exchanges, not stores: every change of these words is one, so each word has one order of all of them, also
        // in a model.
        self.mask.swap(mask, Ordering::Relaxed);
        self.pending.swap(0, Ordering::Release);
    }

    /// Asks the owner.
    pub fn ask(&self, request: Request) {
        self.pending.fetch_or(request.0, Ordering::AcqRel);
        self.mask.fetch_or(Self::ATTENTION, Ordering::Release);
    }

    /// Takes the context off its hot path once, so that it looks for what others left it beside requests.
    pub fn alert(&self) {
        self.mask.fetch_or(Self::ATTENTION, Ordering::Release);
    }

    /// Whether any of these requests waits to be carried out; readers then act as if it were.
    pub fn is_pending(&self, request: Request) -> bool {
        self.pending.load(Ordering::Acquire) & request.0 != 0
    }

    /// Runs `carry_out` with a test for each request, if there are any. Only the owner may call this.
    ///
    /// The bits are cleared after the rows were changed: a reader that sees a bit gone sees the rows changed.
    /// A request that comes again while it is carried out needs no second round, because the owner counts
    /// nothing in between.
    pub fn attend(&self, carry_out: impl FnOnce(&dyn Fn(Request) -> bool)) {
        self.mask.fetch_and(!Self::ATTENTION, Ordering::Acquire);
        let pending = self.pending.load(Ordering::Acquire);
        if pending != 0 {
            carry_out(&|request| pending & request.0 != 0);
            self.pending.fetch_and(!pending, Ordering::Release);
        }
    }
}
