//! Sessions: contexts that are owned by whoever serves a client, and attached to the OS thread that does so.

use crate::class::builtin;
use crate::context::session::{Attached, Owned, running};
use crate::schema::{Who, process};
use crate::thread::ThreadClass;
use core::fmt;
use core::marker::PhantomData;

/// A session: it has its own row in `threads`, its own statistics and event ids, wherever it runs.
///
/// It is attached to an OS thread for as long as that thread works for it, and may move between threads in
/// between. Dropping it ends it: its counts stay in the totals.
///
/// ```
/// let mut session = pfs::session::Session::new();
/// {
///     let _attached = session.attach();
///     // Everything instrumented that runs here belongs to the session.
/// }
/// std::thread::spawn(move || {
///     let _attached = session.attach();
/// }).join().unwrap();
/// ```
pub struct Session {
    owned: Owned,
}

/// A session attached to the calling OS thread; dropping it detaches the session.
#[must_use = "dropping this detaches the session"]
pub struct AttachedSession<'a> {
    _attached: Attached<'a>,
}

impl Session {
    /// A session of the class `thread/pfs/session`. Before `start` it has no row, and what it runs is the raw
    /// operation's.
    pub fn new() -> Self {
        Self { owned: Owned::new(process(), &builtin::SESSION_UNNAMED) }
    }

    /// A session of a named class: `Session::of(pfs::thread_class!("kv/session"))`.
    pub fn of(class: ThreadClass) -> Self {
        Self { owned: Owned::new(process(), class.class()) }
    }

    /// Makes the session the calling OS thread's context until the value returned is dropped. What ran on the
    /// thread before goes on afterwards.
    ///
    /// Cost: three thread-local accesses and two stores, detaching included; no atomic read-modify-write.
    #[inline]
    pub fn attach(&mut self) -> AttachedSession<'_> {
        AttachedSession { _attached: self.owned.attach() }
    }

    /// Says whose the session is, at its begin or when its client becomes another user: from now on it counts by this
    /// user, this host and the account that both are. What it counted before stays with whose it was; until a session
    /// has said anything that is the row without names. Names are cut at a character to 128 and 256 bytes.
    ///
    /// Takes the lock under which sessions come and go, and moves what the session has counted: some microseconds.
    ///
    /// ```
    /// use pfs::session::Session;
    ///
    /// let pfs = pfs::Config::new().start()?;
    /// let mut session = Session::new();
    /// session.authenticate(Some("ann"), Some("192.0.2.7"));
    /// let ann = pfs.users().find(|row| row.user.as_deref() == Some("ann")).unwrap();
    /// assert_eq!(ann.current_connections, 1);
    /// # Ok::<(), pfs::StartError>(())
    /// ```
    pub fn authenticate(&mut self, user: Option<&str>, host: Option<&str>) {
        self.owned.change_actor(Who { user, host });
    }

    /// `THREAD_ID` of the session's row; `None` if it has none.
    pub fn thread_id(&self) -> Option<u64> {
        self.owned.thread_id()
    }

    /// `PROCESSLIST_ID` of the session's row; `None` if it has none.
    pub fn processlist_id(&self) -> Option<u64> {
        self.owned.processlist_id()
    }
}

/// The session that is attached to the calling thread, the innermost if there are several: whose request this code works
/// on. In a task that a session spawned there is none, because the session goes on meanwhile.
///
/// ```
/// let mut session = pfs::session::Session::new();
/// let _attached = session.attach();
/// assert_eq!(pfs::session::current().processlist_id(), None); // pfs is not started
/// ```
pub fn current() -> CurrentSession {
    CurrentSession { ids: running(), on_this_thread: PhantomData }
}

/// The session that runs, if one does; see [`current`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct CurrentSession {
    ids: Option<(u64, u64)>,
    /// What is said of it later can only be said where it runs.
    on_this_thread: PhantomData<*const ()>,
}

impl CurrentSession {
    /// `THREAD_ID` of the session's row; `None` if no session runs.
    pub fn thread_id(&self) -> Option<u64> {
        self.ids.map(|(thread_id, _)| thread_id)
    }

    /// `PROCESSLIST_ID` of the session's row; `None` if no session runs.
    pub fn processlist_id(&self) -> Option<u64> {
        self.ids.map(|(_, processlist_id)| processlist_id)
    }
}

impl fmt::Debug for CurrentSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CurrentSession").field("thread_id", &self.thread_id()).finish_non_exhaustive()
    }
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("thread_id", &self.thread_id()).finish_non_exhaustive()
    }
}

impl fmt::Debug for AttachedSession<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AttachedSession").finish_non_exhaustive()
    }
}
