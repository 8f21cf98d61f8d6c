//! Tests of what the ways to configure have in common: messages, precedence, and that each reads what the others write.

use super::*;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;

mod env;
#[cfg(feature = "toml")]
mod file;
#[cfg(all(feature = "toml", feature = "json"))]
mod formats;

const GUIDE: &str = include_str!("../guide.md");

fn refused(config: &Config) -> String {
    config.check().unwrap_err().to_string()
}

const KEYS: &str = "performance_schema, max_connections, worker_threads, sizing_scale, statement_text, ";

#[test]
fn a_main_that_returns_an_error_prints_what_it_says() {
    let error = Config::new().max_connections(0).check().unwrap_err();
    assert_eq!(format!("{error:?}"), "max_connections = 0: allowed are 1 to 100000");
    assert_eq!(format!("{:?}", crate::schema::StartError::from(error.clone())), error.to_string());
}

#[test]
fn errors_name_the_key_the_value_and_what_is_allowed() {
    for (config, message) in [
        (
            Config::new().size(SizeKey::MaxMutexInstances, -2),
            "max_mutex_instances = -2: allowed are -1 (automatic) and 0 to 104857600",
        ),
        (
            Config::new().size(SizeKey::MaxStatementStack, 65),
            "max_statement_stack = 65: allowed are -1 (automatic) and 1 to 64",
        ),
        (
            Config::new().size(SizeKey::MaxWaitStack, usize::MAX),
            "max_wait_stack = 9223372036854775807: allowed are -1 (automatic) and 1 to 64",
        ),
        (Config::new().max_connections(0), "max_connections = 0: allowed are 1 to 100000"),
        (Config::new().worker_threads(10_001), "worker_threads = 10001: allowed are 1 to 10000"),
        (Config::new().sizing_scale(0.0), "sizing_scale = 0: allowed are 0.001 to 1000"),
        (Config::new().sizing_scale(f64::NAN), "sizing_scale = NaN: allowed are 0.001 to 1000"),
        (
            Config::new().instrument("wait/%", "maybe"),
            "instrument pattern `wait/%` = `maybe`: allowed are ON, OFF, COUNTED and CONTENDED",
        ),
        (
            Config::new().instrument("", "ON"),
            "instrument pattern ``: the pattern is empty; write an instrument name, or `%` for all",
        ),
    ] {
        assert_eq!(refused(&config), message);
    }
    assert!(refused(&Config::new().consumer("events_wait_current", true)).starts_with(
        "there is no consumer `events_wait_current` (did you mean `events_waits_current`?): allowed are events_stages_"
    ));
}

#[test]
fn a_setting_is_typed_in_the_error() {
    let error = Config::new().size(SizeKey::MaxCondInstances, -5).check().unwrap_err();
    let setting = Setting::Size(SizeKey::MaxCondInstances);
    assert_eq!(error, ConfigError::Value { from: Origin::Code, setting, value: "-5".to_owned() });
}

#[test]
fn the_later_call_wins_whatever_way_it_came() {
    let variables = [("PFS_MAX_CONNECTIONS", "20"), ("PFS_CONSUMER_EVENTS_WAITS_CURRENT", "ON")];
    let sizes = |config: &Config| config.checked().unwrap().sizes;
    let config = Config::new().max_connections(10).env_from(variables).unwrap();
    assert_eq!(sizes(&config).max_connections(), 20);
    let config = config.max_connections(30).consumer("events_waits_current", false);
    assert_eq!(sizes(&config).max_connections(), 30);
    assert!(!config.checked().unwrap().consumers.contains(Consumer::EventsWaitsCurrent));
    // Back to what follows from the others.
    let key = SizeKey::MaxThreadInstances;
    let config = config.size(key, 7).worker_threads(1);
    assert_eq!(sizes(&config).get(key), 7);
    assert_eq!(sizes(&config.size(key, Size::AUTO)).get(key), 64 + 60 + 2);
}

#[test]
fn a_size_that_is_given_is_not_scaled() {
    let key = SizeKey::MaxThreadInstances;
    let config = Config::new().max_connections(151).worker_threads(2).sizing_scale(0.1);
    assert_eq!(config.checked().unwrap().sizes.get(key), 37);
    assert_eq!(config.clone().size(key, 100).checked().unwrap().sizes.get(key), 100);
    assert_eq!(config.size(key, 0).checked().unwrap().sizes.get(key), 0);
}

#[test]
fn worker_threads_are_those_that_run_at_once_unless_they_are_given() {
    let here = u32::try_from(available_parallelism().unwrap().get()).unwrap();
    assert_eq!(Config::new().checked().unwrap().sizes.worker_threads(), here);
    assert_eq!(Config::new().worker_threads(3).checked().unwrap().sizes.worker_threads(), 3);
}

#[test]
fn the_guide_says_what_there_is() {
    let settings =
        GUIDE.split("# Settings").nth(1).and_then(|rest| rest.split("# What the reference").next()).unwrap();
    for setting in Setting::keys().filter(|setting| !matches!(setting, Setting::Size(_))) {
        let row = format!("| `{}` | `{}` | ", setting.name(), setting.variable());
        assert!(settings.contains(&row), "{row}");
    }
    // Each variable of the reference is a key, or it is said why not.
    let different = GUIDE.split("# What the reference has").nth(1).unwrap();
    for variable in [
        "accounts_size",
        "digests_size",
        "events_stages_history_long_size",
        "events_stages_history_size",
        "events_statements_history_long_size",
        "events_statements_history_size",
        "events_waits_history_long_size",
        "events_waits_history_size",
        "hosts_size",
        "max_{cond,file,mutex,rwlock,socket,stage,statement,thread,memory}_classes",
        "max_cond_instances",
        "max_mutex_instances",
        "max_rwlock_instances",
        "max_{file,socket,table}_instances",
        "max_{file,table}_handles",
        "max_sql_text_length",
        "max_statement_stack",
        "max_thread_instances",
        "session_connect_attrs_size",
        "setup_actors_size",
        "setup_objects_size",
        "users_size",
    ] {
        let is_key = SizeKey::ALL.iter().any(|key| key.name() == variable);
        assert!(is_key || different.contains(&format!("`{variable}`")), "{variable}");
    }
}

/// Any configuration that is allowed, of patterns that a list in a variable can hold.
fn any_config() -> impl Strategy<Value = Config> {
    let value = |setting: Setting| match setting {
        Setting::MaxConnections => (1..=100_000i64).prop_map(Value::Number).boxed(),
        Setting::WorkerThreads => (1..=10_000i64).prop_map(Value::Number).boxed(),
        Setting::SizingScale => (0.001..=1000.0).prop_map(Value::Factor).boxed(),
        Setting::Size(key) => {
            let limits = i64::from(*key.limits().start())..=i64::from(*key.limits().end());
            prop_oneof![limits, Just(-1)].prop_map(Value::Number).boxed()
        }
        Setting::StatementText => {
            prop::sample::select(vec![TextKept::Nothing, TextKept::Digest, TextKept::Whole])
                .prop_map(Value::Text)
                .boxed()
        }
        _ => any::<bool>().prop_map(Value::Switch).boxed(),
    };
    let setting = select(Setting::keys().collect::<Vec<_>>())
        .prop_flat_map(move |setting| value(setting).prop_map(move |value| (setting, value)));
    let consumers = btree_map(
        select(Consumer::ALL.map(|consumer| consumer.name().to_owned()).to_vec()),
        any::<bool>(),
        0..5,
    );
    let pattern = r"[a-z%?_:.\-][a-z/%?_ A-Z9\-]{0,12}[a-z%/?]";
    let rules = vec((pattern, select(&["ON", "off", "Counted", "CONTENDED", "1", "no"])), 0..4);
    (vec(setting, 0..8), consumers, rules).prop_map(|(settings, consumers, rules)| Config {
        language: StatementLanguage::default(),
        settings: settings.into_iter().collect(),
        consumers,
        instruments: rules.iter().map(|(pattern, value)| Given::new(pattern, value)).collect(),
        constant_step: None,
    })
}
