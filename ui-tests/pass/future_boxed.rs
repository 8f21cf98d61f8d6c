//! Functions that return a future in a box, by its whole name or by one that says so.

#![deny(warnings)]

use pfs::prelude::*;
use std::future::{Future, ready};
use std::panic::Location;
use std::pin::Pin;
use support::{block_on, pause};

#[path = "support/mod.rs"]
mod support;

// As the crate `futures` has them.
type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
type LocalBoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

#[statement("ui/pinned", text = text)]
fn pinned<'a>(text: &'a str, at: usize) -> Pin<Box<dyn Future<Output = Result<&'a str, String>> + Send + 'a>> {
    let text = text.trim();
    Box::pin(async move {
        pause().await;
        text.get(at..).ok_or_else(|| format!("{at} is too far"))
    })
}

#[statement("ui/alias")]
fn alias(n: u8) -> BoxFuture<'static, Result<u8, std::fmt::Error>> {
    ::std::boxed::Box::pin(async move { if n == 0 { Err(std::fmt::Error) } else { Ok(n) } })
}

#[stage("ui/local")]
fn local(text: &str) -> LocalBoxFuture<'_, usize> {
    let text: std::rc::Rc<str> = text.into();
    std::boxed::Box::pin(async move {
        pause().await;
        text.len()
    },)
}

#[statement("ui/recursion", text = path)]
fn recursion(path: String, depth: u32) -> BoxFuture<'static, Result<u32, String>> {
    Box::pin(async move {
        if depth == 0 {
            return Ok(1);
        }
        let below = recursion(format!("{path}/x"), depth - 1).await?;
        if path.len() > 4 { Err(path) } else { Ok(below + 1) }
    })
}

#[statement("ui/early", text = format!("{n}"))]
fn early(n: u32) -> BoxFuture<'static, Result<u32, u32>> {
    if n == 0 {
        return Box::pin(ready(Err(n)));
    }
    let doubled = Box::pin(async move {
        pause().await;
        Ok(n * 2)
    });
    doubled
}

#[stage("ui/branches")]
fn branches(which: bool) -> Pin<Box<dyn Future<Output = u8>>> {
    if which { Box::pin(ready(1)) } else { Box::pin(async { 2 }) }
}

#[statement("ui/delegated", text = "delegated")]
fn delegated(n: u8) -> BoxFuture<'static, Result<u8, std::fmt::Error>> {
    Box::pin(alias(n))
}

#[stage("ui/box")]
fn boxed(n: u8) -> Box<dyn Future<Output = u8> + Unpin + Send> {
    Box::new(ready(n))
}

#[statement("ui/box with text", text = [n])]
fn boxed_with_text(n: u8) -> Box<dyn Future<Output = Result<u8, u8>>> {
    Box::new(async move { Err(n) })
}

#[stage("ui/caller")]
#[track_caller]
fn caller() -> BoxFuture<'static, u32> {
    let line = Location::caller().line();
    Box::pin(async move { line })
}

trait Service<Request> {
    type Response;
    fn call(&mut self, request: Request) -> BoxFuture<'_, Self::Response>;
}

struct Counter(u64);

impl Service<u64> for Counter {
    type Response = Result<u64, String>;

    #[statement("ui/Counter::call", err = |r| r.as_ref().err().map(String::as_str))]
    fn call(&mut self, request: u64) -> BoxFuture<'_, Self::Response> {
        let before = self.0;
        Box::pin(async move {
            pause().await;
            self.0 = before.checked_add(request).ok_or("full")?;
            Ok(self.0)
        })
    }
}

fn main() {
    support::start();
    assert_eq!((block_on(pinned(" abc", 1)), block_on(pinned("", 1)).is_err()), (Ok("bc"), true));
    assert_eq!(support::last_text("statement/ui/pinned").as_deref(), Some(""));
    assert_eq!((block_on(alias(1)), block_on(alias(0)).is_err()), (Ok(1), true));
    assert_eq!(block_on(local("abc")), 3);
    assert_eq!(block_on(recursion("a".to_owned(), 1)), Ok(2));
    assert_eq!(block_on(recursion("a".to_owned(), 3)), Err("a/x/x".to_owned()));
    assert_eq!(support::last_text("statement/ui/recursion").as_deref(), Some("a/x/x/x"));
    assert_eq!((block_on(early(0)), block_on(early(2))), (Err(0), Ok(4)));
    assert_eq!(support::last_text("statement/ui/early").as_deref(), Some("2"));
    assert_eq!((block_on(branches(true)), block_on(branches(false))), (1, 2));
    assert_eq!(block_on(delegated(3)), Ok(3));
    assert_eq!(support::last_text("statement/ui/delegated").as_deref(), Some("delegated"));
    assert_eq!(block_on(boxed(3)), 3);
    assert_eq!(block_on(Box::into_pin(boxed_with_text(b'4'))), Err(b'4'));
    assert_eq!(support::last_text("statement/ui/box with text").as_deref(), Some("4"));
    let (future, line) = (caller(), line!());
    assert_eq!(block_on(future), line);
    let mut counter = Counter(1);
    assert_eq!((block_on(counter.call(2)), block_on(counter.call(u64::MAX)).is_err()), (Ok(3), true));

    for (name, count, errors) in [
        ("pinned", 2, 1),
        ("alias", 3, 1),
        ("recursion", 6, 3),
        ("early", 2, 1),
        ("delegated", 1, 0),
        ("box with text", 1, 1),
        ("Counter::call", 2, 1),
    ] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    for (name, count) in [("local", 1), ("branches", 2), ("box", 1), ("caller", 1)] {
        assert_eq!(support::count(&format!("stage/ui/{name}")), count, "{name}");
    }
    assert_eq!(support::last_error("statement/ui/Counter::call").unwrap().2, "full");
}
