//! What kv does with input that is not as it should be, and with too much of it.

mod harness;

use std::process::Command;

use harness::{Client, KV, Server};

#[test]
fn malformed_input_gets_an_error_and_the_connection_is_closed() {
    let server = Server::start();
    let mut bystander = server.client();
    assert_eq!(bystander.say("SET k v"), "+OK");
    let long_line = vec![b'x'; 70_000];
    let cases: &[(&[u8], &str)] = &[
        (b"*x\r\n", "invalid array length 'x'"),
        (b"*1048577\r\n", "array length 1048577 over the limit of 1048576 elements"),
        (b"*1\r\n:1\r\n", "expected '$', got ':'"),
        (b"*1\r\n$x\r\n", "invalid bulk length 'x'"),
        (b"*1\r\n$-5\r\n", "invalid bulk length '-5'"),
        (b"*1\r\n$67108865\r\n", "bulk length 67108865 over the limit of 67108864 bytes"),
        (b"*1\r\n$4\r\nPINGxx", "bulk string of 4 bytes does not end in CR LF"),
        (b"ECHO \"open\r\n", "unbalanced quotes in inline request"),
        (&long_line, "inline request over the limit of 65536 bytes"),
    ];
    for (input, message) in cases {
        let mut client = server.client();
        client.send(b"PING\r\n");
        client.send(input);
        assert_eq!(client.rest(), format!("+PONG\r\n-ERR Protocol error: {message}\r\n"));
    }
    // The error arrives although the client has sent much more that nobody will read.
    let mut client = server.client();
    client.send(&[b"*1\r\n!".as_slice(), &long_line].concat());
    assert_eq!(client.rest(), "-ERR Protocol error: expected '$', got '!'\r\n");

    assert_eq!(bystander.say("GET k"), "\"v\"");
    assert!(bystander.say("INFO stats").contains("protocol_errors:10\\r\\n"));
    // Nothing that was no request is a statement.
    assert_eq!(bystander.statements("unknown"), (0, 0));
    assert_eq!(bystander.statements("ping"), (9, 0));
}

#[test]
fn a_client_that_leaves_in_the_middle_is_no_trouble() {
    let server = Server::start();
    for input in [&b""[..], b"*", b"*2\r\n$3\r\nGE", b"PIN", b"*1\r\n$67108864\r\nx"] {
        server.client().send(input);
    }
    // One that never reads what it asks for.
    server.client().send(&b"COMMAND\r\n".repeat(2000));
    assert_eq!(server.client().say("PING"), "+PONG");
}

#[test]
fn inline_requests() {
    let server = Server::start();
    let mut client = server.client();
    client.send(b"\r\n  \r\nSET \"a key\" 'it\\'s' \r\nGET \"a\\x20key\"\nPING\r\n");
    assert_eq!([client.reply(), client.reply(), client.reply()], ["+OK", "\"it's\"", "+PONG"]);
}

#[test]
fn one_client_too_many_is_told_so() {
    let server = Server::with(&["--max-clients", "2"]);
    let (mut first, mut second) = (server.client(), server.client());
    assert_eq!([first.say("PING"), second.say("PING")], ["+PONG", "+PONG"]);
    assert_eq!(server.client().rest(), "-ERR max number of clients reached\r\n");
    second.send(b"QUIT\r\n");
    assert_eq!(second.rest(), "+OK\r\n");
    // Its place is free once its thread has ended.
    let freed = (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        let mut third = Client::to(&server.address);
        third.send(b"QUIT\r\n");
        third.rest() == "+OK\r\n"
    });
    assert!(freed);
    assert_eq!(first.say("PING"), "+PONG");
}

#[test]
fn wrong_flags_are_named() {
    for (arguments, flag) in [
        (&["serve", "--port", "70000"][..], "--port"),
        (&["serve", "--bind", "nowhere"], "--bind"),
        (&["serve", "--max-clients", "0"], "--max-clients"),
        (&["serve", "--shards", "5000"], "--shards"),
        (&["serve", "--sync", "perhaps"], "--sync"),
        (&["bench", "--seconds", "0"], "--seconds"),
        (&["bench", "--clients", "x"], "--clients"),
        (&["bench", "--nonsense"], "--nonsense"),
    ] {
        let output = Command::new(KV).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8(output.stderr).unwrap().contains(flag), "{arguments:?}");
        assert!(output.stdout.is_empty());
    }
    let taken = Server::start();
    let port = taken.address.rsplit(':').next().unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    let file = file.path().to_str().unwrap();
    for arguments in [["--port", port], ["--dir", file], ["--bind", "192.0.2.1"]] {
        let mut command = Command::new(KV);
        let output = command
            .arg("serve")
            .args(["--port", "0"][..].iter().filter(|_| arguments[0] != "--port"))
            .args(arguments)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        // A folder is named by the error behind the flag.
        let value = if arguments[0] == "--dir" { String::new() } else { format!(" {}", arguments[1]) };
        assert!(error.starts_with(&format!("kv: {}{value}: ", arguments[0])), "{error}");
        assert!(error.contains(arguments[1]), "{error}");
    }
}

#[test]
#[cfg(unix)]
fn signals_end_the_server_in_good_order() {
    for signal in ["INT", "TERM"] {
        let server = Server::start();
        let mut client = server.client();
        assert_eq!(client.say("SET k v"), "+OK");
        assert_eq!(server.signal(signal), Some(0));
        assert_eq!(client.rest(), "");
    }
}
