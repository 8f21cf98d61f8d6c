//! What `text`, `err`, `sync` and the name may be written as.

#![deny(warnings)]
#![allow(dead_code, unused_braces)]

use pfs::prelude::*;
use std::fmt::Debug;

#[path = "support/mod.rs"]
mod support;

mod named {
    pub const NAME: &str = "n";
    pub fn text(n: u8) -> String {
        format!("t{n}")
    }

    pub fn error(r: &u8) -> Option<&'static str> {
        (*r > 1).then_some("more")
    }

    pub fn generic<T: std::fmt::Debug>(t: &Option<T>) -> Option<String> {
        t.is_none().then(|| format!("{t:?}"))
    }
}

#[statement("ui/path text", text = named::text(n))]
fn path_text(n: u8) -> Result<u8, u8> {
    Ok(n)
}

#[statement("ui/const text", text = named::NAME)]
fn const_text() {}

#[statement("ui/match text", text = match n { 0 => "zero", _ if n > 9 => "many", _ => "some" })]
fn match_text(n: u8) -> Result<u8, u8> {
    Ok(n)
}

#[statement("ui/if text", text = if let Some(s) = &s { s.as_str() } else { "none" })]
fn if_text(s: Option<String>) -> Result<(), ()> {
    drop(s);
    Ok(())
}

#[statement("ui/closure text", text = (|| ["a", "b"].concat())())]
fn closure_text() -> Result<(), ()> {
    Ok(())
}

#[statement("ui/block text", text = { let all: Vec<_> = items.iter().map(|i| format!("{i:?}")).collect(); all.join(",") })]
fn block_text<T: Debug>(items: &[T]) -> Result<usize, ()> {
    Ok(items.len())
}

#[statement("ui/unsafe text", text = unsafe { std::slice::from_raw_parts(p, n) })]
unsafe fn unsafe_text(p: *const u8, n: usize) -> Result<usize, ()> {
    let _ = p;
    Ok(n)
}

#[statement("ui/pattern text", text = format!("{a}{b}{rest:?}"))]
fn pattern_text((a, [b, rest @ ..]): (u8, [u8; 3])) -> Result<u8, u8> {
    Ok(a + b + rest[0])
}

#[statement("ui/mut text", text = { n += 1; n.to_string() })]
fn mut_text(mut n: u8) -> Result<u8, u8> {
    n += 1;
    Ok(n)
}

#[statement("ui/cow text", text = String::from_utf8_lossy(bytes).as_bytes())]
fn cow_text(bytes: &[u8]) -> Result<usize, ()> {
    Ok(bytes.len())
}

#[statement("ui/err path", err = named::error)]
fn err_path(n: u8) -> u8 {
    n
}

#[statement("ui/err generic", err = named::generic)]
fn err_generic<T: Debug>(t: T, b: bool) -> Option<T> {
    b.then_some(t)
}

#[statement("ui/err block", err = { let limit = 1; move |r: &u8| (*r > limit).then_some("over") })]
fn err_block(n: u8) -> u8 {
    n
}

#[statement("ui/err of tuple", err = |(n, _)| (*n == 0).then_some(std::fmt::Error))]
fn err_tuple(n: u8) -> (u8, &'static str) {
    (n, "x")
}

#[statement("ui/err of self", err = |r| r.as_ref().err().filter(|e| **e != "fine"))]
fn err_filter(s: &'static str) -> Result<(), &'static str> {
    Err(s)
}

#[statement("ui/err async", err = |r: &Vec<u8>| r.is_empty().then_some("empty"), text = n.to_string())]
async fn err_async(n: usize) -> Vec<u8> {
    support::pause().await;
    vec![1; n]
}

#[statement(err = |n| (*n > 0).then_some("x"), text = "t", name = "ui/any order", crate = pfs)]
fn any_order(n: u8) -> u8 {
    n
}

#[statement("ui/sync", sync)]
fn sync_future(n: u8) -> std::future::Ready<u8> {
    std::future::ready(n)
}

#[statement("ui/sync err", sync, err = |r: &Option<std::future::Ready<u8>>| r.is_none().then_some("none"), text = "s")]
fn sync_err(b: bool) -> Option<std::future::Ready<u8>> {
    b.then(|| std::future::ready(1))
}

#[statement(name = "ui/raw name", text = r#"raw "t""#)]
fn raw_text() -> Result<(), ()> {
    Ok(())
}

#[statement(r"ui/raw literal")]
fn raw_literal() -> Result<(), ()> {
    Ok(())
}

#[statement("ui/a:b.c-d e_f/g")]
fn all_characters() -> Result<(), ()> {
    Ok(())
}

#[statement("ui/nested macro text", text = format!("{}", concat!("a", stringify!(b), line!())).to_lowercase())]
fn nested_macro_text() -> Result<(), ()> {
    Ok(())
}

#[statement("ui/await text", text = named_async(n).await)]
async fn await_text(n: u8) -> Result<u8, u8> {
    Ok(n)
}

async fn named_async(n: u8) -> String {
    support::pause().await;
    n.to_string()
}

#[statement("ui/dollar text", text = { struct Local(u8); impl Local { fn text(&self) -> String { self.0.to_string() } } Local(n).text() })]
fn local_item_text(n: u8) -> Result<u8, u8> {
    Ok(n)
}

#[stage("ui/const args")]
fn const_args<const N: usize>(a: [u8; N], _: [(); { N }]) -> [u8; N] {
    a
}

#[statement("ui/shadowing")]
fn shadowing(n: u8) -> Result<u8, String> {
    let n = n.to_string();
    let n = n.parse::<u8>().map_err(|e| e.to_string())?;
    Ok(n)
}

#[statement("ui/same names", text = name)]
fn same_names(name: &str, text: &str, err: &str, sync: &str) -> Result<String, String> {
    Ok([name, text, err, sync].concat())
}

fn main() {
    support::start();
    let _ = (
        path_text(1),
        match_text(10),
        if_text(Some("s".into())),
        closure_text(),
        block_text(&[1, 2]),
        pattern_text((1, [2, 3, 4])),
        mut_text(1),
        cow_text(b"c\xff"),
        raw_text(),
        raw_literal(),
        all_characters(),
        nested_macro_text(),
        local_item_text(4),
        shadowing(1),
        same_names("n", "", "", ""),
    );
    const_text();
    assert_eq!(unsafe { unsafe_text(b"ab".as_ptr(), 2) }, Ok(2));
    // Without the engine no text is asked for.
    assert_eq!(mut_text(1), Ok(if pfs::COMPILED_IN { 3 } else { 2 }));
    err_path(2);
    err_generic(1, false);
    err_block(2);
    err_tuple(0);
    let _ = err_filter("fine");
    let _ = err_filter("bad");
    support::block_on(err_async(0));
    any_order(1);
    let _ = sync_future(1);
    sync_err(false);
    const_args([1; 2], [(); 2]);
    support::block_on(await_text(5)).unwrap();
    for (name, text) in [
        ("path text", "t1"),
        ("const text", "n"),
        ("match text", "many"),
        ("if text", "s"),
        ("closure text", "ab"),
        ("block text", "1,2"),
        ("unsafe text", "ab"),
        ("pattern text", "12[3, 4]"),
        ("mut text", "2"),
        ("cow text", "c\u{fffd}"),
        ("err async", "0"),
        ("any order", "t"),
        ("sync err", "s"),
        ("raw name", "raw \"t\""),
        ("await text", "5"),
        ("dollar text", "4"),
        ("same names", "n"),
    ] {
        assert_eq!(support::last_text(&format!("statement/ui/{name}")).as_deref(), Some(text), "{name}");
    }
    for (name, count, errors) in [
        ("err path", 1, 1),
        ("err generic", 1, 1),
        ("err block", 1, 1),
        ("err of tuple", 1, 1),
        ("err of self", 2, 1),
        ("err async", 1, 1),
        ("any order", 1, 1),
        ("sync", 1, 0),
        ("sync err", 1, 1),
        ("a:b.c-d e_f/g", 1, 0),
        ("shadowing", 1, 0),
    ] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
}
