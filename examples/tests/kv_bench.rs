//! `kv bench`: its figures agree with the load that its clients saw.

mod harness;

use std::collections::BTreeMap;
use std::io::Read;
use std::process::{Command, Stdio};

use harness::KV;
use serde_json::Value;

/// Every value of a column of rows that have the others, by name.
fn statement_counts(tables: &Value) -> BTreeMap<String, u64> {
    let rows = tables["events_statements_summary_global_by_event_name"].as_array().unwrap();
    let counted = rows.iter().filter_map(|row| {
        let name = row["event_name"].as_str()?.strip_prefix("statement/")?;
        let name = name.strip_prefix("kv/").unwrap_or(name);
        Some((name.to_owned(), row["count_star"].as_u64()?))
    });
    counted.filter(|&(_, count)| count > 0).collect()
}

#[test]
fn statements_are_exactly_the_answers() {
    let output =
        Command::new(KV).args(["bench", "--seconds", "1", "--clients", "6", "--json"]).output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    let tables: Value = serde_json::from_slice(&output.stdout).unwrap();
    let load = &tables["load"];
    let by_command: BTreeMap<String, u64> = load["by_command"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, n)| (name.clone(), n.as_u64().unwrap()))
        .collect();
    assert_eq!(statement_counts(&tables), by_command);
    assert_eq!(by_command.values().sum::<u64>(), load["requests"].as_u64().unwrap());
    assert!(by_command["get"] > 0 && by_command["set"] > 0);
    assert!(tables["threads"].is_array());
}

#[test]
fn the_report_has_its_sections_and_no_colours_in_a_pipe() {
    let output = Command::new(KV).args(["bench", "--seconds", "1", "--sync", "never"]).output().unwrap();
    assert!(output.status.success());
    let report = String::from_utf8(output.stdout).unwrap();
    let sections = [
        "LOAD",
        "STATEMENTS",
        "STAGES",
        "WAITS OF CLIENTS",
        "WAITS IN THE BACKGROUND",
        "THREADS",
        "LOST",
        "MEMORY",
    ];
    let found: Vec<&str> =
        sections.into_iter().filter(|title| report.contains(&format!("\n{title}  "))).collect();
    assert_eq!(found, sections);
    assert!(!report.contains('\x1b'));
}

#[test]
#[cfg(unix)]
fn a_reader_that_leaves_is_no_error() {
    let mut bench = Command::new(KV)
        .args(["bench", "--seconds", "1", "--clients", "2", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(bench.stdout.take());
    let mut complaints = String::new();
    bench.stderr.take().unwrap().read_to_string(&mut complaints).unwrap();
    assert_eq!(complaints, "");
    assert_eq!(bench.wait().unwrap().code(), Some(0));
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_the_load_early_and_still_reports() {
    let bench = Command::new(KV)
        .args(["bench", "--seconds", "600", "--clients", "2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    let sent = Command::new("kill").args(["-s", "INT", &bench.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = bench.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8(output.stdout).unwrap().contains("STATEMENTS"));
}
