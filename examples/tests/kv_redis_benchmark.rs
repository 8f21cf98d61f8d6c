//! The stock `redis-benchmark` against kv: it runs, and its requests are counted to the last.

mod harness;

use std::process::Command;

use harness::Server;

#[test]
#[ignore = "needs redis-benchmark, of the package redis-tools"]
fn every_request_of_the_stock_client_is_counted() {
    let server = Server::start();
    let port = server.address.rsplit(':').next().unwrap();
    let arguments = ["-n", "20000", "-c", "20", "-t", "set,get,incr,lpush,mset", "-q", "-p", port];
    let output = Command::new("redis-benchmark").args(arguments).output().unwrap();
    let (said, complained) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{complained}");
    assert!(!said.contains("ERR") && complained.is_empty(), "{said}{complained}");
    let mut client = server.client();
    for command in ["set", "get", "incr", "lpush", "mset"] {
        assert_eq!(client.statements(command), (20_000, 0), "{command}");
    }
    assert_eq!(client.statements("unknown"), (0, 0));
    assert_eq!(client.say("LPUSH mylist x"), ":20001");
}
