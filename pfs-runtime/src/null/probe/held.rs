//! Who holds a lock whose guards have no place for a token: nobody is shown.

use crate::instance::Instance;

/// Whether an acquisition is an event, which it is not.
#[inline(always)]
pub fn is_counted(_: &Instance) -> bool {
    false
}

/// Shows nothing.
#[inline(always)]
pub fn release(_: &Instance) {}

/// Shows nothing.
#[inline(always)]
pub fn release_shared(_: &Instance) {}

/// Shows nothing.
#[inline(always)]
pub fn downgrade(_: &Instance) {}

/// Shows nothing.
#[inline(always)]
pub fn upgraded(_: &Instance) {}

/// Stands for a lock that its holder lends to others.
#[derive(Debug)]
#[must_use = "the lock is lent until this is dropped"]
pub struct Lent(());

/// Shows nothing.
#[inline(always)]
pub fn lend(_: &Instance) -> Lent {
    Lent(())
}

/// Stands for a lock that one of its readers lends.
#[derive(Debug)]
#[must_use = "the lock is lent until this is dropped"]
pub struct LentShared(());

/// Shows nothing.
#[inline(always)]
pub fn lend_shared(_: &Instance) -> LentShared {
    LentShared(())
}
