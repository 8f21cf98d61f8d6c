//! What is an error of a future: `Result`s through any alias, with code and message by `ErrorCode`, else `Display`, else
//! only counted; `err = …` otherwise. And what is none.

#![deny(warnings)]

use pfs::prelude::*;
use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use support::{block_on, pause};

#[path = "support/mod.rs"]
mod support;

#[derive(Debug, PartialEq)]
enum StoreError {
    NoSuchKey(String),
    ReadOnly,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchKey(key) => write!(f, "no such key: {key}"),
            Self::ReadOnly => f.write_str("read only"),
        }
    }
}

impl ErrorCode for StoreError {
    fn errno(&self) -> i32 {
        if *self == Self::ReadOnly { 1290 } else { 1032 }
    }

    fn sqlstate(&self) -> &str {
        "42S02"
    }
}

impl From<io::Error> for StoreError {
    fn from(_: io::Error) -> Self {
        Self::ReadOnly
    }
}

type Result<T, E = StoreError> = std::result::Result<T, E>;
type Reply = Result<u8>;
type Boxed<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;
type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

#[statement("ui/coded")]
async fn coded(key: &str) -> Result<u8> {
    pause().await;
    if key.is_empty() { Err(StoreError::NoSuchKey("(empty)".to_owned())) } else { Ok(1) }
}

#[statement("ui/alias")]
async fn alias() -> Reply {
    Err(io::Error::from(io::ErrorKind::PermissionDenied))?
}

#[statement("ui/displayed")]
async fn displayed(n: u8) -> io::Result<u8> {
    if n == 0 { Err(io::Error::other("zero")) } else { Ok(n) }
}

#[statement("ui/counted")]
async fn counted() -> Result<u8, ()> {
    Err(())
}

#[statement("ui/boxed error")]
async fn boxed_error() -> Result<u8, Box<dyn std::error::Error + Send + Sync>> {
    coded("").await.map_err(|error| error.to_string().into())
}

#[statement("ui/option")]
async fn option() -> Option<u8> {
    None
}

#[statement("ui/option as error", err = |r| r.is_none().then(|| StoreError::ReadOnly))]
async fn option_as_error(some: bool) -> Option<u8> {
    pause().await;
    some.then_some(1)
}

#[statement("ui/status", err = |&status| (status >= 500).then(|| format!("status {status}")))]
fn status(status: u16) -> impl Future<Output = u16> + Send {
    async move { status }
}

#[statement("ui/ok by err", err = |_| None::<&str>)]
async fn ok_by_err() -> Result<(), String> {
    Err("not for the record".to_owned())
}

#[statement("ui/parameter")]
async fn parameter<R>(value: R) -> R {
    value
}

#[statement("ui/bounded")]
async fn bounded<T, E: ErrorCode>(value: Result<T, E>) -> Result<T, E> {
    value
}

#[statement("ui/in a box")]
fn in_a_box(n: u8) -> BoxFuture<'static, Reply> {
    Box::pin(async move { if n == 0 { Err(StoreError::ReadOnly) } else { Ok(n) } })
}

fn main() {
    support::start();
    assert_eq!((block_on(coded("k")), block_on(coded("")).is_err()), (Ok(1), true));
    assert_eq!(block_on(alias()), Err(StoreError::ReadOnly));
    assert!(block_on(displayed(1)).is_ok() && block_on(displayed(0)).is_err());
    assert!(block_on(counted()).is_err() && block_on(boxed_error()).is_err());
    assert_eq!((block_on(option()), block_on(option_as_error(false)), block_on(option_as_error(true))), (None, None, Some(1)));
    assert_eq!((block_on(status(404)), block_on(status(503))), (404, 503));
    assert!(block_on(ok_by_err()).is_err());
    assert!(block_on(parameter(Err::<u8, _>(StoreError::ReadOnly))).is_err());
    assert!(block_on(bounded(Err::<u8, _>(StoreError::ReadOnly))).is_err());
    assert!(block_on(in_a_box(0)).is_err() && block_on(in_a_box(1)).is_ok());
    // Only the alias's own name does not say that it is a future.
    let _: Option<Boxed<'static, u8>> = None;

    for (name, count, errors) in [
        ("coded", 3, 2),
        ("alias", 1, 1),
        ("displayed", 2, 1),
        ("counted", 1, 1),
        ("boxed error", 1, 1),
        ("option", 1, 0),
        ("option as error", 2, 1),
        ("status", 2, 1),
        ("ok by err", 1, 0),
        ("parameter", 1, 0),
        ("bounded", 1, 1),
        ("in a box", 2, 1),
    ] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    let error = |name: &str| support::last_error(&format!("statement/ui/{name}")).unwrap();
    let coded = |errno, text: &str| (errno, "42S02".to_owned(), text.to_owned());
    assert_eq!(error("coded"), coded(1032, "no such key: (empty)"));
    for name in ["alias", "option as error", "bounded", "in a box"] {
        assert_eq!(error(name), coded(1290, "read only"), "{name}");
    }
    let general = |text: &str| (0, "HY000".to_owned(), text.to_owned());
    assert_eq!(error("displayed"), general("zero"));
    assert_eq!(error("counted"), general(""));
    assert_eq!(error("boxed error"), general("no such key: (empty)"));
    assert_eq!(error("status"), general("status 503"));
}
