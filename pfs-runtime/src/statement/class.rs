//! [`StatementClass`]: statements of a named class.

use super::{Statement, StatementGuard, begin};
use crate::class::Class;

/// A class `statement/…`, made by `statement_class!`: for statements that are neither a function nor a variant of an enum,
/// and for what a statement is [refined](super::OpenStatement::refine) to.
///
/// It is a [`Statement`], as a variant is.
///
/// ```
/// use pfs::statement::StatementClass;
///
/// static GET: StatementClass = pfs::statement_class!("kv/get");
///
/// let mut statement = GET.begin();
/// statement.rows_sent(1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct StatementClass {
    class: &'static Class,
}

impl StatementClass {
    /// For `statement_class!`.
    #[doc(hidden)]
    pub const fn new(class: &'static Class) -> Self {
        Self { class }
    }

    /// Begins a statement of the class, which ends when the guard is dropped. Cost while not started or disabled: one
    /// relaxed load and a branch.
    #[inline]
    #[track_caller]
    pub fn begin(self) -> StatementGuard {
        begin(self.class)
    }
}

impl Statement for StatementClass {
    #[inline]
    fn class(&self) -> &'static Class {
        self.class
    }
}
