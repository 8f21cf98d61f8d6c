//! The configuration in a file.

use super::*;
use crate::class::{Class, Kind};

fn toml(text: &str) -> Result<Config, String> {
    Config::new().toml(text).map_err(|error| error.to_string())
}

#[test]
fn the_example_of_the_guide_is_read_and_has_every_setting_that_is_no_size() {
    let example = GUIDE.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let expected = Config::new()
        .performance_schema(true)
        .max_connections(200)
        .worker_threads(8)
        .sizing_scale(1.0)
        .statement_text(false)
        .size(SizeKey::MaxMutexInstances, 5000)
        .size(SizeKey::MaxThreadInstances, Size::AUTO)
        .size(SizeKey::EventsWaitsHistorySize, 0)
        .instrument("wait/synch/mutex/%", "ON")
        .instrument("wait/synch/mutex/kv/%", "CONTENDED")
        .instrument("stage/%", "OFF")
        .consumer("events_waits_current", true)
        .consumer("events_waits_history_long", true);
    assert_eq!(toml(example), Ok(expected));
    for setting in Setting::keys().filter(|setting| !matches!(setting, Setting::Size(_))) {
        assert!(example.contains(setting.name()), "{}", setting.name());
    }
}

#[test]
fn numbers_and_switches_in_every_way_that_toml_writes_them() {
    let config = toml(
        "max_connections = 1_000\nmax_mutex_instances = 0x10\nmax_cond_instances = '7'\nsizing_scale = 5e-1\n\
         performance_schema = false\nstatement_text = 'Yes'\nconsumers.events_stages_current = 'off'\n",
    );
    let expected = Config::new()
        .max_connections(1000)
        .size(SizeKey::MaxMutexInstances, 16)
        .size(SizeKey::MaxCondInstances, 7)
        .sizing_scale(0.5)
        .performance_schema(false)
        .statement_text(true)
        .consumer("events_stages_current", false);
    assert_eq!(config, Ok(expected));
    assert_eq!(toml(""), Ok(Config::new()));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    for (text, message) in [
        (
            "# sizes\n\nmax_mutex_instances = 'many'",
            "line 3: max_mutex_instances = many: allowed are -1 (automatic) and 0 to 104857600",
        ),
        ("max_connections = [1,\n2]", "line 1: max_connections = \"[1,\\n2]\": allowed are 1 to 100000"),
        ("max_connections = 2.5", "line 1: max_connections = 2.5: allowed are 1 to 100000"),
        (
            "statement_text = 1979-05-27",
            "line 1: statement_text = 1979-05-27: allowed are ON, DIGEST and OFF",
        ),
        (
            "max_stage_stack = 99999999999999999999",
            "line 1: max_stage_stack = 99999999999999999999: allowed are -1 (automatic) and 1 to 64",
        ),
        (
            "max_connections = 5\n[consumers]\nevents_waits_current = 'maybe'",
            "line 3: events_waits_current = maybe: allowed are ON and OFF",
        ),
        ("\nconsumers = 3", "line 2: consumers = 3: allowed is a table of consumers, each ON or OFF"),
        (
            "instruments = 'wait/%=ON'",
            "line 1: instruments = wait/%=ON: allowed is a list of texts, each pattern=VALUE",
        ),
        (
            "instruments = [\n 'wait/%=ON',\n 7]",
            "line 3: instruments = 7: allowed is a list of texts, each pattern=VALUE",
        ),
        (
            "instruments = [\n 'wait/%=ON',\n 'stage/%=2']",
            "line 3: instrument pattern `stage/%` = `2`: allowed are ON, OFF, COUNTED and CONTENDED",
        ),
        // Tables, where no table belongs.
        ("\n[max_connections]\nx = 1", "line 2: max_connections = \"a table\": allowed are 1 to 100000"),
        ("max_connections.x = 5", "line 1: max_connections = \"a table\": allowed are 1 to 100000"),
        ("max_connections = { x = 5 }", "line 1: max_connections = \"{ x = 5 }\": allowed are 1 to 100000"),
        (
            "[[instruments]]\nx = 1",
            "line 1: instruments = \"a table\": allowed is a list of texts, each pattern=VALUE",
        ),
        (
            "[[worker_threads]]\nx = 1",
            "line 1: worker_threads = \"a list of tables\": allowed are 1 to 10000",
        ),
        (
            "instruments = [[['wait/%=ON']]]",
            "line 1: instruments = [['wait/%=ON']]: allowed is a list of texts, each pattern=VALUE",
        ),
        (
            "[consumers.events_waits_current]\non = true",
            "line 1: events_waits_current = \"a table\": allowed are ON and OFF",
        ),
        // The first in the file, whatever the names' order.
        ("worker_threads = 0\nmax_connections = 0", "line 1: worker_threads = 0: allowed are 1 to 10000"),
    ] {
        assert_eq!(toml(text), Err(message.to_owned()), "{text}");
    }
    let error = toml("max_connections = 5\n\nmax_conections = 6").unwrap_err();
    assert!(
        error.starts_with(&format!(
            "line 3: there is no key `max_conections` (did you mean `max_connections`?): allowed are instruments, \
             consumers, {KEYS}"
        )),
        "{error}"
    );
    let error = toml("[consumers]\nevents_waits_curent = true").unwrap_err();
    assert!(
        error.starts_with(
            "line 2: there is no consumer `events_waits_curent` (did you mean `events_waits_current`?): allowed are "
        ),
        "{error}"
    );
    // A key that stands elsewhere, and one that the reference calls otherwise.
    for (key, meant) in [
        ("events_waits_current", "consumers.events_waits_current"),
        ("performance_schema_max_mutex_instances", "max_mutex_instances"),
        ("Performance_Schema_Consumers", "consumers"),
    ] {
        let error = toml(&format!("{key} = 1")).unwrap_err();
        let begin = format!("line 1: there is no key `{key}` (did you mean `{meant}`?): allowed are ");
        assert!(error.starts_with(&begin), "{error}");
    }
    let error = toml("\"max\\nconnections\" = 1").unwrap_err();
    assert!(error.starts_with("line 1: there is no key `max\\nconnections` (did you mean"), "{error}");
    // What toml itself refuses.
    let error = toml("max_connections = 5\nmax_connections = 6").unwrap_err();
    assert!(error.starts_with("line 2: this is no TOML: "), "{error}");
    let error = toml("max_connections 5").unwrap_err();
    assert!(error.starts_with("line 1: this is no TOML: "), "{error}");
}

#[test]
fn a_rule_that_only_the_program_refuses_is_told_with_its_line_too() {
    let config = Config::new().toml("instruments = [\n 'wait/%=ON',\n 'stage/none=ON']").unwrap();
    let class: &'static Class =
        Box::leak(Box::new(Class::new(Kind::Mutex, "wait/synch/mutex/kv/LOCK_index", "src/x.rs", 1)));
    let error = config.checked().unwrap().matches(&Instruments::of([class])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 3: instrument pattern `stage/none` matches no instrument of this program: patterns are of whole names, \
         `wait/synch/mutex/…`; see setup_instruments"
    );
}

#[test]
fn a_file_is_named() {
    let folder = std::env::temp_dir().join(format!("pfs-config-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("pfs.toml");
    std::fs::write(&path, "max_connections = 50\n").unwrap();
    assert_eq!(Config::from_file(&path), Ok(Config::new().max_connections(50)));
    let over = Config::new().max_connections(7).worker_threads(3).file(&path).unwrap();
    assert_eq!(over, Config::new().max_connections(50).worker_threads(3));

    std::fs::write(&path, "\nsizing_scale = 0\n").unwrap();
    let message = Config::from_file(&path).unwrap_err().to_string();
    assert_eq!(message, format!("{}, line 2: sizing_scale = 0: allowed are 0.001 to 1000", path.display()));

    std::fs::write(&path, b"max_connections = 5\n# \xff\n").unwrap();
    let message = Config::from_file(&path).unwrap_err().to_string();
    assert_eq!(message, format!("{}, line 2: this is no TOML: allowed is text in UTF-8", path.display()));
    std::fs::remove_dir_all(&folder).unwrap();
    for (path, shown) in [("", "\"\""), ("/no\0such", "\"/no\\0such\""), ("/no such ", "\"/no such \"")] {
        let message = Config::from_file(path).unwrap_err().to_string();
        assert!(message.starts_with(&format!("cannot read {shown}: ")), "{message}");
    }
    let error = Config::from_file(&path).unwrap_err();
    assert!(
        matches!(&error, ConfigError::Read { kind: std::io::ErrorKind::NotFound, path: named, .. } if *named == path)
    );
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        let _ = toml(&text);
    }

    #[test]
    fn any_value_of_a_key_is_read_or_refused(key in "[a-z]{3}_[a-z]{4}|max_connections|consumers|instruments", value in r#"[0-9a-z"'{}\[\]=., ]{0,16}"#) {
        let _ = toml(&format!("{key} = {value}"));
    }
}
