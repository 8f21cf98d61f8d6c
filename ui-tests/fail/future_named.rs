//! Futures that are not plainly ones by their names: only the call would be measured.

use pfs::prelude::*;
use std::future::{Future, Ready, ready};
use std::pin::Pin;
use std::task::{Context, Poll};

struct Named;

impl Future for Named {
    type Output = u8;
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<u8> {
        Poll::Ready(1)
    }
}

type Boxed = Pin<Box<dyn Future<Output = u8>>>;

trait Service {
    type Future: Future<Output = u8>;

    #[statement("kv/Service::call")]
    fn call(&self) -> Self::Future {
        self.make()
    }

    fn make(&self) -> Self::Future;
}

#[stage("kv/named")]
fn named() -> Named {
    Named
}

#[statement("kv/ready")]
fn of_std() -> Ready<Result<u8, String>> {
    ready(Ok(1))
}

#[statement("kv/boxed", text = "text")]
fn boxed() -> Boxed {
    Box::pin(async { 1 })
}

#[stage("kv/parameter")]
fn parameter<F: Future>(future: F) -> F {
    future
}

#[statement("kv/lent")]
fn lent(future: &mut Named) -> Pin<&mut Named> {
    Pin::new(future)
}

fn main() {}
