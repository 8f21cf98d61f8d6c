//! The cases, and the states of pfs that they are measured in.

use crate::loops::{self, MUTEX, MUTEX_INSTANCE, RAW_MUTEX, RAW_RWLOCK, RWLOCK, RWLOCK_INSTANCE};
use crate::state::{
    self, CONTENDED, COUNTED, DISABLED, NOT_STARTED, State, TIMED, WAITS, WAITS_KEPT, showing,
};
use pfs::{Config, Pfs, SizeKey};

/// A loop of an operation, and the state it is measured in.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// The case that is the same loop over the raw operation; itself, if it is that.
    pub(crate) raw: &'static str,
    pub(crate) state: State,
    pub(crate) run: fn(u64),
}

const STAGES: &[&str] = &["events_stages_current"];
const STATEMENTS: &[&str] = &["events_statements_current"];
const STATEMENTS_KEPT: &[&str] =
    &["events_statements_current", "events_statements_history", "events_statements_history_long"];

const fn case(name: &'static str, raw: &'static str, state: State, run: fn(u64)) -> Case {
    Case { name, raw, state, run }
}

const LOOP: &str = "loop";
const STD_MUTEX: &str = "std_mutex";
const STD_FUNCTION: &str = "std_mutex_in_function";
const STD_READ: &str = "std_rwlock_read";
const STD_WRITE: &str = "std_rwlock_write";

/// Every case; those before `start` first, because pfs cannot be stopped.
///
/// A lock of a case whose name ends in `_instance` has a row of its own in the instance tables; the others found
/// them full.
pub(crate) const CASES: &[Case] = &[
    case(LOOP, LOOP, NOT_STARTED, loops::nothing),
    case(STD_MUTEX, STD_MUTEX, NOT_STARTED, |n| loops::raw_mutex(&RAW_MUTEX, n)),
    case(STD_FUNCTION, STD_FUNCTION, NOT_STARTED, |n| loops::raw_mutex_in_function(&RAW_MUTEX, n)),
    case(STD_READ, STD_READ, NOT_STARTED, |n| loops::raw_read(&RAW_RWLOCK, n)),
    case(STD_WRITE, STD_WRITE, NOT_STARTED, |n| loops::raw_write(&RAW_RWLOCK, n)),
    case("mutex_not_started", STD_MUTEX, NOT_STARTED, mutex),
    case("mutex_in_function_not_started", STD_FUNCTION, NOT_STARTED, mutex_in_function),
    case("rwlock_read_not_started", STD_READ, NOT_STARTED, read),
    case("rwlock_write_not_started", STD_WRITE, NOT_STARTED, write),
    case("stage_not_started", LOOP, NOT_STARTED, loops::stage),
    case("statement_not_started", LOOP, NOT_STARTED, loops::statement),
    case("mutex_disabled", STD_MUTEX, DISABLED, mutex),
    case("rwlock_read_disabled", STD_READ, DISABLED, read),
    case("rwlock_write_disabled", STD_WRITE, DISABLED, write),
    case("stage_disabled", LOOP, DISABLED, loops::stage),
    case("statement_disabled", LOOP, DISABLED, loops::statement),
    case("mutex_counted", STD_MUTEX, COUNTED, mutex),
    case("mutex_in_function_counted", STD_FUNCTION, COUNTED, mutex_in_function),
    case("mutex_counted_instance", STD_MUTEX, COUNTED, mutex_instance),
    case("mutex_contended", STD_MUTEX, CONTENDED, mutex),
    case("mutex_in_function_contended", STD_FUNCTION, CONTENDED, mutex_in_function),
    case("mutex_contended_instance", STD_MUTEX, CONTENDED, mutex_instance),
    case("mutex_timed", STD_MUTEX, TIMED, mutex),
    case("mutex_in_function_timed", STD_FUNCTION, TIMED, mutex_in_function),
    case("mutex_timed_instance", STD_MUTEX, TIMED, mutex_instance),
    case("mutex_current", STD_MUTEX, showing(WAITS), mutex),
    case("mutex_current_instance", STD_MUTEX, showing(WAITS), mutex_instance),
    case("mutex_histories", STD_MUTEX, showing(WAITS_KEPT), mutex),
    case("mutex_histories_instance", STD_MUTEX, showing(WAITS_KEPT), mutex_instance),
    case("rwlock_read_contended", STD_READ, CONTENDED, read),
    case("rwlock_read_contended_instance", STD_READ, CONTENDED, read_instance),
    case("rwlock_read_timed", STD_READ, TIMED, read),
    case("rwlock_write_contended", STD_WRITE, CONTENDED, write),
    case("rwlock_write_contended_instance", STD_WRITE, CONTENDED, write_instance),
    case("rwlock_write_timed", STD_WRITE, TIMED, write),
    case("attach_detach", LOOP, TIMED, loops::attach_detach),
    case("stage_switch", LOOP, TIMED, loops::stage_switch),
    case("stage_switch_current", LOOP, showing(STAGES), loops::stage_switch),
    case("stage", LOOP, TIMED, loops::stage),
    case("stage_current", LOOP, showing(STAGES), loops::stage),
    case("stage_nested", LOOP, TIMED, loops::stage_nested),
    case("stage_nested_current", LOOP, showing(STAGES), loops::stage_nested),
    case("statement", LOOP, TIMED, loops::statement),
    case("statement_current", LOOP, showing(STATEMENTS), loops::statement),
    case("statement_current_text", LOOP, showing(STATEMENTS), loops::statement_text),
    case("statement_histories_text", LOOP, showing(STATEMENTS_KEPT), loops::statement_text),
];

fn mutex(operations: u64) {
    loops::mutex(&MUTEX, operations);
}

fn mutex_in_function(operations: u64) {
    loops::mutex_in_function(&MUTEX, operations);
}

fn mutex_instance(operations: u64) {
    loops::mutex(&MUTEX_INSTANCE, operations);
}

fn read(operations: u64) {
    loops::read(&RWLOCK, operations);
}

fn read_instance(operations: u64) {
    loops::read(&RWLOCK_INSTANCE, operations);
}

fn write(operations: u64) {
    loops::write(&RWLOCK, operations);
}

fn write_instance(operations: u64) {
    loops::write(&RWLOCK_INSTANCE, operations);
}

impl Case {
    /// The case that this one is compared with.
    pub(crate) fn raw_case(&self) -> &'static Self {
        CASES.iter().find(|case| case.name == self.raw).expect("every case names another as its raw one")
    }
}

/// Starts pfs with one slot of each kind of lock, and binds the locks that are to have them.
pub(crate) fn start() -> Pfs {
    let config = Config::new().size(SizeKey::MaxMutexInstances, 1).size(SizeKey::MaxRwlockInstances, 1);
    let pfs = state::start(&config);
    mutex_instance(1);
    read_instance(1);
    pfs
}
