//! The configuration in environment variables.

use super::*;

fn env(variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
    Config::new().env_from(variables.iter().copied())
}

fn env_refused(name: &str, value: &str) -> String {
    env(&[(name, value)]).unwrap_err().to_string()
}

#[test]
fn the_environment_is_read_with_spaces_around_and_words_in_any_case() {
    let config = env(&[
        ("PFS", " off\n"),
        ("PFS_MAX_CONNECTIONS", " 50 "),
        ("PFS_WORKER_THREADS", "4"),
        ("PFS_SIZING_SCALE", "0.25"),
        ("PFS_STATEMENT_TEXT", "No"),
        ("PFS_MAX_MUTEX_INSTANCES", "Auto"),
        ("PFS_MAX_COND_INSTANCES", "-1"),
        ("PFS_MAX_RWLOCK_INSTANCES", "+0"),
        ("PFS_CONSUMER_EVENTS_WAITS_HISTORY_LONG", "1"),
        ("PFS_INSTRUMENT", " wait/% = counted ; stage/%=OFF,, statement/kv/mset get = ON ;"),
        ("HOME", "/"),
        ("PFSX", "not ours"),
        ("pfs_max_connections", "not ours"),
    ]);
    let expected = Config::new()
        .performance_schema(false)
        .max_connections(50)
        .worker_threads(4)
        .sizing_scale(0.25)
        .statement_text(false)
        .size(SizeKey::MaxMutexInstances, -1)
        .size(SizeKey::MaxCondInstances, Size::AUTO)
        .size(SizeKey::MaxRwlockInstances, 0)
        .consumer("events_waits_history_long", true)
        .instrument("wait/%", "counted")
        .instrument("stage/%", "OFF")
        .instrument("statement/kv/mset get", "ON");
    assert_eq!(config, Ok(expected));
    assert_eq!(env(&[("PFS_INSTRUMENT", "")]), Ok(Config::new()));
    assert_eq!(env(&[]), Ok(Config::new()));
}

#[test]
fn every_setting_has_a_variable_of_its_own() {
    for setting in Setting::all() {
        let value = match setting {
            Setting::PerformanceSchema | Setting::StatementText | Setting::Consumer(_) => "OFF",
            _ => "1",
        };
        let variable = setting.variable();
        let config = env(&[(&variable, value)]).unwrap();
        assert_eq!(config.to_env(), [(variable, value.to_owned())]);
        assert_ne!(config, Config::new());
    }
}

#[test]
fn a_wrong_variable_is_named_with_its_value_and_what_is_allowed() {
    for (name, value, message) in [
        ("PFS", "", "environment variable PFS = \"\": allowed are ON and OFF"),
        (
            "PFS_STATEMENT_TEXT",
            "on off",
            "environment variable PFS_STATEMENT_TEXT = \"on off\": allowed are ON, DIGEST and OFF",
        ),
        (
            "PFS_MAX_MUTEX_INSTANCES",
            "many",
            "environment variable PFS_MAX_MUTEX_INSTANCES = many: allowed are -1 (automatic) and 0 to 104857600",
        ),
        (
            "PFS_EVENTS_WAITS_HISTORY_SIZE",
            " 1025 ",
            "environment variable PFS_EVENTS_WAITS_HISTORY_SIZE = 1025: allowed are -1 (automatic) and 0 to 1024",
        ),
        (
            "PFS_MAX_STAGE_STACK",
            "99999999999999999999999999",
            "environment variable PFS_MAX_STAGE_STACK = 99999999999999999999999999: allowed are -1 (automatic) and 1 to 64",
        ),
        (
            "PFS_MAX_CONNECTIONS",
            "-1",
            "environment variable PFS_MAX_CONNECTIONS = -1: allowed are 1 to 100000",
        ),
        (
            "PFS_MAX_CONNECTIONS",
            "1.5",
            "environment variable PFS_MAX_CONNECTIONS = 1.5: allowed are 1 to 100000",
        ),
        ("PFS_SIZING_SCALE", "inf", "environment variable PFS_SIZING_SCALE = inf: allowed are 0.001 to 1000"),
        (
            "PFS_SIZING_SCALE",
            "\u{7}",
            "environment variable PFS_SIZING_SCALE = \"\\u{7}\": allowed are 0.001 to 1000",
        ),
        (
            "PFS_CONSUMER_EVENTS_WAITS_CURRENT",
            "2",
            "environment variable PFS_CONSUMER_EVENTS_WAITS_CURRENT = 2: allowed are ON and OFF",
        ),
        (
            "PFS_INSTRUMENT",
            "wait/%=ON,stage/%=SOMETIMES",
            "environment variable PFS_INSTRUMENT: instrument pattern `stage/%` = `SOMETIMES`: allowed are ON, OFF, \
             COUNTED and CONTENDED",
        ),
        (
            "PFS_INSTRUMENT",
            "wait/%",
            "environment variable PFS_INSTRUMENT: instrument rule `wait/%` has no `=`: allowed is pattern=VALUE, the \
             value ON, OFF, COUNTED or CONTENDED",
        ),
        (
            "PFS_INSTRUMENT",
            r"wait/\=ON",
            "environment variable PFS_INSTRUMENT: instrument pattern `wait/\\`: the pattern ends in a `\\` that escapes \
             nothing; write `\\\\` for the character itself",
        ),
        (
            "PFS_INSTRUMENT",
            "wait/*=ON",
            "environment variable PFS_INSTRUMENT: instrument pattern `wait/*`: `*` is in no instrument's name; allowed \
             are letters, digits, `_ : . -`, spaces and `/`, with `%` for any run of characters and `?` for one",
        ),
        (
            "PFS_INSTRUMENT",
            "wait/%=ON=OFF",
            "environment variable PFS_INSTRUMENT: instrument pattern `wait/%=ON`: `=` is in no instrument's name; \
             allowed are letters, digits, `_ : . -`, spaces and `/`, with `%` for any run of characters and `?` for one",
        ),
        (
            "PFS_INSTRUMENT",
            "wait/\u{7}%=ON",
            "environment variable PFS_INSTRUMENT: instrument pattern `wait/\\u{7}%`: `\\u{7}` is in no instrument's \
             name; allowed are letters, digits, `_ : . -`, spaces and `/`, with `%` for any run of characters and `?` \
             for one",
        ),
    ] {
        assert_eq!(env_refused(name, value), message);
    }
    let long = env_refused("PFS_INSTRUMENT", &format!("{}=2", "%".repeat(1000)));
    let shown = "%".repeat(128);
    assert_eq!(
        long,
        format!(
            "environment variable PFS_INSTRUMENT: instrument pattern `{shown}…` = `2`: allowed are ON, OFF, COUNTED and \
             CONTENDED"
        )
    );
    let long = env_refused("PFS", &"x".repeat(1000));
    assert_eq!(long, format!("environment variable PFS = {}…: allowed are ON and OFF", "x".repeat(60)));
}

#[test]
fn an_unknown_variable_tells_the_nearest_and_what_there_is() {
    let allowed = ": allowed are PFS, PFS_INSTRUMENT, PFS_CONSUMER_ with a consumer's name, and PFS_ with MAX_CONNECTIONS, \
                   WORKER_THREADS, SIZING_SCALE, STATEMENT_TEXT, ACCOUNTS_SIZE, ";
    for (name, nearest) in [
        ("PFS_MAX_MUTEX_INSTANCE", " (did you mean `PFS_MAX_MUTEX_INSTANCES`?)"),
        ("PFS_max_mutex_instances", " (did you mean `PFS_MAX_MUTEX_INSTANCES`?)"),
        ("PFS_INSTRUMENTS", " (did you mean `PFS_INSTRUMENT`?)"),
        ("PFS_CONSUMER_WAITS_CURRENT", " (did you mean `PFS_CONSUMER_EVENTS_WAITS_CURRENT`?)"),
        ("PFS_", " (did you mean `PFS`?)"),
        ("PFS_PERFORMANCE_SCHEMA", " (did you mean `PFS`?)"),
        ("PFS_PERFORMANCE_SCHEMA_MAX_MUTEX_INSTANCES", " (did you mean `PFS_MAX_MUTEX_INSTANCES`?)"),
        ("PFS_COLOUR", ""),
    ] {
        let message = env_refused(name, "1");
        let begin = format!("there is no environment variable {name}{nearest}{allowed}");
        assert!(message.starts_with(&begin), "{message}");
    }
}

#[test]
fn the_first_wrong_variable_by_name_is_told() {
    let wrong = [("PFS_WORKER_THREADS", "x"), ("PFS_MAX_CONNECTIONS", "x"), ("PFS_ZZZ", "x")];
    let message = env(&wrong).unwrap_err().to_string();
    assert!(message.starts_with("environment variable PFS_MAX_CONNECTIONS = x"), "{message}");
}

#[cfg(unix)]
#[test]
fn what_is_not_utf_8_is_an_error() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let read = |name: &[u8], value: &[u8]| {
        Config::new()
            .env_from([(OsStr::from_bytes(name), OsStr::from_bytes(value))])
            .map_err(|error| error.to_string())
    };
    assert_eq!(
        read(b"PFS_MAX_CONNECTIONS", b"5\xff0"),
        Err("environment variable PFS_MAX_CONNECTIONS = \"5\u{fffd}0\": allowed is text in UTF-8".to_owned())
    );
    let message = read(b"PFS_\xff", b"1").unwrap_err();
    assert!(
        message.starts_with("there is no environment variable \"PFS_\u{fffd}\" (did you mean"),
        "{message}"
    );
    assert_eq!(read(b"X\xff", b"\xff"), Ok(Config::new()));
}

proptest! {
    #[test]
    fn variables_give_the_same_configuration(config in any_config()) {
        prop_assert!(config.check().is_ok());
        prop_assert_eq!(Config::new().env_from(config.to_env()), Ok(config));
    }

    #[test]
    fn any_variable_is_read_or_refused(
        name in "PFS(_[A-Z_]{0,12})?|PFS_(MAX_CONNECTIONS|INSTRUMENT|SIZING_SCALE|CONSUMER_GLOBAL_INSTRUMENTATION)",
        value in any::<String>(),
    ) {
        let _ = env(&[(&name, &value)]);
    }
}
