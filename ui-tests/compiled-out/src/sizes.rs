//! The sizes of what pfs wraps where it is compiled out: those of what is wrapped, and guards of ours are nothing.

use core::mem::needs_drop;
use pfs::session::{AttachedSession, Session};
use pfs::stage::StageGuard;
use pfs::statement::StatementGuard;
use pfs::transaction::Transaction;
use std::any::type_name;

/// Asserts that the wrapped types, by their paths below both crates, are of std's size and alignment.
macro_rules! as_std {
    ($($module:ident::$name:ident $(<$($parameter:tt),*>)?),* $(,)?) => {$(
        same::<pfs::$module::$name$(<$($parameter),*>)?, std::$module::$name$(<$($parameter),*>)?>();
    )*};
}

fn same<Ours, Std>() {
    assert_eq!(size_of::<Ours>(), size_of::<Std>(), "{}", type_name::<Ours>());
    assert_eq!(align_of::<Ours>(), align_of::<Std>(), "{}", type_name::<Ours>());
    assert_eq!(needs_drop::<Ours>(), needs_drop::<Std>(), "{}", type_name::<Ours>());
}

/// Asserts that a guard of ours is nothing. Its destructor is there, and empty: see `traits`.
fn nothing<Ours>() {
    assert_eq!(size_of::<Ours>(), 0, "{}", type_name::<Ours>());
}

pub(crate) fn check() {
    as_std! {
        sync::Condvar, sync::Mutex<()>, sync::Mutex<u8>, sync::Mutex<String>, sync::RwLock<()>, sync::RwLock<u64>,
        sync::RwLock<String>, sync::MutexGuard<'static, u8>, sync::MutexGuard<'static, str>,
        sync::RwLockReadGuard<'static, u8>, sync::RwLockReadGuard<'static, str>,
        sync::RwLockWriteGuard<'static, u8>, sync::RwLockWriteGuard<'static, str>,
        sync::Once, sync::OnceLock<u8>, sync::OnceLock<String>, sync::LazyLock<u64>, sync::LazyLock<String>,
        sync::Barrier,
        thread::Builder, thread::JoinHandle<u8>, thread::Scope<'static, 'static>,
        thread::ScopedJoinHandle<'static, u8>,
    }
    same::<pfs::sync::mpsc::SyncSender<u8>, std::sync::mpsc::SyncSender<u8>>();
    same::<pfs::sync::mpsc::Receiver<u8>, std::sync::mpsc::Receiver<u8>>();
    nothing::<StatementGuard>();
    nothing::<StageGuard>();
    nothing::<Session>();
    nothing::<AttachedSession<'static>>();
    nothing::<Transaction>();
    #[cfg(feature = "parking_lot")]
    parking_lot();
}

#[cfg(feature = "parking_lot")]
fn parking_lot() {
    /// The same of types by their names in both crates.
    macro_rules! as_parking_lot {
        ($($name:ident $(<$($parameter:tt),*>)?),* $(,)?) => {$(
            same::<pfs::parking_lot::$name$(<$($parameter),*>)?, parking_lot::$name$(<$($parameter),*>)?>();
        )*};
    }

    as_parking_lot! {
        Condvar, Once, Mutex<u8>, Mutex<String>, FairMutex<u64>, ReentrantMutex<u64>, RwLock<()>, RwLock<String>,
        MutexGuard<'static, u8>, MappedMutexGuard<'static, u8>, FairMutexGuard<'static, u8>,
        ReentrantMutexGuard<'static, u8>, RwLockReadGuard<'static, u8>, RwLockWriteGuard<'static, u8>,
        RwLockUpgradableReadGuard<'static, u8>, MappedRwLockReadGuard<'static, u8>,
        MappedRwLockWriteGuard<'static, u8>,
    }
}
