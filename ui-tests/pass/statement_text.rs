//! `text = …`: any expression of the arguments that is text, which is only borrowed.

#![deny(warnings)]

use pfs::prelude::*;
use std::borrow::Cow;

#[path = "support/mod.rs"]
mod support;

#[statement("ui/str", text = sql)]
fn of_str(sql: &str) -> Result<usize, String> {
    Ok(sql.len())
}

#[statement("ui/string", text = sql)]
fn of_string(sql: String) -> Result<String, String> {
    Ok(sql)
}

#[statement("ui/bytes", text = &line[1..])]
fn of_bytes(line: &[u8]) -> usize {
    line.len()
}

#[statement("ui/pattern", text = format!("{key}={value}"))]
fn of_pattern((key, value): (&str, u32)) -> Result<u32, String> {
    Ok(value + u32::from(key == "a"))
}

#[statement("ui/vec", text = buffer)]
fn of_vec(mut buffer: Vec<u8>) -> Result<Vec<u8>, Vec<u8>> {
    buffer.push(b'!');
    Err(buffer)
}

#[statement("ui/cow", text = text.as_bytes())]
fn of_cow<'a>(text: Cow<'a, str>) -> Option<Cow<'a, str>> {
    Some(text)
}

#[statement("ui/mut", text = &*text)]
fn of_mut(text: &mut String) -> Result<&mut String, ()> {
    text.push('x');
    Ok(text)
}

#[statement("ui/generic", text = text)]
fn of_generic<T: AsRef<[u8]>>(text: T) -> T {
    text
}

#[statement("ui/literal", text = "a literal")]
fn of_literal() {}

struct Session {
    sql: String,
}

impl Session {
    #[statement("ui/Session::run", text = self.sql)]
    fn run(&self) -> Result<usize, String> {
        Ok(self.sql.len())
    }

    #[statement("ui/Session::end", text = self.sql)]
    fn end(self) -> Result<String, String> {
        Ok(self.sql)
    }
}

fn main() {
    support::start();
    assert_eq!(of_str("SELECT 1"), Ok(8));
    check("str", "SELECT 1");
    assert_eq!(of_string("SELECT 2".to_owned()).as_deref(), Ok("SELECT 2"));
    check("string", "SELECT 2");
    assert_eq!(of_bytes(b"*GET"), 4);
    check("bytes", "GET");
    assert_eq!(of_pattern(("a", 4)), Ok(5));
    check("pattern", "a=4");
    assert_eq!(of_vec(b"SET".to_vec()), Err(b"SET!".to_vec()));
    check("vec", "SET");
    assert_eq!(of_cow("cow".into()).as_deref(), Some("cow"));
    check("cow", "cow");
    assert_eq!(of_mut(&mut "mut".to_owned()).unwrap(), "mutx");
    check("mut", "mut");
    assert_eq!(of_generic(*b"array"), *b"array");
    check("generic", "array");
    of_literal();
    check("literal", "a literal");
    let session = Session { sql: "SELECT 3".to_owned() };
    assert_eq!(session.run(), Ok(8));
    check("Session::run", "SELECT 3");
    assert_eq!(session.end().as_deref(), Ok("SELECT 3"));
    check("Session::end", "SELECT 3");
}

fn check(name: &str, text: &str) {
    assert_eq!(support::last_text(&format!("statement/ui/{name}")).as_deref(), Some(text), "{name}");
}
