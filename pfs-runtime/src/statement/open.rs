//! A statement that is open, and what can be said of it.

use super::Statement;
use super::message::Message;
use super::outcome::{self, ErrorCode};
use crate::probe::scope::{self, Scope};
use core::fmt;

/// A statement that is open.
///
/// What is said of one that is off, or that has ended already, is dropped.
#[derive(Debug)]
pub struct OpenStatement {
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

impl OpenStatement {
    #[inline(always)]
    pub(crate) fn of(scope: Scope<scope::Statement>) -> Self {
        Self { scope }
    }

    #[inline(always)]
    pub(super) fn end(&mut self) {
        self.scope.end();
    }

    /// Whether the statement was begun, so that there is anything to record of it.
    #[inline(always)]
    pub(super) fn is_begun(&self) -> bool {
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

    /// Makes it a statement of the class of `statement`: what was read turned out to be that command. Its statistics go
    /// to that class alone, and its row shows that name. If the class is disabled, nothing is counted and there is no
    /// row.
    ///
    /// A statement that is off, because the class it began with is disabled, stays off.
    ///
    /// ```
    /// use pfs::prelude::*;
    /// use pfs::statement::StatementClass;
    ///
    /// static PACKET: StatementClass = pfs::statement_class!("abstract/new_packet");
    ///
    /// #[derive(Statement)]
    /// #[statement(component = "com")]
    /// enum Command { Ping, Quit }
    ///
    /// let mut statement = PACKET.begin();
    /// let command = Command::Ping; // as it is read
    /// statement.refine(&command); // counted by statement/com/ping
    /// ```
    pub fn refine(&mut self, statement: &(impl Statement + ?Sized)) {
        self.scope.refine(statement.class());
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
