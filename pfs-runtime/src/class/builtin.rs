//! The engine's own classes: what has no name in the user's code.

use crate::class;

class! {
    /// Mutexes made by `Mutex::new`.
    pub static MUTEX_UNNAMED: Mutex = "wait/synch/mutex/pfs/unnamed";
    /// Rwlocks made by `RwLock::new`.
    pub static RWLOCK_UNNAMED: RwLock = "wait/synch/rwlock/pfs/unnamed";
    /// Condvars made by `Condvar::new`.
    pub static COND_UNNAMED: Cond = "wait/synch/cond/pfs/unnamed";
    /// `thread::sleep`.
    pub static SLEEP: Cond = "wait/synch/cond/std/sleep";
    /// `thread::park`.
    pub static PARK: Cond = "wait/synch/cond/std/park";
    /// `JoinHandle::join`.
    pub static JOIN: Cond = "wait/synch/cond/std/join";
    /// Waiting for the next request.
    pub static IDLE: Idle = "idle";
    /// Transactions.
    pub static TRANSACTION: Transaction = "transaction";
    /// Errors.
    pub static ERROR: Error = "error";
    /// The thread that started the schema.
    pub static THREAD_MAIN: Thread = "thread/pfs/main";
    /// Threads that no code names.
    pub static THREAD_UNNAMED: Thread = "thread/pfs/unnamed";
    /// Sessions that no code names.
    pub static SESSION_UNNAMED: Thread = "thread/pfs/session";
}
