//! The stock `redis-benchmark` against kv: it runs, and its requests are counted to the last.

mod harness;

use std::process::Command;

use harness::Server;

/// Runs it with 20 clients, and it must have nothing to complain of.
fn benchmark(server: &Server, arguments: &[&str]) {
    let port = server.address.rsplit(':').next().unwrap();
    let mut command = Command::new("redis-benchmark");
    let output = command.args(["-c", "20", "-q", "-p", port]).args(arguments).output().unwrap();
    let (said, complained) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{complained}");
    assert!(!said.contains("ERR") && complained.is_empty(), "{said}{complained}");
}

#[test]
#[ignore = "needs redis-benchmark, of the package redis-tools"]
fn every_request_of_the_stock_client_is_counted() {
    let server = Server::start();
    benchmark(&server, &["-n", "20000", "-t", "set,get,incr,lpush,rpush,lpop,rpop,mset"]);
    let mut client = server.client();
    for command in ["set", "get", "incr", "lpush", "rpush", "lpop", "rpop", "mset"] {
        assert_eq!(client.statements(command), (20_000, 0), "{command}");
    }
    assert_eq!(client.statements("unknown"), (0, 0));
    // As many were popped as were pushed, at either end.
    assert_eq!(client.say("LPUSH mylist x"), ":1");
}

#[test]
#[ignore = "needs redis-benchmark, of the package redis-tools"]
fn its_lists_are_counted_in_the_database_that_it_selects() {
    let server = Server::start();
    benchmark(&server, &["-n", "5000", "--dbnum", "3", "-t", "lpush,rpush,lpop,rpop,lrange"]);
    let mut client = server.client();
    // It fills a list once more before it reads from it: 100, 300, 500 and 600 values at a time.
    for (command, count) in
        [("lpush", 10_000), ("rpush", 5000), ("lpop", 5000), ("rpop", 5000), ("lrange", 20_000)]
    {
        assert_eq!(client.statements(command), (count, 0), "{command}");
    }
    // Each of nine benchmarks connects anew.
    assert_eq!(client.statements("select"), (180, 0));
    let rows = client.table("events_statements_summary_global_by_event_name");
    let row = rows.iter().find(|row| row["event_name"] == "statement/kv/lrange").unwrap();
    assert_eq!(row["sum_rows_sent"], 5000 * (100 + 300 + 500 + 600));
    assert_eq!(client.say("EXISTS mylist"), ":0");
    assert_eq!(client.say("SELECT 3"), "+OK");
    assert_eq!(client.say("LPUSH mylist x"), ":5001");
}
