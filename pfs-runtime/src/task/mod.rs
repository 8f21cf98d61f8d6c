//! Futures that are statements, stages, sessions and tasks: [`InstrumentFuture`].
//!
//! A guard belongs to the thread that it was made on and cannot be held across an `.await`; these hold an event or a
//! context open across polls instead, wherever the future is polled.
//!
//! # When
//!
//! A future is the statement (the stage, the task) from its first poll until it completes or is dropped; one that is
//! never polled is none. Dropped before it completes, it ends its event then, with `ENDED_BY` = `DROP`; no error is
//! counted, because none was returned. A panic in a poll ends the event, as it does in a function.
//!
//! # Where
//!
//! In a session or a task, the event is that one's, and what is waited for in it too, whatever threads poll it. A
//! statement or stage that begins where there is none opens a task of its own, of the class `thread/pfs/task`, for as
//! long as it lives; the context that the thread had is its parent. That costs some hundred nanoseconds more than in a
//! session, and each needs one of `max_thread_instances`. Where no context is free, it is counted for nobody, and the
//! task as lost.
//!
//! A task is whose its session was when it was made one: what it counts is that account's, user's and host's, also when it
//! begins or ends after its session. It is no connection of theirs; but while it is there, `TRUNCATE` does not take their
//! rows away. A task that no session brought forth is in the background.
//!
//! So a server gives each connection a session, and each task that it spawns a row of its own:
//!
//! ```
//! use pfs::prelude::*;
//! use pfs::session::Session;
//!
//! # fn spawn(_: impl Future + Send + 'static) {}
//! # struct Stream;
//! async fn serve(stream: Stream) {
//!     let _ = stream;
//!     spawn(compact().in_task(pfs::thread_class!("kv/compaction")));
//! }
//!
//! async fn compact() {}
//!
//! # let accepted = [Stream];
//! for stream in accepted {
//!     let session = Session::of(pfs::thread_class!("kv/session"));
//!     spawn(serve(stream).in_session(session));
//! }
//! ```
//!
//! Futures of one session or task may take turns, in a `join!` or `select!`: each event has the parent that it had at its
//! first poll. An event whose parent ends first ends with it.
//!
//! A future that began in one session and is polled in another is left as it is there, and what happens in those polls is
//! the other's. If it completes or is dropped there, its session counts it before its next event, with the error that it
//! returned.

mod call;
mod context;
mod spanning;
mod stage;
mod statement;

#[doc(hidden)]
pub use call::{AnyCall, CallOf, Measures, TheCall};
pub use context::{InSession, InTask};
#[doc(hidden)]
pub use spanning::{Unwatched, Watch};
pub use stage::InStage;
#[doc(hidden)]
pub use stage::stage;
pub use statement::InStatement;
#[doc(hidden)]
pub use statement::{Begun, Lent, Look, Texted, begun, keeps_text, kept_text, statement, texted, watched};

use crate::session::Session;
use crate::stage::Stage;
use crate::statement::Statement;
use crate::thread::ThreadClass;
use core::borrow::BorrowMut;

/// What a future can be made: a statement, a stage, the work of a session, a task.
///
/// ```
/// use pfs::prelude::*;
/// # use std::{future::Future, pin::pin, task::{Context, Poll, Waker}};
/// # fn block_on<F: Future>(future: F) -> F::Output {
/// #     let mut future = pin!(future);
/// #     loop {
/// #         let mut context = Context::from_waker(Waker::noop());
/// #         if let Poll::Ready(value) = future.as_mut().poll(&mut context) { return value; }
/// #     }
/// # }
/// use pfs::session::Session;
///
/// #[derive(Statement)]
/// #[statement(component = "kv")]
/// enum Command { Get(String), Ping }
///
/// async fn execute(command: &Command) -> usize {
///     match command {
///         Command::Get(key) => find(key).in_stage(pfs::stage_class!("kv/finding")).await,
///         Command::Ping => 0,
///     }
/// }
///
/// async fn find(key: &str) -> usize {
///     pfs::statement::current().rows_examined(3);
///     key.len()
/// }
///
/// async fn serve(commands: Vec<Command>) -> usize {
///     let mut sum = 0;
///     for command in commands {
///         sum += execute(&command).in_statement(&command).await;
///     }
///     sum
/// }
///
/// let pfs = pfs::Config::new().start()?;
/// let commands = vec![Command::Get("key".to_owned()), Command::Ping];
/// let session = Session::of(pfs::thread_class!("kv/session"));
/// assert_eq!(block_on(serve(commands).in_session(session)), 3);
///
/// let mut rows = pfs.events_statements_summary_global_by_event_name();
/// let get = rows.find(|row| row.event_name == "statement/kv/get").unwrap();
/// assert_eq!((get.count_star, get.sum_rows_examined), (1, 3));
/// # Ok::<(), pfs::StartError>(())
/// ```
pub trait InstrumentFuture: Future + Sized {
    /// Makes the future a statement of the class of `statement`: a variant of an enum with `derive(Statement)`, or a
    /// [`StatementClass`](crate::statement::StatementClass).
    ///
    /// What is said of the statement is said by [`statement::current`](crate::statement::current) inside it.
    #[inline]
    #[track_caller]
    fn in_statement(self, statement: &(impl Statement + ?Sized)) -> InStatement<Self> {
        self::statement(statement.class(), self)
    }

    /// Makes the future a stage: of a [`StageClass`](crate::stage::StageClass), or of a value with `derive(Stage)`.
    #[inline]
    #[track_caller]
    fn in_stage(self, stage: impl Stage) -> InStage<Self> {
        self::stage(stage.class().class(), self)
    }

    /// Makes the future the work of a session, which is attached at every poll.
    ///
    /// A session that is given away ends when the future completes or is dropped; one that is lent, by `&mut`, goes on.
    ///
    /// ```
    /// use pfs::prelude::*;
    /// use pfs::session::Session;
    ///
    /// async fn serve() {}
    ///
    /// # async {
    /// let mut session = Session::new();
    /// serve().in_session(&mut session).await;
    /// serve().in_session(session).await; // the session's end
    /// # };
    /// ```
    fn in_session<S: BorrowMut<Session>>(self, session: S) -> InSession<Self, S> {
        InSession::new(self, session)
    }

    /// Makes the future a task: it has a context, and so a row in `threads`, from its first poll until it completes or is
    /// dropped. The context of the caller, as the session that spawns the task, is its parent.
    ///
    /// ```
    /// use pfs::prelude::*;
    ///
    /// # fn spawn<F: Future>(_: F) {}
    /// async fn compact() {}
    ///
    /// spawn(compact().in_task(pfs::thread_class!("kv/compaction")));
    /// ```
    fn in_task(self, class: ThreadClass) -> InTask<Self> {
        InTask::new(self, class)
    }
}

impl<F: Future> InstrumentFuture for F {}
