//! Runs the libraries it is built with and prints what pfs has of them: every instrument of theirs with its count,
//! or that there is nothing; with the argument `traits`, what traits its types have.

mod nothing;
mod sizes;
mod traits;

use pfs::Pfs;

/// Whether an instrument is a library's and not the engine's own.
fn is_theirs(name: &str) -> bool {
    name.split('/').any(|part| part == "quiet" || part == "loud")
}

fn main() -> Result<(), pfs::StartError> {
    if std::env::args().nth(1).as_deref() == Some("traits") {
        traits::print();
        return Ok(());
    }
    assert!(pfs::current().is_none());
    let pfs = pfs::Config::new().consumer("events_statements_current", true).start()?;
    println!("work {}", pfs_ui_tests_quiet::work());
    #[cfg(feature = "loud")]
    println!("count {}", pfs_ui_tests_loud::count() + pfs_ui_tests_loud::count());
    assert!(pfs::current().is_some());
    if pfs::COMPILED_IN {
        counts(pfs);
    } else {
        nothing::check(pfs);
        sizes::check();
        println!("compiled out");
    }
    Ok(())
}

fn counts(pfs: Pfs) {
    let waits = pfs.events_waits_summary_global_by_event_name().map(|row| (row.event_name, row.count_star));
    let stages = pfs.events_stages_summary_global_by_event_name().map(|row| (row.event_name, row.count_star));
    let statements =
        pfs.events_statements_summary_global_by_event_name().map(|row| (row.event_name, row.count_star));
    for (name, count) in waits.chain(stages).chain(statements).filter(|(name, _)| is_theirs(name)) {
        println!("{name} {count}");
    }
    for row in pfs.setup_instruments().filter(|row| is_theirs(row.name) && row.name.starts_with("thread/")) {
        println!("{}", row.name);
    }
}
