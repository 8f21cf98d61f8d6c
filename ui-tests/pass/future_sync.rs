//! `sync`: the call is meant, and not the future that it makes. With it any future may be returned.

#![deny(warnings)]

use pfs::prelude::*;
use std::future::{Future, Ready, ready};
use std::pin::Pin;
use std::task::{Context, Poll};
use support::block_on;

#[path = "support/mod.rs"]
mod support;

#[derive(Clone)]
struct Named(u8);

impl Future for Named {
    type Output = u8;

    // Neither is a future: what is returned is looked at, and not what is taken.
    #[stage("ui/Named::poll")]
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<u8> {
        Poll::Ready(self.0)
    }
}

#[stage("ui/named", sync)]
fn named(n: u8) -> Named {
    Named(n)
}

#[statement("ui/ready", sync, text = "text")]
fn of_std(n: u8) -> Ready<Result<u8, String>> {
    ready(Ok(n))
}

#[statement(name = "ui/impl", sync)]
fn opaque(n: u8) -> impl Future<Output = Result<u8, String>> + Clone {
    assert!(n < 9);
    ready(Err("not seen".to_owned()))
}

#[statement("ui/boxed", sync, err = |_| Some("an error of the call"))]
fn boxed(n: u8) -> Pin<Box<dyn Future<Output = u8>>> {
    Box::pin(async move { n })
}

#[stage(sync)]
fn no_name() -> Named {
    Named(0)
}

// It may be said where it is so anyway.
#[statement("ui/plain", sync)]
fn plain(n: u8) -> Result<u8, String> {
    Ok(n)
}

// No futures: what waits for one, what may hold one, a parameter of which nothing is said.
#[statement("ui/wait")]
fn wait<F: Future>(future: F) -> F::Output {
    block_on(future)
}

#[statement("ui/result")]
fn result(n: u8) -> Result<Named, String> {
    if n == 0 { Err("none".to_owned()) } else { Ok(Named(n)) }
}

#[stage("ui/option")]
fn option(n: u8) -> Option<Named> {
    Some(Named(n))
}

#[stage("ui/parameter")]
fn parameter<T>(value: T) -> T {
    value
}

#[stage("ui/reference")]
fn reference(named: &mut Named) -> &mut Named {
    named
}

fn main() {
    support::start();
    assert_eq!(block_on(named(1)), 1);
    assert_eq!(block_on(of_std(2)), Ok(2));
    let future = opaque(3);
    assert!(block_on(future.clone()).is_err() && block_on(future).is_err());
    assert_eq!(block_on(boxed(4)), 4);
    assert_eq!(block_on(no_name()), 0);
    assert_eq!(plain(5), Ok(5));
    assert_eq!(wait(Named(6)), 6);
    assert_eq!((result(7).unwrap().0, result(0).is_err()), (7, true));
    assert_eq!(block_on(parameter(option(8).unwrap())), 8);
    assert_eq!(block_on(reference(&mut Named(9))), 9);
    for (name, count, errors) in [("ready", 1, 0), ("impl", 1, 0), ("boxed", 1, 1), ("plain", 1, 0), ("wait", 1, 0), ("result", 2, 1)] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    let no_name = concat!(module_path!(), "/no_name");
    for (name, count) in
        [("ui/Named::poll", 5), ("ui/named", 1), (no_name, 1), ("ui/option", 1), ("ui/parameter", 1), ("ui/reference", 1)]
    {
        assert_eq!(support::count(&format!("stage/{name}")), count, "{name}");
    }
}
