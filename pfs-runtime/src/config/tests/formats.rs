//! The configuration in formats of serde.

use super::*;

fn json(text: &str) -> Result<Config, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

#[test]
fn only_what_is_set_is_written() {
    let written = |config: &Config| serde_json::to_string(config).unwrap();
    assert_eq!(written(&Config::new()), "{}");
    let config = Config::new()
        .consumer("events_waits_current", true)
        .size(SizeKey::MaxMutexInstances, Size::AUTO)
        .sizing_scale(0.5)
        .statement_text(false)
        .instrument("wait/%", "ON");
    assert_eq!(
        written(&config),
        r#"{"sizing_scale":0.5,"statement_text":"OFF","max_mutex_instances":-1,"instruments":["wait/%=ON"],"consumers":{"events_waits_current":true}}"#
    );
}

#[test]
fn a_program_s_own_file_can_have_it_in_a_part() {
    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Own {
        port: u16,
        pfs: Config,
    }
    let own: Own = toml::from_str(
        "port = 6379\n[pfs]\nmax_connections = 9\n[pfs.consumers]\nevents_waits_current = 'ON'",
    )
    .unwrap();
    assert_eq!(
        (own.port, own.pfs),
        (6379, Config::new().max_connections(9).consumer("events_waits_current", true))
    );
    let wrong = toml::from_str::<Own>("port = 6379\n[pfs]\nmax_connections = 0\n").err().unwrap().to_string();
    assert!(wrong.contains("max_connections = 0: allowed are 1 to 100000"), "{wrong}");
}

#[test]
fn unknown_keys_and_wrong_values_are_refused() {
    for (text, message) in [
        (
            r#"{"max_connection": 5}"#,
            "there is no key `max_connection` (did you mean `max_connections`?): allowed are instruments,",
        ),
        (r#"{"max_connections": 0}"#, "max_connections = 0: allowed are 1 to 100000"),
        (
            r#"{"max_connections": null}"#,
            "invalid type: null, expected ON, OFF, a number or a text for `max_connections`",
        ),
        (r#"{"sizing_scale": 1e9}"#, "sizing_scale = 1000000000: allowed are 0.001 to 1000"),
        (r#"{"consumers": {"all": true}}"#, "there is no consumer `all`: allowed are "),
        (r#"{"consumers": {"events_waits_current": 7}}"#, "events_waits_current = 7: allowed are ON and OFF"),
        (
            r#"{"consumers": ["all"]}"#,
            "invalid type: sequence, expected a table of consumers, each ON or OFF",
        ),
        (
            r#"{"instruments": "wait/%=ON"}"#,
            "invalid type: string \"wait/%=ON\", expected a list of texts, each pattern=VALUE",
        ),
        (
            r#"{"consumers": {"events_waits_current": [1]}}"#,
            "invalid type: sequence, expected ON, OFF, a number or a text for `events_waits_current`",
        ),
        (r#"{"instruments": [1]}"#, "instrument rule `1` has no `=`: "),
        (
            r#"{"instruments": [null]}"#,
            "invalid type: null, expected ON, OFF, a number or a text for `instruments`",
        ),
        (
            r#"{"max_connections": 5, "max_connections": 5}"#,
            "`max_connections` is given twice: allowed is once",
        ),
        (r#"{"instruments": [], "instruments": []}"#, "`instruments` is given twice: allowed is once"),
        (
            r#"{"consumers": {"events_waits_current": true, "events_waits_current": false}}"#,
            "`events_waits_current` is given twice: allowed is once",
        ),
        (
            r#"{"events_waits_current": true}"#,
            "there is no key `events_waits_current` (did you mean `consumers.events_waits_current`?)",
        ),
        (r#"{"instruments": ["wait/%"]}"#, "instrument rule `wait/%` has no `=`: "),
        ("[]", "invalid type: sequence, expected the settings of pfs"),
    ] {
        let error = json(text).unwrap_err();
        assert!(error.starts_with(message), "{text}: {error}");
    }
}

proptest! {
    #[test]
    fn formats_give_the_same_configuration(config in any_config()) {
        prop_assert_eq!(json(&serde_json::to_string(&config).unwrap()), Ok(config.clone()));
        let written = toml::to_string(&config).unwrap();
        prop_assert_eq!(&toml::from_str::<Config>(&written).unwrap(), &config);
        prop_assert_eq!(Config::new().toml(&written), Ok(config));
    }
}
