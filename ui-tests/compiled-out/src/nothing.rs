//! What there is to read of pfs where it is compiled out: no rows.

use pfs::config::Setting;
use pfs::prelude::*;
use pfs::{Config, ConfigError, Pfs, SetupError, StartError};

/// Asserts that a future that is a statement, a stage or a task is that future and no more.
fn as_the_future(future: impl Future) {
    let size = size_of_val(&future);
    let stage = future.in_stage(pfs::stage_class!("compiled out/stage"));
    assert_eq!(size_of_val(&stage), size);
    let statement = stage.in_statement(&pfs::statement_class!("compiled out/statement"));
    assert_eq!(size_of_val(&statement), size);
    assert_eq!(size_of_val(&statement.in_task(pfs::thread_class!("compiled out/task"))), size);
}

pub(crate) fn check(pfs: Pfs) {
    as_the_future(async { 1 });
    as_the_future(std::future::ready(String::new()));

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
