//! What is returned borrows from arguments, from what they lend, from the receiver.

#![deny(warnings)]

use pfs::prelude::*;
use std::borrow::Cow;
use std::cell::{Ref, RefCell};
use std::sync::{Mutex, MutexGuard};

#[path = "support/mod.rs"]
mod support;

#[statement("ui/longer")]
fn longer<'a>(a: &'a str, b: &'a str) -> Result<&'a str, &'a str> {
    if a.len() == b.len() { Err(a) } else { Ok(if a.len() > b.len() { a } else { b }) }
}

#[statement("ui/first")]
fn first(items: &mut [String]) -> Result<&mut String, &'static str> {
    items.first_mut().ok_or("empty")
}

#[statement("ui/cow")]
fn cow(text: &str) -> Result<Cow<'_, str>, String> {
    if text.is_ascii() { Ok(text.into()) } else { Ok(text.to_ascii_lowercase().into()) }
}

#[statement("ui/guard")]
fn guard<'m>(lock: &'m Mutex<u8>) -> Result<MutexGuard<'m, u8>, std::sync::PoisonError<MutexGuard<'m, u8>>> {
    lock.lock()
}

// The borrow in the last expression ends before the argument does, in every edition.
#[statement("ui/temporary")]
fn temporary(cell: RefCell<String>) -> Result<usize, String> {
    Ok(cell.borrow().len())
}

#[stage("ui/temporary in a stage")]
fn temporary_in_a_stage(cell: RefCell<String>) -> usize {
    cell.borrow().len()
}

#[statement("ui/projected")]
fn projected(cell: &RefCell<(u8, u8)>) -> Result<Ref<'_, u8>, std::cell::BorrowError> {
    Ok(Ref::map(cell.try_borrow()?, |pair| &pair.1))
}

struct Parser<'i> {
    input: &'i str,
    at: usize,
}

impl<'i> Parser<'i> {
    // Not of the receiver, but of what it borrows.
    #[statement("ui/Parser::word")]
    fn word(&mut self) -> Result<&'i str, String> {
        let rest = &self.input[self.at..];
        let end = rest.find(' ').ok_or_else(|| "no more".to_owned())?;
        self.at += end + 1;
        Ok(&rest[..end])
    }

    #[statement("ui/Parser::place")]
    fn place(&mut self) -> Result<&mut usize, std::convert::Infallible> {
        Ok(&mut self.at)
    }
}

fn main() {
    support::start();
    assert_eq!(longer("a", "bc"), Ok("bc"));
    assert_eq!(longer("a", "b"), Err("a"));
    let mut items = ["x".to_owned()];
    first(&mut items).unwrap().push('y');
    assert_eq!(items, ["xy"]);
    assert!(first(&mut []).is_err());
    assert!(matches!(cow("x"), Ok(Cow::Borrowed("x"))));
    let lock = Mutex::new(1);
    *guard(&lock).unwrap() += 1;
    assert_eq!(*guard(&lock).unwrap(), 2);
    assert_eq!(temporary(RefCell::new("four".into())), Ok(4));
    assert_eq!(temporary_in_a_stage(RefCell::new("four".into())), 4);
    assert_eq!(*projected(&RefCell::new((1, 2))).unwrap(), 2);
    let input = "a bc d".to_owned();
    let mut parser = Parser { input: &input, at: 0 };
    let words = (parser.word(), parser.word(), parser.word());
    *parser.place().unwrap() = 0;
    assert_eq!(words, (Ok("a"), Ok("bc"), Err("no more".to_owned())));
    assert_eq!(parser.word(), Ok("a"));
    assert_eq!(support::count("statement/ui/Parser::word"), 4);
    assert_eq!(support::errors("statement/ui/Parser::word"), 1);
}
