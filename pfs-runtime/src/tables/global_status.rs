//! `global_status`: the counters of the whole program, foremost what was lost because a buffer was full.

use crate::class::Kind;
use crate::schema::Schema;

use super::keys::same_name;
use super::{Column, Ops, Row, Scan, Table, TableError};

/// The table `global_status`.
#[derive(Debug)]
pub enum GlobalStatus {}

/// A counter.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct GlobalStatusRow {
    /// Its name.
    #[row(key, varchar = 64)]
    pub variable_name: &'static str,
    /// Its value, as text.
    #[row(varchar = 1024)]
    pub variable_value: Option<String>,
}

const NAME: usize = Column::index(GlobalStatusRow::COLUMNS, "VARIABLE_NAME");

/// Reads one counter.
type Counter = fn(&Schema) -> u64;

/// A name and its counter of classes. Those of the program are counted when it is linked and each has its place; what is
/// lost are those of plugins past the reserve.
macro_rules! classes {
    ($name:literal, $kind:ident) => {
        (concat!("Performance_schema_", $name, "_classes_lost"), |schema| {
            schema.status.classes_lost(Kind::$kind).get()
        })
    };
}

/// Every counter, in the order of the names.
const COUNTERS: &[(&str, Counter)] = &[
    ("Performance_schema_accounts_lost", |schema| schema.accounts.lost()),
    classes!("cond", Cond),
    ("Performance_schema_cond_instances_lost", |schema| schema.conds.lost()),
    ("Performance_schema_digest_lost", |schema| schema.digests.lost()),
    ("Performance_schema_events_history_long_lost", |schema| schema.status.history_long_lost.get()),
    classes!("file", File),
    ("Performance_schema_hosts_lost", |schema| schema.hosts.lost()),
    ("Performance_schema_locker_lost", |schema| schema.status.locker_lost.get()),
    classes!("memory", Memory),
    classes!("mutex", Mutex),
    ("Performance_schema_mutex_instances_lost", |schema| schema.mutexes.lost()),
    ("Performance_schema_nested_stage_lost", |schema| schema.status.nested_stage_lost.get()),
    ("Performance_schema_nested_statement_lost", |schema| schema.status.nested_statement_lost.get()),
    ("Performance_schema_nested_transaction_lost", |schema| schema.status.nested_transaction_lost.get()),
    ("Performance_schema_rows_skipped", |schema| schema.status.rows_skipped.get()),
    classes!("rwlock", RwLock),
    ("Performance_schema_rwlock_instances_lost", |schema| schema.rwlocks.lost()),
    classes!("socket", Socket),
    ("Performance_schema_sources_lost", |schema| schema.sources.lost()),
    classes!("stage", Stage),
    classes!("statement", Statement),
    classes!("table_io", TableIo),
    classes!("table_lock", TableLock),
    classes!("thread", Thread),
    ("Performance_schema_thread_instances_lost", |schema| schema.contexts.lost()),
    ("Performance_schema_users_lost", |schema| schema.users.lost()),
    classes!("wait_io", WaitIo),
    classes!("wait_lock", WaitLock),
];

impl Table for GlobalStatus {
    const NAME: &'static str = "global_status";
    const DOC: &'static str = "Counters of the program. Each *_lost counter says how many objects or events \
        found their buffer full; rows_skipped how many rows a reader left out because they changed at every \
        try. TRUNCATE is permitted and resets none of these.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = GlobalStatusRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let wanted = scan.text(NAME).map(str::to_owned);
        let counters = COUNTERS.iter().filter(move |(name, _)| same_name(wanted.as_deref(), name));
        counters.map(|(name, counter)| GlobalStatusRow {
            variable_name: name,
            variable_value: Some(counter(schema).to_string()),
        })
    }

    fn truncate(_: &Schema) -> Result<(), TableError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{Value, testing};

    #[test]
    fn counters_are_sorted_and_start_at_zero() {
        let schema = testing::schema();
        let rows: Vec<GlobalStatusRow> = GlobalStatus::rows(schema, &Scan::ALL).collect();
        assert!(rows.is_sorted_by_key(|row| row.variable_name));
        assert!(rows.iter().all(|row| row.variable_value.as_deref() == Some("0")));
    }

    #[test]
    fn a_lost_counter_is_found_by_name_and_outlives_truncate() {
        let schema = testing::schema();
        schema.status.locker_lost.add(1);
        let scan = Scan { eq: &[(NAME, Value::Text("performance_schema_LOCKER_lost"))] };
        let read =
            || -> Vec<String> { GlobalStatus::rows(schema, &scan).map(|row| row.to_string()).collect() };
        assert_eq!(read(), ["variable_name=Performance_schema_locker_lost variable_value=1"]);
        GlobalStatus::truncate(schema).unwrap();
        assert_eq!(read(), ["variable_name=Performance_schema_locker_lost variable_value=1"]);
    }
}
