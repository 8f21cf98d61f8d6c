//! What edition 2021 means by the same words: its bodies keep its rules inside our code.

#![allow(clippy::needless_pass_by_value, clippy::unnecessary_wraps, reason = "that they are so is the test")]

use perf::prelude::*;
use std::cell::{Cell, RefCell};

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
