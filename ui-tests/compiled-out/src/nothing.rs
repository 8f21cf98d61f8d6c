//! What there is of pfs where it is compiled out: no rows, and no bytes.

use core::mem::needs_drop;
use pfs::config::Setting;
use pfs::session::{AttachedSession, Session};
use pfs::stage::StageGuard;
use pfs::statement::StatementGuard;
use pfs::{Config, ConfigError, Pfs, SetupError, StartError};
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

/// Asserts that a guard of ours is nothing: no bytes, and nothing to do when it goes.
fn nothing<Ours>() {
    assert_eq!((size_of::<Ours>(), needs_drop::<Ours>()), (0, false), "{}", type_name::<Ours>());
}

pub(crate) fn check(pfs: Pfs) {
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
    // It has an empty destructor, by which it borrows its session for as long as with the engine.
    assert_eq!(size_of::<AttachedSession<'static>>(), 0);

    assert!(pfs.schema().is_none());
    assert_eq!(pfs.memory(), 0);
    assert!(pfs.tables().count() >= 26);
    for table in pfs.tables() {
        assert_eq!(table.json(), "[]", "{}", table.definition().name());
        assert!(table.truncate().is_ok());
    }
    assert_eq!(pfs.setup_instruments().count(), 0);
    assert_eq!(pfs.set_consumer("events_waits_current", true), Err(SetupError::Off));
    assert_eq!(
        SetupError::Off.to_string(),
        "pfs is compiled out of this program: build it with the feature `engine` of pfs to change its settings"
    );
    configurations_are_checked();
}

fn configurations_are_checked() {
    let refused = |config: Config| match config.start().unwrap_err() {
        StartError::Config(error) => error,
        other => panic!("{other}"),
    };
    assert!(matches!(
        refused(Config::new().max_connections(0)),
        ConfigError::Value { setting: Setting::MaxConnections, .. }
    ));
    let from_env = Config::new().env_from([("PFS_MAX_CONNECTIONS", "0")]);
    assert!(matches!(from_env, Err(ConfigError::Value { setting: Setting::MaxConnections, .. })));
    assert!(matches!(refused(Config::new().consumer("events_wait", true)), ConfigError::Consumer { .. }));
    assert!(matches!(
        refused(Config::new().instrument("wait/%", "SOMETIMES")),
        ConfigError::InstrumentValue { .. }
    ));
    // Of a good one there is nothing to start, however often.
    assert!(Config::new().start().is_ok() && Config::new().start().is_ok());
    assert_eq!(Config::new().memory().unwrap().total(), 0);
}
