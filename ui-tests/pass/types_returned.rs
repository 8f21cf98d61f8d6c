//! Types that functions take and return: out of macros, in parentheses, futures in all their spellings and inside of others.

#![deny(warnings)]
#![allow(dead_code, unused_parens)]

use pfs::prelude::*;
use std::fmt::Display;
use std::future::{Future, ready};
use std::pin::Pin;

#[path = "support/mod.rs"]
mod support;

macro_rules! ret { ($t:ty) => { Result<$t, String> }; }

#[statement("ui/type macro")]
fn type_macro(n: u8) -> ret!(u8) {
    if n == 0 { Err("zero".into()) } else { Ok(n) }
}

#[statement("ui/async type macro", text = "t")]
async fn async_type_macro(n: u8) -> ret!(u8) {
    type_macro(n)
}

#[statement("ui/argument macro")]
fn argument_macro(n: ret!(u8)) -> u8 {
    n.unwrap_or_default()
}

#[statement("ui/parenthesised")]
fn parenthesised(n: (u8)) -> (Result<(u8), (String)>) {
    Ok(n)
}

#[statement("ui/pair of futures")]
fn pair() -> (impl Future<Output = u8>, u8) {
    (ready(1), 2)
}

#[statement("ui/option of future")]
fn option_future(b: bool) -> Option<impl Future<Output = u8>> {
    b.then(|| ready(1))
}

#[statement("ui/result of future")]
fn result_future(b: bool) -> Result<impl Future<Output = Result<u8, ()>>, String> {
    if b { Ok(async { Err(()) }) } else { Err("no future".into()) }
}

#[stage("ui/factory")]
fn factory<'a>(n: &'a u8) -> Box<dyn Fn() -> Pin<Box<dyn Future<Output = u8> + 'a>> + 'a> {
    Box::new(move || Box::pin(async move { *n }))
}

#[stage("ui/impl factory")]
fn impl_factory(n: u8) -> impl Fn(u8) -> Pin<Box<dyn Future<Output = u8>>> {
    move |m| Box::pin(async move { n + m })
}

#[statement("ui/async closure")]
fn async_closure(n: u8) -> impl AsyncFn(u8) -> u8 {
    async move |m| n + m
}

#[statement("ui/box impl", text = "x")]
fn box_dyn(n: u8) -> Box<dyn Future<Output = Result<u8, u8>> + Unpin + Send> {
    Box::new(ready(Err(n)))
}

#[statement("ui/dyn plus")]
fn dyn_plus<'a>(n: &'a u8) -> Pin<Box<dyn 'a + Send + Future<Output = Result<&'a u8, &'a str>>>> {
    Box::pin(async move { if *n == 0 { Err("zero") } else { Ok(n) } })
}

#[statement("ui/impl plus")]
fn impl_plus<'a, T: Display + Sync>(
    n: &'a T,
) -> impl Send + Future<Output = Result<String, ()>> + use<'a, T> {
    async move { Ok(n.to_string()) }
}

#[statement("ui/question in maker")]
fn question(s: &str) -> Pin<Box<dyn Future<Output = Result<u8, std::num::ParseIntError>> + '_>> {
    let Ok(n) = s.parse::<u8>() else { return Box::pin(async move { s.parse() }) };
    Box::pin(async move {
        support::pause().await;
        Ok(n)
    })
}

#[statement("ui/async unsafe")]
async unsafe fn async_unsafe(p: *const u8) -> Result<u8, ()> {
    if p.is_null() { Err(()) } else { Ok(unsafe { *p }) }
}

#[statement("ui/extern rust")]
pub extern "Rust" fn extern_rust(n: u8) -> Result<u8, u8> {
    Err(n)
}

#[stage("ui/array of fns")]
fn fns() -> [fn(u8) -> Result<u8, u8>; 2] {
    [extern_rust, |n| Ok(n)]
}

#[statement("ui/slices")]
fn slices<'a>(
    a: &'a mut [u8],
    b: &[&str],
    c: &'static [u8; 2],
) -> Result<(&'a mut [u8], &'static [u8]), Box<[String]>> {
    if b.is_empty() { Err([].into()) } else { Ok((a, c)) }
}

#[statement("ui/nested generics")]
fn nested<T, E>(r: Result<Option<Vec<T>>, E>) -> Result<impl IntoIterator<Item = impl Into<Option<T>>>, E> {
    r.map(|o| o.unwrap_or_default())
}

#[statement("ui/unit struct error")]
fn unit_error() -> Result<(), Unit> {
    Err(Unit)
}

#[derive(Debug)]
struct Unit;

#[statement("ui/never error")]
fn never_error() -> Result<u8, std::convert::Infallible> {
    Ok(1)
}

#[statement("ui/raw pointer")]
unsafe fn raw<'a>(p: *mut u8) -> Result<&'a mut u8, *mut u8> {
    unsafe { p.as_mut() }.ok_or(p)
}

#[statement("ui/ref self gen")]
fn lifetimes_in_where<'a, 'b, T>(a: &'a T, b: &'b T) -> Result<&'a T, &'b T>
where
    'b: 'a,
    T: PartialOrd + ?Sized + 'b,
{
    if *a < *b { Ok(a) } else { Err(b) }
}

trait Service {
    type Error: Display;
    fn call(&self, n: u8) -> impl Future<Output = Result<u8, Self::Error>> + Send;
    fn boxed<'a>(&'a self, n: u8) -> Pin<Box<dyn Future<Output = Result<u8, Self::Error>> + Send + 'a>>;
    async fn plain(&mut self) -> Result<(), Self::Error>;
}

struct S(u8);
impl Service for S {
    type Error = String;
    #[statement("ui/S::call", text = format!("{}", self.0))]
    fn call(&self, n: u8) -> impl Future<Output = Result<u8, Self::Error>> + Send {
        let m = self.0;
        async move { if n == 0 { Err("zero".to_owned()) } else { Ok(n + m) } }
    }

    #[statement("ui/S::boxed", text = self.0.to_string())]
    fn boxed<'a>(&'a self, n: u8) -> Pin<Box<dyn Future<Output = Result<u8, Self::Error>> + Send + 'a>> {
        Box::pin(async move {
            support::pause().await;
            Ok(n + self.0)
        })
    }

    #[statement("ui/S::plain", text = self.0.to_string())]
    async fn plain(&mut self) -> Result<(), Self::Error> {
        self.0 += 1;
        Ok(())
    }
}

#[async_trait::async_trait]
trait Store: Send + Sync {
    async fn get(&self, key: &str) -> Result<String, String>;
    #[statement("ui/Store::put", text = key)]
    async fn put<'a>(&'a mut self, key: &'a str, _: impl Into<String> + Send + 'a) -> Result<&'a str, String>
    where
        Self: Sized,
    {
        Ok(key)
    }
}

struct Mem;
#[async_trait::async_trait]
impl Store for Mem {
    #[stage("ui/Mem::get stage")]
    #[statement("ui/Mem::get", text = key)]
    async fn get(&self, key: &str) -> Result<String, String> {
        support::pause().await;
        if key.is_empty() {
            return Err("empty".into());
        }
        Ok(key.to_owned())
    }
}

#[statement("ui/main")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    support::start();

    assert!(type_macro(0).is_err());
    assert!(support::block_on(async_type_macro(0)).is_err());
    argument_macro(Ok(1));
    parenthesised(1)?;
    assert_eq!(support::block_on(pair().0), 1);
    assert!(option_future(true).is_some());
    let _ = support::block_on(result_future(true)?);
    assert!(result_future(false).is_err());
    assert_eq!(
        support::block_on(factory(&1)())
            + support::block_on(impl_factory(1)(1))
            + support::block_on(async_closure(1)(2)),
        6
    );
    assert_eq!(support::block_on(box_dyn(1)), Err(1));
    assert!(support::block_on(dyn_plus(&0)).is_err());
    support::block_on(impl_plus(&1)).unwrap();
    assert!(support::block_on(question("x")).is_err() && support::block_on(question("1")).is_ok());
    assert!(support::block_on(unsafe { async_unsafe(std::ptr::null()) }).is_err());
    assert!(extern_rust(1).is_err());
    assert!(fns()[1](1).is_ok());
    assert!(slices(&mut [], &["x"], &[1, 2]).is_ok());
    assert_eq!(nested::<u8, ()>(Ok(Some(vec![1]))).unwrap().into_iter().count(), 1);
    assert!(unit_error().is_err());
    never_error().unwrap();
    assert!(unsafe { raw(std::ptr::null_mut()) }.is_err());
    assert!(lifetimes_in_where("b", "a").is_err());
    let mut s = S(1);
    assert!(support::block_on(s.call(0)).is_err());
    support::block_on(s.boxed(1))?;
    support::block_on(s.plain())?;
    assert!(support::block_on(Mem.get("")).is_err());
    support::block_on(Mem.put("k", "v"))?;
    for (name, count, errors) in [
        ("type macro", 2, 2),
        ("async type macro", 1, 1),
        ("argument macro", 1, 0),
        ("parenthesised", 1, 0),
        ("pair of futures", 1, 0),
        ("option of future", 1, 0),
        ("result of future", 2, 1),
        ("async closure", 1, 0),
        ("box impl", 1, 1),
        ("dyn plus", 1, 1),
        ("impl plus", 1, 0),
        ("question in maker", 2, 1),
        ("async unsafe", 1, 1),
        ("extern rust", 1, 1),
        ("slices", 1, 0),
        ("nested generics", 1, 0),
        ("unit struct error", 1, 1),
        ("never error", 1, 0),
        ("raw pointer", 1, 1),
        ("ref self gen", 1, 1),
        ("S::call", 1, 1),
        ("S::boxed", 1, 0),
        ("S::plain", 1, 0),
        ("Mem::get", 1, 1),
        ("Store::put", 1, 0),
    ] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    assert_eq!(support::count("stage/ui/Mem::get stage"), 1);
    for (name, text) in [
        ("S::call", "1"),
        ("S::boxed", "1"),
        ("S::plain", "1"),
        ("Mem::get", ""),
        ("Store::put", "k"),
        ("box impl", "x"),
    ] {
        assert_eq!(support::last_text(&format!("statement/ui/{name}")).as_deref(), Some(text), "{name}");
    }
    Ok(())
}
