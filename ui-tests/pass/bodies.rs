//! What may stand in a body: items, closures and macros that return, loops with labels, inner attributes, coercions.

#![deny(warnings)]

use pfs::prelude::*;
use std::error::Error;
use std::fmt::Debug;

#[path = "support/mod.rs"]
mod support;

#[statement("ui/closures")]
fn closures(items: &[u32]) -> Result<u32, String> {
    let half = |n: u32| {
        if n % 2 == 1 {
            return Err(format!("{n} is odd"));
        }
        Ok(n / 2)
    };
    let maybe = || -> Option<u32> { Some(items.first()? + 1) };
    let sum = items.iter().map(|n| half(*n)).sum::<Result<u32, _>>()?;
    Ok(sum + maybe().unwrap_or(0))
}

#[statement("ui/items")]
fn items(n: u32) -> Result<u32, String> {
    //! Documentation from inside.
    #![allow(clippy::items_after_statements)]
    use std::cmp::max;
    const LEAST: u32 = 3;
    static MOST: u32 = 5;

    #[stage("ui/inner")]
    fn inner(n: u32) -> u32 {
        max(n, LEAST)
    }

    let n = inner(n);
    struct Local(u32);
    impl Local {
        #[statement("ui/Local::checked")]
        fn checked(&self) -> Result<u32, String> {
            if self.0 > MOST { Err("too much".into()) } else { Ok(self.0) }
        }
    }
    Local(n).checked()
}

#[stage("ui/loops")]
fn loops(n: u32) -> u32 {
    let mut steps = 0;
    'outer: for a in 0..n {
        for b in 0..n {
            steps += 1;
            if a * b > 6 {
                break 'outer;
            }
            if b > a {
                continue 'outer;
            }
        }
    }
    'body: {
        if steps > 5 {
            break 'body;
        }
        steps = 0;
    }
    steps
}

#[statement("ui/coerced")]
fn coerced(which: u8) -> Result<Box<dyn Debug>, Box<dyn Error>> {
    match which {
        0 => Ok(Box::new(0)),
        1 => Ok(Box::new("one")),
        2 => Err("two")?,
        _ => Err(Box::new(std::fmt::Error)),
    }
}

#[statement("ui/coerced slice")]
fn coerced_slice<'a>(items: &'a [u8; 3]) -> Result<&'a [u8], ()> {
    let items: Result<&'a [u8], ()> = Ok(items);
    items
}

#[stage("ui/function pointer")]
fn function_pointer(ok: bool) -> fn(u32) -> u32 {
    if ok { |n| n + 1 } else { |n| n - 1 }
}

#[statement("ui/shadowed")]
fn shadowed(n: u32, m: u32) -> Result<u32, String> {
    let n = n + m;
    let m = n * 2;
    Ok(n + m)
}

#[statement("ui/reassigned")]
fn reassigned(mut text: String, mut left: u32, mut items: &[u8]) -> Result<String, String> {
    while left > 0 {
        text.push('x');
        left -= 1;
        items = items.get(1..).ok_or("too few")?;
    }
    Ok(text)
}

#[rustfmt::skip]
#[statement("ui/one line")] fn one_line(x: u8) -> Result<u8, u8> { Err(x)? }

#[statement("ui/empty")]
fn empty() {}

#[stage("ui/whole match")]
fn whole_match(x: Option<u8>) -> u8 {
    match x {
        Some(x) => x,
        None => return 9,
    }
}

fn main() {
    support::start();
    assert_eq!(closures(&[2, 4]), Ok(6));
    assert_eq!(closures(&[2, 5]), Err("5 is odd".to_owned()));
    assert_eq!((items(1), items(4)), (Ok(3), Ok(4)));
    assert!(items(6).is_err());
    assert_eq!((loops(2), loops(9)), (0, 13));
    assert_eq!(format!("{:?} {:?}", coerced(0).unwrap(), coerced(1).unwrap()), "0 \"one\"");
    assert_eq!(coerced(2).unwrap_err().to_string(), "two");
    assert!(coerced(3).is_err());
    assert_eq!(coerced_slice(&[1, 2, 3]), Ok(&[1, 2, 3][..]));
    assert_eq!((function_pointer(true)(1), function_pointer(false)(1)), (2, 0));
    assert_eq!(shadowed(1, 2), Ok(9));
    assert_eq!(reassigned(String::new(), 2, b"abc").as_deref(), Ok("xx"));
    assert!(reassigned(String::new(), 4, b"abc").is_err());
    assert_eq!(one_line(1), Err(1));
    empty();
    assert_eq!((whole_match(Some(1)), whole_match(None)), (1, 9));
    for (name, count, errors) in [
        ("closures", 2, 1),
        ("items", 3, 1),
        ("Local::checked", 3, 1),
        ("coerced", 4, 2),
        ("reassigned", 2, 1),
    ] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    assert_eq!(support::count("stage/ui/inner"), 3);
    assert_eq!(support::count("stage/ui/whole match"), 2);
}
