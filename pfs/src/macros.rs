//! The macros that make a named object where they stand.
//!
//! Each only puts `$crate` before what it is given and passes it on, so that it works under whatever name the crate
//! goes by. What they accept is decided in `pfs-macros`.

/// Makes a [`Mutex`](crate::sync::Mutex) of the instrument class `wait/synch/mutex/<name>`.
///
/// An expression, also in constants: in a `static`, a `const`, a `const fn`, `thread_local!`, an array, a generic
/// function. All mutexes made at one place are instances of one class. The name is a string literal, by custom
/// `component/name`: letters, digits, `_ : . -` and spaces in parts joined by `/`, with the class's prefix at most 128
/// characters. Any other does not compile. Making the lock costs what `Mutex::new` costs.
///
/// ```
/// use pfs::sync::Mutex;
/// use std::collections::VecDeque;
///
/// struct Queue {
///     jobs: Mutex<VecDeque<u64>>,
/// }
///
/// let queue = Queue { jobs: pfs::mutex!("kv/Queue::jobs", VecDeque::new()) };
/// queue.jobs.lock().unwrap().push_back(7);
/// assert_eq!(queue.jobs.lock().unwrap().pop_front(), Some(7));
/// ```
///
/// ```compile_fail
/// let lock = pfs::mutex!("kv/a*b", 0); // `*` is not allowed in a name
/// ```
#[macro_export]
macro_rules! mutex {
    ($($args:tt)*) => {
        $crate::__private::mutex! { [$crate] $($args)* }
    };
}

/// Makes a [`RwLock`](crate::sync::RwLock) of the instrument class `wait/synch/rwlock/<name>`.
///
/// As [`mutex!`](crate::mutex!) in all else.
///
/// ```
/// use pfs::sync::RwLock;
///
/// static LIMITS: RwLock<[u32; 2]> = pfs::rwlock!("kv/LIMITS", [10, 20]);
///
/// LIMITS.write().unwrap()[0] = 15;
/// assert_eq!(*LIMITS.read().unwrap(), [15, 20]);
/// ```
#[macro_export]
macro_rules! rwlock {
    ($($args:tt)*) => {
        $crate::__private::rwlock! { [$crate] $($args)* }
    };
}

/// Makes a [`Condvar`](crate::sync::Condvar) of the instrument class `wait/synch/cond/<name>`.
///
/// As [`mutex!`](crate::mutex!) in all else; a condition variable holds no value.
///
/// ```
/// use pfs::sync::Condvar;
///
/// let flushed: Condvar = pfs::condvar!("kv/COND_flushed");
/// flushed.notify_all();
/// ```
#[macro_export]
macro_rules! condvar {
    ($($args:tt)*) => {
        $crate::__private::condvar! { [$crate] $($args)* }
    };
}

/// Names a stage: the instrument class `stage/<name>`, as a [`StageClass`](crate::stage::StageClass) that begins it.
///
/// For a stage that is not a whole function, and for those that follow each other with one clock reading in between.
///
/// ```
/// use pfs::stage::StageClass;
///
/// static READING: StageClass = pfs::stage_class!("kv/reading");
/// static SORTING: StageClass = pfs::stage_class!("kv/sorting");
///
/// let mut stage = READING.begin();
/// let mut lines = vec!["b", "a"];
/// stage.switch(SORTING);
/// lines.sort();
/// drop(stage);
/// assert_eq!(lines, ["a", "b"]);
/// ```
#[macro_export]
macro_rules! stage_class {
    ($($args:tt)*) => {
        $crate::__private::stage_class! { [$crate] $($args)* }
    };
}

/// Names a class of threads: the instrument class `thread/<name>`, as a [`ThreadClass`](crate::thread::ThreadClass)
/// that spawns them.
///
/// ```
/// let flusher = pfs::thread_class!("kv/flusher").spawn(|| 6 * 7);
/// assert_eq!(flusher.join().unwrap(), 42);
/// ```
#[macro_export]
macro_rules! thread_class {
    ($($args:tt)*) => {
        $crate::__private::thread_class! { [$crate] $($args)* }
    };
}
