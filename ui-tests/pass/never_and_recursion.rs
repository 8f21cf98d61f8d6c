//! `-> !`, panics, functions that call themselves and each other.

#![deny(warnings)]

use pfs::prelude::*;
use std::panic::{catch_unwind, resume_unwind};

#[path = "support/mod.rs"]
mod support;

#[statement("ui/never", text = message)]
fn never(message: &'static str) -> ! {
    resume_unwind(Box::new(message))
}

#[stage("ui/never in a stage")]
fn never_in_a_stage() -> ! {
    loop {
        never("inner");
    }
}

#[statement("ui/panics")]
fn panics(text: &str) -> Result<u32, String> {
    let owned = text.to_owned();
    if owned.is_empty() {
        resume_unwind(Box::new("empty"));
    }
    Ok(owned.len() as u32)
}

#[statement("ui/unfinished")]
fn unfinished(_: u8) -> Result<u32, String> {
    todo!()
}

#[statement("ui/factorial")]
fn factorial(n: u32) -> Result<u32, String> {
    match n {
        0 => Ok(1),
        n => n.checked_mul(factorial(n - 1)?).ok_or_else(|| "too large".to_owned()),
    }
}

#[stage("ui/even")]
fn even(n: u32) -> bool {
    n == 0 || odd(n - 1)
}

#[stage("ui/odd")]
fn odd(n: u32) -> bool {
    n != 0 && even(n - 1)
}

fn main() {
    support::start();
    assert_eq!(*catch_unwind(|| never("outer")).unwrap_err().downcast::<&str>().unwrap(), "outer");
    assert_eq!(support::last_text("statement/ui/never").as_deref(), Some("outer"));
    assert_eq!(*catch_unwind(|| never_in_a_stage()).unwrap_err().downcast::<&str>().unwrap(), "inner");
    assert!(catch_unwind(|| panics("")).is_err());
    assert_eq!(panics("x"), Ok(1));
    std::panic::set_hook(Box::new(|_| {}));
    assert!(catch_unwind(|| unfinished(1)).is_err());
    drop(std::panic::take_hook());
    // A panic ended each of them, and is not an error of the statement.
    for (name, count) in [("never", 2), ("panics", 2), ("unfinished", 1)] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, 0), "{name}");
    }
    assert_eq!(support::count("stage/ui/never in a stage"), 1);

    assert_eq!(factorial(5), Ok(120));
    assert_eq!(support::count("statement/ui/factorial"), 6);
    assert!(factorial(13).is_err());
    assert_eq!(support::count("statement/ui/factorial"), 20);
    assert_eq!(support::errors("statement/ui/factorial"), 1);
    assert!(even(4) && odd(3));
    assert_eq!((support::count("stage/ui/even"), support::count("stage/ui/odd")), (5, 4));
}
