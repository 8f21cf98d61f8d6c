//! Everything of an async function is dropped when and in the order in which it is without the attribute: what it takes,
//! what it holds, what it returns; at its end, by `return`, by `?`, when it panics, and when it is dropped half-way or
//! before it was polled.

#![deny(warnings)]

use pfs::prelude::*;
use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use support::{block_on, pause, poll};

#[path = "support/mod.rs"]
mod support;

thread_local! {
    static DROPPED: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

struct Noisy(&'static str);

impl Noisy {
    fn note(&self) -> Result<&'static str, &'static str> {
        if self.0 == "fails" { Err(self.0) } else { Ok(self.0) }
    }
}

impl Drop for Noisy {
    fn drop(&mut self) {
        DROPPED.with(|dropped| dropped.borrow_mut().push(self.0));
    }
}

struct Whole {
    first: Noisy,
    _second: Noisy,
}

macro_rules! functions {
    ($module:ident, #[$attribute:meta]) => {
        mod $module {
            use super::*;

            #[$attribute]
            pub async fn plain(a: Noisy, mut b: Noisy, _c: Noisy, _: Noisy) -> Result<Noisy, &'static str> {
                let _local = Noisy("local");
                b.0 = "b changed";
                pause().await;
                let _later = Noisy("later");
                a.note()?;
                if a.0 == "early" {
                    return Ok(Noisy("returned early"));
                }
                pause().await;
                Ok(Noisy("returned"))
            }

            #[$attribute]
            pub async fn patterns((a, _): (Noisy, Noisy), [b, ..]: [Noisy; 2], ref c: Noisy) -> Result<(), &'static str> {
                let _moved = b;
                pause().await;
                let _ = c.note();
                drop(a);
                Ok(())
            }

            #[$attribute]
            pub async fn tail(a: Noisy) -> Result<&'static str, &'static str> {
                let _local = Noisy("local");
                let _a = &a;
                pause().await;
                Noisy("temporary").note()
            }

            #[$attribute]
            pub async fn panics(_a: Noisy, _b: Noisy) -> Result<(), ()> {
                let _local = Noisy("local");
                pause().await;
                std::panic::resume_unwind(Box::new(()))
            }

            impl Whole {
                #[$attribute]
                pub async fn $module(self, a: Noisy) -> Result<(), &'static str> {
                    let _local = Noisy("local");
                    pause().await;
                    let _first = self.first;
                    a.note()?;
                    Ok(())
                }
            }
        }
    };
}

functions!(bare, #[allow(unused)]);
functions!(staged, #[stage("ui/order")]);
functions!(stated, #[statement("ui/order", text = "text")]);

/// What is dropped, with marks where the future gave a value and where it was itself dropped.
fn dropped<F: Future>(future: F, polls: usize) -> Vec<&'static str> {
    let mark = |text| DROPPED.with(|dropped| dropped.borrow_mut().push(text));
    {
        let mut future = Box::pin(future);
        for _ in 0..polls {
            let polled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| poll(future.as_mut())));
            match polled {
                Ok(polled) if polled.is_pending() => mark("pending"),
                Ok(polled) => {
                    mark("ready");
                    drop(polled);
                    break;
                }
                Err(_) => {
                    mark("panic");
                    break;
                }
            }
        }
        mark("dropped");
    }
    DROPPED.take()
}

macro_rules! same {
    ($polls:expr, $call:expr) => {{
        macro_rules! of {
            ($module:ident) => {{
                #[allow(unused_imports)]
                use $module::*;
                dropped($call, $polls)
            }};
        }
        let bare = of!(bare);
        assert_eq!(of!(staged), bare, "staged, {} polls", $polls);
        assert_eq!(of!(stated), bare, "stated, {} polls", $polls);
        bare
    }};
}

fn main() {
    support::start();
    let n = Noisy;
    for polls in 0..5 {
        let all = same!(polls, plain(n("a"), n("b"), n("c"), n("d")));
        assert_eq!(all.len(), [5, 7, 9, 11, 11][polls], "{all:?}");
        same!(polls, plain(n("early"), n("b"), n("c"), n("d")));
        same!(polls, plain(n("fails"), n("b"), n("c"), n("d")));
        same!(polls, patterns((n("a"), n("rest")), [n("b"), n("other")], n("c")));
        same!(polls, tail(n("a")));
        same!(polls, panics(n("a"), n("b")));
    }
    let whole = || Whole { first: Noisy("first"), _second: Noisy("second") };
    for polls in 0..3 {
        let bare = dropped(whole().bare(n("a")), polls);
        assert_eq!(dropped(whole().staged(n("a")), polls), bare);
        assert_eq!(dropped(whole().stated(n("a")), polls), bare);
    }
    // Boxed as `dyn` it is the same future.
    let future: Pin<Box<dyn Future<Output = _>>> = Box::pin(stated::tail(n("a")));
    assert_eq!(block_on(future), Ok("temporary"));
    assert_eq!(DROPPED.take(), ["temporary", "local", "a"]);
    assert_eq!(support::count("stage/ui/order"), 26);
    assert_eq!(support::count("statement/ui/order"), 27);
}
