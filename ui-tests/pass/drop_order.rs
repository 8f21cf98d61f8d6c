//! Everything is dropped when, and in the order in which, the bare function drops it: each function is compiled
//! bare, as a stage and as a statement, and the three must say the same.

#![deny(warnings)]
#![allow(unused_variables)]

use std::cell::RefCell;

#[path = "support/mod.rs"]
mod support;

thread_local! {
    static DROPPED: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

pub struct Noisy(&'static str);

impl Noisy {
    pub fn name(&self) -> Result<usize, Noisy> {
        Ok(self.0.len())
    }
}

impl Drop for Noisy {
    fn drop(&mut self) {
        say(self.0);
    }
}

fn say(what: &'static str) {
    DROPPED.with_borrow_mut(|dropped| dropped.push(what));
}

/// What is dropped while `f` runs, and after it by the caller.
fn dropped<R>(f: impl FnOnce() -> R) -> Vec<&'static str> {
    let returned = f();
    say("returned");
    drop(returned);
    DROPPED.take()
}

macro_rules! functions {
    ($($attribute:tt)*) => {
        use super::{Noisy, say};
        #[allow(unused_imports)]
        use pfs::prelude::*;

        $($attribute)*
        pub fn plain(a: Noisy, _b: Noisy, mut c: Noisy) -> Result<Noisy, Noisy> {
            let _local = Noisy("local");
            c.0 = "c changed";
            say("body");
            Ok(Noisy("result"))
        }

        $($attribute)*
        pub fn patterns(
            (a, _): (Noisy, Noisy),
            _: Noisy,
            [b, .., c]: [Noisy; 4],
            ref d: Noisy,
            whole @ (_, _): (Noisy, Noisy),
        ) -> Result<(), Noisy> {
            say("body");
            Ok(())
        }

        $($attribute)*
        pub fn refutable_not((_, b): (Noisy, Noisy), (_, ..): (Noisy, Noisy)) -> Result<(), Noisy> {
            let _ = &b;
            say("body");
            Ok(())
        }

        $($attribute)*
        pub fn early(a: Noisy, b: Noisy, leave: u8) -> Result<Noisy, Noisy> {
            let _local = Noisy("local");
            if leave == 1 {
                return Err(b);
            }
            Err(Noisy("temporary")).or_else(|noisy: Noisy| if leave == 2 { Err(noisy) } else { Ok(Noisy("other")) })?;
            drop(a);
            say("body");
            Ok(b)
        }

        $($attribute)*
        pub fn tail_temporary(a: Noisy) -> Result<usize, Noisy> {
            let _local = Noisy("local");
            Noisy("temporary").name()
        }

        $($attribute)*
        pub fn conditions(
            #[cfg(any())] gone: Noisy,
            #[cfg(all())] kept: Noisy,
            #[allow(unused_variables)] unused: Noisy,
        ) -> Result<(), Noisy> {
            let _ = &kept;
            say("body");
            Ok(())
        }

        $($attribute)*
        pub fn panics(a: Noisy, _b: Noisy) -> Result<(), Noisy> {
            let _local = Noisy("local");
            std::panic::resume_unwind(Box::new(()))
        }

        pub struct Whole {
            pub first: Noisy,
            pub second: Noisy,
            pub third: Noisy,
        }

        impl Whole {
            $($attribute)*
            pub fn takes_one(self, a: Noisy) -> Result<Noisy, Noisy> {
                let _local = Noisy("local");
                Ok(self.second)
            }

            $($attribute)*
            pub fn looks(self, _a: Noisy) -> Result<usize, Noisy> {
                self.third.name()
            }

            $($attribute)*
            pub fn unused(mut self: Box<Self>, _: Noisy) -> Result<(), Noisy> {
                self.first.0 = "first changed";
                say("body");
                Ok(())
            }
        }
    };
}

mod bare {
    functions!();
}

mod staged {
    functions!(#[stage("ui/stage")]);
}

mod stated {
    functions!(#[statement("ui/statement", text = "text")]);
}

macro_rules! same {
    ($call:expr, $($expected:literal),*) => {{
        macro_rules! of {
            ($module:ident) => {{
                #[allow(unused_imports)]
                use $module::*;
                dropped(|| $call)
            }};
        }
        assert_eq!(of!(bare), [$($expected),*], "bare");
        assert_eq!(of!(staged), [$($expected),*], "staged");
        assert_eq!(of!(stated), [$($expected),*], "stated");
    }};
}

fn whole<W>(make: impl FnOnce(Noisy, Noisy, Noisy) -> W) -> W {
    make(Noisy("first"), Noisy("second"), Noisy("third"))
}

fn main() {
    support::start();
    let n = Noisy;
    same!(plain(n("a"), n("b"), n("c")), "body", "local", "c changed", "b", "a", "returned", "result");
    same!(
        patterns(
            (n("a"), n("a rest")),
            n("wild"),
            [n("b"), n("b rest"), n("c rest"), n("c")],
            n("d"),
            (n("whole"), n("part"))
        )
        .is_ok(),
        "body",
        "whole",
        "part",
        "d",
        "c",
        "b",
        "b rest",
        "c rest",
        "wild",
        "a",
        "a rest",
        "returned"
    );
    same!(refutable_not((n("a"), n("b")), (n("c"), n("d"))), "body", "c", "d", "b", "a", "returned");
    same!(early(n("a"), n("b"), 1), "local", "a", "returned", "b");
    same!(early(n("a"), n("b"), 2), "local", "b", "a", "returned", "temporary");
    same!(early(n("a"), n("b"), 3), "temporary", "other", "a", "body", "local", "returned", "b");
    same!(tail_temporary(n("a")), "temporary", "local", "a", "returned");
    same!(conditions(n("kept"), n("unused")), "body", "unused", "kept", "returned");
    same!(
        std::panic::catch_unwind(|| panics(Noisy("a"), Noisy("b"))).is_err(),
        "local",
        "b",
        "a",
        "returned"
    );
    same!(
        whole(|first, second, third| Whole { first, second, third }).takes_one(n("a")),
        "local",
        "a",
        "first",
        "third",
        "returned",
        "second"
    );
    same!(
        whole(|first, second, third| Whole { first, second, third }).looks(n("a")),
        "a",
        "first",
        "second",
        "third",
        "returned"
    );
    same!(
        Box::new(whole(|first, second, third| Whole { first, second, third })).unused(n("a")),
        "body",
        "a",
        "first changed",
        "second",
        "third",
        "returned"
    );
    assert_eq!(support::count("stage/ui/stage"), 12);
    assert_eq!(support::count("statement/ui/statement"), 12);
}
