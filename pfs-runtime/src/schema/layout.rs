//! How one context's arrays lie together: its header, then what it writes often, then histories and carries.

use super::arena::{ALIGNMENT, Plan};
use crate::class::{EventKind, Instruments};
use crate::config::{SizeKey, Sizes};
use crate::model::{Context, Detail, Frame, Record, Savepoints};
use crate::stat::{Leaf, Level, STAGE_FIELDS, STATEMENT_FIELDS, WAIT_FIELDS};

/// Where the rows of one kind of event lie in a context, in bytes from its begin.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RowsAt {
    pub(crate) rows: usize,
    /// For each level above that of threads.
    pub(crate) carries: [usize; Level::UPPER.len()],
    pub(crate) touched: usize,
    pub(crate) carried: usize,
}

laid_out!(RowsAt { rows, carries, touched, carried });

/// Where the frames and the history of one kind of event lie in a context.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EventsAt {
    pub(crate) frames: usize,
    pub(crate) frame_stride: usize,
    pub(crate) frame_limit: u32,
    pub(crate) history: usize,
    pub(crate) record_stride: usize,
    pub(crate) history_size: u32,
}

laid_out!(EventsAt { frames, frame_stride, frame_limit, history, record_stride, history_size });

/// The layout of every context of a schema.
#[derive(Clone, Debug)]
pub(crate) struct ContextLayout {
    /// Bytes from one context to the next.
    pub(crate) stride: usize,
    /// By [`EventKind`].
    pub(crate) rows: [RowsAt; EventKind::COUNT],
    /// By [`EventKind`].
    pub(crate) events: [EventsAt; EventKind::COUNT],
    /// Bytes of statement text that are kept.
    pub(crate) text_bytes: usize,
    /// Where the tokens of a statement are put together, and room for how many bytes of them there is.
    pub(crate) tokens: usize,
    pub(crate) tokens_bytes: usize,
}

laid_out!(ContextLayout { stride, rows, events, text_bytes, tokens, tokens_bytes });

/// Bytes of a row of statistics, by [`EventKind`].
const ROW_SIZE: [usize; EventKind::COUNT] = [
    size_of::<Leaf<WAIT_FIELDS>>(),
    size_of::<Leaf<STAGE_FIELDS>>(),
    size_of::<Leaf<STATEMENT_FIELDS>>(),
    size_of::<Leaf<STAGE_FIELDS>>(),
];

/// The names under which the parts are reported, by [`EventKind`].
const NAMES: [[&str; 5]; EventKind::COUNT] = [
    [
        "events_waits_summary_by_thread_by_event_name",
        "(carried_waits_by_thread)",
        "(touched_waits_by_thread)",
        "events_waits_current",
        "events_waits_history",
    ],
    [
        "events_stages_summary_by_thread_by_event_name",
        "(carried_stages_by_thread)",
        "(touched_stages_by_thread)",
        "events_stages_current",
        "events_stages_history",
    ],
    [
        "events_statements_summary_by_thread_by_event_name",
        "(carried_statements_by_thread)",
        "(touched_statements_by_thread)",
        "events_statements_current",
        "events_statements_history",
    ],
    [
        "events_transactions_summary_by_thread_by_event_name",
        "(carried_transactions_by_thread)",
        "(touched_transactions_by_thread)",
        "events_transactions_current",
        "events_transactions_history",
    ],
];

impl ContextLayout {
    /// Lays out the contexts of a schema with these sizes.
    pub(crate) fn of(sizes: &Sizes, instruments: &Instruments) -> Self {
        let text_bytes = sizes.count(SizeKey::MaxSqlTextLength);
        let detail = size_of::<Detail>() + text_bytes.next_multiple_of(8);
        let classes = EventKind::ALL.map(|kind| instruments.rows(kind));
        let extra = [0, 0, detail, size_of::<Savepoints>()];
        let limits = [
            sizes.get(SizeKey::MaxWaitStack),
            sizes.get(SizeKey::MaxStageStack),
            sizes.get(SizeKey::MaxStatementStack),
            sizes.get(SizeKey::MaxTransactionStack),
        ];
        let histories = [
            sizes.get(SizeKey::EventsWaitsHistorySize),
            sizes.get(SizeKey::EventsStagesHistorySize),
            sizes.get(SizeKey::EventsStatementsHistorySize),
            sizes.get(SizeKey::EventsTransactionsHistorySize),
        ];
        let mut rows = [RowsAt::default(); EventKind::COUNT];
        let mut events = [EventsAt::default(); EventKind::COUNT];
        let mut end = size_of::<Context>();
        let mut place = |bytes: usize| {
            let at = end.next_multiple_of(64);
            end = at + bytes;
            at
        };
        for kind in 0..EventKind::COUNT {
            rows[kind].rows = place(ROW_SIZE[kind] * classes[kind]);
            rows[kind].touched = place((classes[kind].div_ceil(64) + 1) * 8);
            rows[kind].carried = rows[kind].touched + classes[kind].div_ceil(64) * 8;
        }
        for kind in 0..EventKind::COUNT {
            events[kind].frame_stride = size_of::<Frame>() + extra[kind];
            events[kind].frame_limit = limits[kind];
            events[kind].frames = place(events[kind].frame_stride * limits[kind] as usize);
        }
        for kind in 0..EventKind::COUNT {
            // What a statement or transaction has beyond an event lies behind a frame's size in histories too, so that it
            // is found in one way.
            events[kind].record_stride =
                if extra[kind] == 0 { size_of::<Record>() } else { size_of::<Frame>() + extra[kind] };
            events[kind].history_size = histories[kind];
            events[kind].history = place(events[kind].record_stride * histories[kind] as usize);
        }
        for kind in 0..EventKind::COUNT {
            for carries in &mut rows[kind].carries {
                *carries = place(ROW_SIZE[kind] * classes[kind]);
            }
        }
        let tokens_bytes = match sizes.get(SizeKey::DigestsSize) {
            0 => 0,
            _ => sizes.count(SizeKey::MaxDigestLength),
        };
        let tokens = end.next_multiple_of(64);
        end = tokens + tokens_bytes;
        Self { stride: end.next_multiple_of(ALIGNMENT), rows, events, text_bytes, tokens, tokens_bytes }
    }

    /// Reserves `contexts` of them and reports each part.
    pub(crate) fn reserve(&self, plan: &mut Plan, contexts: usize, instruments: &Instruments) -> usize {
        plan.report("threads", size_of::<Context>(), contexts);
        for (at, kind) in EventKind::ALL.into_iter().enumerate() {
            let classes = instruments.rows(kind);
            let [rows, carries, touched, current, history] = NAMES[at];
            let events = &self.events[at];
            plan.report(rows, ROW_SIZE[at], classes * contexts);
            plan.report(carries, ROW_SIZE[at], Level::UPPER.len() * classes * contexts);
            plan.report(touched, 8, (classes.div_ceil(64) + 1) * contexts);
            plan.report(current, events.frame_stride, events.frame_limit as usize * contexts);
            plan.report(history, events.record_stride, events.history_size as usize * contexts);
        }
        plan.report("(tokens_by_thread)", self.tokens_bytes, contexts);
        plan.bytes(self.stride, contexts)
    }
}
