//! Generics: bounds of every lifetime, associated types with parameters, constants, `?Sized` arguments.

#![deny(warnings)]
#![allow(dead_code)]

use pfs::prelude::*;
use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::marker::PhantomData;

#[path = "support/mod.rs"]
mod support;

#[statement("ui/hrtb")]
fn hrtb<F, E>(f: F, text: &str) -> Result<String, E>
where
    for<'a> F: Fn(&'a str) -> Result<&'a str, E>,
{
    f(text).map(str::to_owned)
}

#[statement("ui/impl hrtb", text = text)]
fn impl_hrtb<'t>(
    f: impl for<'a> FnOnce(&'a str) -> Option<&'a str>,
    text: &'t str,
) -> Result<&'t str, Box<dyn Error + Send + Sync>> {
    f(text).ok_or_else(|| "none".into())
}

#[statement("ui/unsized impl", text = format!("{text:?}"))]
fn unsized_impl(
    text: &(impl AsRef<str> + Debug + ?Sized),
    map: &mut (impl Extend<u8> + ?Sized),
) -> Result<usize, String> where {
    let _ = map;
    Ok(text.as_ref().len())
}

#[statement("ui/borrow")]
fn borrow<'m, K, Q, V>(map: &'m BTreeMap<K, V>, key: &Q) -> Result<&'m V, String>
where
    K: Borrow<Q> + Ord,
    Q: Ord + Hash + Display + ?Sized,
{
    map.get(key).ok_or_else(|| key.to_string())
}

trait Lend {
    type Item<'a>: Debug
    where
        Self: 'a;
    type Error: Display;
    const LIMIT: usize = 2;
    fn lend<'a>(&'a mut self, n: usize) -> Result<Self::Item<'a>, Self::Error>;
    #[statement("ui/Lend::both")]
    fn both<'a>(&'a mut self) -> Result<(Self::Item<'a>, usize), <Self as Lend>::Error>
    where
        Self: Sized,
    {
        self.lend(Self::LIMIT).map(|item| (item, Self::LIMIT))
    }
}

struct Buffer<const N: usize, T = u8>([T; N]);
impl<const N: usize, T: Debug + 'static> Lend for Buffer<N, T> {
    type Item<'a>
        = &'a mut [T]
    where
        T: 'a;
    type Error = String;
    #[statement("ui/Buffer::lend", text = n.to_string())]
    fn lend<'a>(&'a mut self, n: usize) -> Result<Self::Item<'a>, Self::Error> {
        self.0.get_mut(..n).ok_or_else(|| format!("{n} of {N}"))
    }
}

impl<const N: usize> Buffer<N> {
    const DOUBLE: usize = N * 2;
    #[statement("ui/Buffer::sum")]
    fn sum<const M: usize>(&self, more: [u8; M]) -> Result<[usize; 2], [u8; M]> {
        if M == 0 { Err(more) } else { Ok([Self::DOUBLE, more.len()]) }
    }

    #[stage("ui/Buffer::split")]
    fn split<'a, const M: usize>(self: &'a Self) -> (&'a [u8], &'a [u8]) {
        self.0.split_at(M)
    }
}

trait Name {
    fn name(&self) -> Result<String, std::fmt::Error>;
}

impl<T: Debug + ?Sized> Name for T {
    #[statement("ui/blanket")]
    fn name(&self) -> Result<String, std::fmt::Error> {
        Ok(format!("{self:?}"))
    }
}

#[statement("ui/nested impl")]
fn nested_impl<'a, T: Copy + 'a>(
    items: &'a [T],
    n: usize,
) -> Result<impl Iterator<Item = T> + Clone + use<'a, T>, String> {
    if n > items.len() {
        return Err("too many".to_owned());
    }
    Ok(items.iter().copied().take(n))
}

#[statement("ui/option impl")]
fn option_impl(n: u8) -> Option<impl Fn(u8) -> u8> {
    Some(move |m| m + n)
}

#[stage("ui/impl of impl")]
fn impl_of_impl() -> impl Iterator<Item = impl Iterator<Item = u8> + Clone> {
    (1..3).map(|n| 0..n)
}

#[statement("ui/dyn in result")]
fn dyn_in_result<'a>(n: &'a u8) -> Result<Box<dyn Fn(&u8) -> bool + 'a>, Box<dyn Display + Send>> {
    Ok(Box::new(move |m| m == n))
}

#[statement("ui/fn pointers")]
fn fn_pointers(f: for<'a> fn(&'a str) -> &'a str, g: unsafe extern "C" fn(u8) -> u8) -> Result<u8, u8> {
    // SAFETY: it is `double`.
    Ok(f("ab").len() as u8 + unsafe { g(1) })
}

unsafe extern "C" fn double(n: u8) -> u8 {
    n * 2
}

#[statement("ui/arrays of generics")]
fn arrays<T, const N: usize>(values: [Option<T>; N]) -> Result<[T; N], Vec<T>>
where
    T: Clone,
{
    let all: Vec<T> = values.into_iter().flatten().collect();
    all.try_into()
}

#[statement("ui/phantom")]
fn phantom<'a, T: ?Sized + 'static, U>(
    _: PhantomData<fn(&'a T) -> U>,
) -> Result<PhantomData<U>, std::convert::Infallible>
where
    U: 'a,
{
    Ok(PhantomData)
}

#[statement("ui/default type")]
fn default_type<E: Default>(b: bool) -> Result<(), E> {
    b.then_some(()).ok_or_else(E::default)
}

#[stage("ui/const generic bool")]
fn const_bool<const B: bool, const C: char>() -> Result<char, ()> {
    if B { Ok(C) } else { Err(()) }
}

#[statement("ui/dyn any")]
fn dyn_any(any: Box<dyn std::any::Any + Send>) -> Result<Box<u8>, Box<dyn std::any::Any + Send>> {
    any.downcast()
}

#[statement("ui/async hrtb")]
async fn async_hrtb<F>(f: F, text: &str) -> Result<usize, String>
where
    F: for<'a> AsyncFn(&'a str) -> Result<&'a str, String>,
{
    Ok(f(text).await?.len())
}

#[statement("ui/async unsized", text = text.as_ref())]
async fn async_unsized(
    text: &(impl AsRef<str> + Sync + ?Sized),
    out: &mut (dyn std::fmt::Write + Send),
) -> Result<usize, String> where {
    let _ = out;
    support::pause().await;
    Ok(text.as_ref().len())
}

#[statement("ui/fut use")]
fn fut_use<'a, T: Copy>(value: &'a T, _: &str) -> impl Future<Output = Result<T, String>> + use<'a, T> {
    let value = *value;
    async move { Ok(value) }
}

trait AsyncLend {
    type Item<'a>
    where
        Self: 'a;
    async fn lend<'a>(&'a mut self, text: &'a str) -> Result<Self::Item<'a>, String>;
    #[stage("ui/AsyncLend::twice")]
    async fn twice(&mut self) -> usize
    where
        Self: Sized,
    {
        let n = usize::from(self.lend("a").await.is_ok());
        n + usize::from(self.lend("").await.is_ok())
    }
}

impl<const N: usize> AsyncLend for [u8; N] {
    type Item<'a> = (&'a [u8], &'a str);
    #[statement("ui/array::lend", text = text)]
    async fn lend<'a>(&'a mut self, text: &'a str) -> Result<Self::Item<'a>, String> {
        support::pause().await;
        if text.is_empty() { Err("empty".into()) } else { Ok((self, text)) }
    }
}

fn main() {
    support::start();
    assert_eq!(hrtb(|t| t.get(..1).ok_or("short"), "ab").as_deref(), Ok("a"));
    assert!(hrtb(|t| t.get(..1).ok_or("short"), "").is_err());
    assert_eq!(impl_hrtb(|t| t.get(1..), "ab").unwrap(), "b");
    let mut v: Vec<u8> = vec![];
    assert_eq!(unsized_impl("abc", &mut v), Ok(3));
    let map = BTreeMap::from([("a".to_owned(), 1)]);
    assert_eq!(borrow(&map, "a"), Ok(&1));
    assert_eq!(borrow(&map, "b"), Err("b".to_owned()));
    let mut buffer = Buffer([1_u8, 2, 3]);
    assert!(buffer.both().is_ok() && buffer.lend(4).is_err());
    assert_eq!(buffer.sum([1, 2]), Ok([6, 2]));
    assert_eq!(buffer.sum([]), Err([]));
    assert_eq!(buffer.split::<1>().0, [1]);
    assert_eq!("x".name().as_deref(), Ok("\"x\""));
    assert_eq!(nested_impl(&[1, 2], 1).unwrap().count(), 1);
    assert!(nested_impl(&[1, 2], 3).is_err());
    assert_eq!(option_impl(1).unwrap()(2), 3);
    assert_eq!(impl_of_impl().map(|i| i.count()).sum::<usize>(), 3);
    assert!(dyn_in_result(&1).unwrap_or_else(|_| unreachable!())(&1));
    assert_eq!(fn_pointers(|s| s, double), Ok(4));
    assert_eq!(arrays([Some(1), Some(2)]), Ok([1, 2]));
    assert_eq!(arrays([Some(1), None]), Err(vec![1]));
    phantom::<str, u8>(PhantomData).unwrap();
    assert!(default_type::<String>(false).is_err());
    assert_eq!(const_bool::<true, 'x'>(), Ok('x'));
    assert!(dyn_any(Box::new(1_u8)).is_ok() && dyn_any(Box::new(1_i8)).is_err());
    assert_eq!(support::block_on(async_hrtb(async |t: &str| Ok(t), "ab")), Ok(2));
    assert_eq!(support::block_on(async_unsized("ab", &mut String::new())), Ok(2));
    assert_eq!(support::block_on(fut_use(&1, "")), Ok(1));
    assert_eq!(support::block_on([1, 2].twice()), 1);
    for (name, count, errors) in [
        ("hrtb", 2, 1),
        ("impl hrtb", 1, 0),
        ("unsized impl", 1, 0),
        ("borrow", 2, 1),
        ("Lend::both", 1, 0),
        ("Buffer::lend", 2, 1),
        ("Buffer::sum", 2, 1),
        ("blanket", 1, 0),
        ("nested impl", 2, 1),
        ("option impl", 1, 0),
        ("dyn in result", 1, 0),
        ("fn pointers", 1, 0),
        ("arrays of generics", 2, 1),
        ("phantom", 1, 0),
        ("default type", 1, 1),
        ("dyn any", 2, 1),
        ("async hrtb", 1, 0),
        ("async unsized", 1, 0),
        ("fut use", 1, 0),
        ("array::lend", 2, 1),
    ] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    for (name, count) in
        [("Buffer::split", 1), ("impl of impl", 1), ("const generic bool", 1), ("AsyncLend::twice", 1)]
    {
        assert_eq!(support::count(&format!("stage/ui/{name}")), count, "{name}");
    }
}
