//! What a returned value says about its statement: whether it is an error, and with which code and message.
//!
//! The type of what a function returns is known only where the macro's code is compiled, and may stand behind any
//! number of aliases. So the macro wraps the value in an [`Outcome`] and calls `record`; method lookup goes down a
//! chain of dereferences and takes the first type that has it: a `Result` whose error has an [`ErrorCode`], one whose
//! error has `Display`, any other `Result`, and at last anything at all. In a generic function it is decided by the
//! bounds, so a value of a type parameter is no error.
//!
//! Knows an open statement and nothing of how one is recorded.

use super::OpenStatement;
use std::fmt::{self, Display};
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

/// The code and message that an error leaves in its statement's event: the columns `MYSQL_ERRNO`,
/// `RETURNED_SQLSTATE` and `MESSAGE_TEXT`.
///
/// Implement it for the error type of functions under `#[statement]`. An error type that only has `Display` is
/// recorded with its message, number 0 and SQLSTATE `HY000`; one that has neither is counted.
///
/// Called once for each error; the message is written only where the event's row is.
///
/// ```
/// use pfs::ErrorCode;
/// use std::fmt;
///
/// #[derive(Debug)]
/// enum StoreError { NoSuchKey, ReadOnly }
///
/// impl fmt::Display for StoreError {
///     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
///         f.write_str(match self {
///             StoreError::NoSuchKey => "no such key",
///             StoreError::ReadOnly => "the store is read only",
///         })
///     }
/// }
///
/// impl ErrorCode for StoreError {
///     fn errno(&self) -> i32 {
///         match self {
///             StoreError::NoSuchKey => 1032,
///             StoreError::ReadOnly => 1290,
///         }
///     }
/// }
///
/// assert_eq!(StoreError::ReadOnly.errno(), 1290);
/// assert_eq!(StoreError::ReadOnly.sqlstate(), "HY000");
/// ```
pub trait ErrorCode: Display {
    /// The error's number in the server's own numbering; 0 where there is none.
    fn errno(&self) -> i32 {
        0
    }

    /// The SQLSTATE, five characters; `HY000`, the general error, where there is none better.
    #[expect(clippy::unnecessary_literal_bound, reason = "an implementation may return what it holds")]
    fn sqlstate(&self) -> &str {
        "HY000"
    }

    /// Writes the message: what `Display` says, unless an implementation keeps something to itself.
    ///
    /// # Errors
    ///
    /// Those of `out`, which has no more room; what is written until then stays.
    fn message(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{self}")
    }
}

/// A pointer to an error has the error's code.
macro_rules! through_a_pointer {
    ($($pointer:ty),*) => {$(
        impl<E: ErrorCode + ?Sized> ErrorCode for $pointer {
            fn errno(&self) -> i32 {
                (**self).errno()
            }

            fn sqlstate(&self) -> &str {
                (**self).sqlstate()
            }

            fn message(&self, out: &mut dyn fmt::Write) -> fmt::Result {
                (**self).message(out)
            }
        }
    )*};
}

through_a_pointer!(&E, &mut E, Box<E>, Rc<E>, Arc<E>);

/// Calls `body`: the body of a function under `#[statement]`.
///
/// That it asks for an `FnOnce` is its purpose: a closure that is only called on the spot would be taken for an
/// `FnMut`, which may not return what borrows from its captures.
#[doc(hidden)]
#[inline(always)]
pub fn run<R>(body: impl FnOnce() -> R) -> R {
    body()
}

/// What `err = |r| …` makes of a returned value, as a `Result` for [`Outcome`].
///
/// # Errors
///
/// The error that the closure found.
#[doc(hidden)]
#[inline(always)]
pub fn error_by<'a, R, E>(returned: &'a R, err: impl FnOnce(&'a R) -> Option<E>) -> Result<(), E> {
    err(returned).map_or(Ok(()), Err)
}

/// A returned value, first looked at for an error with an [`ErrorCode`].
///
/// Which of the four types has the method is found by method lookup, so that its name must be nobody's: a trait of the
/// user's that gives every value a method of that name would come first.
#[doc(hidden)]
pub struct Outcome<'a, R>(Displayed<'a, R>);

/// Then for an error with `Display`.
#[doc(hidden)]
pub struct Displayed<'a, R>(Counted<'a, R>);

/// Then for any error.
#[doc(hidden)]
pub struct Counted<'a, R>(Anything<'a, R>);

/// And then it is none.
#[doc(hidden)]
pub struct Anything<'a, R>(&'a R);

impl<'a, R> Outcome<'a, R> {
    /// Looks at `returned`.
    #[inline(always)]
    pub const fn new(returned: &'a R) -> Self {
        Self(Displayed(Counted(Anything(returned))))
    }
}

impl<T, E: ErrorCode> Outcome<'_, Result<T, E>> {
    /// Records an error with its code and message.
    #[inline(always)]
    pub fn pfs_record(&self, statement: &mut OpenStatement) {
        if statement.is_begun()
            && let Err(error) = self.0.0.0.0
        {
            record_coded(statement, error);
        }
    }
}

impl<T, E: Display> Displayed<'_, Result<T, E>> {
    /// Records an error with its message.
    #[inline(always)]
    pub fn pfs_record(&self, statement: &mut OpenStatement) {
        if statement.is_begun()
            && let Err(error) = self.0.0.0
        {
            record_displayed(statement, error);
        }
    }
}

impl<T, E> Counted<'_, Result<T, E>> {
    /// Records that there was an error.
    #[inline(always)]
    pub fn pfs_record(&self, statement: &mut OpenStatement) {
        if statement.is_begun() && self.0.0.is_err() {
            record_counted(statement);
        }
    }
}

impl<R> Anything<'_, R> {
    /// Records nothing.
    #[inline(always)]
    pub fn pfs_record(&self, _: &mut OpenStatement) {}
}

impl<'a, R> Deref for Outcome<'a, R> {
    type Target = Displayed<'a, R>;

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'a, R> Deref for Displayed<'a, R> {
    type Target = Counted<'a, R>;

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'a, R> Deref for Counted<'a, R> {
    type Target = Anything<'a, R>;

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

// Errors are the rare end of a statement: kept out of the function that is measured.

#[cold]
pub(super) fn record_coded<E: ErrorCode + ?Sized>(statement: &mut OpenStatement, error: &E) {
    /// `message` as what `format_args!` can take.
    struct Message<'a, E: ?Sized>(&'a E);

    impl<E: ErrorCode + ?Sized> Display for Message<'_, E> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.message(f)
        }
    }

    survive(statement, |statement| {
        statement.record_error(error.errno(), error.sqlstate(), format_args!("{}", Message(error)));
    });
}

#[cold]
fn record_displayed<E: Display>(statement: &mut OpenStatement, error: &E) {
    survive(statement, |statement| statement.record_error(0, "HY000", format_args!("{error}")));
}

#[cold]
fn record_counted(statement: &mut OpenStatement) {
    statement.record_error(0, "HY000", format_args!(""));
}

/// Records an error by code of the user's. If that panics, the error is counted without its message: the function
/// returns it as it would without pfs.
fn survive(statement: &mut OpenStatement, record: impl FnOnce(&mut OpenStatement)) {
    // Unwind safety: `record` changes nothing before the user's code has run; the error is only looked at.
    if catch_unwind(AssertUnwindSafe(|| record(statement))).is_err() {
        record_counted(statement);
    }
}
