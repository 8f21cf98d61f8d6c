//! Transactions: handles that hold nothing open.

use crate::class::Class;
use crate::model::{Characteristics, Savepoint, Site};

/// Stands for an open transaction.
#[derive(Debug)]
pub struct Transaction(());

impl Transaction {
    /// Begins nothing.
    #[inline(always)]
    pub fn begin(_: &'static Class, _: Characteristics, _: u64, _: Site) -> Self {
        Self(())
    }

    /// Counts nothing.
    #[inline(always)]
    pub fn savepoint(&self, _: Savepoint) {}

    /// Sets nothing.
    #[inline(always)]
    pub fn set_id(&self, _: u64) {}

    /// Ends nothing.
    #[inline(always)]
    pub fn end(&mut self, _: bool) {}
}
