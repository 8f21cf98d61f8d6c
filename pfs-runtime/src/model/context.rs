//! The record of a context: an OS thread, session or task that owns statistics, event ids and a row in `threads`.

use super::{Actor, Frame};
use crate::class::{Class, EventKind, Flags};
use crate::slots::{Chunk, Life};
use crate::stat::{Leaf, Requests, STAGE_FIELDS, STATEMENT_FIELDS, WAIT_FIELDS};
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64};

/// Open events of one kind.
#[derive(Debug)]
#[repr(C)]
pub struct Frames {
    /// The first frame.
    pub base: AtomicPtr<Frame>,
    /// A bit for every frame in use.
    pub used: AtomicU64,
    /// Frames there are.
    pub limit: AtomicU32,
    /// Bytes from one frame to the next.
    pub stride: AtomicU32,
}

laid_out!(Frames { base, used, limit, stride });

/// The history of one kind of event.
#[derive(Debug)]
#[repr(C)]
pub struct Ring {
    /// The first record.
    pub base: AtomicPtr<u8>,
    /// The record to be written next.
    pub next: AtomicU32,
    /// Records there are.
    pub size: AtomicU32,
    /// Records written in this life of the context, at most `size`.
    pub filled: AtomicU32,
}

laid_out!(Ring { base, next, size, filled });

/// A context. What its hot path reads lies in the first cache line.
///
/// Only the owner writes, except: the requests, the mask, and what the owner itself reads as a setting.
#[derive(Debug)]
#[repr(C, align(128))]
#[expect(missing_docs, reason = "the fields are described by their types and the columns of `threads`")]
pub struct Context {
    pub requests: Requests,
    pub waits: AtomicPtr<Leaf<WAIT_FIELDS>>,
    pub stages: AtomicPtr<Leaf<STAGE_FIELDS>>,
    pub statements: AtomicPtr<Leaf<STATEMENT_FIELDS>>,
    pub transactions: AtomicPtr<Leaf<STAGE_FIELDS>>,
    /// The innermost open event, or the root.
    pub top: AtomicPtr<Frame>,
    /// Bytes of the context with its arrays; zero for a context that has none.
    pub extent: AtomicU64,
    pub next_event_id: AtomicU64,
    pub thread_id: AtomicU64,
    /// The schema the context belongs to; null for the contexts of a thread that has none.
    pub owner: AtomicPtr<()>,
    /// Not zero while the owner changes what follows, or `top` or the ids: what interrupts it then leaves them alone. Always
    /// so of what stands for no context, or for several threads'.
    pub changing: AtomicU32,
    pub wait_frames: Frames,
    pub stage_frames: Frames,
    pub statement_frames: Frames,
    pub transaction_frames: Frames,
    /// The recorded transaction that began last of those that are open, as what a statement shows as its parent; zero
    /// for none.
    pub transaction: AtomicU64,
    pub histories: [Ring; EventKind::COUNT],
    /// The parts of the long histories that the context writes now.
    pub chunks: [Chunk; EventKind::COUNT],
    pub life: Life,
    /// What the mask follows from, and more: see [`Context::INSTRUMENTED`] and those after it. Not the owner's to write.
    pub settings: AtomicU32,
    /// Not zero if the context is one of the connections of whose it is: not so a task of a session.
    pub connected: AtomicU32,
    pub class: AtomicPtr<Class>,
    pub parent_thread_id: AtomicU64,
    /// Whose it is; null where there is no row for that.
    pub account: AtomicPtr<Actor>,
    pub user: AtomicPtr<Actor>,
    pub host: AtomicPtr<Actor>,
    /// The OS thread's id; zero for a session.
    pub os_id: AtomicU64,
    /// For a session that is attached to an OS thread: the context that was the thread's before, and is again when
    /// the session is detached. What stands for nobody, for a session that is not attached, and for a thread. Neither,
    /// for a placeholder, which is never attached in the short way.
    pub attached: AtomicPtr<Context>,
    /// Not zero while the tokens of a statement are put together.
    pub digesting: AtomicU32,
    /// Zero for what is no session.
    pub processlist_id: AtomicU64,
    /// When the session began, or its command.
    pub since: AtomicU64,
    /// Stands for no event where an event's parent is looked for.
    pub root: Frame,
}

laid_out!(Context {
    requests,
    waits,
    stages,
    statements,
    transactions,
    top,
    extent,
    next_event_id,
    thread_id,
    owner,
    changing,
    wait_frames,
    stage_frames,
    statement_frames,
    transaction_frames,
    transaction,
    histories,
    chunks,
    life,
    settings,
    connected,
    class,
    parent_thread_id,
    account,
    user,
    host,
    os_id,
    attached,
    digesting,
    processlist_id,
    since,
    root
});

impl Context {
    /// Setting: events of the context are counted and recorded.
    pub const INSTRUMENTED: u32 = 1;
    /// Setting: ended events are copied to the histories.
    pub const HISTORY: u32 = 2;
    /// Setting: the context is a value's, a session's or task's, and no OS thread's.
    pub const OWNED: u32 = 4;
    /// Setting: the context has ended, and what it counted is still to be moved out.
    pub const TO_RETIRE: u32 = 8;

    /// A context that stands for none: `flags` decides what the hot path does with it.
    pub const fn placeholder(flags: Flags) -> Self {
        const fn frames() -> Frames {
            Frames {
                base: AtomicPtr::new(core::ptr::null_mut()),
                used: AtomicU64::new(0),
                limit: AtomicU32::new(0),
                stride: AtomicU32::new(0),
            }
        }
        const fn ring() -> Ring {
            Ring {
                base: AtomicPtr::new(core::ptr::null_mut()),
                next: AtomicU32::new(0),
                size: AtomicU32::new(0),
                filled: AtomicU32::new(0),
            }
        }
        Self {
            requests: Requests::new(flags.0),
            waits: AtomicPtr::new(core::ptr::null_mut()),
            stages: AtomicPtr::new(core::ptr::null_mut()),
            statements: AtomicPtr::new(core::ptr::null_mut()),
            transactions: AtomicPtr::new(core::ptr::null_mut()),
            top: AtomicPtr::new(core::ptr::null_mut()),
            extent: AtomicU64::new(0),
            next_event_id: AtomicU64::new(1),
            thread_id: AtomicU64::new(0),
            owner: AtomicPtr::new(core::ptr::null_mut()),
            changing: AtomicU32::new(1),
            wait_frames: frames(),
            stage_frames: frames(),
            statement_frames: frames(),
            transaction_frames: frames(),
            transaction: AtomicU64::new(0),
            histories: [const { ring() }; EventKind::COUNT],
            chunks: [const { Chunk::new() }; EventKind::COUNT],
            life: Life::new(),
            settings: AtomicU32::new(0),
            connected: AtomicU32::new(0),
            class: AtomicPtr::new(core::ptr::null_mut()),
            parent_thread_id: AtomicU64::new(0),
            account: AtomicPtr::new(core::ptr::null_mut()),
            user: AtomicPtr::new(core::ptr::null_mut()),
            host: AtomicPtr::new(core::ptr::null_mut()),
            os_id: AtomicU64::new(0),
            attached: AtomicPtr::new(core::ptr::dangling_mut()),
            digesting: AtomicU32::new(0),
            processlist_id: AtomicU64::new(0),
            since: AtomicU64::new(0),
            root: Frame::empty(),
        }
    }
}
