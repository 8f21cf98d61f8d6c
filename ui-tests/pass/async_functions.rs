//! Async functions: what they may await, return, take and be generic over.

#![deny(warnings)]

use pfs::prelude::*;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::{Debug, Display};
use std::future::Future;
use support::{block_on, pause};

#[path = "support/mod.rs"]
mod support;

#[statement("ui/plain")]
async fn plain() {}

#[stage("ui/stage")]
async fn stage_of(n: u32) -> u32 {
    pause().await;
    n + 1
}

#[statement]
async fn named_by_itself(n: u32) -> Result<u32, String> {
    Ok(stage_of(n).await)
}

#[statement("ui/question mark")]
async fn question_mark(text: &str) -> Result<u8, Box<dyn Error>> {
    pause().await;
    let n: u8 = text.parse()?;
    pause().await;
    if n > 9 { Err("two digits")? } else { Ok(n) }
}

#[statement("ui/early return")]
async fn early_return(n: u32) -> Result<Option<u32>, String> {
    if n == 0 {
        return Ok(None);
    }
    let half = async {
        if n % 2 == 1 {
            return Err(format!("{n} is odd"));
        }
        Ok(n / 2)
    };
    let half = half.await?;
    pause().await;
    return Ok(Some(half));
}

#[statement("ui/loops")]
async fn loops(words: &[&str]) -> Result<String, std::fmt::Error> {
    use std::fmt::Write;
    let mut all = String::new();
    'words: for word in words {
        for letter in word.chars() {
            pause().await;
            if letter == '.' {
                break 'words;
            }
            write!(all, "{letter}")?;
        }
    }
    while all.ends_with(' ') {
        pause().await;
        all.pop();
    }
    Ok(all)
}

#[stage("ui/generic")]
async fn generic<const N: usize, T, F>(items: [T; N], f: F) -> BTreeMap<T, usize>
where
    T: Ord + Clone,
    F: AsyncFn(&T) -> usize,
{
    let mut map = BTreeMap::new();
    for item in &items {
        map.insert(item.clone(), f(item).await);
    }
    map
}

#[statement("ui/impl arguments")]
async fn impl_arguments(
    items: impl IntoIterator<Item = impl Display>,
    last: impl Future<Output = Result<u32, String>>,
    mut each: impl FnMut(String),
) -> Result<u32, String> {
    for item in items {
        each(item.to_string());
    }
    last.await
}

#[statement("ui/lifetimes")]
async fn lifetimes<'a, 'b: 'a, T: ?Sized + 'a>(one: &'a T, other: &'b mut Vec<&'a T>) -> Result<&'b [&'a T], ()> {
    pause().await;
    other.push(one);
    Ok(other)
}

#[statement("ui/elided")]
async fn elided(text: &str, n: usize) -> Result<&str, &'static str> {
    pause().await;
    text.get(n..).ok_or("too short")
}

#[statement("ui/impl returned")]
async fn impl_returned(n: u32) -> Result<impl Iterator<Item = u32> + Debug, String> {
    if n == 0 {
        return Err("none".to_owned());
    }
    pause().await;
    Ok(0..n)
}

#[stage("ui/impl only")]
async fn impl_only(n: u32) -> impl Fn(u32) -> u32 {
    move |m| n + m
}

#[statement("ui/patterns")]
async fn patterns((a, ref b): (u8, String), [first, .., last]: [u8; 3], _: String, _unused: u8) -> Result<u8, ()> {
    pause().await;
    Ok(a + b.len() as u8 + first + last)
}

#[statement("ui/coerced")]
async fn coerced(which: u8) -> Result<Box<dyn Debug>, Box<dyn Error + Send + Sync>> {
    match which {
        0 => return Ok(Box::new(0)),
        1 => Ok(Box::new("one")),
        _ => Err("two".into()),
    }
}

#[stage("ui/mut")]
async fn mutable(mut text: String, mut left: u32) -> String {
    while left > 0 {
        text.push('x');
        left -= 1;
        pause().await;
    }
    text
}

#[statement("ui/items")]
async fn items(n: u32) -> Result<u32, String> {
    //! Documentation from inside.
    #![allow(clippy::items_after_statements)]
    const MOST: u32 = 5;

    #[stage("ui/inner")]
    async fn inner(n: u32) -> u32 {
        n.min(MOST)
    }
    Ok(inner(n).await)
}

#[stage("ui/recursion")]
async fn recursion(n: u32) -> u32 {
    if n == 0 { 0 } else { 1 + Box::pin(recursion(n - 1)).await }
}

#[statement("ui/unsafe")]
async unsafe fn not_safe(pointer: *const u8) -> Result<u8, ()> {
    // SAFETY: the caller gives a valid pointer.
    Ok(unsafe { *pointer })
}

#[statement("ui/never")]
async fn never(n: u8) -> ! {
    pause().await;
    std::panic::resume_unwind(Box::new(n))
}

#[stage("ui/never stage")]
async fn never_stage() -> ! {
    loop {
        pause().await;
    }
}

macro_rules! made {
    ($(#[$attribute:meta])* $name:ident($($argument:ident: $type:ty),*) -> $returned:ty $body:block, $class:literal) => {
        $(#[$attribute])*
        #[statement($class)]
        async fn $name($($argument: $type),*) -> $returned $body
    };
}

made!(
    /// An async function out of a macro.
    divided(a: u32, b: u32) -> Result<u32, String> {
        pause().await;
        a.checked_div(b).ok_or_else(|| "by zero".to_owned())
    },
    "ui/made"
);

fn main() {
    support::start();
    block_on(plain());
    assert_eq!(block_on(named_by_itself(1)), Ok(2));
    assert_eq!(block_on(question_mark("7")).unwrap(), 7);
    assert!(block_on(question_mark("x")).is_err() && block_on(question_mark("10")).is_err());
    assert_eq!(block_on(early_return(0)), Ok(None));
    assert_eq!(block_on(early_return(4)), Ok(Some(2)));
    assert!(block_on(early_return(5)).is_err());
    assert_eq!(block_on(loops(&["ab", "c . d"])).as_deref(), Ok("abc"));
    assert_eq!(block_on(generic(["a", "bc"], async |text: &&str| text.len())), BTreeMap::from([("a", 1), ("bc", 2)]));
    let mut seen = Vec::new();
    let called = impl_arguments(1..3, async { Err("last".to_owned()) }, |item| seen.push(item));
    assert_eq!((block_on(called), seen.len()), (Err("last".to_owned()), 2));
    let mut many = vec!["one"];
    assert_eq!(block_on(lifetimes("two", &mut many)), Ok(&["one", "two"][..]));
    assert_eq!((block_on(elided("abc", 1)), block_on(elided("abc", 4))), (Ok("bc"), Err("too short")));
    assert_eq!(block_on(impl_returned(3)).unwrap().sum::<u32>(), 3);
    assert!(block_on(impl_returned(0)).is_err());
    assert_eq!(block_on(impl_only(2))(3), 5);
    assert_eq!(block_on(patterns((1, "ab".to_owned()), [4, 5, 6], String::new(), 0)), Ok(13));
    assert_eq!(format!("{:?}{:?}", block_on(coerced(0)).unwrap(), block_on(coerced(1)).unwrap()), "0\"one\"");
    assert!(block_on(coerced(2)).is_err());
    assert_eq!(block_on(mutable(String::new(), 2)), "xx");
    assert_eq!(block_on(items(9)), Ok(5));
    assert_eq!(block_on(recursion(3)), 3);
    // SAFETY: the pointer is one to a static.
    assert_eq!(block_on(unsafe { not_safe(&3) }), Ok(3));
    let panicked = std::panic::catch_unwind(|| block_on(async { never(5).await }));
    assert_eq!(*panicked.unwrap_err().downcast::<u8>().unwrap(), 5);
    let mut forever = Box::pin(never_stage());
    assert!(support::poll(forever.as_mut()).is_pending());
    drop(forever);
    assert_eq!((block_on(divided(6, 3)), block_on(divided(6, 0)).is_err()), (Ok(2), true));

    for (name, count, errors) in [
        ("ui/plain", 1, 0),
        (concat!(module_path!(), "/named_by_itself"), 1, 0),
        ("ui/question mark", 3, 2),
        ("ui/early return", 3, 1),
        ("ui/loops", 1, 0),
        ("ui/impl arguments", 1, 1),
        ("ui/lifetimes", 1, 0),
        ("ui/elided", 2, 1),
        ("ui/impl returned", 2, 1),
        ("ui/patterns", 1, 0),
        ("ui/coerced", 3, 1),
        ("ui/items", 1, 0),
        ("ui/unsafe", 1, 0),
        ("ui/never", 1, 0),
        ("ui/made", 2, 1),
    ] {
        let name = format!("statement/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    for (name, count) in [
        ("stage", 1),
        ("generic", 1),
        ("impl only", 1),
        ("mut", 1),
        ("inner", 1),
        ("recursion", 4),
        ("never stage", 1),
    ] {
        assert_eq!(support::count(&format!("stage/ui/{name}")), count, "{name}");
    }
    assert_eq!(support::last_error("statement/ui/elided").unwrap().2, "too short");
    assert_eq!(support::contexts(), 1);
}
