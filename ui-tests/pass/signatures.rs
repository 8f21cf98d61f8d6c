//! Signatures as servers have them: dynamic and generic writers, destructured arguments, nested references,
//! projections, aliases of everything.

#![deny(warnings)]

use pfs::prelude::*;
use std::collections::HashMap;
use std::fmt::Debug;
use std::io::{self, BufRead, Write};
use std::marker::PhantomData;
use std::ops::{ControlFlow, Deref};
use std::path::Path;
use std::rc::Rc;
use std::str::FromStr;

#[path = "support/mod.rs"]
mod support;

struct Point {
    x: i32,
    y: i32,
}

#[statement("ui/writer", text = line)]
fn writer(out: &mut dyn Write, line: &str) -> io::Result<()> {
    writeln!(out, "{line}")?;
    out.flush()
}

#[statement("ui/generic writer")]
fn generic_writer<W: Write + ?Sized>(out: &mut W, parts: &[&[u8]]) -> io::Result<usize> {
    let mut written = 0;
    for part in parts {
        written += out.write(part)?;
    }
    Ok(written)
}

#[statement("ui/reader")]
fn reader(mut input: impl BufRead, buffer: &mut String) -> io::Result<Option<&str>> {
    Ok(if input.read_line(buffer)? == 0 { None } else { Some(buffer.trim_end()) })
}

#[statement("ui/struct pattern")]
fn struct_pattern(Point { x, y: ref z }: Point, &(a, b): &(i32, i32), &mut c: &mut i32) -> Result<i32, i32> {
    Ok(x + z + a + b + c)
}

#[statement("ui/projection")]
fn projection<T: FromStr>(text: &str) -> Result<T, T::Err> {
    text.parse()
}

#[statement("ui/qualified")]
fn qualified<I>(mut items: I) -> std::result::Result<<I as Iterator>::Item, std::fmt::Error>
where
    I: Iterator,
{
    items.next().ok_or(std::fmt::Error)
}

#[statement("ui/references in references")]
fn references<'a, 'b>(outer: &'a mut &'b str, n: usize) -> Result<&'b str, &'a mut &'b str> {
    match outer.split_at_checked(n) {
        Some((head, tail)) => {
            *outer = tail;
            Ok(head)
        }
        None => Err(outer),
    }
}

#[statement("ui/collected")]
fn collected<'t>(text: &'t str, seen: &mut HashMap<&'t str, u32>) -> Result<Vec<(&'t str, u32)>, String> {
    for word in text.split(' ') {
        *seen.entry(word).or_default() += 1;
    }
    let mut all: Vec<_> = seen.iter().map(|(word, n)| (*word, *n)).collect();
    all.sort_unstable();
    if all.is_empty() { Err(text.into()) } else { Ok(all) }
}

#[statement("ui/control flow")]
fn control_flow(n: u8) -> ControlFlow<u8> {
    if n > 1 {
        return ControlFlow::Break(n);
    }
    ControlFlow::Continue(())
}

#[statement("ui/path")]
fn path<P>(at: P) -> Result<u64, Box<dyn std::error::Error + Send + Sync + 'static>>
where
    P: AsRef<Path>,
{
    Ok(std::fs::metadata(at)?.len())
}

#[statement("ui/callbacks")]
fn callbacks(
    each: &mut dyn FnMut(u8) -> Result<(), String>,
    last: Box<dyn FnOnce() -> Result<u8, String> + '_>,
    map: fn(u8) -> u8,
) -> Result<u8, String> {
    for n in 0..2 {
        each(n)?;
    }
    last().map(map)
}

#[statement("ui/returned closure")]
fn returned_closure<'a, T: Debug + 'a>(value: T) -> Result<Box<dyn Fn() -> String + 'a>, ()> {
    Ok(Box::new(move || format!("{value:?}")))
}

#[statement("ui/many")]
fn many(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: u8) -> Result<u8, u8> {
    [a, b, c, d, e, f, g, h, i].iter().try_fold(0_u8, |sum, n| sum.checked_add(*n)).ok_or(i)
}

#[stage("ui/unit struct")]
fn unit_struct<T>(_: PhantomData<T>, (): (), [_a, .., _b]: [u8; 3]) -> PhantomData<T> {
    PhantomData
}

struct Handle<T: ?Sized>(Rc<T>);

impl<T: ?Sized> Deref for Handle<T> {
    type Target = T;

    #[stage("ui/Handle::deref")]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized + Debug> Handle<T> {
    #[statement("ui/Handle::show")]
    fn show<'s>(&'s self, prefix: &str) -> Result<(&'s T, String), &'static str>
    where
        T: 's,
    {
        if prefix.is_empty() { Err("no prefix") } else { Ok((self, format!("{prefix}{:?}", &**self))) }
    }
}

impl Write for Handle<str> {
    #[statement("ui/Handle::write", text = buffer)]
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        if buffer.is_empty() { Err(io::ErrorKind::InvalidInput.into()) } else { Ok(buffer.len()) }
    }

    #[statement("ui/Handle::flush")]
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[statement("ui/main")]
fn main_like() -> Result<(), Box<dyn std::error::Error>> {
    let n: u8 = projection("7")?;
    writer(&mut Vec::new(), &n.to_string())?;
    Err("at the end".into())
}

fn main() {
    support::start();
    let mut out = Vec::new();
    writer(&mut out, "line").unwrap();
    assert_eq!(generic_writer(&mut out, &[b"a", b"bc"]).unwrap(), 3);
    assert_eq!(out, b"line\nabc");
    assert_eq!(reader(&b"one\n"[..], &mut String::new()).unwrap(), Some("one"));
    assert_eq!(struct_pattern(Point { x: 1, y: 2 }, &(3, 4), &mut 5), Ok(15));
    assert_eq!(projection::<u8>("8"), Ok(8));
    assert!(projection::<u8>("x").is_err());
    assert_eq!(qualified([1].iter()), Ok(&1));
    let mut text = "abc";
    assert_eq!(references(&mut text, 1), Ok("a"));
    assert_eq!(references(&mut text, 3), Err(&mut "bc"));
    assert_eq!(collected("a b a", &mut HashMap::new()), Ok(vec![("a", 2), ("b", 1)]));
    assert_eq!((control_flow(1), control_flow(2)), (ControlFlow::Continue(()), ControlFlow::Break(2)));
    assert!(path("/").is_ok() && path("/no such file").is_err());
    let mut sum = 0;
    let borrowed = String::from("lent");
    let called = callbacks(
        &mut |n| {
            sum += n;
            Ok(())
        },
        Box::new(|| Ok(borrowed.len() as u8)),
        |n| n + 1,
    );
    assert_eq!((called, sum), (Ok(5), 1));
    assert_eq!(returned_closure(&borrowed).unwrap()(), "\"lent\"");
    assert_eq!(many(1, 2, 3, 4, 5, 6, 7, 8, 9), Ok(45));
    unit_struct::<u8>(PhantomData, (), [1, 2, 3]);
    let mut handle: Handle<str> = Handle("text".into());
    assert_eq!(handle.show("a "), Ok(("text", "a \"text\"".to_owned())));
    assert_eq!(handle.show(""), Err("no prefix"));
    assert!(handle.write_all(b"bytes").is_ok() && handle.write(b"").is_err() && handle.flush().is_ok());
    assert!(main_like().is_err());

    for (name, count, errors) in [
        ("writer", 2, 0),
        ("generic writer", 1, 0),
        ("reader", 1, 0),
        ("struct pattern", 1, 0),
        ("projection", 3, 1),
        ("qualified", 1, 0),
        ("references in references", 2, 1),
        ("collected", 1, 0),
        ("control flow", 2, 0),
        ("path", 2, 1),
        ("callbacks", 1, 0),
        ("returned closure", 1, 0),
        ("many", 1, 0),
        ("Handle::show", 2, 1),
        ("Handle::write", 2, 1),
        ("Handle::flush", 1, 0),
        ("main", 1, 1),
    ] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    assert_eq!(support::count("stage/ui/unit struct"), 1);
    assert_eq!(support::last_text("statement/ui/Handle::write").as_deref(), Some(""));
    assert_eq!(support::last_error("statement/ui/main").unwrap().2, "at the end");
}
