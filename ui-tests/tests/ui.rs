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

/// A message that quotes the standard library's source reads otherwise where that is not installed.
#[test]
fn messages_are_the_same_on_every_machine() {
    let mut messages = 0;
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/fail")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "stderr") {
            assert!(!std::fs::read_to_string(&path).unwrap().contains("$RUST"), "{}", path.display());
            messages += 1;
        }
    }
    assert!(messages >= 56, "{messages}");
}
