//! `events_waits_summary_by_source`: waits by the place in the source where what is waited for was made.

use crate::schema::Schema;

use super::keys::same_name;
use super::summary::WaitSummary;
use super::{Column, Ops, Row, Scan, Table, TableError};

/// The table `events_waits_summary_by_source`.
#[derive(Debug)]
pub enum EventsWaitsSummaryBySource {}

/// The waits for what was made at one place.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct EventsWaitsSummaryBySourceRow {
    /// The class of what was made there.
    #[row(key, varchar = 128)]
    pub event_name: &'static str,
    /// Where it was made: the file's own name, and the line.
    #[row(key, varchar = 64)]
    pub source: String,
    /// How many of them live now.
    pub count_instances: u64,
    /// What was counted, also of those that live no more.
    #[row(flatten, deref)]
    pub summary: WaitSummary,
}

const EVENT_NAME: usize = Column::index(EventsWaitsSummaryBySourceRow::COLUMNS, "EVENT_NAME");
const SOURCE: usize = Column::index(EventsWaitsSummaryBySourceRow::COLUMNS, "SOURCE");

impl Table for EventsWaitsSummaryBySource {
    const NAME: &'static str = "events_waits_summary_by_source";
    const DOC: &'static str = "The waits for mutexes, rwlocks and condition variables by their class and by where \
        they were made, so that locks that no code names are told from each other: where a constructor is called \
        through another function, by that function. A row stays when what was made there is gone. It is a second \
        view: what it counts is also counted by class. As in events_waits_summary_by_instance, a try that failed is \
        not counted, and neither is what found no slot (the *_instances_lost) or no row (sources_lost). Each figure \
        is exact and only ever grows; those of what several threads use at once, of a row whose instances end at the \
        moment, and of several instances that are waited for at once may be of slightly different moments. Only what \
        gets its name after it was used takes its counts along to the row of that name. TRUNCATE starts this table \
        alone again; the rows stay.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = EventsWaitsSummaryBySourceRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let (name, source) = (scan.text(EVENT_NAME), scan.text(SOURCE).map(str::to_owned));
        let sources = schema.by_source(&|place| same_name(name, place.class));
        sources.filter_map(|row| schema.whole(row)).filter_map(move |row| {
            let place = format!("{}:{}", row.place.file, row.place.line);
            source.as_ref().is_none_or(|source| *source == place).then(|| EventsWaitsSummaryBySourceRow {
                event_name: row.place.class,
                source: place,
                count_instances: row.instances,
                summary: WaitSummary::new(schema.clock(), &row.waits),
            })
        })
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.truncate_by_source();
        Ok(())
    }
}
