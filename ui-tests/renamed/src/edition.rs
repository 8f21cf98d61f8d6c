//! What edition 2021 means by the same words: its bodies keep its rules inside our code.

#![allow(clippy::needless_pass_by_value, clippy::unnecessary_wraps, reason = "that they are so is the test")]

use perf::prelude::*;
use std::cell::{Cell, RefCell};
use std::future::{ready, Future};
use std::pin::{pin, Pin};
use std::task::{Context, Poll, Waker};

thread_local! {
    static DROPPED: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

struct Noisy(&'static str);

impl Noisy {
    const fn name(&self) -> Result<usize, ()> {
        Ok(self.0.len())
    }
}

impl Drop for Noisy {
    fn drop(&mut self) {
        DROPPED.with(|dropped| dropped.borrow_mut().push(self.0));
    }
}

fn bare(argument: Noisy) -> Result<usize, ()> {
    let _argument = &argument;
    let _local = Noisy("local");
    Noisy("temporary").name()
}

#[stage("renamed/edition")]
fn staged(argument: Noisy) -> Result<usize, ()> {
    let _argument = &argument;
    let _local = Noisy("local");
    Noisy("temporary").name()
}

#[statement("renamed/edition")]
fn stated(argument: Noisy) -> Result<usize, ()> {
    let _argument = &argument;
    let _local = Noisy("local");
    Noisy("temporary").name()
}

/// In edition 2021 the temporaries of the last expression outlive the locals; not the arguments.
///
/// # Panics
///
/// If it is otherwise.
pub fn temporaries_of_the_last_expression() {
    for function in [bare, staged, stated] {
        assert_eq!(function(Noisy("argument")), Ok(9));
        assert_eq!(DROPPED.with(RefCell::take), ["local", "temporary", "argument"]);
    }
}

async fn bare_future(argument: Noisy) -> Result<usize, ()> {
    let _argument = &argument;
    let _local = Noisy("local");
    ready(()).await;
    Noisy("temporary").name()
}

#[stage("renamed/edition")]
async fn staged_future(argument: Noisy) -> Result<usize, ()> {
    let _argument = &argument;
    let _local = Noisy("local");
    ready(()).await;
    Noisy("temporary").name()
}

#[statement("renamed/edition", text = "text")]
async fn stated_future(argument: Noisy) -> Result<usize, ()> {
    let _argument = &argument;
    let _local = Noisy("local");
    ready(()).await;
    Noisy("temporary").name()
}

#[statement("renamed/edition", text = "text")]
fn boxed_future(argument: Noisy) -> Pin<Box<dyn Future<Output = Result<usize, ()>>>> {
    Box::pin(async move {
        let _argument = &argument;
        let _local = Noisy("local");
        ready(()).await;
        Noisy("temporary").name()
    })
}

type Boxed = Pin<Box<dyn Future<Output = Result<usize, ()>>>>;

/// The same in what is async.
///
/// # Panics
///
/// If it is otherwise.
pub fn temporaries_of_futures() {
    let futures: [fn(Noisy) -> Boxed; 4] = [
        |argument| Box::pin(bare_future(argument)),
        |argument| Box::pin(staged_future(argument)),
        |argument| Box::pin(stated_future(argument)),
        boxed_future,
    ];
    for future in futures {
        assert_eq!(block_on(future(Noisy("argument"))), Ok(9));
        assert_eq!(DROPPED.with(RefCell::take), ["local", "temporary", "argument"]);
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
    }
}

/// What an edition 2021 function captures it has to say.
///
/// # Errors
///
/// If `n` is past the text.
#[statement("renamed/captured", text = text)]
pub fn captured<'a>(text: &'a str, n: &usize) -> impl Future<Output = Result<&'a str, String>> + 'a {
    let n = *n;
    async move { text.get(n..).ok_or_else(|| n.to_string()) }
}

/// Runs it.
///
/// # Panics
///
/// If it fails.
pub fn run_captured() {
    assert_eq!(block_on(captured("text", &1)), Ok("ext"));
    assert_eq!(block_on(borrow_async("four".to_owned().into())), 4);
}

#[stage("renamed/borrow")]
async fn borrow_async(cell: RefCell<String>) -> usize {
    cell.borrow().len()
}

/// `gen` is a keyword only from edition 2024 on.
///
/// # Errors
///
/// If it is 0.
#[statement("renamed/gen", text = gen.to_string())]
pub fn gen(gen: u8) -> Result<u8, String> {
    let cell = Cell::new(gen);
    if gen == 0 {
        Err("zero".to_owned())
    } else {
        Ok(cell.take())
    }
}

/// Borrows its argument in the last expression, which is allowed because arguments are dropped after it.
#[stage("renamed/borrow")]
#[must_use]
pub fn borrow(cell: RefCell<String>) -> usize {
    cell.borrow().len()
}
