//! Functions that return `impl Future`: the future is the event, and the call what it was.

#![deny(warnings)]

use pfs::prelude::*;
use std::cell::Cell;
use std::future::{Future, ready};
use std::panic::Location;
use std::pin::pin;
use std::task::Poll;
use support::{block_on, pause};

#[path = "support/mod.rs"]
mod support;

thread_local! {
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

#[statement("ui/block")]
fn block(n: u32) -> impl Future<Output = Result<u32, String>> {
    CALLS.set(CALLS.get() + 1);
    async move {
        pause().await;
        if n == 0 { Err("zero".to_owned()) } else { Ok(n) }
    }
}

#[stage("ui/block of references")]
fn block_of_references<'a>(text: &'a str, n: &usize) -> impl Future<Output = &'a str> + use<'a> {
    let n = *n;
    async move { text.split_at(n).0 }
}

#[statement("ui/block with text", text = sql)]
fn block_with_text(sql: String) -> impl Future<Output = usize> + Send {
    let more = 1;
    async move {
        pause().await;
        sql.len() + more
    }
}

#[statement("ui/delegated", text = text)]
fn delegated(text: &str) -> impl Future<Output = Result<u8, std::num::ParseIntError>> + '_ {
    parse(text)
}

async fn parse(text: &str) -> Result<u8, std::num::ParseIntError> {
    pause().await;
    text.parse()
}

#[stage("ui/unpin")]
fn unpin(n: u8) -> impl Future<Output = u8> + Unpin + Send + Sync {
    ready(n)
}

#[statement("ui/early")]
fn early(n: u32) -> impl Future<Output = Result<u32, u32>> {
    if n == 0 {
        return ready(Err(n));
    }
    ready(Ok(n + 1))
}

#[statement("ui/early with text", text = format!("{a} {b}"))]
fn early_with_text((a, b): (u8, u8), mut c: String) -> impl Future<Output = Result<String, ()>> {
    c.push('!');
    if a == b {
        return ready(Err(()));
    }
    ready(Ok(c))
}

#[statement("ui/macro")]
fn with_a_macro(n: usize) -> impl Future<Output = Vec<u8>> {
    let items = vec![1; n];
    async move {
        pause().await;
        items
    }
}

fn futures() -> Result<std::future::Ready<Result<u8, String>>, String> {
    Ok(ready(Ok(1)))
}

#[statement("ui/match")]
fn matched(one: bool) -> impl Future<Output = Result<u8, String>> {
    match (one, futures()) {
        (true, Ok(future)) => future,
        _ => ready(Err("the other".to_owned())),
    }
}

#[stage("ui/caller")]
#[track_caller]
fn caller() -> impl Future<Output = u32> {
    let line = Location::caller().line();
    async move { line }
}

#[track_caller]
#[statement("ui/caller", text = "where")]
fn caller_of_a_block() -> impl Future<Output = u32> {
    let line = Location::caller().line();
    ready(line)
}

#[statement("ui/result of impl")]
fn result_of_impl(n: u32) -> impl Future<Output = Result<impl Iterator<Item = u32>, String>> {
    async move { if n > 3 { Err(format!("{n}")) } else { Ok(0..n) } }
}

#[stage("ui/not async")]
fn generic<F: Future>(future: F) -> impl Future<Output = F::Output> {
    future
}

trait Client {
    fn call(&self, n: u32) -> impl Future<Output = Result<u32, String>> + Send;

    #[statement("ui/Client::twice")]
    fn twice(&self, n: u32) -> impl Future<Output = Result<u32, String>> + Send
    where
        Self: Sync,
    {
        async move { Ok(self.call(n).await? + self.call(n).await?) }
    }
}

struct Times(u32);

impl Client for Times {
    #[statement("ui/Times::call", text = format!("{} times {n}", self.0))]
    fn call(&self, n: u32) -> impl Future<Output = Result<u32, String>> + Send {
        async move {
            pause().await;
            n.checked_mul(self.0).ok_or_else(|| "too much".to_owned())
        }
    }
}

fn main() {
    support::start();
    let made = block(1);
    assert_eq!((CALLS.get(), support::count("statement/ui/block")), (1, 0));
    assert_eq!((block_on(made), block_on(block(0)).is_err()), (Ok(1), true));
    drop(block(2));
    assert_eq!((CALLS.get(), support::count("statement/ui/block")), (3, 2));
    assert_eq!(block_on(block_of_references("abc", &2)), "ab");
    assert_eq!(block_on(block_with_text("SELECT".to_owned())), 7);
    assert_eq!(support::last_text("statement/ui/block with text").as_deref(), Some("SELECT"));
    assert_eq!((block_on(delegated("7")), block_on(delegated("seven")).is_err()), (Ok(7), true));
    assert_eq!(support::last_text("statement/ui/delegated").as_deref(), Some("seven"));
    assert_eq!(std::pin::Pin::new(&mut unpin(3)).poll(&mut std::task::Context::from_waker(std::task::Waker::noop())), Poll::Ready(3));
    assert_eq!((block_on(early(0)), block_on(early(1))), (Err(0), Ok(2)));
    assert_eq!(block_on(early_with_text((1, 2), "c".to_owned())).as_deref(), Ok("c!"));
    assert_eq!(support::last_text("statement/ui/early with text").as_deref(), Some("1 2"));
    assert!(block_on(early_with_text((1, 1), String::new())).is_err());
    assert_eq!(block_on(with_a_macro(2)), [1, 1]);
    assert_eq!((block_on(matched(true)), block_on(matched(false)).is_err()), (Ok(1), true));
    let (future, line) = (caller(), line!());
    assert_eq!(block_on(future), line);
    let (future, line) = (caller_of_a_block(), line!());
    assert_eq!(block_on(future), line);
    assert_eq!(block_on(result_of_impl(3)).unwrap().sum::<u32>(), 3);
    assert!(block_on(result_of_impl(4)).is_err());
    assert_eq!(block_on(pin!(generic(ready(4)))), 4);
    assert_eq!((block_on(Times(2).twice(3)), block_on(Times(u32::MAX).twice(2)).is_err()), (Ok(12), true));
    assert_eq!(support::last_text("statement/ui/Times::call").as_deref(), Some("4294967295 times 2"));

    for (name, count, errors) in [
        ("block", 2, 1),
        ("block with text", 1, 0),
        ("delegated", 2, 1),
        ("early", 2, 1),
        ("early with text", 2, 1),
        ("macro", 1, 0),
        ("match", 2, 1),
        ("caller", 1, 0),
        ("result of impl", 2, 1),
        ("Client::twice", 2, 1),
        ("Times::call", 3, 1),
    ] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    for name in ["block of references", "unpin", "caller", "not async"] {
        assert_eq!(support::count(&format!("stage/ui/{name}")), 1, "{name}");
    }
}
