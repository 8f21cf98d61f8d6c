//! The standard traits whose methods a server instruments, and functions as values.

#![deny(warnings)]
#![allow(improper_ctypes_definitions)]

use pfs::prelude::*;
use std::collections::HashMap;
use std::fmt::{self, Display};
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::ops::{Add, AddAssign, Index, IndexMut, Not, RangeBounds};
use std::pin::Pin;
use std::str::FromStr;
use std::task::{Context, Poll, Wake, Waker};

#[path = "support/mod.rs"]
mod support;

#[derive(Clone, Debug, PartialEq, Eq)]
struct N(u8);
impl FromStr for N {
    type Err = std::num::ParseIntError;
    #[statement("ui/from_str", text = s)]
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        s.parse().map(N)
    }
}

impl TryFrom<i32> for N {
    type Error = <u8 as TryFrom<i32>>::Error;
    #[statement("ui/try_from")]
    fn try_from(n: i32) -> Result<Self, Self::Error> {
        Ok(Self(n.try_into()?))
    }
}

impl Add<&N> for N {
    type Output = N;
    #[stage("ui/add")]
    fn add(self, N(other): &N) -> Self::Output {
        N(self.0 + other)
    }
}

impl AddAssign<u8> for N {
    #[stage("ui/add_assign")]
    fn add_assign(&mut self, other: u8) {
        self.0 += other;
    }
}

impl Not for &N {
    type Output = bool;
    #[stage("ui/not")]
    fn not(self) -> bool {
        self.0 == 0
    }
}

impl Hash for N {
    #[stage("ui/hash")]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Drop for N {
    #[stage("ui/drop")]
    fn drop(&mut self) {
        self.0 = 0;
    }
}

impl Default for N {
    #[statement("ui/default")]
    fn default() -> Self {
        N(1)
    }
}

impl PartialOrd for N {
    #[statement("ui/partial_cmp")]
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.0.partial_cmp(&other.0)
    }
}

impl Display for N {
    #[statement("ui/display")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 9 {
            return Err(fmt::Error);
        }
        write!(f, "N{}", self.0)
    }
}

struct Lines {
    all: Vec<u8>,
    at: usize,
}

impl Read for Lines {
    #[statement("ui/read")]
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = (&self.all[self.at..]).read(buf)?;
        self.at += n;
        Ok(n)
    }
}

impl BufRead for Lines {
    #[stage("ui/fill_buf")]
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(&self.all[self.at..])
    }

    #[stage("ui/consume")]
    fn consume(&mut self, amount: usize) {
        self.at += amount;
    }
}

impl Seek for Lines {
    #[statement("ui/seek", text = format!("{pos:?}"))]
    fn seek(&mut self, pos: SeekFrom) -> io::Result<u64> {
        match pos {
            SeekFrom::Start(n) => {
                self.at = n as usize;
                Ok(n)
            }
            _ => Err(io::Error::from_raw_os_error(22)),
        }
    }
}

impl Index<usize> for Lines {
    type Output = u8;
    #[stage("ui/index")]
    fn index(&self, i: usize) -> &u8 {
        &self.all[i]
    }
}

impl IndexMut<usize> for Lines {
    #[stage("ui/index_mut")]
    fn index_mut(&mut self, i: usize) -> &mut u8 {
        &mut self.all[i]
    }
}

impl Iterator for Lines {
    type Item = Result<u8, io::Error>;
    #[statement("ui/next", err = |next| match next { Some(Err(error)) => Some(error), _ => None })]
    fn next(&mut self) -> Option<Self::Item> {
        let n = self.all.get(self.at).copied()?;
        self.at += 1;
        Some(if n == b'!' { Err(io::ErrorKind::InvalidData.into()) } else { Ok(n) })
    }

    #[stage("ui/size_hint")]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, None)
    }
}

impl<'a> IntoIterator for &'a Lines {
    type Item = &'a u8;
    type IntoIter = std::slice::Iter<'a, u8>;
    #[stage("ui/into_iter")]
    fn into_iter(self) -> Self::IntoIter {
        self.all.iter()
    }
}

impl Extend<u8> for Lines {
    #[statement("ui/extend")]
    fn extend<I: IntoIterator<Item = u8>>(&mut self, iter: I) {
        self.all.extend(iter);
    }
}

impl FromIterator<u8> for Lines {
    #[statement("ui/from_iter")]
    fn from_iter<I>(iter: I) -> Self
    where
        I: IntoIterator<Item = u8>,
    {
        Lines { all: iter.into_iter().collect(), at: 0 }
    }
}

struct Poller(u8);
impl Future for Poller {
    type Output = Result<u8, String>;
    #[stage("ui/poll")]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.0 += 1;
        cx.waker().wake_by_ref();
        if self.0 > 2 { Poll::Ready(Err("polled".into())) } else { Poll::Pending }
    }
}

trait Stream {
    type Item;
    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>>;
}

impl Stream for Poller {
    type Item = Result<u8, String>;
    #[statement("ui/poll_next", err = |polled| match polled { Poll::Ready(Some(Err(e))) => Some(e.clone()), _ => None })]
    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0 += 1;
        match self.0 {
            1 => Poll::Pending,
            2 => Poll::Ready(Some(Err("two".into()))),
            _ => Poll::Ready(None),
        }
    }
}

impl Wake for N {
    #[stage("ui/wake")]
    fn wake(self: std::sync::Arc<Self>) {}
}

impl IntoFuture for N {
    type Output = u8;
    type IntoFuture = Pin<Box<dyn Future<Output = u8> + Send>>;
    #[stage("ui/into_future", sync)]
    fn into_future(self) -> Self::IntoFuture {
        let n = self.0;
        Box::pin(async move { n })
    }
}

trait Handler<Request, State = ()> {
    type Reply;
    const NAME: &'static str;
    fn handle(&self, request: Request, state: &State) -> Self::Reply;
}

impl<F, A, R> Handler<(A,)> for F
where
    F: Fn(A) -> R,
{
    type Reply = R;
    const NAME: &'static str = "fn";
    #[statement("ui/handler", text = Self::NAME)]
    fn handle(&self, (a,): (A,), &(): &()) -> R {
        self(a)
    }
}

trait Range2 {
    #[statement("ui/range")]
    fn count_in(&self, range: impl RangeBounds<u8> + Clone) -> Result<usize, &'static str>
    where
        Self: AsRef<[u8]>,
    {
        match self.as_ref().iter().filter(|n| range.contains(*n)).count() {
            0 => Err("none"),
            n => Ok(n),
        }
    }
}

impl<T: ?Sized> Range2 for T {}
impl dyn Stream<Item = u8> {
    #[stage("ui/dyn inherent")]
    fn dyn_named(&self) -> u8 {
        1
    }
}

struct Zero;
impl Stream for Zero {
    type Item = u8;
    #[stage("ui/zero")]
    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<u8>> {
        Poll::Ready(None)
    }
}

impl<T> Named for [T] {}
impl<T, const M: usize> Named for [T; M] {}
impl Named for fn(u8) -> u8 {}
impl<T: ?Sized> Named for &mut T {}
impl Named for (u8, u8) {}
trait Named {
    #[statement("ui/named")]
    fn named(&self) -> Result<usize, ()> {
        Ok(size_of_val(self))
    }
}

#[statement("ui/pointer")]
fn pointer(n: u8) -> Result<u8, u8> {
    Ok(n)
}

#[stage("ui/c")]
extern "C" fn c(n: u8) -> u8 {
    n
}

#[statement("ui/c unwind")]
unsafe extern "C-unwind" fn c_unwind(n: *const u8) -> Result<u8, u8> {
    if n.is_null() { Err(0) } else { Ok(unsafe { *n }) }
}

static TABLE: [(&str, fn(u8) -> Result<u8, u8>); 2] = [("a", pointer), ("b", |n| pointer(n + 1))];
const POINTER: fn(u8) -> Result<u8, u8> = pointer;
#[statement("ui/hasher")]
fn hasher<S>(state: &S) -> u64
where
    S: BuildHasher,
{
    state.hash_one(1)
}

#[statement]
fn r#type(r#async: u8, r#match: &str) -> Result<u8, &str> {
    if r#async == 0 { Err(r#match) } else { Ok(r#async) }
}

#[statement("ui/utf8", text = größe.to_string())]
fn größe(größe: u8) -> Result<u8, u8> {
    Ok(größe)
}

fn main() {
    support::start();
    let mut n: N = "3".parse().unwrap();
    assert!("x".parse::<N>().is_err());
    assert!(N::try_from(300).is_err());
    n += 1;
    let sum = n.clone() + &n;
    assert!(!(!&sum));
    let _ = HashMap::<N, u8, RandomState>::from_iter([(N(1), 1)]);
    assert!(N::default() < sum);
    assert_eq!(N(1).to_string(), "N1");
    assert!(fmt::write(&mut String::new(), format_args!("{}", N(9))).is_err());
    let mut lines: Lines = b"a!c".iter().copied().collect();
    let mut two = [0; 1];
    lines.read_exact(&mut two).unwrap();
    assert!(lines.seek(SeekFrom::End(0)).is_err() && lines.rewind().is_ok());
    lines[0] = b'b';
    assert_eq!(lines[0], b'b');
    assert_eq!(Iterator::by_ref(&mut lines).filter(Result::is_err).count(), 1);
    lines.extend([1]);
    assert_eq!((&lines).into_iter().count(), 4);
    lines.consume(0);
    lines.fill_buf().unwrap();
    assert!(support::block_on(Poller(0)).is_err());
    let mut poller = Poller(0);
    for _ in 0..3 {
        let _ = Pin::new(&mut poller).poll_next(&mut Context::from_waker(Waker::noop()));
    }
    Waker::from(std::sync::Arc::new(N(1))).wake();
    assert_eq!(support::block_on(N(2).into_future()), 2);
    assert_eq!((|n: u8| n + 1).handle((1,), &()), 2);
    let failing = |_: u8| -> Result<u8, String> { Err("no".into()) };
    assert!(failing.handle((1,), &()).is_err());
    assert_eq!([1_u8, 2].count_in(2..), Ok(1));
    assert!([1_u8].count_in(2..).is_err());
    (&mut Zero as &mut dyn Stream<Item = u8>).dyn_named();
    let _ = Pin::new(&mut Zero).poll_next(&mut Context::from_waker(Waker::noop()));
    let f: fn(u8) -> u8 = |n| n;
    let _ = (f.named(), [1_u8].named(), [1_u8][..].named(), (&mut 1).named(), (1_u8, 2_u8).named());
    assert_eq!((TABLE[0].1(1), TABLE[1].1(1), POINTER(1), [1].map(pointer)), (Ok(1), Ok(2), Ok(1), [Ok(1)]));
    assert_eq!(c(1), 1);
    let e: unsafe extern "C-unwind" fn(*const u8) -> Result<u8, u8> = c_unwind;
    assert!(unsafe { e(std::ptr::null()) }.is_err());
    hasher(&RandomState::new());
    assert!(r#type(0, "m").is_err() && größe(1).is_ok());
    for (name, count, errors) in [
        ("from_str", 2, 1),
        ("try_from", 1, 1),
        ("default", 1, 0),
        ("partial_cmp", 1, 0),
        ("display", 2, 1),
        ("read", 1, 0),
        ("seek", 2, 1),
        ("next", 4, 1),
        ("extend", 1, 0),
        ("from_iter", 1, 0),
        ("poll_next", 3, 1),
        ("handler", 2, 0),
        ("range", 2, 1),
        ("named", 5, 0),
        ("pointer", 4, 0),
        ("c unwind", 1, 1),
        ("hasher", 1, 0),
    ] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    let own = module_path!();
    assert_eq!(support::errors(&format!("statement/{own}/type")), 1);
    for (name, count) in [
        ("add", 1),
        ("add_assign", 1),
        ("not", 1),
        ("hash", 1),
        ("fill_buf", 1),
        ("consume", 1),
        ("index", 1),
        ("index_mut", 1),
        ("into_iter", 1),
        ("poll", 3),
        ("wake", 1),
        ("into_future", 1),
        ("dyn inherent", 1),
        ("zero", 1),
        ("c", 1),
    ] {
        assert_eq!(support::count(&format!("stage/ui/{name}")), count, "{name}");
    }
}
