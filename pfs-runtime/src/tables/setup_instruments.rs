//! `setup_instruments`: the instrument classes, which of them are enabled and when they are timed.

use crate::class::{Instrument, Settings, Timed};
use crate::schema::Schema;
use crate::setup::SetupError;

use super::event::source;
use super::keys::same_name;
use super::{Column, Field, Ops, Row, Scan, Table, TableError, Type, Value, YesNo};

/// The table `setup_instruments`.
#[derive(Debug)]
pub enum SetupInstruments {}

/// An instrument.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct SetupInstrumentsRow {
    /// The instrument's full name.
    #[row(key, varchar = 128)]
    pub name: &'static str,
    /// Whether its events are counted.
    #[row(updatable)]
    pub enabled: YesNo,
    /// When its events are timed. NULL for what cannot be timed: threads, memory, errors.
    #[row(updatable)]
    pub timed: Option<Timed>,
    /// What is special about it.
    #[row(set = ["singleton", "progress", "user", "global_statistics", "mutable", "controlled_by_default"])]
    pub properties: &'static str,
    /// Flags of memory instruments; NULL for all others.
    #[row(set = ["controlled"])]
    pub flags: Option<&'static str>,
    /// How long instances live, 0 where that is not known.
    pub volatility: i32,
    /// What the instrument is for, where its declaration says so.
    pub documentation: Option<&'static str>,
    /// Every place in the source that declares the instrument, as `file:line`, separated by commas.
    pub sources: String,
}

impl Field for Timed {
    const TYPE: Type = Type::Enum(&["YES", "NO", "CONTENDED"]);

    fn value(&self) -> Value<'_> {
        Value::Text(match self {
            Timed::Yes => "YES",
            Timed::No => "NO",
            Timed::Contended => "CONTENDED",
        })
    }
}

const COLUMNS: &[Column] = SetupInstrumentsRow::COLUMNS;
const NAME: usize = Column::index(COLUMNS, "NAME");
const ENABLED: usize = Column::index(COLUMNS, "ENABLED");
const TIMED: usize = Column::index(COLUMNS, "TIMED");

impl From<&Instrument> for SetupInstrumentsRow {
    fn from(instrument: &Instrument) -> Self {
        let Settings { enabled, timed } = instrument.settings();
        let sources: Vec<String> = instrument.declarations().map(|class| source(class.file(), class.line())).collect();
        SetupInstrumentsRow {
            name: instrument.name(),
            enabled: enabled.into(),
            timed: instrument.kind().can_be_timed().then_some(timed),
            properties: "",
            flags: None,
            volatility: 0,
            documentation: None,
            sources: sources.join(", "),
        }
    }
}

impl Table for SetupInstruments {
    const NAME: &'static str = "setup_instruments";
    const DOC: &'static str = "The instrument classes of the program. An update of ENABLED or TIMED takes \
        effect on events that begin after it, on existing objects too. TIMED of what cannot be timed stays \
        NULL, without an error; CONTENDED is for mutexes and rwlocks only.";
    const OPS: Ops = Ops::UPDATE;
    type Row = SetupInstrumentsRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let name = scan.text(NAME).map(str::to_owned);
        let instruments = schema.instruments().all();
        instruments
            .filter(move |instrument| same_name(name.as_deref(), instrument.name()))
            .map(SetupInstrumentsRow::from)
    }

    fn update(schema: &Schema, row: &Self::Row, column: usize, value: &Value<'_>) -> Result<(), TableError> {
        let changed = match column {
            ENABLED => {
                let enabled = YesNo::from_value::<Self>(column, value)?.into();
                schema.set_instrument(row.name, Some(enabled), None)
            }
            TIMED => schema.set_instrument(row.name, None, Some(timed(value)?)),
            _ => return Err(TableError::denied::<Self>("UPDATE")),
        };
        changed.map_err(|error| match error {
            SetupError::NotContended { .. } => TableError::bad_value_of::<Self>(
                "TIMED",
                value,
                "'YES' or 'NO' for an instrument that is not a mutex or rwlock",
            ),
            _ => TableError::unknown_row::<Self>(&row.name),
        })
    }
}

fn timed(value: &Value<'_>) -> Result<Timed, TableError> {
    let is_named = |timed: &Timed| {
        let name = timed.value().as_text().unwrap_or_default();
        value.as_text().is_some_and(|text| text.eq_ignore_ascii_case(name))
    };
    let settings = [Timed::Yes, Timed::No, Timed::Contended];
    let setting = settings.into_iter().find(is_named);
    setting.ok_or_else(|| TableError::bad_value::<SetupInstruments>(TIMED, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::testing;

    fn row(schema: &Schema, name: &str) -> SetupInstrumentsRow {
        let scan = Scan { eq: &[(NAME, Value::Text(name))] };
        SetupInstruments::rows(schema, &scan).next().expect("the instrument is there")
    }

    fn set(schema: &Schema, name: &str, column: usize, value: &str) -> Result<(), TableError> {
        SetupInstruments::update(schema, &row(schema, name), column, &Value::Text(value))
    }

    const LOCK: &str = "wait/synch/mutex/test/LOCK_a";
    const STAGE: &str = "stage/test/parsing";
    const THREAD: &str = "thread/test/flusher";

    #[test]
    fn one_row_a_name_with_all_its_places() {
        let schema = testing::schema();
        assert_eq!(SetupInstruments::rows(schema, &Scan::ALL).count(), 6);
        assert_eq!(
            row(schema, LOCK),
            SetupInstrumentsRow {
                name: LOCK,
                enabled: YesNo::Yes,
                timed: Some(Timed::Contended),
                properties: "",
                flags: None,
                volatility: 0,
                documentation: None,
                sources: "lib.rs:1, lib.rs:9".to_owned(),
            }
        );
        assert_eq!(row(schema, THREAD).timed, None);
    }

    #[test]
    fn an_update_is_seen_at_once() {
        let schema = testing::schema();
        set(schema, LOCK, TIMED, "yes").unwrap();
        set(schema, LOCK, ENABLED, "NO").unwrap();
        assert_eq!((row(schema, LOCK).enabled, row(schema, LOCK).timed), (YesNo::No, Some(Timed::Yes)));
        set(schema, STAGE, TIMED, "NO").unwrap();
        assert_eq!((row(schema, STAGE).enabled, row(schema, STAGE).timed), (YesNo::Yes, Some(Timed::No)));
    }

    #[test]
    fn an_update_changes_no_other_column() {
        let schema = testing::schema();
        let before = row(schema, LOCK);
        set(schema, LOCK, TIMED, "NO").unwrap();
        // The row was read before the other update; that one stays.
        SetupInstruments::update(schema, &before, ENABLED, &Value::Text("NO")).unwrap();
        assert_eq!((row(schema, LOCK).enabled, row(schema, LOCK).timed), (YesNo::No, Some(Timed::No)));
    }

    #[test]
    fn what_cannot_be_timed_stays_so_without_an_error() {
        let schema = testing::schema();
        set(schema, THREAD, TIMED, "YES").unwrap();
        assert_eq!(row(schema, THREAD).timed, None);
    }

    #[test]
    fn a_bad_value_is_refused_and_nothing_changed() {
        let schema = testing::schema();
        let text = |result: Result<(), TableError>| result.unwrap_err().to_string();
        assert_eq!(
            text(set(schema, LOCK, ENABLED, "MAYBE")),
            "'MAYBE' is not a value of column `ENABLED` of table `setup_instruments`: it takes 'YES' or 'NO'"
        );
        assert_eq!(
            text(set(schema, LOCK, TIMED, "")),
            "'' is not a value of column `TIMED` of table `setup_instruments`: it takes 'YES' or 'NO' or 'CONTENDED'"
        );
        assert_eq!(
            text(set(schema, STAGE, TIMED, "CONTENDED")),
            "'CONTENDED' is not a value of column `TIMED` of table `setup_instruments`: it takes 'YES' or 'NO' for an \
             instrument that is not a mutex or rwlock"
        );
        assert_eq!(
            text(SetupInstruments::update(schema, &row(schema, LOCK), ENABLED, &Value::U64(1))),
            "1 is not a value of column `ENABLED` of table `setup_instruments`: it takes 'YES' or 'NO'"
        );
        assert_eq!(
            (row(schema, LOCK).enabled, row(schema, LOCK).timed),
            (YesNo::Yes, Some(Timed::Contended))
        );
    }
}
