//! `events_waits_summary_by_instance`: waits by live object.

use crate::class::Kind;
use crate::schema::Schema;

use super::keys::instances;
use super::summary::WaitSummary;
use super::{Column, Ops, Row, Scan, Table, TableError};

/// The table `events_waits_summary_by_instance`.
#[derive(Debug)]
pub enum EventsWaitsSummaryByInstance {}

/// The waits for one object.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct EventsWaitsSummaryByInstanceRow {
    /// The object's class.
    #[row(key, varchar = 128)]
    pub event_name: &'static str,
    /// Which object it is: the address of its slot.
    #[row(key, unit = address)]
    pub object_instance_begin: u64,
    /// What was counted.
    #[row(flatten, deref)]
    pub summary: WaitSummary,
}

const EVENT_NAME: usize = Column::index(EventsWaitsSummaryByInstanceRow::COLUMNS, "EVENT_NAME");

/// The kinds of instance that have waits.
const KINDS: &[Kind] = &[Kind::Mutex, Kind::RwLock, Kind::Cond];

impl Table for EventsWaitsSummaryByInstance {
    const NAME: &'static str = "events_waits_summary_by_instance";
    const DOC: &'static str = "The waits for each mutex, rwlock and condition variable that lives. It is a \
        second view: what it counts is also counted by class. Of an object that several threads use at once \
        (an rwlock that is read, a condition variable), each figure is exact and only ever grows, but the \
        figures of a row may be of slightly different moments. TRUNCATE starts this table alone again; the \
        rows stay.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsWaitsSummaryByInstanceRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        instances::<Self::Row>(schema, scan, KINDS, EVENT_NAME).filter_map(|instance| {
            let waits = schema.whole(instance.waits)?;
            Some(EventsWaitsSummaryByInstanceRow {
                event_name: instance.class.name(),
                object_instance_begin: instance.address(),
                summary: WaitSummary::new(schema.clock(), &waits),
            })
        })
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.truncate_by_instance();
        Ok(())
    }
}
