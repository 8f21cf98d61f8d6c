//! What kv keeps when it is killed.

mod harness;

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::thread;
use std::time::Duration;

use harness::Server;

#[test]
fn what_was_answered_is_there_after_a_crash() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::in_dir(dir.path());
    assert!(server.greeting.contains(", 0 records in "), "{}", server.greeting);
    let mut client = server.client();
    for line in [
        "SET s old",
        "SET s new",
        "MSET a 1 b 2",
        "DEL b",
        "INCR n",
        "INCR n",
        "LPUSH l x y z",
        "LPOP l",
        "SET long v EX 1000",
        "SET short v PX 100",
        "LPUSH gone x",
        "LPOP gone 5",
        "SET was:list v",
        "DEL was:list",
        "LPUSH was:list x",
    ] {
        client.say(line);
    }
    // Neither of these changes anything, so neither is in the log.
    client.say("DEL nothing");
    client.say("LPUSH s x");
    server.kill();
    thread::sleep(Duration::from_millis(120));

    let server = Server::in_dir(dir.path());
    assert!(server.greeting.contains(", 15 records in "), "{}", server.greeting);
    let mut client = server.client();
    assert_eq!(client.say("MGET s a b n long short"), "[\"new\", \"1\", nil, \"2\", \"v\", nil]");
    assert_eq!(client.say("LPOP l 5"), "[\"y\", \"x\"]");
    assert_eq!(client.say("LPOP was:list 5"), "[\"x\"]");
    assert_eq!(client.say("LPOP gone"), "nil");
    assert_eq!(server.signal("TERM"), Some(0));

    let server = Server::in_dir(dir.path());
    assert!(server.greeting.contains(", 17 records in "), "{}", server.greeting);
    assert_eq!(server.client().say("LPOP l"), "nil");
}

#[test]
fn databases_and_both_ends_of_lists_are_there_after_a_crash() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::in_dir(dir.path());
    let mut client = server.client();
    for line in [
        "SET flushed v",
        "SELECT 9",
        "RPUSH flushed x",
        "FLUSHALL",
        "SET k nine",
        "RPUSH l c d e f",
        "LPUSH l b a",
        "RPOP l 2",
        "LPOP l",
        "SELECT 15",
        "MSET k fifteen j x",
        "DEL j",
        "INCR n",
        "SET short v PX 100",
        "SELECT 0",
        "RPUSH k zero",
    ] {
        client.say(line);
    }
    // Nothing of these is in the log.
    for line in ["RPOP nothing", "EXISTS k", "LRANGE k 0 -1", "SELECT 3", "RPOP k 0", "SELECT 99"] {
        client.say(line);
    }
    server.kill();
    thread::sleep(Duration::from_millis(120));

    let server = Server::in_dir(dir.path());
    assert!(server.greeting.contains(", 13 records in "), "{}", server.greeting);
    let mut client = server.client();
    for (line, expected) in [
        ("DBSIZE", ":1"),
        ("LRANGE k 0 -1", "[\"zero\"]"),
        ("SELECT 9", "+OK"),
        ("DBSIZE", ":2"),
        ("LRANGE l 0 -1", "[\"b\", \"c\", \"d\"]"),
        ("GET k", "\"nine\""),
        ("SELECT 15", "+OK"),
        ("MGET k j n short", "[\"fifteen\", nil, \"1\", nil]"),
        ("FLUSHALL", "+OK"),
        // There was nothing left to flush.
        ("FLUSHALL", "+OK"),
    ] {
        assert_eq!(client.say(line), expected, "{line}");
    }
    server.kill();
    let server = Server::in_dir(dir.path());
    assert!(server.greeting.contains(", 14 records in "), "{}", server.greeting);
    assert!(server.client().say("INFO keyspace").contains("keys:0\\r\\n"));
}

#[test]
fn a_log_of_another_version_is_replayed_or_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("kv.log");
    Server::in_dir(dir.path()).client().say("SET k v");
    let mut bytes = fs::read(&path).unwrap();
    assert_eq!(&bytes[..8], b"kvlog 2\n");
    bytes[6] = b'1';
    fs::write(&path, &bytes).unwrap();
    let server = Server::in_dir(dir.path());
    assert_eq!(server.client().say("GET k"), "\"v\"");
    server.kill();
    bytes[6] = b'3';
    fs::write(&path, &bytes).unwrap();
    let arguments = ["serve", "--port", "0", "--dir", dir.path().to_str().unwrap()];
    let output = std::process::Command::new(harness::KV).args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    let path = path.display();
    let expected = "a log of version 3; this server reads versions 1 and 2";
    assert_eq!(error, format!("kv: --dir: cannot open the log: {path}: {expected}\n"));
}

#[test]
fn a_torn_tail_is_cut_off() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::in_dir(dir.path());
    server.client().say("SET k v");
    server.kill();
    let log = dir.path().join("kv.log");
    let whole = fs::metadata(&log).unwrap().len();
    OpenOptions::new().append(true).open(&log).unwrap().write_all(&[7; 100]).unwrap();
    let server = Server::in_dir(dir.path());
    assert_eq!(fs::metadata(&log).unwrap().len(), whole);
    let mut client = server.client();
    assert_eq!(client.say("GET k"), "\"v\"");
    assert_eq!(client.say("SET k w"), "+OK");
    server.kill();
    assert_eq!(Server::in_dir(dir.path()).client().say("GET k"), "\"w\"");
}

#[test]
fn writers_of_many_connections_share_the_log() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::in_dir(dir.path());
    thread::scope(|scope| {
        for writer in 0..8 {
            let mut client = server.client();
            scope.spawn(move || {
                for number in 0..100 {
                    assert_eq!(client.say(&format!("SET k:{writer}:{number} {number}")), "+OK");
                    client.say("INCR all");
                }
            });
        }
    });
    server.kill();
    let server = Server::in_dir(dir.path());
    assert!(server.greeting.contains(", 1600 records in "), "{}", server.greeting);
    let mut client = server.client();
    assert_eq!(client.say("GET all"), "\"800\"");
    assert_eq!(client.say("DBSIZE"), ":801");
    assert_eq!(client.say("GET k:7:99"), "\"99\"");
}

#[test]
fn two_servers_do_not_share_a_log() {
    let dir = tempfile::tempdir().unwrap();
    let _server = Server::in_dir(dir.path());
    let dir = dir.path().to_str().unwrap();
    let output = std::process::Command::new(harness::KV)
        .args(["serve", "--port", "0", "--dir", dir])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error, format!("kv: --dir: cannot open the log: {dir}/kv.log: in use by another server\n"));
}

#[test]
#[cfg(unix)]
fn a_folder_that_cannot_be_is_named_once() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let below = file.join("below").to_str().unwrap().to_owned();
    for arguments in [&["serve", "--port", "0"][..], &["bench"]] {
        let output =
            std::process::Command::new(harness::KV).args(arguments).args(["--dir", &below]).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            error,
            format!("kv: --dir: cannot open the log: {below}: Not a directory (os error 20)\n")
        );
    }
}
