//! `err = |r| …` says what is an error, of any return type.

#![deny(warnings)]

use pfs::prelude::*;
use std::fmt;

#[path = "support/mod.rs"]
mod support;

#[derive(Debug, PartialEq)]
enum Status {
    Found(u32),
    Missing,
}

struct Code(i32);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "code {}", self.0)
    }
}

impl pfs::ErrorCode for Code {
    fn errno(&self) -> i32 {
        self.0
    }
}

#[statement("ui/option", err = |found| found.is_none().then_some("no row"))]
fn option(found: Option<u8>) -> Option<u8> {
    Some(found? + 1)
}

#[statement("ui/status", err = |r: &Status| if *r == Status::Missing { Some(Code(42)) } else { None })]
fn status(key: u32) -> Status {
    if key == 0 {
        return Status::Missing;
    }
    Status::Found(key)
}

#[statement("ui/borrowed", err = |r| r.as_ref().err())]
fn borrowed(text: &str) -> Result<u8, std::num::ParseIntError> {
    text.parse()
}

fn worse(result: &Result<u8, String>) -> Option<&str> {
    match result {
        Err(error) if error.starts_with('!') => Some(error),
        _ => None,
    }
}

#[statement("ui/named", err = worse)]
fn named(error: &str) -> Result<u8, String> {
    Err(error.to_owned())
}

#[statement("ui/boolean", err = |done| (!*done).then_some("not done"))]
fn boolean(done: bool) -> bool {
    done
}

#[statement("ui/unit", err = |()| Some("always"))]
fn unit() {}

struct Pool {
    limit: u32,
}

impl Pool {
    #[statement("ui/Pool::take", text = b"take", err = |left: &u32| (*left == 0).then(|| format!("none of {} left", 3)))]
    fn take(&mut self, n: u32) -> u32 {
        self.limit = self.limit.saturating_sub(n);
        self.limit
    }
}

fn main() {
    support::start();
    assert_eq!((option(Some(1)), option(None)), (Some(2), None));
    check("option", 2, 1, (0, "no row"));
    assert_eq!((status(1), status(0)), (Status::Found(1), Status::Missing));
    check("status", 2, 1, (42, "code 42"));
    assert!(borrowed("7").is_ok() && borrowed("").is_err());
    check("borrowed", 2, 1, (0, "cannot parse integer from empty string"));
    assert!(named("fine").is_err() && named("!bad").is_err());
    check("named", 2, 1, (0, "!bad"));
    assert!(boolean(true) && !boolean(false));
    check("boolean", 2, 1, (0, "not done"));
    unit();
    check("unit", 1, 1, (0, "always"));
    let mut pool = Pool { limit: 3 };
    assert_eq!((pool.take(1), pool.take(5)), (2, 0));
    check("Pool::take", 2, 1, (0, "none of 3 left"));
}

fn check(name: &str, count: u64, errors: u64, (errno, message): (i32, &str)) {
    let name = format!("statement/ui/{name}");
    assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    assert_eq!(support::last_error(&name), Some((errno, "HY000".to_owned(), message.to_owned())), "{name}");
}
