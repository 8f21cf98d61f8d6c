//! Every command of kv, over a socket.

mod harness;

use std::thread;
use std::time::{Duration, Instant};

use harness::{Client, Server, request};

/// Lines and the replies that they must have, in order.
fn dialogue(client: &mut Client, lines: &[(&str, &str)]) {
    for (line, expected) in lines {
        assert_eq!(client.say(line), *expected, "{line}");
    }
}

#[test]
fn strings() {
    let server = Server::start();
    dialogue(
        &mut server.client(),
        &[
            ("PING", "+PONG"),
            ("ping hello", "\"hello\""),
            ("ECHO hello", "\"hello\""),
            ("GET k", "nil"),
            ("SET k v", "+OK"),
            ("get k", "\"v\""),
            ("SET k w", "+OK"),
            ("GET k", "\"w\""),
            ("DBSIZE", ":1"),
            ("DEL k k nothing", ":1"),
            ("DEL k", ":0"),
            ("GET k", "nil"),
            ("MSET a 1 b 2 a 3", "+OK"),
            ("MGET a b c a", "[\"3\", \"2\", nil, \"3\"]"),
            ("DBSIZE", ":2"),
            ("EXISTS a", ":1"),
            ("EXISTS a b c a", ":3"),
            ("DEL a b c", ":2"),
            ("EXISTS a b", ":0"),
            ("DBSIZE", ":0"),
        ],
    );
}

#[test]
fn bytes_of_any_kind_and_size_come_back() {
    let server = Server::start();
    let mut client = server.client();
    assert_eq!(client.ask([&b"SET"[..], b"\0\r\n\xff", b""]), "+OK");
    assert_eq!(client.ask([&b"GET"[..], b"\0\r\n\xff"]), "\"\"");
    assert_eq!(client.ask([&b"SET"[..], b"", b"empty key"]), "+OK");
    assert_eq!(client.ask([&b"GET"[..], b""]), "\"empty key\"");
    let large = "x".repeat(5_000_000);
    assert_eq!(client.ask(["SET", "large", &large]), "+OK");
    assert!(client.ask(["GET", "large"]) == format!("\"{large}\""));
    assert_eq!(client.say("DEL large"), ":1");
}

#[test]
fn numbers() {
    let server = Server::start();
    dialogue(
        &mut server.client(),
        &[
            ("INCR n", ":1"),
            ("INCR n", ":2"),
            ("GET n", "\"2\""),
            ("SET n -1", "+OK"),
            ("INCR n", ":0"),
            ("SET n 9223372036854775807", "+OK"),
            ("INCR n", "-ERR increment or decrement would overflow"),
            ("GET n", "\"9223372036854775807\""),
            ("SET n 01", "+OK"),
            ("INCR n", "-ERR value is not an integer or out of range"),
            ("SET n +1", "+OK"),
            ("INCR n", "-ERR value is not an integer or out of range"),
            ("SET n 9223372036854775808", "+OK"),
            ("INCR n", "-ERR value is not an integer or out of range"),
        ],
    );
}

#[test]
fn lists() {
    let server = Server::start();
    dialogue(
        &mut server.client(),
        &[
            ("LPOP l", "nil"),
            ("LPOP l 2", "nil"),
            ("LPUSH l a", ":1"),
            ("LPUSH l b c", ":3"),
            ("LPOP l", "\"c\""),
            ("LPOP l 0", "[]"),
            ("LPOP l 5", "[\"b\", \"a\"]"),
            ("DBSIZE", ":0"),
            ("LPUSH l a", ":1"),
            ("LPOP l -1", "-ERR value is out of range, must be positive"),
            ("LPOP l x", "-ERR value is out of range, must be positive"),
            ("DEL l", ":1"),
            ("RPOP l", "nil"),
            ("RPOP l 2", "nil"),
            ("RPUSH l a", ":1"),
            ("RPUSH l b c", ":3"),
            ("LPUSH l z", ":4"),
            ("EXISTS l", ":1"),
            ("RPOP l", "\"c\""),
            ("RPOP l 0", "[]"),
            ("RPOP l 2", "[\"b\", \"a\"]"),
            ("LPOP l", "\"z\""),
            ("EXISTS l", ":0"),
            ("RPOP l -1", "-ERR value is out of range, must be positive"),
            ("RPOP l x", "-ERR value is out of range, must be positive"),
        ],
    );
}

#[test]
fn ranges_of_a_list() {
    let server = Server::start();
    let no_integer = "-ERR value is not an integer or out of range";
    dialogue(
        &mut server.client(),
        &[
            ("RPUSH l a b c d", ":4"),
            ("LRANGE l 0 -1", "[\"a\", \"b\", \"c\", \"d\"]"),
            ("LRANGE l 1 2", "[\"b\", \"c\"]"),
            ("LRANGE l -2 -1", "[\"c\", \"d\"]"),
            ("LRANGE l -100 0", "[\"a\"]"),
            ("LRANGE l 3 100", "[\"d\"]"),
            ("LRANGE l 4 5", "[]"),
            ("LRANGE l 2 1", "[]"),
            ("LRANGE l -1 -2", "[]"),
            ("LRANGE l 0 -100", "[]"),
            ("LRANGE l -9223372036854775808 9223372036854775807", "[\"a\", \"b\", \"c\", \"d\"]"),
            ("LRANGE nothing 0 -1", "[]"),
            ("LRANGE l x 1", no_integer),
            ("LRANGE nothing 0 01", no_integer),
            ("LRANGE l -9223372036854775809 1", no_integer),
        ],
    );
}

#[test]
fn databases() {
    let server = Server::start();
    let mut client = server.client();
    let no_database = "-ERR DB index is out of range";
    let no_integer = "-ERR value is not an integer or out of range";
    let no_int = "-ERR value is out of range, value must between -2147483648 and 2147483647";
    dialogue(
        &mut client,
        &[
            ("SET k zero", "+OK"),
            ("SELECT 0", "+OK"),
            ("GET k", "\"zero\""),
            ("SELECT 15", "+OK"),
            ("EXISTS k", ":0"),
            ("DBSIZE", ":0"),
            ("MSET k fifteen j x", "+OK"),
            ("SET gone v EX 100", "+OK"),
            ("DEL gone", ":1"),
            ("SET expiring v EX 100", "+OK"),
            ("RPUSH l x", ":1"),
            ("DBSIZE", ":4"),
            ("SELECT 16", no_database),
            ("SELECT -1", no_database),
            ("SELECT 2147483647", no_database),
            ("SELECT 2147483648", no_int),
            ("SELECT -9223372036854775808", no_int),
            ("SELECT x", no_integer),
            ("SELECT 01", no_integer),
            ("SELECT 99999999999999999999", no_integer),
            // Where it was.
            ("MGET k j", "[\"fifteen\", \"x\"]"),
        ],
    );
    // What another connection selected is its own affair.
    dialogue(&mut server.client(), &[("GET k", "\"zero\""), ("DBSIZE", ":1"), ("EXISTS j l", ":0")]);
    let keyspace = "# Keyspace\\r\\nkeys:5\\r\\nshards:16\\r\\n\
                    db0:keys=1,expires=0\\r\\ndb15:keys=4,expires=1\\r\\n";
    assert_eq!(client.say("INFO keyspace"), format!("\"{keyspace}\""));
    assert_eq!(client.statements("select"), (10, 8));
}

#[test]
fn flushing_empties_every_database() {
    let server = Server::start();
    let (mut client, mut other) = (server.client(), server.client());
    let syntax =
        |found| format!("-ERR syntax error: '{found}' in 'flushall' command, which takes ASYNC or SYNC");
    for flush in ["FLUSHALL", "flushall sync", "FLUSHALL ASYNC"] {
        dialogue(&mut client, &[("SELECT 3", "+OK"), ("SET k v EX 100", "+OK"), ("SELECT 4", "+OK")]);
        dialogue(&mut client, &[("RPUSH l a b", ":2"), ("FLUSHALL now", &syntax("now")), ("DBSIZE", ":1")]);
        dialogue(&mut client, &[("FLUSHALL SYNC ASYNC", &syntax("ASYNC")), ("DBSIZE", ":1")]);
        dialogue(&mut other, &[("SET s v", "+OK"), (flush, "+OK"), ("GET s", "nil"), ("DBSIZE", ":0")]);
        dialogue(&mut client, &[("DBSIZE", ":0"), ("SELECT 3", "+OK"), ("EXISTS k", ":0"), (flush, "+OK")]);
        assert_eq!(client.say("INFO keyspace"), "\"# Keyspace\\r\\nkeys:0\\r\\nshards:16\\r\\n\"");
    }
    // Whoever flushes sees in the schema how much that was: three keys each time, and then nothing.
    let rows = client.table("events_statements_summary_global_by_event_name");
    let row = rows.iter().find(|row| row["event_name"] == "statement/kv/flushall").unwrap();
    assert_eq!(
        (&row["count_star"], &row["sum_errors"], &row["sum_rows_affected"]),
        (&12.into(), &6.into(), &9.into())
    );
}

#[test]
fn statements_say_which_database_they_ran_in() {
    let server = Server::start();
    let (mut client, mut other) = (server.client(), server.client());
    for (select, line, schema) in [
        ("SELECT 0", "GET zero", "db0"),
        ("SELECT 7", "GET seven", "db7"),
        // It runs where the connection is when it comes.
        ("SELECT 15", "SELECT 2", "db15"),
        ("SELECT 16", "SELECT nowhere", "db2"),
    ] {
        client.say(select);
        client.say(line);
        let rows = other.table("events_statements_current");
        let row = rows.iter().find(|row| row["sql_text"] == line).unwrap();
        assert_eq!(row["current_schema"], schema, "{select}, {line}");
    }
}

#[test]
fn a_command_on_the_wrong_kind_changes_nothing() {
    let wrong = "-WRONGTYPE Operation against a key holding the wrong kind of value";
    let server = Server::start();
    dialogue(
        &mut server.client(),
        &[
            ("LPUSH l a", ":1"),
            ("GET l", wrong),
            ("INCR l", wrong),
            ("MGET l", "[nil]"),
            ("SET s v", "+OK"),
            ("LPUSH s a", wrong),
            ("LPOP s", wrong),
            ("LPOP s 1", wrong),
            ("RPUSH s a", wrong),
            ("RPOP s", wrong),
            ("RPOP s 0", wrong),
            ("RPOP s -1", "-ERR value is out of range, must be positive"),
            ("LRANGE s 0 -1", wrong),
            ("LRANGE s 5 1", wrong),
            ("LRANGE s x 1", "-ERR value is not an integer or out of range"),
            ("EXISTS s l", ":2"),
            ("GET s", "\"v\""),
            ("LPOP l", "\"a\""),
            ("LPUSH l a", ":1"),
            ("SET l string", "+OK"),
            ("GET l", "\"string\""),
        ],
    );
}

#[test]
fn expiry() {
    let server = Server::start();
    let mut client = server.client();
    dialogue(
        &mut client,
        &[
            ("SET long v EX 100", "+OK"),
            ("SET short v px 1000", "+OK"),
            ("SET n 5 PX 1000", "+OK"),
            ("INCR n", ":6"),
            ("SET lifted v PX 1000", "+OK"),
            ("SET lifted v", "+OK"),
            ("SET list v PX 1000", "+OK"),
            ("GET short", "\"v\""),
        ],
    );
    thread::sleep(Duration::from_millis(1020));
    dialogue(
        &mut client,
        &[
            ("GET short", "nil"),
            ("DEL short", ":0"),
            ("INCR n", ":1"),
            ("MGET short long lifted", "[nil, \"v\", \"v\"]"),
            ("EXISTS short long list", ":1"),
            ("LRANGE list 0 -1", "[]"),
            ("RPOP list", "nil"),
            ("RPUSH list a", ":1"),
        ],
    );
    // long, n, lifted and list stay; short goes when the expirer comes by.
    let patience = Instant::now() + Duration::from_secs(10);
    while client.say("DBSIZE") != ":4" {
        assert!(Instant::now() < patience, "the expirer did not drop the key");
        thread::sleep(Duration::from_millis(20));
    }
    // Of n and list too, if it came by before they were made anew.
    let info = client.say("INFO stats");
    assert!((1..=3).any(|dropped| info.contains(&format!("expired_keys:{dropped}\\r\\n"))), "{info}");
    dialogue(
        &mut client,
        &[
            ("SET k v EX 0", "-ERR invalid expire time in 'set' command"),
            ("SET k v EX -1", "-ERR invalid expire time in 'set' command"),
            ("SET k v EX 9223372036854775807", "-ERR invalid expire time in 'set' command"),
            ("SET k v EX x", "-ERR value is not an integer or out of range"),
            (
                "SET k v EX",
                "-ERR syntax error: 'EX' in 'set' command, which takes EX seconds or PX milliseconds",
            ),
            (
                "SET k v NOW",
                "-ERR syntax error: 'NOW' in 'set' command, which takes EX seconds or PX milliseconds",
            ),
            (
                "SET k v EX 1 NX",
                "-ERR syntax error: 'NX' in 'set' command, which takes EX seconds or PX milliseconds",
            ),
            ("GET k", "nil"),
        ],
    );
}

#[test]
fn questions_about_the_server() {
    let server = Server::with(&["--max-clients", "7", "--shards", "3", "--sync", "never"]);
    let mut client = server.client();
    dialogue(
        &mut client,
        &[
            ("CONFIG GET save", "[\"save\", \"\"]"),
            ("CONFIG GET appendonly", "[\"appendonly\", \"yes\"]"),
            ("config get APPENDF* maxcl?ents", "[\"appendfsync\", \"no\", \"maxclients\", \"7\"]"),
            ("CONFIG GET nothing", "[]"),
            ("CONFIG GET", "-ERR wrong number of arguments for 'config|get' command"),
            ("CONFIG SET save x", "-ERR unknown subcommand 'SET' of 'config', which has GET"),
            ("CONFIG GET databases", "[\"databases\", \"16\"]"),
            ("COMMAND COUNT", ":22"),
            ("COMMAND INFO get nothing", "[[\"get\", :2, [+readonly, +fast], :1, :1, :1], nil]"),
            ("COMMAND INFO mset", "[[\"mset\", :-3, [+write], :1, :-1, :2]]"),
            (
                "COMMAND INFO exists rpush rpop",
                "[[\"exists\", :-2, [+readonly, +fast], :1, :-1, :1], [\"rpush\", :-3, [+write, +fast], :1, :1, :1], \
                 [\"rpop\", :-2, [+write, +fast], :1, :1, :1]]",
            ),
            (
                "COMMAND INFO lrange flushall select",
                "[[\"lrange\", :4, [+readonly], :1, :1, :1], [\"flushall\", :-1, [+write], :0, :0, :0], \
                 [\"select\", :2, [+fast], :0, :0, :0]]",
            ),
            (
                "COMMAND DOCS echo",
                "[\"echo\", [\"summary\", \"Answers what it was given\", \"group\", \"server\"]]",
            ),
            (
                "COMMAND FOO",
                "-ERR unknown subcommand 'FOO' of 'command', which has COUNT, LIST, INFO and DOCS",
            ),
        ],
    );
    for all in ["COMMAND", "COMMAND INFO", "COMMAND DOCS", "COMMAND LIST"] {
        let reply = client.say(all);
        assert!(reply.contains("\"lpush\"") && reply.contains("\"pfs\""), "{reply}");
    }
    client.say("SET k v");
    let info = client.say("INFO");
    for part in
        ["# Server", "# Clients", "# Stats", "# Keyspace", "connected_clients:1\\r\\n", "keys:1\\r\\n"]
    {
        assert!(info.contains(part), "{part} in {info}");
    }
    let keyspace = "\"# Keyspace\\r\\nkeys:1\\r\\nshards:3\\r\\ndb0:keys=1,expires=0\\r\\n\"";
    assert_eq!(client.say("INFO keyspace"), keyspace);
    assert_eq!(client.say("INFO nothing"), "\"\"");
}

#[test]
fn quit_closes_after_its_reply() {
    let server = Server::start();
    let mut client = server.client();
    client.send(b"PING\r\nQUIT\r\nPING\r\n");
    assert_eq!(client.rest(), "+PONG\r\n+OK\r\n");
    assert_eq!(server.client().say("PING"), "+PONG");
}

#[test]
fn mistakes_have_the_words_that_clients_know() {
    let server = Server::start();
    let mut client = server.client();
    for line in [
        "GET",
        "GET a b",
        "SET k",
        "DEL",
        "EXISTS",
        "INCR",
        "MSET a",
        "MSET a 1 b",
        "MGET",
        "LPUSH l",
        "LPOP",
        "RPUSH",
        "RPUSH l",
        "RPOP",
        "RPOP l 1 2",
        "LRANGE l 0",
        "LRANGE l 0 1 2",
        "SELECT",
        "SELECT 1 2",
        "ECHO",
    ] {
        let name = line.split(' ').next().unwrap().to_lowercase();
        assert_eq!(
            client.say(line),
            format!("-ERR wrong number of arguments for '{name}' command"),
            "{line}"
        );
    }
    assert_eq!(client.say("NOSUCH a"), "-ERR unknown command 'NOSUCH'");
    assert_eq!(client.ask(["NO\r\nSUCH"]), "-ERR unknown command 'NO  SUCH'");
    let reply = client.say("PFS nothing");
    assert!(reply.starts_with("-ERR unknown table 'nothing'; tables are: "), "{reply}");
    assert!(
        reply.contains("events_statements_summary_global_by_event_name") && reply.contains("threads"),
        "{reply}"
    );
    assert_eq!(client.say("PFS threads now"), "-ERR wrong number of arguments for 'pfs' command");
    assert_eq!(client.say("PING"), "+PONG");
}

#[test]
fn pfs_alone_names_the_tables_that_it_takes() {
    let server = Server::start();
    let mut client = server.client();
    let reply = client.say("PFS");
    let names: Vec<&str> = reply
        .strip_prefix("[\"")
        .and_then(|names| names.strip_suffix("\"]"))
        .unwrap_or_else(|| panic!("not an array of names: {reply}"))
        .split("\", \"")
        .collect();
    assert!(names.contains(&"threads"), "{reply}");
    for name in &names {
        let _: Vec<serde_json::Value> = client.table(name);
    }
    let refusal = format!("-ERR unknown table 'nothing'; tables are: {}", names.join(", "));
    assert_eq!(client.say("PFS nothing"), refusal);
    assert_eq!(client.say("COMMAND INFO pfs"), "[[\"pfs\", :-1, [+admin], :0, :0, :0]]");
}

#[test]
fn whoever_has_the_answer_finds_it_counted() {
    let server = Server::start();
    let (mut client, mut other) = (server.client(), server.client());
    for round in 1..=50 {
        client.say("SET k v");
        assert_eq!(other.statements("set"), (round, 0));
    }
    client.say("INCR k");
    client.say("INCR");
    client.say("NOSUCH");
    client.say("GET k");
    assert_eq!(other.statements("incr"), (2, 2));
    assert_eq!(other.statements("unknown"), (1, 1));
    assert_eq!(other.statements("get"), (1, 0));
    // 53 tables were asked for and answered before this one.
    assert_eq!(other.statements("pfs"), (53, 0));
    assert!(!other.table("EVENTS_STATEMENTS_summary_global_by_event_name").is_empty());
}

#[test]
fn a_pipeline_is_answered_in_order() {
    let server = Server::start();
    let mut client = server.client();
    let mut requests = Vec::new();
    for number in 0..1000 {
        requests.extend(request(["SET", "k", &number.to_string()]));
        requests.extend(request(["GET", "k"]));
        requests.extend(format!("ECHO {number}\r\n").into_bytes());
    }
    client.send(&requests);
    for number in 0..1000 {
        assert_eq!(client.reply(), "+OK");
        assert_eq!(client.reply(), format!("\"{number}\""));
        assert_eq!(client.reply(), format!("\"{number}\""));
    }
}

#[test]
fn what_many_clients_add_up_to_is_exact() {
    let server = Server::start();
    thread::scope(|scope| {
        for _ in 0..8 {
            let mut client = server.client();
            scope.spawn(move || {
                for _ in 0..200 {
                    client.say("INCR n");
                    client.say("LPUSH l x");
                    client.say("RPUSH l y");
                    client.say("RPOP l");
                    client.say("MSET a 1 b 2 c 3 d 4");
                }
            });
        }
    });
    let mut client = server.client();
    dialogue(&mut client, &[("GET n", "\"1600\""), ("LPUSH l x", ":1601")]);
    for name in ["incr", "mset", "rpush", "rpop"] {
        assert_eq!(client.statements(name), (1600, 0), "{name}");
    }
    assert_eq!(client.statements("lpush"), (1601, 0));
}
