//! What is linked is registered, however it is built: a program with two libraries' worth of classes that nobody calls
//! prints exactly those of `registration/classes.txt`. `.ci/registration` asks the same of every linker.

mod nested;

const CLASSES: &str = include_str!("../registration/classes.txt");

fn classes(profile: &str, environment: &[(&str, &str)]) -> String {
    let run = format!("run --quiet --package pfs-ui-tests-registration {profile}");
    nested::cargo("registration", &run, environment)
}

#[test]
fn in_a_debug_build() {
    assert_eq!(classes("", &[]), CLASSES);
}

#[test]
fn in_a_release_build() {
    assert_eq!(classes("--release", &[]), CLASSES);
}

#[test]
fn with_link_time_optimisation() {
    let fat = [("CARGO_PROFILE_RELEASE_LTO", "fat"), ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")];
    assert_eq!(classes("--release", &fat), CLASSES);
}
