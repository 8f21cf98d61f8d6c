//! Type, const and lifetime parameters, `where`, `impl Trait` as argument, higher-ranked bounds.

#![deny(warnings)]

use pfs::prelude::*;
use std::collections::BTreeMap;
use std::fmt::{Debug, Display};
use std::hash::Hash;

#[path = "support/mod.rs"]
mod support;

#[statement("ui/types")]
fn types<K: Ord + Clone, V>(map: &mut BTreeMap<K, V>, key: K, value: V) -> Result<Option<V>, K> {
    if map.len() > 1 { Err(key) } else { Ok(map.insert(key, value)) }
}

#[statement("ui/constants")]
fn constants<const N: usize, T>(items: [T; N], at: usize) -> Result<[T; N], String>
where
    T: Copy + Debug,
    [T; N]: Sized,
{
    items.get(at).map(|_| items).ok_or_else(|| format!("{items:?} has no {at}"))
}

#[statement("ui/callback")]
fn callback<F>(text: &str, f: F) -> Result<usize, String>
where
    F: for<'a> Fn(&'a str) -> &'a str,
{
    Ok(f(text).len())
}

#[statement("ui/impl_arguments")]
fn impl_arguments(
    items: impl IntoIterator<Item = impl Display>,
    mut each: impl FnMut(String),
    last: Option<Box<dyn FnOnce() -> u32>>,
) -> Result<u32, String> {
    for item in items {
        each(item.to_string());
    }
    last.map(|last| last()).ok_or_else(|| "no last".into())
}

#[statement("ui/unsized_reference")]
fn unsized_reference<T: ?Sized + Hash + 'static>(value: &'static T) -> Result<&'static T, ()> {
    Ok(value)
}

#[stage("ui/nothing said")]
fn nothing_said<T>(_: T) {}

#[stage("ui/everything said")]
pub(crate) fn everything_said<'a, 'b: 'a, T: 'a + ?Sized, const N: usize>(
    a: &'a T,
    b: &'b [&'a T; N],
) -> impl Iterator<Item = &'a T> + use<'a, 'b, T, N>
where
    for<'c> &'c T: Copy,
{
    b.iter().copied().chain(std::iter::once(a))
}

struct Pair<A, B>(A, B);

impl<'a, A: Clone, B> Pair<&'a A, B>
where
    B: Default,
{
    #[statement("ui/Pair::split")]
    fn split<C>(&mut self, with: impl FnOnce(A) -> Result<C, B>) -> Result<(C, B), B> {
        let c = with(self.0.clone())?;
        Ok((c, std::mem::take(&mut self.1)))
    }
}

fn main() {
    support::start();
    let mut map = BTreeMap::new();
    assert_eq!(types(&mut map, "a", 1), Ok(None));
    assert_eq!(types(&mut map, "a", 2), Ok(Some(1)));
    assert_eq!(types(&mut map, "b", 3), Ok(None));
    assert_eq!(types(&mut map, "c", 4), Err("c"));
    assert_eq!(constants([1, 2, 3], 2), Ok([1, 2, 3]));
    assert_eq!(constants([1], 1), Err("[1] has no 1".to_owned()));
    assert_eq!(callback(" x ", str::trim), Ok(1));
    let mut seen = Vec::new();
    assert_eq!(impl_arguments(1..3, |item| seen.push(item), Some(Box::new(|| 7))), Ok(7));
    assert!(impl_arguments([""], drop, None).is_err());
    assert_eq!(seen, ["1", "2"]);
    assert_eq!(unsized_reference("static"), Ok("static"));
    nothing_said(1);
    assert_eq!(everything_said("a", &["b", "c"]).collect::<String>(), "bca");
    let mut pair = Pair(&1_u8, 2_u8);
    assert_eq!(pair.split(|one| Ok::<_, u8>(one + 1)), Ok((2, 2)));
    assert_eq!(pair.split(|_| Err::<(), u8>(9)), Err(9));

    for (name, count, errors) in [
        ("types", 4, 1),
        ("constants", 2, 1),
        ("callback", 1, 0),
        ("impl_arguments", 2, 1),
        ("unsized_reference", 1, 0),
        ("Pair::split", 2, 1),
    ] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    assert_eq!(support::count("stage/ui/nothing said"), 1);
    assert_eq!(support::count("stage/ui/everything said"), 1);
}
