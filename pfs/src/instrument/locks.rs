//! The types of [`crate::sync`]: each lock is its own instance, and what is made later is a holder.

use super::holders::written_once;
use super::{Held, Instrumented};
use pfs_runtime::instance::Visitor;
use pfs_runtime::sync::{
    Barrier, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock, barrier, condvar, mutex, once, rwlock,
};

impl<T: ?Sized> Instrumented for Mutex<T> {
    const HOLDS: Held = Held::MUTEXES;

    fn visit(&self, visitor: &mut Visitor<'_>) {
        visitor.instance(mutex::instance(self));
    }
}

impl<T: ?Sized> Instrumented for RwLock<T> {
    const HOLDS: Held = Held::RWLOCKS;

    fn visit(&self, visitor: &mut Visitor<'_>) {
        visitor.instance(rwlock::instance(self));
    }
}

macro_rules! conds {
    ($($ty:ty: $instance:path;)+) => {$(
        impl Instrumented for $ty {
            const HOLDS: Held = Held::CONDS;

            fn visit(&self, visitor: &mut Visitor<'_>) {
                visitor.instance($instance(self));
            }
        }
    )+};
}
conds! {
    Condvar: condvar::instance;
    Once: once::instance;
    Barrier: barrier::instance;
}

// What is made later names what is in it, not itself: a macro where it is made does that.
written_once! {
    OnceLock<T>: ;
    LazyLock<T, F>: F;
}
