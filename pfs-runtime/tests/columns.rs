//! The columns of every table against MySQL's: those of 5.6 first and in order, then those that later versions
//! added, then our own.
//!
//! `data/mysql-5.6-columns.tsv` is what a MySQL 5.6.24 reports of its `performance_schema` in
//! `information_schema.columns`.

use std::collections::BTreeMap;

use pfs_runtime::tables::{TABLES, TableDef};

/// Columns whose type is wider here than in 5.6, or that may be NULL as in later versions: what they are here.
const WIDER: &[(&str, &str, &str, bool)] = &[
    ("setup_instruments", "TIMED", "enum('YES','NO','CONTENDED')", true),
    (
        "performance_timers",
        "TIMER_NAME",
        "enum('CYCLE','NANOSECOND','MICROSECOND','MILLISECOND','TICK','THREAD_CPU')",
        false,
    ),
    ("*", "USER", "char(32)", true),
    ("*", "HOST", "char(255)", true),
    ("threads", "PROCESSLIST_USER", "varchar(32)", true),
    ("threads", "PROCESSLIST_HOST", "varchar(255)", true),
    ("*", "NESTING_EVENT_TYPE", "enum('TRANSACTION','STATEMENT','STAGE','WAIT')", true),
    ("*", "DIGEST", "varchar(64)", true),
    ("*", "FIRST_SEEN", "timestamp(6)", false),
    ("*", "LAST_SEEN", "timestamp(6)", false),
];

/// What follows 5.6's columns.
const APPENDED: &[(&str, &str)] = &[
    ("accounts", "MAX_SESSION_CONTROLLED_MEMORY MAX_SESSION_TOTAL_MEMORY"),
    ("events_stages_current", "WORK_COMPLETED WORK_ESTIMATED ENDED_BY"),
    ("events_stages_history", "WORK_COMPLETED WORK_ESTIMATED ENDED_BY"),
    ("events_stages_history_long", "WORK_COMPLETED WORK_ESTIMATED ENDED_BY"),
    ("events_statements_current", STATEMENT),
    ("events_statements_history", STATEMENT),
    ("events_statements_history_long", STATEMENT),
    ("events_statements_summary_by_account_by_event_name", STATEMENT_SUMMARY),
    (
        "events_statements_summary_by_digest",
        "SUM_CPU_TIME MAX_CONTROLLED_MEMORY MAX_TOTAL_MEMORY COUNT_SECONDARY QUANTILE_95 QUANTILE_99 QUANTILE_999 \
         QUERY_SAMPLE_TEXT QUERY_SAMPLE_SEEN QUERY_SAMPLE_TIMER_WAIT",
    ),
    ("events_statements_summary_by_host_by_event_name", STATEMENT_SUMMARY),
    ("events_statements_summary_by_user_by_event_name", STATEMENT_SUMMARY),
    ("events_statements_summary_by_thread_by_event_name", STATEMENT_SUMMARY),
    ("events_statements_summary_global_by_event_name", STATEMENT_SUMMARY),
    ("events_waits_current", "ENDED_BY"),
    ("events_waits_history", "ENDED_BY"),
    ("events_waits_history_long", "ENDED_BY"),
    ("events_waits_summary_by_account_by_event_name", "COUNT_WAITED AVG_TIMER_WAITED"),
    ("events_waits_summary_by_host_by_event_name", "COUNT_WAITED AVG_TIMER_WAITED"),
    ("events_waits_summary_by_user_by_event_name", "COUNT_WAITED AVG_TIMER_WAITED"),
    ("events_waits_summary_by_instance", "COUNT_WAITED AVG_TIMER_WAITED"),
    ("events_waits_summary_by_thread_by_event_name", "COUNT_WAITED AVG_TIMER_WAITED"),
    ("events_waits_summary_global_by_event_name", "COUNT_WAITED AVG_TIMER_WAITED"),
    ("hosts", "MAX_SESSION_CONTROLLED_MEMORY MAX_SESSION_TOTAL_MEMORY"),
    ("setup_instruments", "PROPERTIES FLAGS VOLATILITY DOCUMENTATION SOURCES"),
    (
        "threads",
        "HISTORY CONNECTION_TYPE THREAD_OS_ID RESOURCE_GROUP EXECUTION_ENGINE CONTROLLED_MEMORY \
         MAX_CONTROLLED_MEMORY TOTAL_MEMORY MAX_TOTAL_MEMORY TELEMETRY_ACTIVE",
    ),
    ("users", "MAX_SESSION_CONTROLLED_MEMORY MAX_SESSION_TOTAL_MEMORY"),
];
const STATEMENT: &str = "NESTING_EVENT_LEVEL STATEMENT_ID CPU_TIME MAX_CONTROLLED_MEMORY MAX_TOTAL_MEMORY \
                         EXECUTION_ENGINE ENDED_BY";
const STATEMENT_SUMMARY: &str = "SUM_CPU_TIME MAX_CONTROLLED_MEMORY MAX_TOTAL_MEMORY COUNT_SECONDARY";

/// Tables that 5.6 does not have, with all of their columns.
const LATER: &[(&str, &str)] = &[
    ("engine_status", "TYPE NAME STATUS"),
    ("events_statements_histogram_by_digest", HISTOGRAM_BY_DIGEST),
    ("events_statements_histogram_global", HISTOGRAM),
    ("events_transactions_current", TRANSACTION),
    ("events_transactions_history", TRANSACTION),
    ("events_transactions_history_long", TRANSACTION),
    (
        "events_transactions_summary_by_account_by_event_name",
        "USER HOST EVENT_NAME COUNT_STAR SUM_TIMER_WAIT MIN_TIMER_WAIT AVG_TIMER_WAIT MAX_TIMER_WAIT \
         COUNT_READ_WRITE SUM_TIMER_READ_WRITE MIN_TIMER_READ_WRITE AVG_TIMER_READ_WRITE MAX_TIMER_READ_WRITE \
         COUNT_READ_ONLY SUM_TIMER_READ_ONLY MIN_TIMER_READ_ONLY AVG_TIMER_READ_ONLY MAX_TIMER_READ_ONLY",
    ),
    (
        "events_transactions_summary_by_host_by_event_name",
        "HOST EVENT_NAME COUNT_STAR SUM_TIMER_WAIT MIN_TIMER_WAIT AVG_TIMER_WAIT MAX_TIMER_WAIT \
         COUNT_READ_WRITE SUM_TIMER_READ_WRITE MIN_TIMER_READ_WRITE AVG_TIMER_READ_WRITE MAX_TIMER_READ_WRITE \
         COUNT_READ_ONLY SUM_TIMER_READ_ONLY MIN_TIMER_READ_ONLY AVG_TIMER_READ_ONLY MAX_TIMER_READ_ONLY",
    ),
    (
        "events_transactions_summary_by_user_by_event_name",
        "USER EVENT_NAME COUNT_STAR SUM_TIMER_WAIT MIN_TIMER_WAIT AVG_TIMER_WAIT MAX_TIMER_WAIT \
         COUNT_READ_WRITE SUM_TIMER_READ_WRITE MIN_TIMER_READ_WRITE AVG_TIMER_READ_WRITE MAX_TIMER_READ_WRITE \
         COUNT_READ_ONLY SUM_TIMER_READ_ONLY MIN_TIMER_READ_ONLY AVG_TIMER_READ_ONLY MAX_TIMER_READ_ONLY",
    ),
    (
        "events_transactions_summary_by_thread_by_event_name",
        "THREAD_ID EVENT_NAME COUNT_STAR SUM_TIMER_WAIT MIN_TIMER_WAIT AVG_TIMER_WAIT MAX_TIMER_WAIT \
         COUNT_READ_WRITE SUM_TIMER_READ_WRITE MIN_TIMER_READ_WRITE AVG_TIMER_READ_WRITE MAX_TIMER_READ_WRITE \
         COUNT_READ_ONLY SUM_TIMER_READ_ONLY MIN_TIMER_READ_ONLY AVG_TIMER_READ_ONLY MAX_TIMER_READ_ONLY",
    ),
    (
        "events_transactions_summary_global_by_event_name",
        "EVENT_NAME COUNT_STAR SUM_TIMER_WAIT MIN_TIMER_WAIT AVG_TIMER_WAIT MAX_TIMER_WAIT \
         COUNT_READ_WRITE SUM_TIMER_READ_WRITE MIN_TIMER_READ_WRITE AVG_TIMER_READ_WRITE MAX_TIMER_READ_WRITE \
         COUNT_READ_ONLY SUM_TIMER_READ_ONLY MIN_TIMER_READ_ONLY AVG_TIMER_READ_ONLY MAX_TIMER_READ_ONLY",
    ),
    (
        "events_waits_summary_by_source",
        "EVENT_NAME SOURCE COUNT_INSTANCES COUNT_STAR SUM_TIMER_WAIT MIN_TIMER_WAIT AVG_TIMER_WAIT MAX_TIMER_WAIT \
         COUNT_WAITED AVG_TIMER_WAITED",
    ),
    ("global_status", "VARIABLE_NAME VARIABLE_VALUE"),
    ("global_variables", "VARIABLE_NAME VARIABLE_VALUE"),
    ("setup_threads", "NAME ENABLED HISTORY PROPERTIES VOLATILITY DOCUMENTATION"),
];

const HISTOGRAM: &str =
    "BUCKET_NUMBER BUCKET_TIMER_LOW BUCKET_TIMER_HIGH COUNT_BUCKET COUNT_BUCKET_AND_LOWER BUCKET_QUANTILE";
const HISTOGRAM_BY_DIGEST: &str = "SCHEMA_NAME DIGEST BUCKET_NUMBER BUCKET_TIMER_LOW BUCKET_TIMER_HIGH COUNT_BUCKET \
     COUNT_BUCKET_AND_LOWER BUCKET_QUANTILE";

/// The reference's, and ours behind them.
const TRANSACTION: &str = "THREAD_ID EVENT_ID END_EVENT_ID EVENT_NAME STATE TRX_ID GTID XID_FORMAT_ID XID_GTRID \
                           XID_BQUAL XA_STATE SOURCE TIMER_START TIMER_END TIMER_WAIT ACCESS_MODE ISOLATION_LEVEL \
                           AUTOCOMMIT NUMBER_OF_SAVEPOINTS NUMBER_OF_ROLLBACK_TO_SAVEPOINT \
                           NUMBER_OF_RELEASE_SAVEPOINT OBJECT_INSTANCE_BEGIN NESTING_EVENT_ID NESTING_EVENT_TYPE \
                           ENDED_BY";

/// Name, type and nullability of the columns of each table of 5.6.
fn columns_of_5_6() -> BTreeMap<&'static str, Vec<(&'static str, &'static str, bool)>> {
    let mut tables = BTreeMap::<_, Vec<_>>::new();
    for line in include_str!("data/mysql-5.6-columns.tsv").lines().skip(1) {
        let [table, ordinal, column, ty, nullable] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("five fields: {line}");
        };
        let columns = tables.entry(table).or_default();
        columns.push((column, ty, nullable == "YES"));
        assert_eq!(ordinal, columns.len().to_string());
    }
    tables
}

fn after(table: &TableDef, count: usize) -> String {
    table.columns()[count..].iter().map(|column| column.name).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_columns_of_5_6_come_first_and_in_order() {
    let expected = columns_of_5_6();
    assert_eq!(expected.len(), 52);
    let mut checked = 0;
    for table in TABLES {
        let Some(columns) = expected.get(table.name()) else { continue };
        checked += 1;
        for (at, &(name, ty, nullable)) in columns.iter().enumerate() {
            let column = table.columns()[at];
            let wider =
                WIDER.iter().find(|(of, column, ..)| (*of == "*" || *of == table.name()) && *column == name);
            let (ty, nullable) = wider.map_or((ty, nullable), |&(_, _, ty, nullable)| (ty, nullable));
            assert_eq!(
                (column.name, column.ty.to_string().as_str(), column.nullable),
                (name, ty, nullable),
                "column {at} of {}",
                table.name()
            );
        }
    }
    assert_eq!(checked, TABLES.len() - LATER.len());
}

#[test]
fn what_is_appended_is_known() {
    let of_5_6 = columns_of_5_6();
    for table in TABLES {
        let count = of_5_6.get(table.name()).map_or(0, Vec::len);
        let known = APPENDED.iter().chain(LATER).find(|(name, _)| *name == table.name());
        assert_eq!(after(table, count), known.map_or("", |(_, columns)| columns), "{}", table.name());
    }
}

#[test]
fn tables_and_columns_are_documented_and_named_once() {
    let mut names: Vec<&str> = TABLES.iter().map(TableDef::name).collect();
    assert!(names.is_sorted());
    names.dedup();
    assert_eq!(names.len(), TABLES.len());
    for table in TABLES {
        assert!(table.doc().ends_with('.'), "{}", table.name());
        for (at, column) in table.columns().iter().enumerate() {
            assert!(column.doc.ends_with('.'), "{}.{}", table.name(), column.name);
            assert_eq!(column.name.to_lowercase(), column.lower);
            assert_eq!(table.column(column.lower), Ok(at));
        }
    }
}

#[test]
fn permissions_are_those_of_the_reference() {
    let of = |name: &str| {
        let table = TABLES.iter().find(|table| table.name() == name).unwrap();
        let updatable: Vec<&str> =
            table.columns().iter().filter(|column| column.updatable).map(|column| column.name).collect();
        (table.ops().to_string(), updatable.join(" "))
    };
    let expect = |ops: &str, updatable: &str| (ops.to_owned(), updatable.to_owned());
    assert_eq!(of("setup_instruments"), expect("SELECT, UPDATE", "ENABLED TIMED"));
    assert_eq!(of("setup_consumers"), expect("SELECT, UPDATE", "ENABLED"));
    assert_eq!(of("setup_threads"), expect("SELECT, UPDATE", "ENABLED HISTORY"));
    assert_eq!(of("setup_timers"), expect("SELECT, UPDATE", "TIMER_NAME"));
    assert_eq!(of("threads"), expect("SELECT, UPDATE", "INSTRUMENTED HISTORY"));
    for name in
        ["cond_instances", "engine_status", "global_variables", "mutex_instances", "performance_timers"]
    {
        assert_eq!(of(name), expect("SELECT", ""), "{name}");
    }
    assert_eq!(of("rwlock_instances"), expect("SELECT", ""));
    assert_eq!(of("global_status"), expect("SELECT, TRUNCATE", ""));
    for table in TABLES.iter().filter(|table| table.name().starts_with("events_")) {
        assert_eq!(of(table.name()), expect("SELECT, TRUNCATE", ""), "{}", table.name());
    }
}

#[test]
fn keys_are_those_of_the_reference() {
    let keys = |name: &str| {
        let table = TABLES.iter().find(|table| table.name() == name).unwrap();
        let keys: Vec<&str> =
            table.columns().iter().filter(|column| column.key).map(|column| column.name).collect();
        keys.join(" ")
    };
    assert_eq!(keys("setup_instruments"), "NAME");
    assert_eq!(keys("setup_consumers"), "NAME");
    assert_eq!(keys("setup_threads"), "NAME");
    assert_eq!(keys("setup_timers"), "NAME");
    assert_eq!(keys("threads"), "THREAD_ID NAME PROCESSLIST_ID THREAD_OS_ID");
    assert_eq!(keys("mutex_instances"), "NAME OBJECT_INSTANCE_BEGIN LOCKED_BY_THREAD_ID");
    assert_eq!(keys("rwlock_instances"), "NAME OBJECT_INSTANCE_BEGIN WRITE_LOCKED_BY_THREAD_ID");
    assert_eq!(keys("cond_instances"), "NAME OBJECT_INSTANCE_BEGIN");
    assert_eq!(keys("events_waits_summary_by_instance"), "EVENT_NAME OBJECT_INSTANCE_BEGIN");
    assert_eq!(keys("events_waits_current"), "THREAD_ID EVENT_ID");
    assert_eq!(keys("events_stages_summary_global_by_event_name"), "EVENT_NAME");
    assert_eq!(keys("events_statements_summary_by_thread_by_event_name"), "THREAD_ID EVENT_NAME");
    assert_eq!(keys("global_status"), "VARIABLE_NAME");
}
