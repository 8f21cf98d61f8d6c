//! A program whose panics abort counts exactly, and a panic in an instrumented function ends it as any other does.

#![cfg(unix)]

mod nested;

fn run(profile: &str, variable: &str) -> String {
    let run = format!("run --quiet --package pfs-ui-tests-abort {profile}");
    nested::cargo("panic_abort", &run, &[(variable, "abort")])
}

#[test]
fn in_a_debug_build() {
    let printed = run("", "CARGO_PROFILE_DEV_PANIC");
    assert_eq!(printed, "aborts: true, ended by Some(6), counted [1000, 1000, 1000, 1]\n");
}

#[test]
fn in_a_release_build() {
    let printed = run("--release", "CARGO_PROFILE_RELEASE_PANIC");
    assert_eq!(printed, "aborts: true, ended by Some(6), counted [1000, 1000, 1000, 1]\n");
}
