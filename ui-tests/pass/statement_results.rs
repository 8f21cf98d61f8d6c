//! What is an error: a `Result`, also behind an alias, by `return`, `?` and inside macros; with code, message, or
//! neither. What is none: everything else.

#![deny(warnings)]

use pfs::prelude::*;
use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::task::Poll;

#[path = "support/mod.rs"]
mod support;

/// An error type as `anyhow` has it: from any error, and none itself.
#[derive(Debug)]
struct AnyError(Box<dyn Error + Send + Sync>);

impl<E: Error + Send + Sync + 'static> From<E> for AnyError {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

impl fmt::Display for AnyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

type Result<T, E = AnyError> = std::result::Result<T, E>;
type Reply = Result<u32>;

macro_rules! bail {
    ($message:literal) => {
        return Err(AnyError($message.into()))
    };
}

#[statement("ui/parse")]
fn parse(line: &str) -> Result<u32> {
    if line.is_empty() {
        bail!("nothing to parse");
    }
    if line == "zero" {
        return Ok(0);
    }
    let value = line.parse()?;
    Ok(value)
}

#[statement]
fn aliased(ok: bool) -> Reply {
    if ok { Ok(1) } else { Err(AnyError("aliased".into())) }
}

#[derive(Debug)]
struct NotFound;

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such key")
    }
}

impl pfs::ErrorCode for NotFound {
    fn errno(&self) -> i32 {
        1032
    }

    fn sqlstate(&self) -> &str {
        "02000"
    }
}

#[statement("ui/coded")]
fn coded() -> std::result::Result<(), NotFound> {
    Err(NotFound)
}

#[statement("ui/boxed")]
fn boxed() -> Result<(), Box<NotFound>> {
    Err(Box::new(NotFound))
}

#[statement("ui/dynamic")]
fn dynamic() -> Result<u8, Box<dyn Error>> {
    let value: u8 = "256".parse()?;
    Ok(value)
}

struct Opaque;

#[statement("ui/opaque")]
fn opaque() -> Result<(), Opaque> {
    Err(Opaque)
}

#[statement("ui/of any error")]
fn of_any_error<E>(error: E) -> Result<(), E> {
    Err(error)
}

#[statement("ui/of any display")]
fn of_any_display<E: fmt::Display>(error: E) -> Result<(), E> {
    Err(error)
}

#[statement("ui/infallible")]
fn infallible() -> Result<u8, Infallible> {
    Ok(1)
}

#[statement("ui/option")]
fn option() -> Option<u8> {
    let nothing: Option<u8> = None;
    Some(nothing? + 1)
}

#[statement("ui/poll")]
fn poll() -> Poll<Result<u8>> {
    Poll::Ready(Err(AnyError("inside".into())))
}

#[statement("ui/type parameter")]
fn type_parameter<R>(make: impl FnOnce() -> R) -> R {
    make()
}

#[statement("ui/nested")]
fn nested() -> Result<Result<u8, NotFound>, NotFound> {
    Ok(Err(NotFound))
}

#[statement("ui/tuple")]
fn tuple() -> (Result<u8, NotFound>, u8) {
    (Err(NotFound), 1)
}

#[statement("ui/unit")]
fn unit() {}

fn main() {
    support::start();
    assert!(parse("").is_err());
    assert_eq!(support::last_error("statement/ui/parse"), error(0, "HY000", "nothing to parse"));
    assert_eq!(parse("zero").unwrap(), 0);
    assert_eq!(parse("17").unwrap(), 17);
    assert!(parse("x").is_err());
    assert_eq!(support::last_error("statement/ui/parse"), error(0, "HY000", "invalid digit found in string"));
    assert_eq!((support::count("statement/ui/parse"), support::errors("statement/ui/parse")), (4, 2));

    assert!(aliased(true).is_ok());
    assert!(aliased(false).is_err());
    let aliased = format!("statement/{}/aliased", module_path!());
    assert_eq!((support::count(&aliased), support::errors(&aliased)), (2, 1));

    assert!(coded().is_err());
    assert_eq!(support::last_error("statement/ui/coded"), error(1032, "02000", "no such key"));
    assert!(boxed().is_err());
    assert_eq!(support::last_error("statement/ui/boxed"), error(1032, "02000", "no such key"));
    assert!(dynamic().is_err());
    assert_eq!(
        support::last_error("statement/ui/dynamic"),
        error(0, "HY000", "number too large to fit in target type")
    );
    assert!(opaque().is_err());
    assert_eq!(support::last_error("statement/ui/opaque"), error(0, "HY000", ""));
    // Decided by the bounds, and so without the code that this error has.
    assert!(of_any_error(NotFound).is_err());
    assert_eq!(support::last_error("statement/ui/of any error"), error(0, "HY000", ""));
    assert!(of_any_display(NotFound).is_err());
    assert_eq!(support::last_error("statement/ui/of any display"), error(0, "HY000", "no such key"));

    assert!(infallible().is_ok());
    assert!(option().is_none());
    assert!(poll().is_ready());
    assert!(type_parameter(|| Err::<u8, _>(NotFound)).is_err());
    assert!(nested().is_ok());
    assert_eq!(tuple().1, 1);
    unit();
    for name in ["infallible", "option", "poll", "type parameter", "nested", "tuple", "unit"] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (1, 0), "{name}");
    }
}

fn error(errno: i32, sqlstate: &str, message: &str) -> Option<(i32, String, String)> {
    Some((errno, sqlstate.to_owned(), message.to_owned()))
}
