//! Signatures and bodies of async functions, and of those that return a future, as servers have them.

#![deny(warnings)]
#![allow(dead_code)]

use pfs::prelude::*;
use std::borrow::Cow;
use std::collections::HashMap;
use std::convert::Infallible;
use std::error::Error;
use std::fmt::{Debug, Display};
use std::future::{Future, IntoFuture};
use std::ops::ControlFlow;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use support::{block_on, pause};

#[path = "support/mod.rs"]
mod support;

#[statement("ui/cow", text = "x")]
async fn cow<'a>(x: impl Into<Cow<'a, str>> + 'a) -> Result<Cow<'a, str>, Box<dyn Error + 'a>> {
    let x = x.into();
    pause().await;
    Ok(x)
}

#[derive(Clone)]
struct S {
    a: String,
    b: Vec<u8>,
}

impl S {
    #[stage("ui/arc")]
    pub(crate) async fn arc(self: Arc<Self>) -> Arc<Self> {
        pause().await;
        self
    }
    #[statement("ui/box", text = self.a)]
    async fn boxed(mut self: Box<Self>) -> Result<String, ()> {
        self.a.push('x');
        pause().await;
        Ok(self.a)
    }
    #[statement("ui/split")]
    async fn split(&mut self) -> Result<(&mut String, &mut Vec<u8>), &'static str> {
        let Self { a, b } = self;
        Ok((a, b))
    }
    #[statement("ui/assoc")]
    async fn assoc(n: u8) -> Result<u8, Infallible> {
        Ok(n)
    }
    #[statement("ui/returns fut")]
    fn fut<'s>(&'s self, more: &'s str) -> impl Future<Output = Result<String, std::fmt::Error>> + Send + 's {
        let start = self.a.len();
        async move {
            pause().await;
            Ok(format!("{}{more}{start}", self.a))
        }
    }
    #[statement("ui/boxfut", text = more)]
    fn boxfut<'s>(&'s mut self, more: &'s str) -> Pin<Box<dyn Future<Output = Result<&'s str, String>> + Send + 's>> {
        self.a.push_str(more);
        Box::pin(async move {
            pause().await;
            Ok(self.a.as_str())
        })
    }
    #[stage("ui/owned fut")]
    fn owned(self) -> impl Future<Output = usize> + Send + 'static {
        async move { self.a.len() + self.b.len() }
    }
    #[statement("ui/into", err = |r| r.as_ref().err().cloned())]
    fn into_it(self) -> impl Future<Output = Result<usize, String>> {
        async move {
            let Self { a, b } = self;
            if a.is_empty() {
                return Err("empty".to_owned());
            }
            Ok(a.len() + b.len())
        }
    }
}

#[statement("ui/attrs")]
#[inline]
#[must_use]
#[doc(hidden)]
#[allow(clippy::too_many_arguments)]
async fn attrs(#[allow(unused_variables)] a: u8, #[cfg(any())] b: u8, #[cfg(all())] c: u8) -> Option<u8> {
    pause().await;
    Some(c)
}

#[stage("ui/unit")]
async fn unit() {
    return;
}
#[stage("ui/unit said")]
async fn unit_said() -> () {}
#[statement("ui/tuple")]
async fn tuple() -> (u8,) {
    (1,)
}
#[statement("ui/let else")]
async fn let_else(x: Option<Result<u8, String>>) -> Result<u8, String> {
    let Some(inner) = x else { return Err("none".into()) };
    let n = inner?;
    let m = 'found: {
        if n > 1 {
            break 'found n;
        }
        loop {
            pause().await;
            break n + 1;
        }
    };
    Ok(m)
}
#[statement("ui/option")]
async fn option(map: &HashMap<String, Vec<u8>>, key: &str) -> Option<u8> {
    let found = map.get(key)?;
    pause().await;
    found.first().copied()
}
#[statement("ui/control")]
async fn control(n: u8) -> ControlFlow<u8> {
    if n > 1 {
        return ControlFlow::Break(n);
    }
    ControlFlow::Continue(())
}
#[statement("ui/dyn")]
async fn dynamic<'a>(f: &mut (dyn FnMut(u8) -> u8 + Send), d: &'a (dyn Display + Sync)) -> Result<&'a dyn Display, ()> {
    f(1);
    pause().await;
    Ok(d)
}
#[statement("ui/async yields async")]
async fn yields() -> impl Future<Output = u8> {
    async { 1 }
}
#[stage("ui/fut of fut")]
fn fut_of_fut() -> impl Future<Output = impl Future<Output = u8>> {
    async { async { 2 } }
}
#[statement("ui/infallible")]
fn infallible() -> impl Future<Output = Result<u8, Infallible>> + use<> {
    async { Ok(2) }
}
#[statement("ui/closures")]
async fn closures<F, Fut>(f: F, n: u8) -> Result<u8, String>
where
    F: Fn(u8) -> Fut,
    Fut: IntoFuture<Output = Result<u8, String>>,
{
    let g = async |x: u8| f(x).await;
    g(n).await
}
#[statement("ui/asyncfn")]
async fn takes_async_closure(f: impl AsyncFnOnce(&str) -> Result<usize, String>) -> Result<usize, String> {
    f("abc").await
}
#[statement("ui/const generic")]
async fn const_generic<const N: usize, const B: bool>(a: [u8; N]) -> Result<[u8; N], [u8; N]> {
    if B { Ok(a) } else { Err(a) }
}
#[statement("ui/projection")]
async fn projection<I: IntoIterator<Item = Result<u8, E>>, E: Error + 'static>(i: I) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut all = vec![];
    for x in i {
        all.push(x?);
        pause().await;
    }
    Ok(all)
}
#[statement("ui/err path", err = Result::err_ref)]
async fn err_path() -> Result<u8, u8> {
    Err(1)
}
trait ErrRef<E> {
    fn err_ref(&self) -> Option<E>;
}
impl<T, E: Clone> ErrRef<E> for Result<T, E> {
    fn err_ref(&self) -> Option<E> {
        self.as_ref().err().cloned()
    }
}
macro_rules! bail {
    ($t:expr) => {
        return Err($t.into())
    };
}
#[statement("ui/macro return")]
async fn macro_return(n: u8) -> Result<u8, Box<dyn Error + Send + Sync>> {
    if n == 0 {
        bail!("zero");
    }
    let x: Result<u8, String> = async {
        if n == 1 {
            bail!("one");
        }
        Ok(n)
    }
    .await;
    Ok(x?)
}
#[statement("ui/boxed macro", text = format!("{n}"))]
fn boxed_macro(n: u8) -> Pin<Box<dyn Future<Output = Result<u8, String>>>> {
    macro_rules! leave {
        ($e:expr) => {
            return Box::pin(async move { $e })
        };
    }
    if n == 0 {
        leave!(Err("0".to_owned()));
    }
    leave!(Ok(n))
}
trait Tr {
    type Out: Debug;
    fn declared(&self, n: u8) -> impl Future<Output = Result<Self::Out, String>> + Send;
    #[statement("ui/Tr::def")]
    async fn def<T: Debug + Sync>(&self, t: &T) -> Result<String, Self::Out>
    where
        Self: Sized,
    {
        pause().await;
        Ok(format!("{t:?}"))
    }
}
impl Tr for u8 {
    type Out = u8;
    #[statement("ui/u8::declared")]
    async fn declared(&self, n: u8) -> Result<u8, String> {
        pause().await;
        Ok(self + n)
    }
}
#[stage("ui/poll fn")]
fn poll_like(_: &mut Context<'_>) -> Poll<Result<u8, ()>> {
    Poll::Ready(Err(()))
}
#[statement("ui/rc", text = name.as_bytes())]
async fn rc(name: Rc<str>, (a, b): (u8, u8), S { a: c, .. }: S, &d: &u8, [e, rest @ ..]: [u8; 3]) -> Result<usize, ()> {
    pause().await;
    Ok(name.len() + usize::from(a + b + d + e) + c.len() + rest.len())
}
#[statement("ui/never in result")]
async fn diverges(n: u8) -> Result<Infallible, String> {
    loop {
        pause().await;
        if n > 0 {
            return Err("left".into());
        }
    }
}
#[statement("ui/todo")]
async fn todo_body() -> Result<u8, String> {
    todo!()
}
#[stage("ui/gen")]
async fn big<A, B, C, D>(a: A, b: B, c: C, d: D) -> (A, B, C, D)
where
    A: Send,
{
    pause().await;
    (a, b, c, d)
}
mod inner {
    use super::*;
    #[statement("ui/vis")]
    pub(in crate::inner) async fn vis() -> Result<(), ()> {
        Ok(())
    }
    pub(crate) async fn call() -> Result<(), ()> {
        vis().await
    }
}
#[statement("ui/impl box")]
fn pin_impl(n: u8) -> Pin<Box<impl Future<Output = Result<u8, ()>>>> {
    Box::pin(async move { Ok(n) })
}
#[statement("ui/q mark try block like")]
async fn try_like(s: &str) -> Result<i64, Box<dyn Error + Send + Sync + 'static>> {
    let r: Result<i64, std::num::ParseIntError> = async { Ok(s.parse::<i64>()? + 1) }.await;
    pause().await;
    r.map_err(Into::into)
}
#[statement("ui/str lit", text = concat!("a", "b"))]
async fn lit() -> String {
    String::new()
}
#[statement("ui/block text", text = { let mut t = String::from(x); t.push('!'); t })]
async fn block_text(x: &str) -> Result<(), ()> {
    let _ = x;
    Ok(())
}
#[allow(ungated_async_fn_track_caller)]
#[track_caller]
#[statement("ui/caller")]
async fn caller() -> u32 {
    1
}

fn main() {
    support::start();
    let s = || S { a: "a".into(), b: vec![1] };
    assert_eq!(block_on(cow("x")).unwrap(), "x");
    block_on(Arc::new(s()).arc());
    assert_eq!(block_on(Box::new(s()).boxed()).as_deref(), Ok("ax"));
    block_on(s().split()).unwrap();
    let mut t = s();
    assert_eq!(block_on(t.fut("b")).unwrap(), "ab1");
    assert_eq!(block_on(t.boxfut("b")).unwrap(), "ab");
    assert_eq!(block_on(s().owned()), 2);
    assert!(block_on(S { a: String::new(), b: vec![] }.into_it()).is_err());
    assert_eq!(block_on(attrs(1, 2)), Some(2));
    block_on(unit());
    block_on(unit_said());
    assert_eq!(block_on(let_else(Some(Ok(1)))), Ok(2));
    assert!(block_on(let_else(Some(Err("x".into())))).is_err() && block_on(let_else(None)).is_err());
    assert_eq!(block_on(block_on(yields())) + block_on(block_on(fut_of_fut())), 3);
    assert_eq!(block_on(closures(|n| async move { Ok(n) }, 1)), Ok(1));
    assert_eq!(block_on(takes_async_closure(async |s: &str| Ok(s.len()))), Ok(3));
    assert_eq!(block_on(const_generic::<2, true>([1, 2])), Ok([1, 2]));
    assert!(block_on(err_path()).is_err());
    assert!(block_on(macro_return(0)).is_err() && block_on(macro_return(1)).is_err() && block_on(macro_return(2)).is_ok());
    assert!(block_on(boxed_macro(0)).is_err() && block_on(boxed_macro(1)).is_ok());
    assert_eq!(block_on(3_u8.declared(1)), Ok(4));
    assert_eq!(block_on(3_u8.def(&1)).as_deref(), Ok("1"));
    assert_eq!(block_on(rc("ab".into(), (1, 2), s(), &3, [4, 5, 6])), Ok(15));
    assert!(block_on(diverges(1)).is_err());
    block_on(inner::call()).unwrap();
    assert_eq!(block_on(pin_impl(1)), Ok(1));
    assert_eq!(block_on(try_like("1")).unwrap(), 2);
    block_on(block_text("x")).unwrap();
    block_on(caller());
    block_on(projection([Ok::<_, std::fmt::Error>(1)])).unwrap();
    block_on(big(1, 2, 3, 4));
    assert_eq!(support::errors("statement/ui/err path"), 1);
    assert_eq!(support::errors("statement/ui/macro return"), 2);
    assert_eq!(support::errors("statement/ui/boxed macro"), 1);
    assert_eq!(support::last_text("statement/ui/block text").as_deref(), Some("x!"));
    assert_eq!(support::last_text("statement/ui/boxfut").as_deref(), Some("b"));
}
