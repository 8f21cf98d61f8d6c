//! Functions, statics and types out of macros of every fragment, by `$crate`, nested and repeated.

#![deny(warnings)]
#![allow(dead_code)]

#[path = "support/mod.rs"]
mod support;

mod exported {
    pub use pfs;

    macro_rules! measured {
        ($kind:ident $name:tt; $($item:tt)*) => {
            #[$crate::exported::pfs::$kind($name, crate = $crate::exported::pfs)]
            $($item)*
        };
    }
    macro_rules! calls {
        ($($name:ident: $class:expr, |$($arg:ident: $ty:ty),*| $body:expr;)*) => {$(
            $crate::exported::measured! {
                statement $class;
                pub fn $name($($arg: $ty),*) -> Result<u8, String> {
                    let local = 1_u8;
                    Ok($body + local - 1)
                }
            }
        )*};
    }
    macro_rules! hygiene {
        ($name:ident, $value:expr) => {
            #[pfs::statement("ui/hygiene", text = text)]
            fn $name(text: &str) -> Result<u8, String> {
                let pfs_returned = 5_u8;
                let statement = text.len() as u8;
                let _ = statement;
                Ok($value + pfs_returned)
            }
        };
    }
    macro_rules! with_return {
        ($ty:ty, $e:expr) => {
            #[pfs::stage("ui/with return")]
            fn with_return() -> $ty {
                return $e;
            }
        };
    }
    macro_rules! lifetimes {
        ($lt:lifetime, $($bound:tt)+) => {
            #[pfs::statement("ui/lifetime fragment")]
            fn lifetimes<$lt, T: $($bound)+>(a: &$lt T) -> Result<&$lt T, &$lt str> {
                Ok(a)
            }
        };
    }
    macro_rules! future {
        ($out:ty, $body:block) => {
            #[pfs::statement("ui/future fragment")]
            fn future() -> impl Future<Output = $out> {
                async move $body
            }
            #[pfs::statement("ui/async fragment", text = "x")]
            async fn asynchronous() -> $out $body
            #[pfs::stage("ui/boxed fragment")]
            fn boxed() -> std::pin::Pin<Box<dyn Future<Output = $out>>> {
                Box::pin(async $body)
            }
        };
    }
    macro_rules! locks {
        ($($vis:vis $name:ident: $ty:ty = $init:expr;)*) => {$(
            #[pfs::instrument_mutex]
            $vis static $name: $ty = $init;
        )*};
    }
    macro_rules! enums {
        (
            $(#[$m:meta])* $name:ident {
                $($(#[$vm:meta])* $variant:ident $(($t:ty))? $({ $f:ident: $ft:ty })? $(= $d:expr)?),* $(,)?
            }
        ) => {
            #[derive(pfs::Statement, Debug)]
            $(#[$m])*
            enum $name {
                $($(#[$vm])* $variant $(($t))? $({ $f: $ft })? $(= $d)?),*
            }
        };
    }
    macro_rules! whole {
        ($($item:item)*) => {$(
            #[pfs::stage]
            $item
        )*};
    }
    macro_rules! stmt {
        ($block:block) => {
            #[pfs::statement("ui/block fragment")]
            fn block_fragment(n: u8) -> Result<u8, String> {
                let _ = n;
                $block
            }
        };
    }
    pub(crate) use {calls, enums, future, hygiene, lifetimes, locks, measured, stmt, whole, with_return};
}

use exported::*;

calls! {
    one: "ui/one", |a: u8| a;
    two: "ui/two", |a: u8, b: u8| {
        if b == 0 {
            return Err("two".to_owned());
        }
        a + b
    };
}

hygiene!(hygienic, {
    let pfs_statement = 1_u8;
    pfs_statement + 1
});
with_return!(Result<u8, ()>, Ok(1));
lifetimes!('x, Clone + Send + 'x);
future!(Result<u8, String>, { Err("future".to_owned()) });
locks! {
    pub(crate) FIRST: pfs::sync::Mutex<u8> = pfs::sync::Mutex::new(1);
    SECOND: [pfs::sync::Mutex<Vec<u8>>; 2] = [const { pfs::sync::Mutex::new(vec![]) }; 2];
}

enums! {
    #[statement(component = "ui")]
    #[repr(u8)]
    Command { First(u8) = 4, Second { n: u8 }, #[statement(name = "3rd")] Third = 1 + 1 }
}

whole! {
    fn whole_a(n: u8) -> u8 { n }
    async fn whole_b() {}
    pub(self) unsafe fn whole_c() {}
}

stmt!({
    let n = 3;
    Ok(n)
});
measured! {
    statement "ui/async measured";
    pub(crate) async fn measured_async<T: Into<u8>>(t: T) -> Result<u8, String> {
        support::pause().await;
        Ok(t.into())
    }
}

macro_rules! nested {
    ($($name:ident)*) => {
        macro_rules! inner {
            ($d:tt) => {$(
                #[pfs::statement("ui/nested")]
                fn $name($d: u8) -> Result<u8, u8> {
                    Ok($d)
                }
            )*};
        }
        inner!(argument);
    };
}

nested! { nested_a nested_b }
mod by_crate {
    pub use ::pfs as perf;
    #[perf::statement("ui/by crate", crate = self::perf)]
    pub fn own() -> Result<u8, u8> {
        Ok(1)
    }

    #[perf::stage("ui/by crate", crate = crate::by_crate::perf)]
    pub async fn crated() {}
    #[perf::statement("ui/by super", crate = super::exported::pfs)]
    pub fn supered() -> Result<u8, u8> {
        Err(1)
    }
}

fn main() {
    support::start();
    assert_eq!((one(1), two(1, 2)), (Ok(1), Ok(3)));
    assert!(two(1, 0).is_err());
    assert_eq!(hygienic("abc"), Ok(7));
    with_return().unwrap();
    lifetimes(&1).unwrap();
    assert!(
        support::block_on(future()).is_err()
            && support::block_on(asynchronous()).is_err()
            && support::block_on(boxed()).is_err()
    );
    drop(FIRST.lock());
    drop(SECOND[1].lock());
    drop(pfs::Statement::begin(&Command::Second { n: 1 }));
    drop(pfs::Statement::begin(&Command::Third));
    whole_a(1);
    support::block_on(whole_b());
    unsafe { whole_c() };
    block_fragment(1).unwrap();
    assert_eq!(support::block_on(measured_async(1)), Ok(1));
    let _ = (nested_a(1), nested_b(1));
    by_crate::own().unwrap();
    support::block_on(by_crate::crated());
    let _ = by_crate::supered();
    for (name, count, errors) in [
        ("one", 1, 0),
        ("two", 2, 1),
        ("hygiene", 1, 0),
        ("lifetime fragment", 1, 0),
        ("future fragment", 1, 1),
        ("async fragment", 1, 1),
        ("second", 1, 0),
        ("3rd", 1, 0),
        ("block fragment", 1, 0),
        ("async measured", 1, 0),
        ("nested", 2, 0),
        ("by crate", 1, 0),
        ("by super", 1, 1),
    ] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    let own = module_path!();
    for name in ["whole_a", "whole_b", "whole_c"] {
        assert_eq!(support::count(&format!("stage/{own}/{name}")), 1);
    }
    assert_eq!(support::waits(&format!("wait/synch/mutex/{own}/SECOND")), 1);
    assert_eq!(support::last_text("statement/ui/hygiene").as_deref(), Some("abc"));
}
