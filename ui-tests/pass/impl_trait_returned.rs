//! `impl Trait` as, and inside, the return type.

#![deny(warnings)]

use pfs::prelude::*;
use std::fmt::Debug;

#[path = "support/mod.rs"]
mod support;

#[statement("ui/iterator")]
fn iterator(n: u32) -> impl Iterator<Item = u32> + Clone {
    (0..n).map(|n| n * n)
}

#[statement("ui/in result")]
fn in_result(text: &str) -> Result<impl Iterator<Item = char> + '_, String> {
    if text.is_empty() {
        return Err("empty".to_owned());
    }
    let n: usize = text[..1].parse().map_err(|_| "no digit")?;
    Ok(text.chars().skip(n))
}

#[statement("ui/both sides")]
fn both_sides(ok: bool) -> Result<impl Debug, impl Debug + std::fmt::Display> {
    if ok { Ok(Some(1)) } else { Err("not ok") }
}

#[statement("ui/adder")]
fn adder(by: u32) -> Result<Box<dyn Fn(u32) -> u32>, String> {
    Ok(Box::new(move |n| n + by))
}

#[statement("ui/boxed items")]
fn boxed_items() -> Result<Box<dyn Iterator<Item = impl Debug>>, String> {
    Ok(Box::new([1, 2].into_iter()))
}

#[stage("ui/closure")]
fn closure(by: u32) -> impl Fn(u32) -> u32 {
    move |n| n * by
}

struct Store(Vec<u32>);

impl Store {
    #[statement("ui/Store::drain")]
    fn drain(&mut self) -> Result<impl Iterator<Item = u32> + '_, String> {
        if self.0.is_empty() { Err("drained".into()) } else { Ok(self.0.drain(..)) }
    }
}

trait Source {
    fn lines(&self) -> Result<impl Iterator<Item = &str>, String>;
}

impl Source for str {
    #[statement("ui/Source::lines")]
    fn lines(&self) -> Result<impl Iterator<Item = &str>, String> {
        Ok(self.split('\n'))
    }
}

fn main() {
    support::start();
    assert_eq!(iterator(3).sum::<u32>(), 5);
    assert_eq!(in_result("1ab").unwrap().collect::<String>(), "ab");
    assert_eq!(in_result("").err().as_deref(), Some("empty"));
    assert_eq!(in_result("x").err().as_deref(), Some("no digit"));
    assert_eq!(
        format!("{:?}{:?}", both_sides(true).ok(), both_sides(false).err()),
        "Some(Some(1))Some(\"not ok\")"
    );
    assert_eq!(adder(1).unwrap()(2), 3);
    assert_eq!(boxed_items().unwrap().count(), 2);
    assert_eq!(closure(2)(3), 6);
    let mut store = Store(vec![1, 2]);
    assert_eq!(store.drain().unwrap().sum::<u32>(), 3);
    assert!(store.drain().is_err());
    assert_eq!(Source::lines("a\nb").unwrap().count(), 2);
    for (name, count, errors) in [
        ("iterator", 1, 0),
        ("in result", 3, 2),
        ("both sides", 2, 1),
        ("adder", 1, 0),
        ("Store::drain", 2, 1),
        ("Source::lines", 1, 0),
    ] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    assert_eq!(support::last_error("statement/ui/both sides").unwrap().2, "not ok");
}
