//! `events_statements_current`: the statements that each thread executes, or executed last.

use crate::class::EventKind;
use crate::event::StatementRecord;
use crate::model::{Ending, NestingType};
use crate::schema::{EventTable, Schema};

use super::event::{EventColumns, ended_by};
use super::keys::events;
use super::threads::ExecutionEngine;
use super::{Ops, Row, Scan, Table, TableError};

/// The table `events_statements_current`.
#[derive(Debug)]
pub enum EventsStatementsCurrent {}

/// A statement; also the row of the two histories of statements.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct EventsStatementsRow {
    /// Which statement, where and when.
    #[row(flatten, deref)]
    pub event: EventColumns,
    /// Time spent waiting for table locks.
    #[row(unit = picoseconds)]
    pub lock_time: u64,
    /// The statement's text, cut to the configured length; NULL where text is not recorded.
    pub sql_text: Option<String>,
    /// The digest's hash, the SHA-256 of `DIGEST_TEXT`; NULL of what has no digest, found no row for it, or lost that by a
    /// TRUNCATE of events_statements_summary_by_digest.
    #[row(varchar = 64)]
    pub digest: Option<String>,
    /// The digest: the text without its values; NULL as DIGEST is.
    pub digest_text: Option<String>,
    /// The database in use.
    #[row(varchar = 64)]
    pub current_schema: Option<String>,
    /// The kind of stored program that it is part of.
    #[row(varchar = 64)]
    pub object_type: Option<&'static str>,
    /// The schema of that program.
    #[row(varchar = 64)]
    pub object_schema: Option<String>,
    /// The name of that program.
    #[row(varchar = 64)]
    pub object_name: Option<String>,
    /// Not used.
    #[row(unit = address)]
    pub object_instance_begin: Option<u64>,
    /// The error's number, 0 for none.
    pub mysql_errno: Option<i32>,
    /// The state of SQL that it returned, 00000 for success.
    #[row(varchar = 5)]
    pub returned_sqlstate: Option<String>,
    /// The error's message.
    #[row(varchar = 128)]
    pub message_text: Option<String>,
    /// 1 if it ended in an error, else 0.
    pub errors: u64,
    /// Warnings raised.
    pub warnings: u64,
    /// Rows changed.
    pub rows_affected: u64,
    /// Rows given to the client.
    pub rows_sent: u64,
    /// Rows looked at.
    pub rows_examined: u64,
    /// Temporary tables made on disk.
    pub created_tmp_disk_tables: u64,
    /// Temporary tables made.
    pub created_tmp_tables: u64,
    /// Joins that used no index.
    pub select_full_join: u64,
    /// Joins by a range search on a reference table.
    pub select_full_range_join: u64,
    /// Joins by a range of the first table.
    pub select_range: u64,
    /// Joins without keys that looked for keys after each row.
    pub select_range_check: u64,
    /// Joins by a full scan of the first table.
    pub select_scan: u64,
    /// Merge passes of sorts.
    pub sort_merge_passes: u64,
    /// Sorts of a range.
    pub sort_range: u64,
    /// Rows sorted.
    pub sort_rows: u64,
    /// Sorts by a full scan.
    pub sort_scan: u64,
    /// 1 if a table was scanned without an index, else 0.
    pub no_index_used: u64,
    /// 1 if no good index was found, else 0.
    pub no_good_index_used: u64,
    /// The statement or transaction that it happened in.
    pub nesting_event_id: Option<u64>,
    /// The kind of that event.
    pub nesting_event_type: Option<NestingType>,
    /// How many statements it is nested in.
    pub nesting_event_level: Option<i32>,
    /// Not used.
    pub statement_id: Option<u64>,
    /// Processor time.
    #[row(unit = picoseconds)]
    pub cpu_time: u64,
    /// Most controlled memory in use.
    #[row(unit = bytes)]
    pub max_controlled_memory: u64,
    /// Most memory in use.
    #[row(unit = bytes)]
    pub max_total_memory: u64,
    /// The engine that executed it; NULL: not known.
    pub execution_engine: Option<ExecutionEngine>,
    /// Who ended it: the code that began it; its parent, which ended first; its context, which ended; or the drop of its
    /// future before that completed. NULL while it goes on.
    pub ended_by: Option<Ending>,
}

impl EventsStatementsRow {
    /// From a record of the schema, its counters in the order of the columns.
    pub(super) fn new(schema: &Schema, record: StatementRecord) -> Self {
        let StatementRecord { event, detail } = record;
        let [
            lock_time,
            errors,
            warnings,
            rows_affected,
            rows_sent,
            rows_examined,
            created_tmp_disk_tables,
            created_tmp_tables,
            select_full_join,
            select_full_range_join,
            select_range,
            select_range_check,
            select_scan,
            sort_merge_passes,
            sort_range,
            sort_rows,
            sort_scan,
            no_index_used,
            no_good_index_used,
            cpu_time,
            max_controlled_memory,
            max_total_memory,
            secondary,
        ] = detail.counters;
        let nesting = event.nesting;
        let (digest, digest_text) = schema.digests.shown(detail.digest).unzip();
        let (errno, sqlstate, message) = match detail.error {
            Some(error) => (error.errno, Some(error.sqlstate), Some(error.message)),
            // A statement that goes on has not returned a state yet.
            None => (0, event.end_event_id.map(|_| "00000".to_owned()), None),
        };
        EventsStatementsRow {
            event: EventColumns::new(schema.clock(), &event),
            lock_time,
            sql_text: detail.text,
            digest,
            digest_text,
            current_schema: detail.schema,
            object_type: None,
            object_schema: None,
            object_name: None,
            object_instance_begin: None,
            mysql_errno: Some(errno),
            returned_sqlstate: sqlstate,
            message_text: message,
            errors,
            warnings,
            rows_affected,
            rows_sent,
            rows_examined,
            created_tmp_disk_tables,
            created_tmp_tables,
            select_full_join,
            select_full_range_join,
            select_range,
            select_range_check,
            select_scan,
            sort_merge_passes,
            sort_range,
            sort_rows,
            sort_scan,
            no_index_used,
            no_good_index_used,
            nesting_event_id: nesting.map(|(id, _)| id),
            nesting_event_type: nesting.map(|(_, kind)| kind),
            nesting_event_level: Some(i32::from(event.level)),
            statement_id: None,
            cpu_time,
            max_controlled_memory,
            max_total_memory,
            execution_engine: (secondary > 0).then_some(ExecutionEngine::Secondary),
            ended_by: ended_by(&event),
        }
    }
}

impl Table for EventsStatementsCurrent {
    const NAME: &'static str = "events_statements_current";
    const DOC: &'static str = "The statements that each thread executes, outermost first; of a thread that \
        executes none, the last that it ended. TRUNCATE removes the rows.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsStatementsRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let records = events::<Self::Row, _>(schema, scan, EventKind::Statement, EventTable::Current);
        records.map(|record| EventsStatementsRow::new(schema, record))
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.truncate_events(EventKind::Statement, EventTable::Current);
        Ok(())
    }
}
