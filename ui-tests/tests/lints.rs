//! The strict file of the catalogue as a target of its own, so that clippy sees what the macros generate in it.

#[path = "../pass/lints.rs"]
pub mod lints;

#[test]
fn the_strict_file_runs() {
    lints::main();
}
