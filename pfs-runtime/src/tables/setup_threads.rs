//! `setup_threads`: what threads and sessions of each class begin with.

use crate::class::Instrument;
use crate::schema::Schema;

use super::keys::same_name;
use super::{Column, Ops, Row, Scan, Table, TableError, Value, YesNo};

/// The table `setup_threads`.
#[derive(Debug)]
pub enum SetupThreads {}

/// A class of threads.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct SetupThreadsRow {
    /// The class.
    #[row(key, varchar = 128)]
    pub name: &'static str,
    /// Whether its threads begin instrumented.
    #[row(updatable)]
    pub enabled: YesNo,
    /// Whether its threads begin with a history.
    #[row(updatable)]
    pub history: YesNo,
    /// What is special about it.
    #[row(set = ["singleton", "user"])]
    pub properties: &'static str,
    /// How long its threads live, 0 where that is not known.
    pub volatility: i32,
    /// What its threads are for, where the declaration says so.
    pub documentation: Option<&'static str>,
}

const COLUMNS: &[Column] = SetupThreadsRow::COLUMNS;
const NAME: usize = Column::index(COLUMNS, "NAME");
const ENABLED: usize = Column::index(COLUMNS, "ENABLED");
const HISTORY: usize = Column::index(COLUMNS, "HISTORY");

impl From<&Instrument> for SetupThreadsRow {
    fn from(instrument: &Instrument) -> Self {
        SetupThreadsRow {
            name: instrument.name(),
            enabled: instrument.settings().enabled.into(),
            history: instrument.history().into(),
            properties: "",
            volatility: 0,
            documentation: None,
        }
    }
}

impl Table for SetupThreads {
    const NAME: &'static str = "setup_threads";
    const DOC: &'static str = "The classes of threads, sessions and tasks, with what those begin with that begin after \
        an update; INSTRUMENTED and HISTORY in threads change one that lives. ENABLED is that of setup_instruments.";
    const OPS: Ops = Ops::UPDATE;
    type Row = SetupThreadsRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let wanted = scan.text(NAME).map(str::to_owned);
        schema
            .thread_classes()
            .filter(move |class| same_name(wanted.as_deref(), class.name()))
            .map(SetupThreadsRow::from)
    }

    fn update(schema: &Schema, row: &Self::Row, column: usize, value: &Value<'_>) -> Result<(), TableError> {
        let setting = |column| YesNo::from_value::<Self>(column, value).map(|on| Some(on.into()));
        let changed = match column {
            ENABLED => schema.set_thread_class(row.name, setting(column)?, None),
            HISTORY => schema.set_thread_class(row.name, None, setting(column)?),
            _ => return Err(TableError::denied::<Self>("UPDATE")),
        };
        changed.map_err(|_| TableError::unknown_row::<Self>(&row.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{SetupInstruments, testing};

    #[test]
    fn classes_of_threads_are_switched_by_themselves() {
        let schema = testing::schema();
        let rows = || -> Vec<_> {
            SetupThreads::rows(schema, &Scan::ALL).map(|row| (row.name, row.enabled, row.history)).collect()
        };
        assert_eq!(rows(), [("thread/test/flusher", YesNo::Yes, YesNo::Yes)]);
        let row = SetupThreads::rows(schema, &Scan::ALL).next().unwrap();
        SetupThreads::update(schema, &row, HISTORY, &Value::Text("NO")).unwrap();
        assert_eq!(rows(), [("thread/test/flusher", YesNo::Yes, YesNo::No)]);
        SetupThreads::update(schema, &row, ENABLED, &Value::Text("NO")).unwrap();
        assert_eq!(rows(), [("thread/test/flusher", YesNo::No, YesNo::No)]);
        let mut instruments = SetupInstruments::rows(schema, &Scan::ALL);
        assert!(instruments.any(|row| row.name == "thread/test/flusher" && row.enabled == YesNo::No));
    }

    #[test]
    fn what_is_no_class_of_threads_is_refused() {
        let schema = testing::schema();
        let error = schema.set_thread_class("stage/test/parsing", Some(false), None).unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no class of threads `stage/test/parsing`: see setup_threads for those of this program"
        );
    }
}
