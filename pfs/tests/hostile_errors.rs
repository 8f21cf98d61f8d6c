//! Errors whose own code panics: the function returns them as it would without pfs, and the statement counts them.

#![cfg(feature = "engine")]

use pfs::prelude::*;
use std::fmt;
use std::panic::{set_hook, take_hook};

#[derive(Debug, PartialEq)]
struct Hostile;

impl fmt::Display for Hostile {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("an error that cannot be shown")
    }
}

#[statement("hostile/fail")]
fn fail() -> Result<u8, Hostile> {
    Err(Hostile)
}

#[test]
fn an_error_that_panics_when_shown_is_returned_and_counted() {
    let pfs = pfs::Config::new().start().unwrap();
    let hook = take_hook();
    set_hook(Box::new(|_| ()));
    let returned = [fail(), fail()];
    set_hook(hook);
    assert_eq!(returned, [Err(Hostile), Err(Hostile)]);
    let row = pfs
        .events_statements_summary_global_by_event_name()
        .find(|row| row.event_name == "statement/hostile/fail")
        .unwrap();
    assert_eq!((row.count_star, row.sum_errors), (2, 2));
}

#[test]
fn a_pattern_that_matches_nothing_is_refused() {
    let refused =
        |pattern: &str| pfs::Config::new().instrument(pattern, "ON").start().unwrap_err().to_string();
    assert!(refused("hostile/fail").contains("did you mean `statement/hostile/fail`?"));
    assert!(
        refused("wait/synch/mutx/%").contains("`wait/synch/mutx/%` matches no instrument of this program")
    );
}
