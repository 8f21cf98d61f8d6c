//! Statements: the requests that a server answers, as guards, and what can be said of one while it runs.

mod class;
mod message;
mod open;
mod outcome;
mod text;

pub use class::StatementClass;
pub use open::OpenStatement;
pub use outcome::{Anything, Counted, Displayed, ErrorCode, Outcome, error_by, run};
pub use text::{StatementText, text};

use crate::class::Class;
use crate::probe::scope::Scope;
use core::ops::{Deref, DerefMut};
use core::panic::Location;

/// What is a statement: `#[derive(Statement)]` gives an enum a class a variant.
#[diagnostic::on_unimplemented(
    message = "`{Self}` names no statement",
    label = "not a statement",
    note = "a statement is a value of a type with `#[derive(Statement)]`, or a class: \
            `static GET: pfs::statement::StatementClass = pfs::statement_class!(\"kv/get\");`"
)]
pub trait Statement {
    /// The class of this value.
    fn class(&self) -> &'static Class;

    /// Begins a statement of this value's class, which ends when the guard is dropped.
    ///
    /// Cost while not started or disabled: one relaxed load and a branch.
    #[inline]
    #[track_caller]
    fn begin(&self) -> StatementGuard {
        begin(self.class())
    }
}

/// A statement that was begun; dropping it ends the statement. What can be said of it until then are the methods of
/// [`OpenStatement`], which it dereferences to.
#[derive(Debug)]
#[must_use = "dropping this ends the statement"]
pub struct StatementGuard {
    statement: OpenStatement,
}

/// Begins a statement of `class`.
#[doc(hidden)]
#[inline]
#[track_caller]
pub fn begin(class: &'static Class) -> StatementGuard {
    StatementGuard { statement: OpenStatement::of(Scope::begin(class, Location::caller())) }
}

/// Begins a statement that is a call, whose guard nobody but the attribute's code sees.
#[cfg(feature = "engine")]
#[doc(hidden)]
#[inline(always)]
#[track_caller]
pub fn call(class: &'static Class) -> StatementGuard {
    begin(class)
}

/// Begins nothing. What would be dropped in vain is not dropped: that alone would change what a compiler makes of the
/// function.
#[cfg(not(feature = "engine"))]
#[doc(hidden)]
#[inline(always)]
pub fn call(class: &'static Class) -> core::mem::ManuallyDrop<StatementGuard> {
    core::mem::ManuallyDrop::new(begin(class))
}

/// The statement that runs now: the innermost one that is open in the calling thread's context, be it of a guard, a
/// function or a future. Where none runs, what is said of it is dropped.
///
/// So code deep inside a server says what it knows without being handed the guard. A statement past
/// `max_statement_stack` is not found: then it is the one around it. Cost: a look at each event around the caller, up to
/// the statement.
///
/// ```
/// use pfs::prelude::*;
///
/// fn read_rows(rows: &[u32]) -> u64 {
///     let rows = rows.len() as u64;
///     pfs::statement::current().rows_examined(rows);
///     rows
/// }
///
/// #[statement("kv/scan")]
/// fn scan() -> u64 {
///     read_rows(&[1, 2, 3])
/// }
///
/// let pfs = pfs::Config::new().start()?;
/// scan();
/// read_rows(&[4]); // in no statement
/// let mut rows = pfs.events_statements_summary_global_by_event_name();
/// assert_eq!(rows.find(|row| row.event_name == "statement/kv/scan").unwrap().sum_rows_examined, 3);
/// # Ok::<(), pfs::StartError>(())
/// ```
pub fn current() -> OpenStatement {
    OpenStatement::of(Scope::innermost())
}

impl Deref for StatementGuard {
    type Target = OpenStatement;

    #[inline(always)]
    fn deref(&self) -> &OpenStatement {
        &self.statement
    }
}

impl DerefMut for StatementGuard {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut OpenStatement {
        &mut self.statement
    }
}

// Over the null engine too, where there is nothing to end: what holds a guard, a future across an `.await` above all, is
// refused and linted there as it is with the engine.
impl Drop for StatementGuard {
    #[inline(always)]
    fn drop(&mut self) {
        self.statement.end();
    }
}
