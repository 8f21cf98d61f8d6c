//! What the files of the catalogue ask of pfs: a start with everything on, and what the tables say of one class.

#![allow(dead_code, reason = "no file asks for all of it")]

use pfs::Pfs;

/// Starts pfs with every history on.
pub fn start() {
    let mut config = pfs::Config::new();
    for kind in ["waits", "stages", "statements"] {
        for table in ["current", "history", "history_long"] {
            config = config.consumer(format!("events_{kind}_{table}"), true);
        }
    }
    config.start().expect("it starts once");
}

fn pfs() -> Pfs {
    let pfs = pfs::current().expect("it was started");
    if !pfs::COMPILED_IN {
        nothing_to_ask(pfs);
    }
    pfs
}

/// Ends a program over the null engine where it first asks: it compiled and ran up to there, and that is what the
/// catalogue shows of it.
fn nothing_to_ask(pfs: Pfs) -> ! {
    for table in pfs.tables() {
        assert_eq!(table.json(), "[]", "{}", table.definition().name());
    }
    std::process::exit(0)
}

/// Whether there is a class of that name.
pub fn is_declared(name: &str) -> bool {
    pfs().setup_instruments().any(|row| row.name == name)
}

/// How many waits of the class ended.
pub fn waits(name: &str) -> u64 {
    let row = pfs().events_waits_summary_global_by_event_name().find(|row| row.event_name == name);
    row.unwrap_or_else(|| panic!("no class {name}")).count_star
}

/// How many stages or statements of the class ended.
pub fn count(name: &str) -> u64 {
    if name.starts_with("stage/") {
        let row = pfs().events_stages_summary_global_by_event_name().find(|row| row.event_name == name);
        return row.unwrap_or_else(|| panic!("no class {name}")).count_star;
    }
    let row = pfs().events_statements_summary_global_by_event_name().find(|row| row.event_name == name);
    row.unwrap_or_else(|| panic!("no class {name}")).count_star
}

/// How many errors the statements of the class ended in.
pub fn errors(name: &str) -> u64 {
    let row = pfs().events_statements_summary_global_by_event_name().find(|row| row.event_name == name);
    row.unwrap_or_else(|| panic!("no class {name}")).sum_errors
}

/// Number, SQLSTATE and message of the last error of a statement of the class.
pub fn last_error(name: &str) -> Option<(i32, String, String)> {
    let rows = pfs().events_statements_history_long();
    let row = rows.filter(|row| row.event_name == name && row.errors > 0).max_by_key(|row| row.event_id)?;
    Some((row.mysql_errno?, row.returned_sqlstate?, row.message_text.unwrap_or_default()))
}

/// The text of the last statement of the class.
pub fn last_text(name: &str) -> Option<String> {
    let rows = pfs().events_statements_history_long().filter(|row| row.event_name == name);
    rows.max_by_key(|row| row.event_id)?.sql_text
}
