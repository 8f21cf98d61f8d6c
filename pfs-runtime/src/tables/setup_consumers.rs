//! `setup_consumers`: the destinations that events are written to, each on or off.

use crate::config::Consumer;
use crate::schema::Schema;

use super::keys::same_name;
use super::{Column, Ops, Row, Scan, Table, TableError, Value, YesNo};

/// The table `setup_consumers`.
#[derive(Debug)]
pub enum SetupConsumers {}

/// A consumer.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct SetupConsumersRow {
    /// The consumer's name.
    #[row(key, varchar = 64)]
    pub name: &'static str,
    /// Whether it is on. It has no effect while a consumer that it needs is off.
    #[row(updatable)]
    pub enabled: YesNo,
}

const NAME: usize = Column::index(SetupConsumersRow::COLUMNS, "NAME");

impl Table for SetupConsumers {
    const NAME: &'static str = "setup_consumers";
    const DOC: &'static str = "The consumers of events. global_instrumentation is above all; \
        thread_instrumentation is above everything by thread and above the *_current consumers; each of \
        those is above its *_history and *_history_long.";
    const OPS: Ops = Ops::UPDATE;
    type Row = SetupConsumersRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let wanted = scan.text(NAME).map(str::to_owned);
        let consumers = Consumer::ALL.into_iter();
        consumers.filter(move |consumer| same_name(wanted.as_deref(), consumer.name())).map(|consumer| {
            SetupConsumersRow { name: consumer.name(), enabled: schema.consumers().contains(consumer).into() }
        })
    }

    fn update(schema: &Schema, row: &Self::Row, column: usize, value: &Value<'_>) -> Result<(), TableError> {
        let enabled = YesNo::from_value::<Self>(column, value)?.into();
        schema.switch_consumer(row.name, enabled).map_err(|_| TableError::unknown_row::<Self>(&row.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::testing;

    fn enabled(schema: &Schema) -> Vec<&'static str> {
        SetupConsumers::rows(schema, &Scan::ALL)
            .filter(|row| row.enabled == YesNo::Yes)
            .map(|row| row.name)
            .collect()
    }

    #[test]
    fn consumers_stand_in_the_reference_order_with_their_defaults() {
        let schema = testing::schema();
        let names: Vec<&str> = SetupConsumers::rows(schema, &Scan::ALL).map(|row| row.name).collect();
        assert_eq!(names[0], "events_stages_current");
        assert_eq!(names[12..], ["global_instrumentation", "thread_instrumentation", "statements_digest"]);
        assert_eq!(
            enabled(schema),
            [
                "events_stages_current",
                "events_statements_current",
                "events_transactions_current",
                "global_instrumentation",
                "thread_instrumentation",
                "statements_digest"
            ]
        );
    }

    #[test]
    fn an_update_switches_one_consumer() {
        let schema = testing::schema();
        let row = SetupConsumersRow { name: "events_waits_current", enabled: YesNo::No };
        SetupConsumers::update(schema, &row, 1, &Value::Text("YES")).unwrap();
        assert_eq!(enabled(schema).len(), 7);
        assert!(enabled(schema).contains(&"events_waits_current"));
        let error = SetupConsumers::update(schema, &row, 1, &Value::Text("on")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "'on' is not a value of column `ENABLED` of table `setup_consumers`: it takes 'YES' or 'NO'"
        );
        let row = SetupConsumersRow { name: "events_waits", enabled: YesNo::No };
        let error = SetupConsumers::update(schema, &row, 1, &Value::Text("YES")).unwrap_err();
        assert_eq!(error.to_string(), "table `setup_consumers` has no row events_waits");
    }
}
