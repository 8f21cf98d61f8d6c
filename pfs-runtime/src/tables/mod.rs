//! The tables: what the engine recorded, as rows with named columns. One file a table.
//!
//! A [`Table`] is written once as a type. Its erased [`TableDef`] serves everything that renders tables (text,
//! JSON, SQL, the docs), which therefore knows no particular table. A table only reads the engine, and asks its
//! setup for changes; nothing here is on a hot path.
//!
//! A row's columns are those of MySQL 5.6's Performance Schema in their order, then those that later versions
//! added, then our own.

mod column;
mod digest;
mod event;
mod keys;
mod live;
mod row;
mod summary;
mod table;
mod value;

pub use crate::schema::Schema;
pub use column::{Column, Type, Unit};
pub use event::EventColumns;
#[cfg(feature = "serde")]
pub(crate) use row::serialize_row;
pub use row::{ErasedRow, Row};
pub(crate) use row::{display_row, no_such_column};
pub use summary::{
    LaterStatementSums, StatementSummary, StatementSums, TimerSummary, TransactionSummary, WaitSummary,
};
pub use table::{Cell, Cursor, Ops, Scan, Table, TableDef, TableError};
pub use value::{Field, Value, YesNo};

/// Calls `$callback! { … }` with every table as `module: Type`, in alphabetical order.
macro_rules! each_table {
    ($callback:ident) => {
        $callback! {
            accounts: Accounts,
            cond_instances: CondInstances,
            engine_status: EngineStatus,
            events_stages_current: EventsStagesCurrent,
            events_stages_history: EventsStagesHistory,
            events_stages_history_long: EventsStagesHistoryLong,
            events_stages_summary_by_account_by_event_name: EventsStagesSummaryByAccountByEventName,
            events_stages_summary_by_host_by_event_name: EventsStagesSummaryByHostByEventName,
            events_stages_summary_by_thread_by_event_name: EventsStagesSummaryByThreadByEventName,
            events_stages_summary_by_user_by_event_name: EventsStagesSummaryByUserByEventName,
            events_stages_summary_global_by_event_name: EventsStagesSummaryGlobalByEventName,
            events_statements_current: EventsStatementsCurrent,
            events_statements_histogram_by_digest: EventsStatementsHistogramByDigest,
            events_statements_histogram_global: EventsStatementsHistogramGlobal,
            events_statements_history: EventsStatementsHistory,
            events_statements_history_long: EventsStatementsHistoryLong,
            events_statements_summary_by_account_by_event_name: EventsStatementsSummaryByAccountByEventName,
            events_statements_summary_by_digest: EventsStatementsSummaryByDigest,
            events_statements_summary_by_host_by_event_name: EventsStatementsSummaryByHostByEventName,
            events_statements_summary_by_thread_by_event_name: EventsStatementsSummaryByThreadByEventName,
            events_statements_summary_by_user_by_event_name: EventsStatementsSummaryByUserByEventName,
            events_statements_summary_global_by_event_name: EventsStatementsSummaryGlobalByEventName,
            events_transactions_current: EventsTransactionsCurrent,
            events_transactions_history: EventsTransactionsHistory,
            events_transactions_history_long: EventsTransactionsHistoryLong,
            events_transactions_summary_by_account_by_event_name: EventsTransactionsSummaryByAccountByEventName,
            events_transactions_summary_by_host_by_event_name: EventsTransactionsSummaryByHostByEventName,
            events_transactions_summary_by_thread_by_event_name: EventsTransactionsSummaryByThreadByEventName,
            events_transactions_summary_by_user_by_event_name: EventsTransactionsSummaryByUserByEventName,
            events_transactions_summary_global_by_event_name: EventsTransactionsSummaryGlobalByEventName,
            events_waits_current: EventsWaitsCurrent,
            events_waits_history: EventsWaitsHistory,
            events_waits_history_long: EventsWaitsHistoryLong,
            events_waits_summary_by_account_by_event_name: EventsWaitsSummaryByAccountByEventName,
            events_waits_summary_by_host_by_event_name: EventsWaitsSummaryByHostByEventName,
            events_waits_summary_by_instance: EventsWaitsSummaryByInstance,
            events_waits_summary_by_source: EventsWaitsSummaryBySource,
            events_waits_summary_by_thread_by_event_name: EventsWaitsSummaryByThreadByEventName,
            events_waits_summary_by_user_by_event_name: EventsWaitsSummaryByUserByEventName,
            events_waits_summary_global_by_event_name: EventsWaitsSummaryGlobalByEventName,
            global_status: GlobalStatus,
            global_variables: GlobalVariables,
            hosts: Hosts,
            mutex_instances: MutexInstances,
            performance_timers: PerformanceTimers,
            rwlock_instances: RwlockInstances,
            setup_consumers: SetupConsumers,
            setup_instruments: SetupInstruments,
            setup_threads: SetupThreads,
            setup_timers: SetupTimers,
            threads: Threads,
            users: Users,
        }
    };
}

macro_rules! declare {
    ($($module:ident: $table:ident,)*) => {
        $(pub mod $module;)*
        $(pub use $module::$table;)*

        /// Every table, in alphabetical order.
        pub static TABLES: &[TableDef] = &[$(TableDef::of::<$table>()),*];

        /// The rows of each table, read as the iterator advances.
        impl Schema {
            $(
                #[doc = concat!("The rows of the table `", stringify!($module), "`: [`", stringify!($table), "`].")]
                pub fn $module(&self) -> impl Iterator<Item = <$table as Table>::Row> + use<'_> {
                    $table::rows(self, &Scan::ALL)
                }
            )*
        }
    };
}
pub(crate) use each_table;
each_table!(declare);

/// The name of every table, for messages.
fn names() -> String {
    TABLES.iter().map(TableDef::name).collect::<Vec<_>>().join(", ")
}

/// The table `name`, ignoring case.
///
/// # Errors
///
/// [`TableError::UnknownTable`].
pub fn find(name: &str) -> Result<&'static TableDef, TableError> {
    TABLES
        .iter()
        .find(|table| table.name().eq_ignore_ascii_case(name))
        .ok_or_else(|| TableError::UnknownTable { table: name.to_owned() })
}

#[cfg(test)]
mod testing {
    //! A schema of a few classes of its own, for the tests of tables.

    use super::Schema;
    use crate::class::{Class, Kind};
    use crate::config::Config;

    /// A schema with a class of each kind that matters to the tables; `wait/synch/mutex/test/LOCK_a` is declared
    /// in two places.
    pub(super) fn schema() -> &'static Schema {
        let class = |kind, name, line| -> &'static Class {
            Box::leak(Box::new(Class::new(kind, name, "test/src/lib.rs", line)))
        };
        let classes = [
            class(Kind::Mutex, "wait/synch/mutex/test/LOCK_a", 1),
            class(Kind::Mutex, "wait/synch/mutex/test/LOCK_a", 9),
            class(Kind::Mutex, "wait/synch/mutex/test/LOCK_b", 2),
            class(Kind::Cond, "wait/synch/cond/test/COND_a", 3),
            class(Kind::Stage, "stage/test/parsing", 4),
            class(Kind::Statement, "statement/test/get", 5),
            class(Kind::Thread, "thread/test/flusher", 6),
        ];
        let config = Config::new().max_connections(1).worker_threads(1).constant_step_clock(10);
        Schema::new(&config, classes).expect("the test schema starts")
    }
}
