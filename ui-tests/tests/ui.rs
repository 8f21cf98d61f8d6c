//! The catalogue: every file of `pass/` compiles without a warning and runs, every file of `fail/` is refused with
//! the message beside it.
//!
//! After a change of a message: `TRYBUILD=overwrite cargo test -p pfs-ui-tests`, and read the difference.

#[test]
fn shapes_that_pass() {
    trybuild::TestCases::new().pass("pass/*.rs");
}

#[test]
fn mistakes_that_are_explained() {
    trybuild::TestCases::new().compile_fail("fail/*.rs");
}
