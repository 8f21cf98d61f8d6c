//! `events_waits_current`: the waits that each thread is in, or was last in.

use crate::class::EventKind;
use crate::clock::Clock;
use crate::event::EventRecord;
use crate::model::{Ending, NestingType};
use crate::schema::{EventTable, Schema};

use super::event::{EventColumns, ended_by};
use super::keys::events;
use super::{Ops, Row, Scan, Table, TableError};

/// The table `events_waits_current`.
#[derive(Debug)]
pub enum EventsWaitsCurrent {}

/// A wait; also the row of the two histories of waits.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct EventsWaitsRow {
    /// Which wait, where and when.
    #[row(flatten, deref)]
    pub event: EventColumns,
    /// Not used.
    pub spins: Option<u32>,
    /// The schema of the table waited for.
    #[row(varchar = 64)]
    pub object_schema: Option<String>,
    /// The file, socket or table waited for.
    #[row(varchar = 512)]
    pub object_name: Option<String>,
    /// The index used.
    #[row(varchar = 64)]
    pub index_name: Option<String>,
    /// What kind of object is waited for; NULL for locks and condition variables.
    #[row(varchar = 64)]
    pub object_type: Option<&'static str>,
    /// Which object is waited for: the address of its slot.
    #[row(unit = address)]
    pub object_instance_begin: u64,
    /// The event that the wait happened in.
    pub nesting_event_id: Option<u64>,
    /// The kind of that event.
    pub nesting_event_type: Option<NestingType>,
    /// What was asked of the object.
    #[row(varchar = 32)]
    pub operation: &'static str,
    /// Bytes read or written, or rows of a table.
    pub number_of_bytes: Option<i64>,
    /// Not used.
    pub flags: Option<u32>,
    /// Who ended it: the code that began it, its parent, which ended first, or its context, which ended; NULL while
    /// it goes on.
    pub ended_by: Option<Ending>,
}

impl EventsWaitsRow {
    /// From a record in ticks of `clock`.
    pub(super) fn new(clock: &Clock, record: &EventRecord) -> Self {
        EventsWaitsRow {
            event: EventColumns::new(clock, record),
            spins: None,
            object_schema: None,
            object_name: None,
            index_name: None,
            object_type: None,
            object_instance_begin: record.object,
            nesting_event_id: record.nesting.map(|(id, _)| id),
            nesting_event_type: record.nesting.map(|(_, kind)| kind),
            operation: record.operation.map_or("", |operation| operation.as_str()),
            number_of_bytes: record.bytes.map(|bytes| i64::try_from(bytes).unwrap_or(i64::MAX)),
            flags: None,
            ended_by: ended_by(record),
        }
    }
}

impl Table for EventsWaitsCurrent {
    const NAME: &'static str = "events_waits_current";
    const DOC: &'static str = "The waits that each thread is in, outermost first; of a thread that is in \
        none, the last that it ended. TRUNCATE removes the rows.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsWaitsRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let records = events::<Self::Row, _>(schema, scan, EventKind::Wait, EventTable::Current);
        records.map(|record| EventsWaitsRow::new(schema.clock(), &record))
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.truncate_events(EventKind::Wait, EventTable::Current);
        Ok(())
    }
}
