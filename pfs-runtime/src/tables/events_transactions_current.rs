//! `events_transactions_current`: the transactions that each thread has open, or ended last.

use crate::class::EventKind;
use crate::clock::Clock;
use crate::event::TransactionRecord;
use crate::model::{Ending, Isolation, NestingType};
use crate::schema::{EventTable, Schema};

use super::event::{EventColumns, ended_by};
use super::keys::events;
use super::{Field, Ops, Row, Scan, Table, TableError, Type, Value, YesNo};

/// The table `events_transactions_current`.
#[derive(Debug)]
pub enum EventsTransactionsCurrent {}

/// How far a transaction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransactionState {
    /// It is open.
    Active,
    /// Its changes stay.
    Committed,
    /// Its changes are gone.
    RolledBack,
}

impl Field for TransactionState {
    const TYPE: Type = Type::Enum(&["ACTIVE", "COMMITTED", "ROLLED BACK"]);

    fn value(&self) -> Value<'_> {
        Value::Text(match self {
            Self::Active => "ACTIVE",
            Self::Committed => "COMMITTED",
            Self::RolledBack => "ROLLED BACK",
        })
    }
}

/// Whether a transaction may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessMode {
    /// It only reads.
    ReadOnly,
    /// It may write.
    ReadWrite,
}

impl Field for AccessMode {
    const TYPE: Type = Type::Enum(&["READ ONLY", "READ WRITE"]);

    fn value(&self) -> Value<'_> {
        Value::Text(match self {
            Self::ReadOnly => "READ ONLY",
            Self::ReadWrite => "READ WRITE",
        })
    }
}

/// A transaction; also the row of the two histories of transactions.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct EventsTransactionsRow {
    /// The thread that it happened in.
    #[row(key)]
    pub thread_id: u64,
    /// Its number in the thread.
    #[row(key)]
    pub event_id: u64,
    /// The highest number given out in the thread when it ended; NULL while it goes on.
    pub end_event_id: Option<u64>,
    /// Its class.
    #[row(varchar = 128)]
    pub event_name: &'static str,
    /// Whether it is open, or how it ended.
    pub state: Option<TransactionState>,
    /// The server's own number of it; NULL where it was not told.
    pub trx_id: Option<u64>,
    /// Not used: MySQL's global transaction identifier.
    #[row(varchar = 90)]
    pub gtid: Option<String>,
    /// Not used: the format of an XA identifier.
    pub xid_format_id: Option<i32>,
    /// Not used: the global part of an XA identifier.
    #[row(varchar = 130)]
    pub xid_gtrid: Option<String>,
    /// Not used: the branch of an XA identifier.
    #[row(varchar = 130)]
    pub xid_bqual: Option<String>,
    /// Not used: the state of an XA transaction.
    #[row(varchar = 64)]
    pub xa_state: Option<String>,
    /// The place in the source that it began at, as `file:line`.
    #[row(varchar = 64)]
    pub source: Option<String>,
    /// When it began.
    #[row(unit = picoseconds)]
    pub timer_start: Option<u64>,
    /// When it ended.
    #[row(unit = picoseconds)]
    pub timer_end: Option<u64>,
    /// How long it took.
    #[row(unit = picoseconds)]
    pub timer_wait: Option<u64>,
    /// Whether it may write.
    pub access_mode: Option<AccessMode>,
    /// How far it sees the changes of others; NULL where that was not told.
    #[row(varchar = 64)]
    pub isolation_level: Option<&'static str>,
    /// Whether the server began it around one statement by itself.
    pub autocommit: YesNo,
    /// Savepoints set.
    pub number_of_savepoints: Option<u64>,
    /// Rollbacks to a savepoint.
    pub number_of_rollback_to_savepoint: Option<u64>,
    /// Savepoints released.
    pub number_of_release_savepoint: Option<u64>,
    /// Not used.
    #[row(unit = address)]
    pub object_instance_begin: Option<u64>,
    /// The statement that it began in.
    pub nesting_event_id: Option<u64>,
    /// The kind of that event.
    pub nesting_event_type: Option<NestingType>,
    /// Who ended it: the code that began it, or its context, which ended; NULL while it goes on.
    pub ended_by: Option<Ending>,
}

impl EventsTransactionsRow {
    /// From a record in ticks of `clock`.
    pub(super) fn new(clock: &Clock, record: &TransactionRecord) -> Self {
        let TransactionRecord { event, said, transaction_id, savepoints } = record;
        let EventColumns {
            thread_id,
            event_id,
            end_event_id,
            event_name,
            source,
            timer_start,
            timer_end,
            timer_wait,
        } = EventColumns::new(clock, event);
        let state = match end_event_id {
            None => TransactionState::Active,
            Some(_) if said.is_committed() => TransactionState::Committed,
            Some(_) => TransactionState::RolledBack,
        };
        let [set, rolled_back_to, released] = *savepoints;
        EventsTransactionsRow {
            thread_id,
            event_id,
            end_event_id,
            event_name,
            state: Some(state),
            trx_id: *transaction_id,
            gtid: None,
            xid_format_id: None,
            xid_gtrid: None,
            xid_bqual: None,
            xa_state: None,
            source,
            timer_start,
            timer_end,
            timer_wait,
            access_mode: Some(if said.is_read_only() { AccessMode::ReadOnly } else { AccessMode::ReadWrite }),
            isolation_level: said.isolation().map(Isolation::as_str),
            autocommit: said.is_autocommit().into(),
            number_of_savepoints: Some(set),
            number_of_rollback_to_savepoint: Some(rolled_back_to),
            number_of_release_savepoint: Some(released),
            object_instance_begin: None,
            nesting_event_id: event.nesting.map(|(id, _)| id),
            nesting_event_type: event.nesting.map(|(_, kind)| kind),
            ended_by: ended_by(event),
        }
    }
}

impl Table for EventsTransactionsCurrent {
    const NAME: &'static str = "events_transactions_current";
    const DOC: &'static str = "The transactions that each thread has open; if it has none, the one that ended \
        last. TRUNCATE removes the rows; a transaction that is open is counted, and kept in the histories, when it ends.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsTransactionsRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let records = events::<Self::Row, _>(schema, scan, EventKind::Transaction, EventTable::Current);
        records.map(|record| EventsTransactionsRow::new(schema.clock(), &record))
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.truncate_events(EventKind::Transaction, EventTable::Current);
        Ok(())
    }
}
