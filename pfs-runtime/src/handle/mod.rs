//! The handle on a running pfs: what `start` gives, and what reads and changes the process's schema.

use crate::class::{Timed, builtin};
use crate::config::Config;
use crate::context::fork::{self, watch};
use crate::context::thread::enter;
use crate::instance::bind_statics;
use crate::name::pattern::Like;
use crate::plugin::{self, Entry, JoinError, Joined};
use crate::report::Text;
use crate::schema::{Memory, Schema, StartError, memory, start};
use crate::setup::SetupError;
use crate::tables::{self, Cursor, Scan, Table, TableDef, TableError};
use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};

/// A handle on the process's schema. It can be copied, and lives as long as the process.
///
/// Each table is a method that gives an iterator of typed rows; [`Pfs::table`] gives it by name. Where the
/// configuration switched pfs off, or the feature `engine` is off, every table is empty and nothing can be changed.
#[derive(Clone, Copy)]
pub struct Pfs {
    schema: Option<&'static Schema>,
}

impl Config {
    /// Starts pfs in this process: checks the configuration, allocates every buffer, registers the calling thread as
    /// `thread/pfs/main` and switches the instruments on.
    ///
    /// # Errors
    ///
    /// If a value is not allowed, the system has no memory, or pfs was started before. Nothing is started then, and
    /// every instrument stays the raw operation.
    ///
    /// ```
    /// let pfs = pfs::Config::new().max_connections(50).start()?;
    /// assert!(pfs.setup_instruments().any(|row| row.name == "idle"));
    /// assert!(pfs::Config::new().start().is_err());
    /// # Ok::<(), pfs::StartError>(())
    /// ```
    pub fn start(&self) -> Result<Pfs, StartError> {
        watch();
        let schema = start(self, |_| {
            bind_statics();
            enter(&builtin::THREAD_MAIN, None);
        })?;
        STARTED.store(true, Ordering::Release);
        Ok(Pfs { schema })
    }

    /// What every buffer would take if this were started in this process, without starting anything: the rows of
    /// `engine_status`, and the same total to the byte. Nothing where the configuration switches pfs off.
    ///
    /// ```
    /// let config = pfs::Config::new().max_connections(50);
    /// let memory = config.memory()?;
    /// let mutexes = memory.buffers().iter().find(|buffer| buffer.name == "mutex_instances").unwrap();
    /// println!("{} mutexes of {} bytes each", mutexes.row_count, mutexes.row_size);
    /// assert_eq!(config.start()?.memory(), memory.total());
    /// # Ok::<(), pfs::StartError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a value is not allowed, or the buffers together are more than can be addressed.
    pub fn memory(&self) -> Result<Memory, StartError> {
        memory(self)
    }
}

/// Whether `start` ever gave a handle.
static STARTED: AtomicBool = AtomicBool::new(false);

/// The handle that [`Config::start`] gave, if it did; in a plugin that has joined, the program's. `None` before; inert
/// where pfs is switched off or compiled out.
pub fn current() -> Option<Pfs> {
    let is_there = STARTED.load(Ordering::Acquire) || plugin::has_joined();
    is_there.then(|| Pfs { schema: crate::schema::process() })
}

/// Goes on in a process that was forked.
///
/// A fork copies the calling thread and the memory, and no other thread. In the new process pfs is off, as before `start`,
/// until this is called: then it counts from zero, what this process does and nothing of what its parent did, which the
/// parent still shows. The rows of the parent's other threads are gone, with what ran in them; that of the thread that
/// forked stays, with its events that are open, and so do sessions, but for those that were attached to another
/// thread. Instruments, consumers and timers are as they were set. A lock that another thread held at the fork is
/// held for ever, and is shown so.
///
/// For servers that fork their workers: start pfs in the parent and call this in each worker first. In a process that was
/// not forked, or whose parent had not started pfs, it does nothing, and the worker may start pfs for itself. No other
/// thread may use pfs meanwhile, and a signal handler may not call it. It takes some microseconds for each thread that there
/// was and each 1,000 instances.
///
/// ```
/// pfs::after_fork(); // nothing was forked
/// ```
pub fn after_fork() {
    fork::after_fork();
}

impl fmt::Debug for Pfs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pfs").field("on", &self.schema.is_some()).finish_non_exhaustive()
    }
}

macro_rules! readers {
    ($($module:ident: $table:ident,)*) => {
        /// The rows of each table, read as the iterator advances.
        impl Pfs {
            $(
                #[doc = concat!("The rows of the table [`", stringify!($module), "`](tables::", stringify!($table), ").")]
                pub fn $module(self) -> impl Iterator<Item = <tables::$table as Table>::Row> {
                    self.schema.into_iter().flat_map(Schema::$module)
                }
            )*
        }
    };
}
tables::each_table!(readers);

impl Pfs {
    /// The schema itself; `None` if the configuration switched pfs off.
    pub fn schema(self) -> Option<&'static Schema> {
        self.schema
    }

    /// A table by its name, ignoring case, for whoever shows any table.
    ///
    /// # Errors
    ///
    /// If there is no such table.
    pub fn table(self, name: &str) -> Result<BoundTable, TableError> {
        tables::find(name).map(|table| BoundTable { table, schema: self.schema })
    }

    /// Every table, in alphabetical order.
    pub fn tables(self) -> impl Iterator<Item = BoundTable> {
        tables::TABLES.iter().map(move |table| BoundTable { table, schema: self.schema })
    }

    fn started(self) -> Result<&'static Schema, SetupError> {
        self.schema.ok_or(SetupError::Off)
    }

    /// Changes an instrument; `None` leaves a setting as it is. It takes effect at the next event that begins.
    ///
    /// # Errors
    ///
    /// If there is no such instrument, or it cannot be timed only when contended.
    pub fn set_instrument(
        self,
        name: &str,
        enabled: Option<bool>,
        timed: Option<Timed>,
    ) -> Result<(), SetupError> {
        self.started()?.set_instrument(name, enabled, timed)
    }

    /// Changes every instrument whose whole name is `LIKE` the pattern, or none of them; tells how many.
    ///
    /// This is the dialect of SQL's `LIKE`: `%` is any run of characters, `_` one, `\` takes the next one literally, and
    /// case does not count. [`Config::instrument`], for the start, takes the startup dialect, which has `?` for one
    /// character, so that the `_` of many names stands for itself, and in which case counts.
    ///
    /// # Errors
    ///
    /// If one of them cannot be timed only when contended, and that was asked.
    pub fn set_instruments(
        self,
        like: &str,
        enabled: Option<bool>,
        timed: Option<Timed>,
    ) -> Result<usize, SetupError> {
        let like = Like::new(like);
        self.started()?.set_instruments(|instrument| like.matches(instrument.name()), enabled, timed)
    }

    /// Switches a consumer, by its name in `setup_consumers`.
    ///
    /// # Errors
    ///
    /// If there is no such consumer.
    pub fn set_consumer(self, name: &str, enabled: bool) -> Result<(), SetupError> {
        self.started()?.switch_consumer(name, enabled)
    }

    /// Changes what threads and sessions of a class begin with, by its name in `setup_threads`: whether they are
    /// instrumented and have a history. Those that live stay as they are; `None` leaves a setting as it is.
    ///
    /// # Errors
    ///
    /// If there is no such class of threads.
    pub fn set_thread_class(
        self,
        name: &str,
        enabled: Option<bool>,
        history: Option<bool>,
    ) -> Result<(), SetupError> {
        self.started()?.set_thread_class(name, enabled, history)
    }

    /// Times events of a kind (`idle`, `wait`, `stage`, `statement`, `transaction`) by another timer (`CYCLE`,
    /// `NANOSECOND`, `MICROSECOND`, `MILLISECOND`, `TICK`), and starts their statistics again. Any but the default costs
    /// more than that.
    ///
    /// # Errors
    ///
    /// If there is no such kind, or events cannot be timed by that timer on this machine.
    pub fn set_timer(self, kind: &str, timer: &str) -> Result<(), SetupError> {
        self.started()?.set_timer(kind, timer)
    }

    /// Changes whether a thread or session is instrumented and has a history; `None` leaves a setting as it is.
    ///
    /// # Errors
    ///
    /// If no live thread or session has that `THREAD_ID`.
    pub fn set_thread(
        self,
        thread_id: u64,
        instrumented: Option<bool>,
        history: Option<bool>,
    ) -> Result<(), SetupError> {
        self.started()?.set_thread(thread_id, instrumented, history)
    }

    /// Lets a plugin join: its classes are counted from now on, as far as `plugin_classes` has places for them. Where pfs
    /// is switched off or compiled out, here or in the plugin, nothing happens, and that is no error.
    ///
    /// [`plugin`] tells how a plugin is built and loaded.
    ///
    /// # Errors
    ///
    /// If the plugin was not built with the same pfs and compiler as the program, has joined before, or has started pfs
    /// for itself. All is checked before anything changes.
    ///
    /// # Safety
    ///
    /// `entry` must be the function that `pfs::plugin!` made in a library. That library must not be unloaded from then on;
    /// on Linux and macOS this sees to it.
    pub unsafe fn join_plugin(self, entry: Entry) -> Result<Joined, JoinError> {
        match self.schema {
            // SAFETY: as the caller promises.
            Some(schema) => unsafe { plugin::join(schema, entry) },
            None => Ok(Joined::default()),
        }
    }

    /// Bytes of all buffers together: the size of the one mapping that holds them. `engine_status` has the parts.
    pub fn memory(self) -> usize {
        self.schema.map_or(0, |schema| schema.memory().total())
    }
}

/// A table of the process's schema: its definition, and the schema it reads.
#[derive(Clone, Copy)]
pub struct BoundTable {
    table: &'static TableDef,
    schema: Option<&'static Schema>,
}

impl BoundTable {
    /// The table's definition: name, columns, what it permits.
    pub fn definition(&self) -> &'static TableDef {
        self.table
    }

    /// Reads the rows; `scan` says what the caller looks for.
    pub fn rows(&self, scan: &Scan<'_>) -> Cursor<'static> {
        match self.schema {
            Some(schema) => self.table.rows(schema, scan),
            None => Cursor::empty(),
        }
    }

    /// The table as aligned text, with units that people read.
    pub fn text(&self) -> Text {
        Text::rows(self.table, self.rows(&Scan::ALL))
    }

    /// Writes the table as a JSON array of objects, whose keys are the column names in lower case.
    ///
    /// # Errors
    ///
    /// What `out` gives.
    #[cfg(feature = "json")]
    pub fn write_json(&self, out: impl std::io::Write) -> std::io::Result<()> {
        crate::report::json::write_rows(self.rows(&Scan::ALL), out)
    }

    /// The table as JSON in a string; see [`BoundTable::write_json`].
    #[cfg(feature = "json")]
    pub fn json(&self) -> String {
        let mut out = Vec::new();
        // Writing to memory does not fail, and what is written is UTF-8.
        let _ = self.write_json(&mut out);
        String::from_utf8(out).unwrap_or_default()
    }

    /// Empties the table or starts its statistics again; the definition's documentation says which.
    ///
    /// # Errors
    ///
    /// If the table does not permit it.
    pub fn truncate(&self) -> Result<(), TableError> {
        match self.schema {
            Some(schema) => self.table.truncate(schema),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for BoundTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoundTable").field("name", &self.table.name()).finish_non_exhaustive()
    }
}
