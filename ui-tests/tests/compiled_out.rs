//! pfs without the feature `engine`: what users wrote for it compiles, runs, and pays nothing.

mod nested;

use std::collections::BTreeSet;

fn cargo(arguments: &str) -> String {
    nested::cargo("compiled-out", arguments, &[])
}

/// What the program of `compiled-out/` prints when it is built with these features.
fn program(features: &str) -> String {
    cargo(&format!("run --quiet --package pfs-ui-tests-compiled-out --features={features}"))
}

const WORK: &str = "work 17\n";

const QUIET: &str = "\
wait/synch/mutex/quiet/LOCK_static 5
wait/synch/rwlock/quiet/map 2
wait/synch/cond/quiet/COND_static 1
wait/synch/cond/quiet/changed 0
stage/quiet/adding 3
stage/quiet/first 1
stage/quiet/second 1
statement/quiet/even 2
statement/quiet/get 1
statement/quiet/set 1
thread/quiet/adder
thread/quiet/session
";

#[test]
fn a_program_that_does_not_turn_it_on_has_nothing_of_it() {
    for features in ["", "parking_lot"] {
        assert_eq!(program(features), format!("{WORK}compiled out\n"));
    }
}

#[test]
fn a_program_turns_it_on_for_its_libraries() {
    assert_eq!(program("engine"), format!("{WORK}{QUIET}"));
}

#[test]
fn a_library_that_turns_it_on_turns_it_on_for_all() {
    let loud = "statement/loud/count 2\n";
    let mut expected: Vec<_> =
        QUIET.lines().chain(["wait/synch/mutex/loud/LOCK_static 2", loud.trim_end()]).collect();
    expected.sort_unstable();
    for features in ["loud", "engine,loud"] {
        let printed = program(features);
        let mut lines: Vec<_> = printed.lines().collect();
        assert_eq!(lines.remove(0), WORK.trim_end());
        assert_eq!(lines.remove(0), "count 3");
        lines.sort_unstable();
        assert_eq!(lines, expected, "{features}");
    }
}

/// What the program of `compiled-out/unaware/` prints, in whose `Cargo.toml` there is no pfs.
fn unaware(features: &str) -> String {
    cargo(&format!("run --quiet --package pfs-ui-tests-unaware --features={features}"))
}

#[test]
fn a_program_that_does_not_know_pfs_has_its_library_as_if_there_were_none() {
    assert_eq!(unaware(""), format!("{WORK}even Ok(7)\nshard 7\nas large as std's\n"));
}

#[test]
fn a_program_that_does_not_know_pfs_runs_with_an_engine_that_nobody_starts() {
    assert_eq!(unaware("loud"), format!("{WORK}even Ok(7)\ncount 3\nshard 7\nlarger than std's\n"));
}

/// The packages that a package is built of, by the edges that are followed.
fn packages(package: &str, edges: &str) -> BTreeSet<String> {
    let tree = cargo(&format!(
        "tree --package {package} --no-default-features --edges {edges} --prefix none --format {{p}}"
    ));
    tree.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn nothing_of_another_s_is_linked() {
    let of = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let linked = |package| packages(package, "normal,no-proc-macro");
    assert_eq!(linked("pfs"), of(&["pfs", "pfs-runtime"]));
    let quiet = ["pfs-ui-tests-quiet", "pfs", "pfs-runtime"];
    assert_eq!(linked("pfs-ui-tests-quiet"), of(&quiet));
    let unaware = [&quiet[..], &["pfs-ui-tests-unaware"]].concat();
    assert_eq!(linked("pfs-ui-tests-unaware"), of(&unaware));
    // What only runs while it is built.
    let macros = ["pfs-macros", "proc-macro2", "quote", "syn", "unicode-ident"];
    assert_eq!(packages("pfs-ui-tests-unaware", "normal,build"), of(&[&unaware[..], &macros].concat()));
}

#[test]
fn the_catalogue_is_the_same() {
    // Every shape runs up to where it first asks for what was counted; every mistake has the same message.
    let printed = cargo("test --quiet --package pfs-ui-tests --no-default-features --test ui");
    assert!(printed.contains("test result: ok. 3 passed; 0 failed"), "{printed}");
}

#[test]
fn the_code_of_readme_and_documentation_is_the_same() {
    // Beside the documentation's there are no tests then: what they assert is counted.
    let printed = cargo("test --package pfs --no-default-features --features json");
    assert!(printed.contains("- readme (line") && printed.contains("mutex (line"), "{printed}");
}

#[test]
fn the_types_do_what_those_do_that_they_wrap() {
    for (features, test) in [("std_api", "std_api"), ("std_api,parking_lot", "parking_lot_api")] {
        let printed = cargo(&format!(
            "test --quiet --package pfs-ui-tests-compiled-out --features {features} --test {test}"
        ));
        assert!(printed.contains("test result: ok. "), "{printed}");
    }
}

#[test]
fn types_have_the_same_traits_and_guards_the_same_ends() {
    let traits = |features: &str| {
        let all = format!("{features}parking_lot,crossbeam,rayon");
        cargo(&format!("run --quiet --package pfs-ui-tests-compiled-out --features={all} -- traits"))
    };
    let [with, without] = [traits("engine,"), traits("")];
    let different: Vec<_> =
        with.lines().zip(without.lines()).filter(|(with, without)| with != without).collect();
    assert!(different.is_empty(), "with the engine and without: {different:#?}");
    assert_eq!(with.lines().count(), without.lines().count());
    // What they say, by some whose answer is known.
    for line in [
        "pfs::stage::StageGuard: Unpin UnwindSafe RefUnwindSafe Debug",
        "pfs::stage::StageGuard ends: true",
        "pfs::session::Session: Send Sync Unpin UnwindSafe RefUnwindSafe Debug Default",
        "pfs::session::Session ends: true",
        "a future that holds nothing: true",
        "a future that holds a_stage: false",
        "a future that holds a_transaction: true",
        "a future that holds a_mutex: false",
    ] {
        assert!(with.lines().any(|printed| printed == line), "{line}\n{with}");
    }
}

#[test]
fn kv_runs_and_says_so() {
    let kv =
        "run --quiet --package pfs-examples --no-default-features --bin kv -- bench --seconds 1 --clients 4";
    let printed = cargo(kv);
    assert!(printed.contains("pfs is compiled out of this kv"), "{printed}");
    let printed = cargo(&format!("{kv} --json"));
    let tables = printed.matches(":[],").count();
    assert!(tables >= 26 && printed.contains("\"load\":{\"requests\":"), "{printed}");
}
