//! The settings of pfs that whoever runs kv chooses: by flag, by environment, by file.

mod harness;

use std::process::Command;

use harness::{KV, Server};

/// A variable of a running server's schema.
fn size(server: &Server, name: &str) -> String {
    let rows = server.client().table("global_variables");
    let name = format!("performance_schema_{name}");
    let row = rows.iter().find(|row| row["variable_name"] == name.as_str()).unwrap();
    row["variable_value"].as_str().unwrap().to_owned()
}

fn file(text: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    file
}

#[test]
fn each_way_sets_and_the_nearer_one_wins() {
    let plain = Server::start();
    let config = file("max_mutex_instances = 77\nmax_cond_instances = 55\nsizing_scale = 0.5");
    let path = config.path().to_str().unwrap();
    let by_file = Server::with(&["--config", path]);
    assert_eq!(size(&by_file, "max_mutex_instances"), "77");
    let threads = |server: &Server| size(server, "max_thread_instances").parse::<u32>().unwrap();
    // Rounded, halves up.
    assert_eq!(threads(&by_file), threads(&plain).div_ceil(2));

    let variables = [("PFS_MAX_COND_INSTANCES", "44"), ("PFS_CONSUMER_EVENTS_WAITS_CURRENT", "on")];
    let by_both = Server::with_env(&["--config", path], &variables);
    assert_eq!(size(&by_both, "max_mutex_instances"), "77");
    assert_eq!(size(&by_both, "max_cond_instances"), "44");
    let consumers = by_both.client().table("setup_consumers");
    let waits = consumers.iter().find(|row| row["name"] == "events_waits_current").unwrap();
    assert_eq!(waits["enabled"], "YES");

    let by_all = Server::with_env(&["--config", path, "--sizing-scale", "0.1"], &[("PFS_SIZING_SCALE", "2")]);
    assert_eq!(size(&by_all, "max_mutex_instances"), "77");
    assert_eq!(threads(&by_all), (threads(&plain) + 5) / 10);
}

#[test]
fn more_clients_than_the_schema_is_set_to_are_served() {
    let server = Server::with_env(&[], &[("PFS_MAX_THREAD_INSTANCES", "1")]);
    let mut clients = [server.client(), server.client()];
    assert_eq!(clients.each_mut().map(|client| client.say("PING")), ["+PONG", "+PONG"]);
    assert_eq!(clients[0].statements("ping"), (2, 0));
}

#[test]
fn what_is_wrong_is_told_as_pfs_tells_it_and_nothing_starts() {
    let config = file("\nmax_connections = 0\n");
    let broken = file("= 5");
    let path = |file: &tempfile::NamedTempFile| file.path().to_str().unwrap().to_owned();
    for action in [&["serve", "--port", "0"][..], &["bench", "--seconds", "1"]] {
        for (flags, variable, expected) in [
            (
                vec!["--sizing-scale".to_owned(), "0".to_owned()],
                None,
                "error: invalid value '0' for '--sizing-scale <FACTOR>': sizing_scale = 0: allowed are 0.001 to 1000\n"
                    .to_owned(),
            ),
            (
                vec!["--sizing-scale".to_owned(), "small".to_owned()],
                None,
                "error: invalid value 'small' for '--sizing-scale <FACTOR>': a number is wanted\n".to_owned(),
            ),
            (
                vec!["--config".to_owned(), path(&config)],
                None,
                format!("kv: {}, line 2: max_connections = 0: allowed are 1 to 100000\n", path(&config)),
            ),
            (
                vec!["--config".to_owned(), path(&broken)],
                None,
                format!("kv: {}, line 1: this is no TOML: ", path(&broken)),
            ),
            (
                vec!["--config".to_owned(), "/nowhere/pfs.toml".to_owned()],
                None,
                "kv: cannot read /nowhere/pfs.toml: ".to_owned(),
            ),
            (
                Vec::new(),
                Some(("PFS_MAX_CONNECTIONS", "many")),
                "kv: environment variable PFS_MAX_CONNECTIONS = many: allowed are 1 to 100000\n".to_owned(),
            ),
            (
                Vec::new(),
                Some(("PFS_MAX_CONECTIONS", "9")),
                "kv: there is no environment variable PFS_MAX_CONECTIONS (did you mean `PFS_MAX_CONNECTIONS`?)"
                    .to_owned(),
            ),
            (
                Vec::new(),
                // Only the instruments that there are can tell.
                Some(("PFS_INSTRUMENT", "wait/synch/mutex/kv/LOCK_lgo=ON")),
                "kv: environment variable PFS_INSTRUMENT: instrument pattern `wait/synch/mutex/kv/LOCK_lgo` matches no \
                 instrument of this program"
                    .to_owned(),
            ),
        ] {
            let output = Command::new(KV).args(action).args(flags).envs(variable).output().unwrap();
            let error = String::from_utf8(output.stderr).unwrap();
            assert!(error.starts_with(&expected), "{error}");
            assert_eq!(output.status.code(), Some(2), "{error}");
            assert!(output.stdout.is_empty());
        }
    }
}

#[test]
fn help_says_how_to_set() {
    for action in ["serve", "bench"] {
        let output = Command::new(KV).args([action, "--help"]).output().unwrap();
        let help = String::from_utf8(output.stdout).unwrap();
        for part in ["--sizing-scale <FACTOR>", "--config <FILE>", "PFS_INSTRUMENT='stage/%=OFF'", "PFS=OFF"]
        {
            assert!(help.contains(part), "{part} in {help}");
        }
    }
}
