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

/// Makes a [`Once`](crate::sync::Once) of the instrument class `wait/synch/cond/<name>`.
///
/// As [`mutex!`](crate::mutex!) in all else; it holds no value.
///
/// ```
/// use pfs::sync::Once;
///
/// static LOGGER: Once = pfs::once!("kv/logger");
/// LOGGER.call_once(|| println!("started"));
/// assert!(LOGGER.is_completed());
/// ```
#[macro_export]
macro_rules! once {
    ($($args:tt)*) => {
        $crate::__private::once! { [$crate] $($args)* }
    };
}

/// Makes an empty [`OnceLock`](crate::sync::OnceLock) of the instrument class `wait/synch/cond/<name>`.
///
/// As [`mutex!`](crate::mutex!) in all else. It names the waits for the value, not the locks inside it.
///
/// ```
/// use pfs::sync::OnceLock;
///
/// static CONFIG: OnceLock<String> = pfs::once_lock!("kv/CONFIG");
/// assert_eq!(CONFIG.get_or_init(|| "default".to_owned()), "default");
/// ```
#[macro_export]
macro_rules! once_lock {
    ($($args:tt)*) => {
        $crate::__private::once_lock! { [$crate] $($args)* }
    };
}

/// Makes a [`LazyLock`](crate::sync::LazyLock) of the instrument class `wait/synch/cond/<name>`.
///
/// As [`mutex!`](crate::mutex!) in all else; what follows the name is the closure that makes the value. It names the
/// waits for the value, not the locks inside it.
///
/// ```
/// use pfs::sync::LazyLock;
/// use std::collections::HashMap;
///
/// static CODES: LazyLock<HashMap<&str, u16>> = pfs::lazy_lock!("kv/CODES", || HashMap::from([("ok", 200)]));
/// assert_eq!(CODES["ok"], 200);
/// ```
#[macro_export]
macro_rules! lazy_lock {
    ($($args:tt)*) => {
        $crate::__private::lazy_lock! { [$crate] $($args)* }
    };
}

/// Makes a [`Barrier`](crate::sync::Barrier) of the instrument class `wait/synch/cond/<name>`.
///
/// As [`mutex!`](crate::mutex!) in all else; what follows the name is the number of threads that wait for each other.
///
/// ```
/// use pfs::sync::Barrier;
///
/// static RECOVERED: Barrier = pfs::barrier!("kv/recovered", 1);
/// assert!(RECOVERED.wait().is_leader());
/// ```
#[macro_export]
macro_rules! barrier {
    ($($args:tt)*) => {
        $crate::__private::barrier! { [$crate] $($args)* }
    };
}

/// Makes a [channel](crate::sync::mpsc::channel) whose receiver waits in the instrument class `wait/synch/cond/<name>`.
///
/// Not in constants: it is a call. The name is as for [`mutex!`](crate::mutex!).
///
/// ```
/// let (sender, receiver) = pfs::channel!("kv/jobs");
/// sender.send("compact").unwrap();
/// assert_eq!(receiver.recv(), Ok("compact"));
/// ```
#[macro_export]
macro_rules! channel {
    ($($args:tt)*) => {
        $crate::__private::channel! { [$crate] $($args)* }
    };
}

/// Makes a [channel with a bound](crate::sync::mpsc::sync_channel) whose ends both wait in the instrument class
/// `wait/synch/cond/<name>`.
///
/// As [`channel!`](crate::channel!) in all else; what follows the name is the number of messages that the channel
/// holds.
///
/// ```
/// let (sender, receiver) = pfs::sync_channel!("kv/jobs", 16);
/// sender.send("compact").unwrap();
/// assert_eq!(receiver.recv(), Ok("compact"));
/// ```
#[macro_export]
macro_rules! sync_channel {
    ($($args:tt)*) => {
        $crate::__private::sync_channel! { [$crate] $($args)* }
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

/// Names a statement: the instrument class `statement/<name>`, as a
/// [`StatementClass`](crate::statement::StatementClass) that begins it.
///
/// For a statement that is neither a function nor a variant of an enum, and for what one turns out to be.
///
/// ```
/// use pfs::statement::StatementClass;
///
/// static PACKET: StatementClass = pfs::statement_class!("abstract/new_packet");
/// static GET: StatementClass = pfs::statement_class!("kv/get");
///
/// let mut statement = PACKET.begin();
/// statement.text("GET key");
/// statement.refine(&GET); // counted by statement/kv/get alone
/// ```
#[macro_export]
macro_rules! statement_class {
    ($($args:tt)*) => {
        $crate::__private::statement_class! { [$crate] $($args)* }
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

/// Makes a library a plugin: a program that loads it can let it [join](crate::Pfs::join_plugin).
///
/// Once, in the crate that becomes the library, outside any function. It makes the one function that the program looks
/// for, [`plugin::SYMBOL`](crate::plugin::SYMBOL), and nothing else; [`plugin`](mod@crate::plugin) tells the rest.
///
/// ```standalone_crate
/// pfs::plugin!();
/// ```
#[macro_export]
macro_rules! plugin {
    () => {
        const _: () = {
            #[unsafe(no_mangle)]
            extern "C" fn pfs_plugin() -> *const $crate::plugin::Offer {
                $crate::__private::offer()
            }
        };
    };
}
