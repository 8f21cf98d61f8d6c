//! `events_stages_current`: the stages that each thread executes.

use crate::class::EventKind;
use crate::clock::Clock;
use crate::event::EventRecord;
use crate::model::{Ending, NestingType};
use crate::schema::{EventTable, Schema};

use super::event::{EventColumns, ended_by};
use super::keys::events;
use super::{Ops, Row, Scan, Table, TableError};

/// The table `events_stages_current`.
#[derive(Debug)]
pub enum EventsStagesCurrent {}

/// A stage; also the row of the two histories of stages.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct EventsStagesRow {
    /// Which stage, where and when.
    #[row(flatten, deref)]
    pub event: EventColumns,
    /// The statement or stage that it happened in.
    pub nesting_event_id: Option<u64>,
    /// The kind of that event.
    pub nesting_event_type: Option<NestingType>,
    /// Units of work done; NULL where the stage reports no progress.
    pub work_completed: Option<u64>,
    /// Units of work expected; may grow, and may be passed.
    pub work_estimated: Option<u64>,
    /// Who ended it: the code that began it; its parent, which ended first; its context, which ended; or the drop of its
    /// future before that completed. NULL while it goes on.
    pub ended_by: Option<Ending>,
}

impl EventsStagesRow {
    /// From a record in ticks of `clock`.
    pub(super) fn new(clock: &Clock, record: &EventRecord) -> Self {
        let progress =
            Some((record.object, record.bytes.unwrap_or(0))).filter(|progress| *progress != (0, 0));
        EventsStagesRow {
            event: EventColumns::new(clock, record),
            nesting_event_id: record.nesting.map(|(id, _)| id),
            nesting_event_type: record.nesting.map(|(_, kind)| kind),
            work_completed: progress.map(|(completed, _)| completed),
            work_estimated: progress.map(|(_, estimated)| estimated),
            ended_by: ended_by(record),
        }
    }
}

impl Table for EventsStagesCurrent {
    const NAME: &'static str = "events_stages_current";
    const DOC: &'static str = "The stages that each thread executes, outermost first. A stage that ended is \
        not shown. TRUNCATE removes the rows.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsStagesRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let records = events::<Self::Row, _>(schema, scan, EventKind::Stage, EventTable::Current);
        records.map(|record| EventsStagesRow::new(schema.clock(), &record))
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.truncate_events(EventKind::Stage, EventTable::Current);
        Ok(())
    }
}
