//! A schema of a test's own: classes that no other test has, threads that belong to it, and short ways to read it.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::panic::{Location, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use pfs_runtime::class::{Class, EventKind, Kind};
use pfs_runtime::config::{Config, Consumer};
use pfs_runtime::context::thread::{current_id, enter_schema};
use pfs_runtime::event::EventRecord;
use pfs_runtime::model::Operation;
use pfs_runtime::probe;
use pfs_runtime::schema::{EventTable, Schema};
use pfs_runtime::tables::{StatementSummary, TimerSummary, TransactionSummary, WaitSummary};

/// A schema and its classes.
pub(crate) struct Own {
    pub(crate) schema: &'static Schema,
    pub(crate) lock: &'static Class,
    pub(crate) shared: &'static Class,
    pub(crate) cond: &'static Class,
    pub(crate) disk: &'static Class,
    pub(crate) outer: &'static Class,
    pub(crate) inner: &'static Class,
    pub(crate) get: &'static Class,
    pub(crate) set: &'static Class,
    pub(crate) worker: &'static Class,
    pub(crate) transaction: &'static Class,
}

/// The defaults with every consumer on and every wait timed and recorded.
pub(crate) fn recording() -> Config {
    let config = Config::new().max_connections(1).worker_threads(1).instrument("wait/%", "ON");
    Consumer::ALL.iter().fold(config, |config, consumer| config.consumer(consumer.name(), true))
}

pub(crate) fn class(kind: Kind, name: &'static str) -> &'static Class {
    Box::leak(Box::new(Class::new(kind, name, file!(), line!())))
}

impl Own {
    /// A schema of that configuration.
    #[expect(clippy::needless_pass_by_value, reason = "a configuration is made where it is used")]
    pub(crate) fn new(config: Config) -> &'static Self {
        let lock = class(Kind::Mutex, "wait/synch/mutex/own/lock");
        let shared = class(Kind::RwLock, "wait/synch/rwlock/own/shared");
        let cond = class(Kind::Cond, "wait/synch/cond/own/cond");
        let disk = class(Kind::WaitIo, "wait/io/own/disk");
        let outer = class(Kind::Stage, "stage/own/outer");
        let inner = class(Kind::Stage, "stage/own/inner");
        let get = class(Kind::Statement, "statement/own/get");
        let set = class(Kind::Statement, "statement/own/set");
        let worker = class(Kind::Thread, "thread/own/worker");
        let transaction = class(Kind::Transaction, "transaction");
        // So that no class that a test uses has the index 0, which could be taken for none.
        let first = [
            class(Kind::Mutex, "wait/synch/mutex/a first/one"),
            class(Kind::Stage, "stage/a first/one"),
            class(Kind::Statement, "statement/a first/one"),
        ];
        let classes = [lock, shared, cond, disk, outer, inner, get, set, worker, transaction];
        let schema = Schema::new(&config, classes.into_iter().chain(first)).expect("the schema starts");
        Box::leak(Box::new(Self {
            schema,
            lock,
            shared,
            cond,
            disk,
            outer,
            inner,
            get,
            set,
            worker,
            transaction,
        }))
    }

    /// Runs `f` on a new thread of the schema, which has ended when this returns.
    pub(crate) fn on_thread<R: Send>(&'static self, f: impl FnOnce() -> R + Send) -> R {
        thread::scope(|scope| {
            let thread = scope.spawn(|| {
                self.enter();
                f()
            });
            // Joined, not left to the scope: that waits for the function only, this for the end of the context too.
            thread.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    /// Runs `f` on so many new threads of the schema at once, which have ended when this returns.
    pub(crate) fn on_threads<R: Send>(&'static self, threads: usize, f: impl Fn() -> R + Sync) -> Vec<R> {
        thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(|| self.on_thread(&f))).collect();
            let join = |thread: thread::ScopedJoinHandle<'_, R>| {
                thread.join().unwrap_or_else(|panic| resume_unwind(panic))
            };
            threads.into_iter().map(join).collect()
        })
    }

    /// Makes the calling thread, which is none of another schema, one of this.
    pub(crate) fn enter(&'static self) {
        enter_schema(self.schema, self.worker);
    }

    /// A wait of the class `disk` that runs `f`.
    #[track_caller]
    pub(crate) fn wait<R>(&self, f: impl FnOnce() -> R) -> R {
        probe::wait::wait(self.disk, Operation::Wait, Location::caller(), f)
    }

    /// The global summary of a class of waits.
    pub(crate) fn waits(&self, class: &Class) -> WaitSummary {
        let mut rows = self.schema.events_waits_summary_global_by_event_name();
        rows.find(|row| row.event_name == class.name()).expect("a readable row").summary
    }

    /// The global summary of a class of stages.
    pub(crate) fn stages(&self, class: &Class) -> TimerSummary {
        let mut rows = self.schema.events_stages_summary_global_by_event_name();
        rows.find(|row| row.event_name == class.name()).expect("a readable row").summary
    }

    /// The global summary of a class of statements.
    pub(crate) fn statements(&self, class: &Class) -> StatementSummary {
        let mut rows = self.schema.events_statements_summary_global_by_event_name();
        rows.find(|row| row.event_name == class.name()).expect("a readable row").summary
    }

    /// How many events of the class the threads that live have counted.
    pub(crate) fn by_threads(&self, class: &Class) -> u64 {
        let schema = self.schema;
        match class.kind().event().expect("a class of events") {
            EventKind::Wait => schema
                .events_waits_summary_by_thread_by_event_name()
                .filter(|row| row.event_name == class.name())
                .map(|row| row.summary.count_star)
                .sum(),
            EventKind::Stage => schema
                .events_stages_summary_by_thread_by_event_name()
                .filter(|row| row.event_name == class.name())
                .map(|row| row.summary.count_star)
                .sum(),
            EventKind::Statement => schema
                .events_statements_summary_by_thread_by_event_name()
                .filter(|row| row.event_name == class.name())
                .map(|row| row.summary.count_star)
                .sum(),
            EventKind::Transaction => schema
                .events_transactions_summary_by_thread_by_event_name()
                .map(|row| row.summary.count_star)
                .sum(),
        }
    }

    /// The global summary of transactions.
    pub(crate) fn transactions(&self) -> TransactionSummary {
        let mut rows = self.schema.events_transactions_summary_global_by_event_name();
        rows.next().expect("a readable row").summary
    }

    /// A counter of `global_status`, by the part of its name after `Performance_schema_`.
    pub(crate) fn status(&self, name: &str) -> u64 {
        let name = format!("Performance_schema_{name}");
        let row = self.schema.global_status().find(|row| row.variable_name == name);
        row.and_then(|row| row.variable_value).expect("a counter of that name").parse().expect("a number")
    }

    /// The events of all kinds in one of the tables, by thread and id.
    pub(crate) fn events(&self, table: EventTable) -> Vec<EventRecord> {
        let kinds = EventKind::ALL.into_iter();
        let mut events: Vec<_> = kinds.flat_map(|kind| self.schema.events(kind, table)).collect();
        events.sort_by_key(|event| (event.thread_id, event.event_id));
        events
    }

    /// The events of all kinds that ended, by thread and id, as the long histories have them.
    pub(crate) fn ended(&self) -> Vec<EventRecord> {
        self.events(EventTable::HistoryLong)
    }

    /// Switches a consumer.
    pub(crate) fn consumer(&self, consumer: Consumer, on: bool) {
        self.schema.switch_consumer(consumer.name(), on).expect("a consumer");
    }

    /// Enables or disables a class.
    pub(crate) fn enable(&self, class: &Class, on: bool) {
        self.schema.set_instrument(class.name(), Some(on), None).expect("an instrument");
    }

    /// Changes whether the calling thread is instrumented and has a history.
    pub(crate) fn thread(&self, instrumented: bool, history: bool) {
        let id = current_id().expect("a thread of the schema");
        self.schema.set_thread(id, Some(instrumented), Some(history)).expect("a live thread");
    }
}

/// The last part of a class's name.
pub(crate) fn short(class: &'static Class) -> &'static str {
    class.name().rsplit('/').next().unwrap_or_default()
}

/// Tells other threads to stop when it is dropped, also by an assertion that failed.
pub(crate) struct Stop<'a>(pub(crate) &'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
