//! Statements: the requests that a server answers, as guards, and what can be said of one while it runs.

mod message;
mod outcome;

pub use outcome::{Anything, Counted, Displayed, ErrorCode, Outcome, error_by, run};

use crate::class::{Class, Flags};
use crate::model::{Detail, Frame};
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
    #[inline]
    fn with(&self, act: impl FnOnce(&'static Frame, &'static Detail)) {
        if let Some(frame) = self.scope.frame() {
            let detail = Detail::of(&frame.record);
            if frame.decided().flags().any(Flags::CURRENT) {
                // The row is visible: it changes as a whole.
                frame.record.write(|_| act(frame, detail));
            } else {
                act(frame, detail);
            }
        }
    }

    #[inline]
    fn add(&mut self, counter: Counter, by: u64) {
        self.scope.add_unframed(counter as usize, by);
        self.with(|_, detail| detail.add_counter(counter as usize, by));
    }

    /// Whether the statement's text would be kept; where it is costly to make, ask first.
    #[inline]
    pub fn wants_text(&self) -> bool {
        self.scope.flags().any(Flags::TEXT)
    }

    /// Sets the statement's text, cut at a character boundary to the configured length. Bytes that are no UTF-8 are
    /// shown as `�`.
    #[inline]
    pub fn text(&mut self, text: impl AsRef<[u8]>) {
        if self.wants_text() {
            self.set_text(text.as_ref());
        }
    }

    fn set_text(&self, text: &[u8]) {
        let limit = text_limit();
        self.with(|_, detail| detail.set_text(text, limit));
    }

    /// Sets the schema, or keyspace, that the statement runs in: `CURRENT_SCHEMA`, at most 64 bytes.
    pub fn schema(&mut self, name: &str) {
        self.with(|_, detail| detail.set_schema(name));
    }

    /// Adds to `ROWS_SENT`.
    pub fn rows_sent(&mut self, rows: u64) {
        self.add(Counter::RowsSent, rows);
    }

    /// Adds to `ROWS_EXAMINED`.
    pub fn rows_examined(&mut self, rows: u64) {
        self.add(Counter::RowsExamined, rows);
    }

    /// Adds to `ROWS_AFFECTED`.
    pub fn rows_affected(&mut self, rows: u64) {
        self.add(Counter::RowsAffected, rows);
    }

    /// Adds to `WARNINGS`.
    pub fn warnings(&mut self, warnings: u64) {
        self.add(Counter::Warnings, warnings);
    }

    /// Sets the statement's error and counts it in `ERRORS`.
    pub fn error(&mut self, error: &(impl ErrorCode + ?Sized)) {
        outcome::record_coded(self, error);
    }

    /// Sets the statement's error by its parts. The message is written only where the row that shows it is.
    #[doc(hidden)]
    pub fn record_error(&mut self, errno: i32, sqlstate: &str, message: fmt::Arguments<'_>) {
        let recorded = self.scope.flags().any(Flags::CURRENT);
        // Written before the row is touched: `Display` is the user's code and may itself be instrumented.
        let message = if recorded { Message::of(message) } else { Message::default() };
        self.scope.add_unframed(Counter::Errors as usize, 1);
        self.with(|_, detail| {
            detail.add_counter(Counter::Errors as usize, 1);
            if recorded {
                detail.set_error(errno, sqlstate, message.as_str());
            }
        });
    }
}

/// Bytes of statement text that the calling thread's schema keeps.
fn text_limit() -> usize {
    crate::context::current().schema().map_or(0, |schema| schema.layout.text_bytes)
}
