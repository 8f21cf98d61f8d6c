//! The loops: each operation as users write it, and what raw operation it is compared with.

use pfs::__private::class;
use pfs::session::Session;
use pfs::stage::StageClass;
use std::cell::RefCell;
use std::hint::black_box;

pub(crate) static RAW_MUTEX: std::sync::Mutex<u64> = std::sync::Mutex::new(0);
pub(crate) static RAW_RWLOCK: std::sync::RwLock<u64> = std::sync::RwLock::new(0);

pub(crate) static MUTEX: pfs::sync::Mutex<u64> = pfs::mutex!("bench/MUTEX", 0);
pub(crate) static MUTEX_INSTANCE: pfs::sync::Mutex<u64> = pfs::mutex!("bench/MUTEX_instance", 0);
pub(crate) static RWLOCK: pfs::sync::RwLock<u64> = pfs::rwlock!("bench/RWLOCK", 0);
pub(crate) static RWLOCK_INSTANCE: pfs::sync::RwLock<u64> = pfs::rwlock!("bench/RWLOCK_instance", 0);

class! {
    static STAGE: Stage = "stage/bench/stage";
    static OUTER: Stage = "stage/bench/outer";
    static STATEMENT: Statement = "statement/bench/statement";
}

const IN_STAGE: StageClass = StageClass::new(&STAGE);
const IN_OUTER: StageClass = StageClass::new(&OUTER);

const TEXT: &str = "SET session:18446 0123456789abcdef";

thread_local! {
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
}

/// The loop over a lock that changes its value, the same for std's and ours.
macro_rules! changing {
    ($($name:ident: $lock:ty, $acquire:ident;)+) => {$(
        pub(crate) fn $name(lock: &$lock, operations: u64) {
            let lock = black_box(lock);
            for _ in 0..operations {
                *lock.$acquire().unwrap() += 1;
            }
        }
    )+};
}

/// The loop over a function that is not inlined and only takes a lock: what it has to save is in it.
macro_rules! in_function {
    ($($name:ident: $lock:ty;)+) => {$(
        pub(crate) fn $name(lock: &$lock, operations: u64) {
            #[inline(never)]
            fn add(lock: &$lock) {
                *lock.lock().unwrap() += 1;
            }

            let lock = black_box(lock);
            for _ in 0..operations {
                add(lock);
            }
        }
    )+};
}

/// The loop over a lock that reads its value, the same for std's and ours.
macro_rules! reading {
    ($($name:ident: $lock:ty;)+) => {$(
        pub(crate) fn $name(lock: &$lock, operations: u64) {
            let lock = black_box(lock);
            let mut sum = 0_u64;
            for _ in 0..operations {
                sum = sum.wrapping_add(*lock.read().unwrap());
            }
            black_box(sum);
        }
    )+};
}

changing! {
    raw_mutex: std::sync::Mutex<u64>, lock;
    mutex: pfs::sync::Mutex<u64>, lock;
    raw_write: std::sync::RwLock<u64>, write;
    write: pfs::sync::RwLock<u64>, write;
}

in_function! {
    raw_mutex_in_function: std::sync::Mutex<u64>;
    mutex_in_function: pfs::sync::Mutex<u64>;
}

reading! {
    raw_read: std::sync::RwLock<u64>;
    read: pfs::sync::RwLock<u64>;
}

/// What is raw where the operation only exists with pfs.
pub(crate) fn nothing(operations: u64) {
    for operation in 0..operations {
        black_box(operation);
    }
}

pub(crate) fn attach_detach(operations: u64) {
    SESSION.with_borrow_mut(|session| {
        let session = black_box(session.get_or_insert_with(Session::new));
        for operation in 0..operations {
            let _attached = session.attach();
            black_box(operation);
        }
    });
}

pub(crate) fn stage(operations: u64) {
    for operation in 0..operations {
        let _stage = IN_STAGE.begin();
        black_box(operation);
    }
}

pub(crate) fn stage_nested(operations: u64) {
    let _outer = IN_OUTER.begin();
    stage(operations);
}

pub(crate) fn stage_switch(operations: u64) {
    let mut stage = IN_OUTER.begin();
    for operation in 0..operations {
        stage.switch(IN_STAGE);
        black_box(operation);
    }
}

pub(crate) fn statement(operations: u64) {
    for operation in 0..operations {
        let _statement = pfs::__private::statement(&STATEMENT);
        black_box(operation);
    }
}

pub(crate) fn statement_text(operations: u64) {
    let text = black_box(TEXT);
    for operation in 0..operations {
        let mut statement = pfs::__private::statement(&STATEMENT);
        statement.text(text);
        black_box(operation);
    }
}
