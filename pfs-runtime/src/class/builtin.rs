//! The engine's own classes: what has no name in the user's code.

use crate::class;

class! {
    /// Mutexes made by `Mutex::new`.
    pub static MUTEX_UNNAMED: Mutex = "wait/synch/mutex/pfs/unnamed";
    /// Rwlocks made by `RwLock::new`.
    pub static RWLOCK_UNNAMED: RwLock = "wait/synch/rwlock/pfs/unnamed";
    /// Condvars made by `Condvar::new`.
    pub static COND_UNNAMED: Cond = "wait/synch/cond/pfs/unnamed";
    /// `Once`s made by `Once::new`.
    pub static ONCE: Cond = "wait/synch/cond/std/once";
    /// `OnceLock`s made by `OnceLock::new`.
    pub static ONCE_LOCK: Cond = "wait/synch/cond/std/once_lock";
    /// `LazyLock`s made by `LazyLock::new`.
    pub static LAZY_LOCK: Cond = "wait/synch/cond/std/lazy_lock";
    /// Barriers made by `Barrier::new`.
    pub static BARRIER: Cond = "wait/synch/cond/std/barrier";
    /// Receiving from channels made by `mpsc::channel` and `mpsc::sync_channel`.
    pub static MPSC_RECV: Cond = "wait/synch/cond/std/mpsc_recv";
    /// Sending to full channels made by `mpsc::sync_channel`.
    pub static MPSC_SEND: Cond = "wait/synch/cond/std/mpsc_send";
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
    /// Statements and stages of futures that run in no session or task: each is a task of its own.
    pub static TASK_UNNAMED: Thread = "thread/pfs/task";
}
