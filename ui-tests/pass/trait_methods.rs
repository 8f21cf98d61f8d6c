//! Methods of traits: provided, implemented, generic, with associated types, behind `dyn`.

#![deny(warnings)]

use pfs::prelude::*;
use std::fmt::{Debug, Display};

#[path = "support/mod.rs"]
mod support;

trait Handler {
    type Error: Display;
    const RETRIES: u32;

    fn handle(&mut self, request: &str) -> Result<usize, Self::Error>;

    #[statement("ui/Handler::retry")]
    fn retry(&mut self, request: &str) -> Result<usize, Self::Error> {
        let mut result = self.handle(request);
        for _ in 0..Self::RETRIES {
            if result.is_ok() {
                break;
            }
            result = self.handle(request);
        }
        result
    }

    #[stage("ui/Handler::describe")]
    fn describe<T: Debug + ?Sized>(value: &T) -> String
    where
        Self: Sized,
    {
        format!("{value:?}")
    }
}

struct Echo {
    failures: u32,
}

impl Handler for Echo {
    type Error = String;
    const RETRIES: u32 = 2;

    #[statement("ui/Echo::handle", text = request)]
    fn handle(&mut self, request: &str) -> Result<usize, Self::Error> {
        if self.failures > 0 {
            self.failures -= 1;
            return Err(format!("{} to go", self.failures));
        }
        Ok(request.len())
    }
}

trait Convert<T> {
    fn convert(&self) -> Result<T, String>;
}

impl<T: Clone + Default + PartialEq> Convert<T> for [T] {
    #[statement("ui/Convert::convert")]
    fn convert(&self) -> Result<T, String> {
        self.iter().find(|item| **item != T::default()).cloned().ok_or("only defaults".to_owned())
    }
}

trait Sink {
    #[statement("ui/Sink::put")]
    fn put(&self, _line: &str) -> Result<(), String> {
        Err("nowhere to put it".to_owned())
    }

    #[stage("ui/Sink::flush")]
    fn flush(&self) {}
}

struct Null;
impl Sink for Null {}

impl Iterator for Echo {
    type Item = u32;

    #[stage("ui/Echo::next")]
    fn next(&mut self) -> Option<Self::Item> {
        self.failures = self.failures.checked_sub(1)?;
        Some(self.failures)
    }
}

fn main() {
    support::start();
    assert_eq!(Echo { failures: 1 }.retry("abc"), Ok(3));
    assert_eq!(Echo { failures: 9 }.retry("abc"), Err("6 to go".to_owned()));
    assert_eq!(Echo::describe("x"), "\"x\"");
    assert_eq!([0, 7].convert(), Ok(7));
    assert!([""].convert().is_err());
    let sink: &dyn Sink = &Null;
    assert!(sink.put("line").is_err());
    sink.flush();
    assert_eq!(Echo { failures: 3 }.collect::<Vec<_>>(), [2, 1, 0]);

    for (name, count, errors) in
        [("Handler::retry", 2, 1), ("Echo::handle", 5, 4), ("Convert::convert", 2, 1), ("Sink::put", 1, 1)]
    {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    for (name, count) in [("Handler::describe", 1), ("Sink::flush", 1), ("Echo::next", 4)] {
        assert_eq!(support::count(&format!("stage/ui/{name}")), count, "{name}");
    }
}
