//! `threads`: the contexts that live now: threads of the operating system, sessions and tasks.

use std::sync::atomic::Ordering::Relaxed;

use crate::class::EventKind;
use crate::clock::Clock;
use crate::event::StatementRecord;
use crate::model::Context;
use crate::schema::{EventTable, Schema};

use super::keys::{contexts, same_name};
use super::live::LiveContext;
use super::value::enumeration;
use super::{Column, Ops, Row, Scan, Table, TableError, Value, YesNo};

/// The table `threads`.
#[derive(Debug)]
pub enum Threads {}

/// A thread, session or task.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct ThreadsRow {
    /// Its number, never used again.
    #[row(key)]
    pub thread_id: u64,
    /// Its class.
    #[row(key, varchar = 128)]
    pub name: &'static str,
    /// FOREGROUND if it serves a client, else BACKGROUND.
    #[row(name = "TYPE", varchar = 10)]
    pub kind: ThreadType,
    /// The number of the connection that it serves.
    #[row(key)]
    pub processlist_id: Option<u64>,
    /// The client's user.
    #[row(varchar = 32)]
    pub processlist_user: Option<String>,
    /// The client's host.
    #[row(varchar = 255)]
    pub processlist_host: Option<String>,
    /// The database in use.
    #[row(varchar = 64)]
    pub processlist_db: Option<String>,
    /// What it does for the client.
    #[row(varchar = 16)]
    pub processlist_command: Option<&'static str>,
    /// How long it has been in that state.
    #[row(unit = seconds)]
    pub processlist_time: Option<i64>,
    /// The stage that it executes.
    #[row(varchar = 64)]
    pub processlist_state: Option<String>,
    /// The statement that it executes.
    pub processlist_info: Option<String>,
    /// The thread that made it.
    pub parent_thread_id: Option<u64>,
    /// Not used.
    #[row(varchar = 64)]
    pub role: Option<&'static str>,
    /// Whether its events are recorded, anywhere.
    #[row(updatable)]
    pub instrumented: YesNo,
    /// Whether its events go to the history tables.
    #[row(updatable)]
    pub history: YesNo,
    /// How the client is connected.
    #[row(varchar = 16)]
    pub connection_type: Option<&'static str>,
    /// The operating system's number of the thread that runs it now; NULL while none does, and for a session that is
    /// attached to a thread on which nothing was counted yet.
    #[row(key)]
    pub thread_os_id: Option<u64>,
    /// Not used.
    #[row(varchar = 64)]
    pub resource_group: Option<&'static str>,
    /// The engine that executes its statement; NULL: not known.
    pub execution_engine: Option<ExecutionEngine>,
    /// Controlled memory in use; 0 while memory is not instrumented.
    #[row(unit = bytes)]
    pub controlled_memory: u64,
    /// The most that was in use.
    #[row(unit = bytes)]
    pub max_controlled_memory: u64,
    /// Memory in use; 0 while memory is not instrumented.
    #[row(unit = bytes)]
    pub total_memory: u64,
    /// The most that was in use.
    #[row(unit = bytes)]
    pub max_total_memory: u64,
    /// Whether a telemetry session is attached.
    pub telemetry_active: YesNo,
}

enumeration! {
    /// Whether a thread serves a client.
    pub enum ThreadType {
        /// It does.
        Foreground = "FOREGROUND",
        /// It does not.
        Background = "BACKGROUND",
    }
}

enumeration! {
    /// The engine that executes a statement.
    pub enum ExecutionEngine {
        /// The main one.
        Primary = "PRIMARY",
        /// An accelerator.
        Secondary = "SECONDARY",
    }
}

const COLUMNS: &[Column] = ThreadsRow::COLUMNS;
const NAME: usize = Column::index(COLUMNS, "NAME");
const PROCESSLIST_ID: usize = Column::index(COLUMNS, "PROCESSLIST_ID");
const THREAD_OS_ID: usize = Column::index(COLUMNS, "THREAD_OS_ID");
const INSTRUMENTED: usize = Column::index(COLUMNS, "INSTRUMENTED");
const HISTORY: usize = Column::index(COLUMNS, "HISTORY");

impl ThreadsRow {
    /// What is known of a context; `None` if it ended meanwhile.
    fn read(schema: &Schema, live: &LiveContext) -> Option<Self> {
        let context = live.context;
        let some = |number: u64| (number != 0).then_some(number);
        let processlist_id = some(context.processlist_id.load(Relaxed));
        let settings = context.settings.load(Relaxed);
        let statements: Vec<StatementRecord> =
            schema.copied_of(context, EventKind::Statement, EventTable::Current);
        // The client's own statement, not one that is nested in it.
        let statement = statements.into_iter().find(|statement| statement.event.end_event_id.is_none());
        let command = processlist_id.map(|_| if statement.is_some() { "Query" } else { "Sleep" });
        let since = statement.as_ref().and_then(|statement| statement.event.start);
        let since = since.unwrap_or_else(|| context.since.load(Relaxed));
        let row = ThreadsRow {
            thread_id: live.thread_id,
            name: live.class.name(),
            kind: if processlist_id.is_some() { ThreadType::Foreground } else { ThreadType::Background },
            processlist_id,
            processlist_user: None,
            processlist_host: None,
            processlist_db: statement.as_ref().and_then(|statement| statement.detail.schema.clone()),
            processlist_command: command,
            processlist_time: processlist_id.map(|_| seconds(schema.clock(), since)),
            processlist_state: schema.stage_of(context).map(|name| state(name).to_owned()),
            processlist_info: statement.and_then(|statement| statement.detail.text),
            parent_thread_id: some(context.parent_thread_id.load(Relaxed)),
            role: None,
            instrumented: (settings & Context::INSTRUMENTED != 0).into(),
            history: (settings & Context::HISTORY != 0).into(),
            connection_type: None,
            thread_os_id: context.os_thread_id(),
            resource_group: None,
            execution_engine: None,
            controlled_memory: 0,
            max_controlled_memory: 0,
            total_memory: 0,
            max_total_memory: 0,
            telemetry_active: YesNo::No,
        };
        live.same_life(Some(row))
    }
}

/// Whole seconds from a raw reading of the clock until now.
fn seconds(clock: &Clock, since: u64) -> i64 {
    let (_, _, picos) = clock.interval(since, clock.now());
    (picos / 1_000_000_000_000).cast_signed()
}

/// The stage of that name without its prefix and component, at most 64 characters.
fn state(name: &'static str) -> &'static str {
    let state = name.splitn(3, '/').last().unwrap_or(name);
    let end = state.char_indices().nth(64).map_or(state.len(), |(at, _)| at);
    &state[..end]
}

impl Table for Threads {
    const NAME: &'static str = "threads";
    const DOC: &'static str = "The threads, sessions and tasks that live now. INSTRUMENTED = NO stops all \
        recording of what one does; HISTORY = NO keeps its events out of the history tables.";
    const OPS: Ops = Ops::UPDATE;
    type Row = ThreadsRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let name = scan.text(NAME).map(str::to_owned);
        let processlist_id = scan.u64(PROCESSLIST_ID);
        let os_id = scan.u64(THREAD_OS_ID);
        contexts::<Self::Row>(schema, scan)
            .filter(move |context| same_name(name.as_deref(), context.class.name()))
            .filter_map(|context| ThreadsRow::read(schema, &context))
            .filter(move |row| {
                processlist_id.is_none_or(|id| row.processlist_id == Some(id))
                    && os_id.is_none_or(|id| row.thread_os_id == Some(id))
            })
    }

    fn update(schema: &Schema, row: &Self::Row, column: usize, value: &Value<'_>) -> Result<(), TableError> {
        let on = Some(YesNo::from_value::<Self>(column, value)?.into());
        let changed = match column {
            INSTRUMENTED => schema.set_thread(row.thread_id, on, None),
            HISTORY => schema.set_thread(row.thread_id, None, on),
            _ => return Err(TableError::denied::<Self>("UPDATE")),
        };
        changed.map_err(|_| TableError::unknown_row::<Self>(&row.thread_id))
    }
}
