//! Bodies: what stands in them stays as it is.

#![deny(warnings)]
#![allow(dead_code, clippy::all)]

use pfs::prelude::*;
use std::cell::Cell;

#[path = "support/mod.rs"]
mod support;

#[statement("ui/labels")]
fn labels(n: u8) -> Result<u8, u8> {
    let found = 'pfs_body: {
        if n > 3 {
            break 'pfs_body n;
        }
        0
    };
    let mut m = 0;
    '_pfs_body: loop {
        loop {
            m += 1;
            if m > 4 {
                break '_pfs_body;
            }
            if m == 9 {
                continue '_pfs_body;
            }
        }
    }
    while let Some(n) = Some(m) {
        if n == 5 {
            break;
        }
    }
    if found == 0 { Err(m) } else { Ok(found) }
}

#[statement("ui/items")]
fn items(n: u8) -> Result<u8, Inside> {
    #![allow(non_camel_case_types)]
    use std::num::NonZero;
    const LIMIT: u8 = helper(2);
    const fn helper(n: u8) -> u8 {
        n * 2
    }
    static CALLS: std::sync::atomic::AtomicU8 = std::sync::atomic::AtomicU8::new(0);
    #[derive(Debug)]
    struct local(NonZero<u8>);
    impl local {
        #[statement("ui/items inside")]
        fn get(&self) -> Result<u8, u8> {
            if self.0.get() > LIMIT { Err(1) } else { Ok(self.0.get()) }
        }
    }
    trait Double {
        fn double(&self) -> u8;
    }
    impl Double for local {
        #[stage("ui/items stage")]
        fn double(&self) -> u8 {
            self.0.get() * 2
        }
    }

    #[instrument_mutex("ui/items lock")]
    static LOCK: pfs::sync::Mutex<u8> = pfs::sync::Mutex::new(3);
    thread_local! { static OWN: pfs::sync::Mutex<u8> = pfs::mutex!("ui/items own", 1); }
    macro_rules! bail {
        ($e:expr) => {
            return Err(Inside($e))
        };
    }

    #[statement]
    fn unnamed(n: u8) -> Result<u8, u8> {
        Ok(n)
    }
    CALLS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let Some(n) = NonZero::new(n) else { bail!(0) };
    let double = local(n);
    OWN.with(|own| *own.lock().unwrap() += 1);
    let got = match double.get() {
        Ok(got) => got,
        Err(e) => bail!(e),
    };
    unnamed(got).unwrap();
    Ok(got + double.double() + *LOCK.lock().unwrap())
}

struct Inside(u8);
impl std::fmt::Display for Inside {
    #[stage("ui/Display::fmt")]
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "inside {}", self.0)
    }
}

impl std::fmt::Debug for Inside {
    #[statement("ui/Debug::fmt")]
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Inside").field(&self.0).finish()
    }
}

#[statement("ui/closures")]
fn closures(values: Vec<u8>) -> Result<Vec<u8>, String> {
    let first = || -> Result<u8, String> { values.first().copied().ok_or_else(|| "empty".to_owned()) };
    let first = first()?;
    let mut all = values;
    let add = move |n| {
        all.push(n);
        all
    };
    let recurse: &dyn Fn(u8) -> u8 = &|n| n + 1;
    Ok(add(recurse(first)))
}

#[statement("ui/unsafe body")]
unsafe fn unsafe_body(p: *const u8) -> Result<u8, ()> {
    if p.is_null() {
        return Err(());
    }
    // SAFETY: the caller's.
    Ok(unsafe { *p })
}

#[stage("ui/const block")]
fn const_block<const N: usize>() -> usize {
    const {
        assert!(N > 0);
        N * 2
    }
}

#[statement("ui/match guard")]
fn match_guard(v: &Option<Result<u8, String>>) -> Result<&u8, &String> {
    match v {
        Some(Ok(n @ 1..=5)) if *n % 2 == 1 => Ok(n),
        Some(Ok(0 | 2)) => {
            static TWO: u8 = 2;
            return Ok(&TWO);
        }
        Some(Ok(_)) | None => {
            static NINE: u8 = 9;
            Ok(&NINE)
        }
        Some(Err(e)) => Err(e),
    }
}

#[statement("ui/recursion")]
fn recursion(n: u8) -> Result<u8, u8> {
    if n == 0 { Err(n) } else { recursion(n - 1).or_else(|m| if n == 3 { Ok(m) } else { Err(m + 1) }) }
}

#[statement("ui/empty")]
fn empty() {}
#[statement("ui/unit result")]
fn unit_result() -> Result<(), ()> {
    #[allow(clippy::needless_return)]
    return Ok(());
}

#[statement("ui/mutable")]
fn mutable(mut a: Vec<u8>, b: &mut Vec<u8>, mut c: impl FnMut(u8)) -> Result<usize, ()> {
    a.push(1);
    b.append(&mut a);
    c(b.len() as u8);
    Ok(b.len())
}

#[stage("ui/mutable stage")]
fn mutable_stage(mut a: u8, ref b: u8, ref mut c: u8, &mut ref mut d: &mut u8, (mut e, _): (u8, u8)) -> u8 {
    a += 1;
    *c += 1;
    *d += 1;
    e += 1;
    a + *b + *c + *d + e
}

#[statement("ui/mutable statement")]
fn mutable_statement(
    mut a: u8,
    ref b: u8,
    ref mut c: u8,
    &mut ref mut d: &mut u8,
    (mut e, _): (u8, u8),
    [.., f]: [u8; 2],
    g @ (_, h): (u8, u8),
) -> Result<u8, ()> {
    a += 1;
    *c += 1;
    *d += 1;
    e += 1;
    Ok(a + *b + *c + *d + e + f + g.0 + h)
}

#[statement("ui/or pattern")]
fn or_pattern(
    (Ok(n) | Err(n)): Result<u8, u8>,
    Wrapper { value: (a, ..), .. }: Wrapper,
    Tuple(b, ..): Tuple,
    &&c: &&u8,
) -> Result<u8, ()> {
    Ok(n + a + b + c)
}

struct Wrapper {
    value: (u8, u8),
    _other: u8,
}

struct Tuple(u8, u8);
#[statement("ui/boxed pattern", text = { fn inner() -> &'static str { "inner" } inner() })]
fn text_with_item(_: &str, r#type: &str) -> Result<usize, ()> {
    Ok(r#type.len())
}

#[statement("ui/text of all", text = format!("{a} {b:?} {}", c.len()))]
fn text_of_all(a: u8, b: Option<&str>, mut c: Vec<u8>) -> Result<Vec<u8>, ()> {
    c.push(a);
    let _ = b;
    Ok(c)
}

#[statement("ui/let else in loop")]
fn let_else_in_loop(all: &[&str]) -> Result<u32, std::num::ParseIntError> {
    let mut sum = 0;
    for one in all {
        let Some(('n', rest)) = one.split_at_checked(1).map(|(a, b)| (a.chars().next().unwrap(), b)) else {
            continue;
        };
        sum += rest.parse::<u32>()?;
    }
    Ok(sum)
}

#[stage("ui/borrows out")]
fn borrows_out<'a>(a: &'a mut Vec<u8>, i: usize) -> Option<&'a mut u8> {
    a.iter_mut().nth(i)
}

#[statement("ui/borrows out")]
fn borrows_out_statement<'a>(a: &'a mut Vec<u8>, i: usize) -> Result<&'a mut u8, &'a str> {
    match a.get_mut(i) {
        Some(n) => Ok(n),
        None => Err("none"),
    }
}

#[statement("ui/diverges in if")]
fn diverges(b: bool) -> Result<u8, String> {
    if b { std::panic::resume_unwind(Box::new("it does")) } else { std::panic::resume_unwind(Box::new(())) }
}

#[statement("ui/nested result")]
fn nested_result(n: u8) -> Result<Result<u8, String>, std::io::Error> {
    Ok(Err(n.to_string()))
}

#[statement("ui/result of option")]
fn result_of_option(n: u8) -> Result<Option<u8>, Option<u8>> {
    match n {
        0 => Err(None),
        1 => Ok(None),
        n => Ok(Some(n)),
    }
}

mod aliases {
    pub type Outcome<T = (), E = String> = std::result::Result<T, E>;
    pub type Deep = Outcome<u8>;
    pub mod other {
        pub type Fine = super::Deep;
    }
}

trait HasResult {
    type Answer;
}

impl HasResult for u8 {
    type Answer = Result<u8, String>;
}

#[statement("ui/aliases")]
fn by_alias() -> aliases::other::Fine {
    Err("deep".into())
}

#[statement("ui/projection alias")]
fn by_projection() -> <u8 as HasResult>::Answer {
    Err("projected".into())
}

#[statement("ui/error that is no display")]
fn no_display(c: &Cell<u8>) -> Result<(), &Cell<u8>> {
    Err(c)
}

#[statement("ui/dyn error")]
fn dyn_error() -> Result<(), Box<dyn std::error::Error>> {
    Err("dynamic")?
}

#[statement("ui/question in loop")]
fn question() -> Result<u8, Box<dyn std::error::Error>> {
    Ok(loop {
        if "1".parse::<u8>()? == 1 {
            break "2".parse()?;
        }
    })
}

fn main() {
    support::start();
    assert_eq!((labels(4), labels(1)), (Ok(4), Err(5)));
    assert_eq!(items(1).unwrap(), 6);
    assert!(items(0).is_err());
    assert_eq!(format!("{0} {0:?}", items(9).unwrap_err()), "inside 1 Inside(1)");
    assert_eq!(closures(vec![1]), Ok(vec![1, 2]));
    assert!(closures(vec![]).is_err());
    // SAFETY: a valid pointer.
    assert_eq!(unsafe { unsafe_body(&1) }, Ok(1));
    assert_eq!(const_block::<2>(), 4);
    assert_eq!(match_guard(&Some(Ok(2))), Ok(&2));
    assert!(match_guard(&Some(Err(String::new()))).is_err());
    assert_eq!(recursion(3), Ok(2));
    empty();
    unit_result().unwrap();
    assert_eq!(mutable(vec![1], &mut vec![], |_| ()), Ok(2));
    assert_eq!(mutable_stage(1, 1, 1, &mut 1, (1, 1)), 9);
    assert_eq!(mutable_statement(1, 1, 1, &mut 1, (1, 1), [1, 1], (1, 1)), Ok(12));
    assert_eq!(or_pattern(Err(1), Wrapper { value: (1, 2), _other: 0 }, Tuple(1, 2), &&1), Ok(4));
    text_with_item("", "ab").unwrap();
    text_of_all(1, Some("x"), vec![]).unwrap();
    assert_eq!(let_else_in_loop(&["n1", "x", "n2"]), Ok(3));
    assert!(let_else_in_loop(&["nx"]).is_err());
    let mut v = vec![1];
    assert!(borrows_out(&mut v, 0).is_some());
    assert!(borrows_out_statement(&mut v, 1).is_err());
    assert!(std::panic::catch_unwind(|| diverges(true)).is_err());
    assert!(nested_result(1).is_ok() && result_of_option(0).is_err());
    assert!(
        by_alias().is_err()
            && by_projection().is_err()
            && no_display(&Cell::new(1)).is_err()
            && dyn_error().is_err()
    );
    question().unwrap();
    for (name, count, errors) in [
        ("labels", 2, 1),
        ("items", 3, 2),
        ("items inside", 2, 1),
        ("Debug::fmt", 1, 0),
        ("closures", 2, 1),
        ("unsafe body", 1, 0),
        ("match guard", 2, 1),
        ("recursion", 4, 3),
        ("empty", 1, 0),
        ("unit result", 1, 0),
        ("mutable", 1, 0),
        ("mutable statement", 1, 0),
        ("or pattern", 1, 0),
        ("let else in loop", 2, 1),
        ("borrows out", 1, 1),
        ("diverges in if", 1, 0),
        ("nested result", 1, 0),
        ("result of option", 1, 1),
        ("aliases", 1, 1),
        ("projection alias", 1, 1),
        ("error that is no display", 1, 1),
        ("dyn error", 1, 1),
        ("question in loop", 1, 0),
    ] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    assert_eq!(support::last_text("statement/ui/boxed pattern").as_deref(), Some("inner"));
    assert_eq!(support::last_text("statement/ui/text of all").as_deref(), Some("1 Some(\"x\") 0"));
    assert_eq!(support::last_error("statement/ui/items").unwrap().2, "inside 1");
    assert_eq!(
        support::waits("wait/synch/mutex/ui/items lock") + support::waits("wait/synch/mutex/ui/items own"),
        3
    );
}
