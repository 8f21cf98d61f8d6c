//! How attributes, `#[derive(Instrument)]` and the engine reach the instances inside these locks, to name them.
//!
//! Messages name none of it, so that they are the same with the feature and without.

use ::parking_lot::lock_api;
use pfs_runtime::instance::{Instance, Visitor};

use super::raw_mutex::InstrumentedRawMutex;
use super::{Condvar, Once, RawRwLock, ReentrantMutex};
use crate::instrument::{Held, Instrumented};

macro_rules! instrumented {
    ($([$($parameter:tt)*] $ty:ty: $holds:ident, $instance:expr;)+) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($parameter)*> Instrumented for $ty {
            const HOLDS: Held = Held::$holds;

            fn visit(&self, visitor: &mut Visitor<'_>) {
                let instance: fn(&Self) -> &Instance = $instance;
                visitor.instance(instance(self));
            }
        }
    )+};
}
instrumented! {
    [R: lock_api::RawMutex, T: ?Sized] lock_api::Mutex<InstrumentedRawMutex<R>, T>: MUTEXES,
        // SAFETY: the raw lock is only looked at.
        |lock| &unsafe { lock.raw() }.instance;
    [T: ?Sized] ReentrantMutex<T>: MUTEXES,
        // SAFETY: as above.
        |lock| &unsafe { lock.raw() }.instance;
    [T: ?Sized] lock_api::RwLock<RawRwLock, T>: RWLOCKS,
        // SAFETY: as above.
        |lock| &unsafe { lock.raw() }.instance;
    [] Condvar: CONDS, |condvar| &condvar.instance;
    [] Once: CONDS, |once| &once.instance;
}
