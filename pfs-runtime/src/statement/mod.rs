//! Statements: the requests that a server answers, as guards, and what can be said of one while it runs.

mod message;
mod outcome;

pub use outcome::{Anything, Counted, Displayed, ErrorCode, Outcome, error_by, run};

use crate::class::Class;
use crate::probe::scope::{self, Scope};
use core::fmt;
use core::panic::Location;
use message::Message;

/// What is a statement: `#[derive(Statement)]` gives an enum a class a variant.
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

/// An open statement; dropping it ends the statement.
///
/// What is said of a statement that is off, or that its context has ended already, is dropped.
#[derive(Debug)]
#[must_use = "dropping this ends the statement"]
pub struct StatementGuard {
    scope: Scope<scope::Statement>,
}

/// The counters of a statement that callers may raise, by their place among the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counter {
    Errors = 1,
    Warnings = 2,
    RowsAffected = 3,
    RowsSent = 4,
    RowsExamined = 5,
}

/// Begins a statement of `class`.
#[doc(hidden)]
#[inline]
#[track_caller]
pub fn begin(class: &'static Class) -> StatementGuard {
    StatementGuard { scope: Scope::begin(class, Location::caller()) }
}

impl StatementGuard {
    /// Whether the statement was begun, so that there is anything to record of it.
    #[inline(always)]
    fn is_begun(&self) -> bool {
        self.scope.is_begun()
    }

    /// Whether the statement's text would be kept; where it is costly to make, ask first.
    #[inline]
    pub fn wants_text(&self) -> bool {
        self.scope.wants_text()
    }

    /// Sets the statement's text, cut at a character boundary to the configured length. Bytes that are no UTF-8 are
    /// shown as `�`.
    #[inline]
    pub fn text(&mut self, text: impl AsRef<[u8]>) {
        if self.wants_text() {
            self.scope.set_text(text.as_ref());
        }
    }

    /// Sets the schema, or keyspace, that the statement runs in: `CURRENT_SCHEMA`, at most 64 bytes.
    pub fn schema(&mut self, name: &str) {
        self.scope.set_schema(name);
    }

    /// Adds to `ROWS_SENT`.
    pub fn rows_sent(&mut self, rows: u64) {
        self.scope.add(Counter::RowsSent as usize, rows);
    }

    /// Adds to `ROWS_EXAMINED`.
    pub fn rows_examined(&mut self, rows: u64) {
        self.scope.add(Counter::RowsExamined as usize, rows);
    }

    /// Adds to `ROWS_AFFECTED`.
    pub fn rows_affected(&mut self, rows: u64) {
        self.scope.add(Counter::RowsAffected as usize, rows);
    }

    /// Adds to `WARNINGS`.
    pub fn warnings(&mut self, warnings: u64) {
        self.scope.add(Counter::Warnings as usize, warnings);
    }

    /// Sets the statement's error and counts it in `ERRORS`.
    pub fn error(&mut self, error: &(impl ErrorCode + ?Sized)) {
        outcome::record_coded(self, error);
    }

    /// Sets the statement's error by its parts. The message is written only where the row that shows it is.
    #[doc(hidden)]
    pub fn record_error(&mut self, errno: i32, sqlstate: &str, message: fmt::Arguments<'_>) {
        // Written before the row is touched: `Display` is the user's code and may itself be instrumented.
        let message = self.scope.is_shown().then(|| Message::of(message));
        self.scope.fail(Counter::Errors as usize, errno, sqlstate, message.as_ref().map(Message::as_str));
    }
}
