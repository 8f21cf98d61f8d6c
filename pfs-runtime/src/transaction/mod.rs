//! Transactions: what a server's client commits or rolls back, as handles. Statements that begin while one is open are
//! its children.

use crate::class::{Class, builtin};
use crate::model::{Characteristics, Savepoint};
use crate::probe::transaction;
use core::panic::Location;

pub use crate::model::Isolation;

/// What is said of a transaction when it begins.
///
/// ```
/// use pfs::transaction::{Isolation, TransactionOptions};
///
/// let transaction = TransactionOptions::new().isolation(Isolation::Serializable).read_only(true).begin();
/// transaction.commit();
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[must_use = "nothing happens until `begin`"]
pub struct TransactionOptions {
    read_only: bool,
    autocommit: bool,
    isolation: Option<Isolation>,
    id: u64,
}

impl TransactionOptions {
    /// A transaction that may write, of a client that ends it itself.
    pub const fn new() -> Self {
        Self { read_only: false, autocommit: false, isolation: None, id: 0 }
    }

    /// `ACCESS_MODE`: whether it only reads. Those that do are counted apart.
    pub const fn read_only(mut self, read_only: bool) -> Self {
        self.read_only = read_only;
        self
    }

    /// `ISOLATION_LEVEL`; NULL where it is not told.
    pub const fn isolation(mut self, isolation: Isolation) -> Self {
        self.isolation = Some(isolation);
        self
    }

    /// `AUTOCOMMIT`: whether the server began it around one statement by itself.
    pub const fn autocommit(mut self, autocommit: bool) -> Self {
        self.autocommit = autocommit;
        self
    }

    /// `TRX_ID`: the server's own number of the transaction, not zero; NULL where it is not told.
    pub const fn id(mut self, id: u64) -> Self {
        self.id = id;
        self
    }

    /// Begins the transaction in the calling thread's session or thread.
    ///
    /// Its parent is the innermost statement that runs; the statement's end does not end it. Cost while not started or
    /// disabled: one relaxed load and a branch.
    #[inline]
    #[track_caller]
    pub fn begin(self) -> Transaction {
        self.begin_of(&builtin::TRANSACTION)
    }

    /// The same of a class, for a schema that is not the process's.
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn begin_of(self, class: &'static Class) -> Transaction {
        let said = Characteristics::new(self.read_only, self.autocommit, self.isolation);
        Transaction { begun: transaction::Transaction::begin(class, said, self.id, Location::caller()) }
    }
}

/// An open transaction, an event of the class `transaction`. Dropping it is a rollback.
///
/// It may be kept with its session and moves between threads as that does. Ended while its session is attached to no
/// thread or to another one, it is counted when the session's next event begins, or with the session's end.
///
/// A session or thread that ends rolls its transactions back. At most four are recorded at once in one; the rest are
/// counted, and `Performance_schema_nested_transaction_lost` says how many.
#[derive(Debug)]
#[must_use = "dropping this rolls the transaction back"]
pub struct Transaction {
    begun: transaction::Transaction,
}

/// Begins a transaction that may write; [`TransactionOptions`] says more of it.
///
/// ```
/// let mut transfer = pfs::transaction::begin();
/// transfer.savepoint();
/// transfer.rollback_to_savepoint();
/// transfer.commit();
/// ```
#[inline]
#[track_caller]
pub fn begin() -> Transaction {
    TransactionOptions::new().begin()
}

impl Transaction {
    /// Sets `TRX_ID`, where the server gives it when the first row is written.
    pub fn set_id(&mut self, id: u64) {
        self.begun.set_id(id);
    }

    /// Counts a savepoint that was set, in `NUMBER_OF_SAVEPOINTS`.
    pub fn savepoint(&mut self) {
        self.begun.savepoint(Savepoint::Set);
    }

    /// Counts a rollback to a savepoint, in `NUMBER_OF_ROLLBACK_TO_SAVEPOINT`.
    pub fn rollback_to_savepoint(&mut self) {
        self.begun.savepoint(Savepoint::RollbackTo);
    }

    /// Counts a savepoint that was released, in `NUMBER_OF_RELEASE_SAVEPOINT`.
    pub fn release_savepoint(&mut self) {
        self.begun.savepoint(Savepoint::Release);
    }

    /// Ends the transaction, whose changes stay.
    #[inline]
    pub fn commit(mut self) {
        self.begun.end(true);
    }

    /// Ends the transaction, whose changes go.
    #[inline]
    pub fn rollback(self) {
        drop(self);
    }
}

impl Drop for Transaction {
    #[inline]
    fn drop(&mut self) {
        self.begun.end(false);
    }
}
