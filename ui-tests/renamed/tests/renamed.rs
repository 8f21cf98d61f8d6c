//! The crate's code runs, and was counted.

use perf::{Stage, Statement};
use pfs_ui_tests_renamed::{by_extern_crate, by_path, edition};

#[test]
fn everything_is_counted_under_another_name() {
    let pfs = perf::Config::new().start().unwrap();
    assert_eq!(by_path::statement(), Err("by path".to_owned()));
    drop(by_path::Command::ByPath.begin());
    drop(by_path::Step::StepByPath.begin());
    for held in &*by_path::HELD {
        assert_eq!(*held.lock.lock().unwrap(), 0);
    }
    assert_eq!(*by_extern_crate::LAZY_DEFAULT.read().unwrap(), 6);
    let shard = by_extern_crate::Shard::default();
    assert_eq!(by_extern_crate::sum(&shard), Ok(7));
    *shard.map.lock().unwrap() = 6;
    assert!(by_extern_crate::sum(&shard).is_err());
    assert_eq!(*by_extern_crate::LOCK_DEFAULT.lock().unwrap(), 5);
    assert_eq!(*by_extern_crate::PARKING.lock(), 7);
    assert_eq!(by_extern_crate::on_a_thread(), 6);
    edition::temporaries_of_the_last_expression();
    edition::temporaries_of_futures();
    edition::run_captured();
    assert_eq!((edition::gen(1), edition::gen(0)), (Ok(1), Err("zero".to_owned())));
    assert_eq!(edition::borrow("four".to_owned().into()), 4);

    let statements: Vec<_> = pfs.events_statements_summary_global_by_event_name().collect();
    for (name, count, errors) in [
        ("by path", 1, 1),
        ("by_path", 1, 0),
        ("sum", 2, 1),
        ("edition", 3, 0),
        ("captured", 1, 0),
        ("gen", 2, 1),
    ] {
        let name = format!("statement/renamed/{name}");
        let row = statements.iter().find(|row| row.event_name == name).unwrap();
        assert_eq!((row.count_star, row.sum_errors), (count, errors), "{name}");
    }
    let stages: Vec<_> = pfs.events_stages_summary_global_by_event_name().collect();
    for (name, count) in [
        ("renamed/by path", 1),
        ("pfs_ui_tests_renamed/added", 2),
        ("renamed/on a thread", 1),
        ("renamed/step_by_path", 1),
        ("pfs_ui_tests_renamed/adding", 2),
        ("renamed/edition", 2),
        ("renamed/borrow", 2),
    ] {
        let name = format!("stage/{name}");
        assert_eq!(stages.iter().find(|row| row.event_name == name).unwrap().count_star, count, "{name}");
    }
    let waits: Vec<_> = pfs.events_waits_summary_global_by_event_name().collect();
    for (name, count) in [
        ("mutex/renamed/mutex", 1),
        ("rwlock/renamed/rwlock", 1),
        ("mutex/renamed/Shard::map", 3),
        ("rwlock/renamed/Shard::limits", 2),
        ("cond/renamed/Shard::flushed", 0),
        ("mutex/pfs_ui_tests_renamed/LOCK_DEFAULT", 1),
        ("mutex/renamed/Held::lock", 2),
        ("mutex/pfs_ui_tests_renamed/Shard::dirty", 2),
        ("rwlock/pfs_ui_tests_renamed/LAZY_DEFAULT", 1),
        ("mutex/renamed/PARKING", 1),
    ] {
        let name = format!("wait/synch/{name}");
        assert_eq!(waits.iter().find(|row| row.event_name == name).unwrap().count_star, count, "{name}");
    }
}
