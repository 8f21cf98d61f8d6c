//! Names of the prelude and of crates that mean something else where the attribute stands.

#![deny(warnings)]
#![allow(dead_code, unused_macros)]

#[path = "support/mod.rs"]
mod support;

mod shadowed {
    //! Everything that is generated could be written with.
    use ::pfs as renamed;
    pub type Result<T> = ::std::result::Result<T, &'static str>;
    pub struct Option<T>(pub T);
    pub enum Mine {
        Ok(u8),
        Err(u8),
        Some(u8),
        None,
    }

    pub use Mine::*;
    pub struct String;
    pub struct Vec;
    pub struct Box;
    pub struct Pin;
    pub trait Future {
        type Output;
    }

    pub trait Drop {
        fn drop(self) -> u8;
    }
    impl<T> Drop for T {
        fn drop(self) -> u8 {
            7
        }
    }

    pub trait Send {}
    pub trait Fn {}
    pub trait FnOnce {}
    pub trait From {}
    pub trait Into {}
    pub trait Deref {}
    #[allow(non_camel_case_types)]
    pub struct str2;
    mod core {
        pub mod option {}
    }
    mod alloc {}
    mod pfs {}
    pub mod __private {}
    macro_rules! unreachable {
        ($($t:tt)*) => {
            compile_error!("the user's own")
        };
    }
    macro_rules! panic {
        ($($t:tt)*) => {
            compile_error!("the user's own")
        };
    }
    macro_rules! matches {
        ($($t:tt)*) => {
            compile_error!("the user's own")
        };
    }
    macro_rules! mutex {
        ($($t:tt)*) => {
            compile_error!("the user's own")
        };
    }

    pub fn drop<T>(_: T) -> u8 {
        9
    }

    pub fn begin() {}
    pub fn run() {}
    pub fn text() {}

    #[renamed::statement("ui/shadow result", text = "t")]
    pub fn result(n: u8) -> Result<u8> {
        if n == 0 {
            return ::std::result::Result::Err("zero");
        }
        ::std::result::Result::Ok(n)
    }

    #[renamed::stage("ui/shadow option")]
    pub fn option(n: u8) -> Option<u8> {
        Option(n)
    }

    #[renamed::statement("ui/shadow mine")]
    pub fn mine(n: u8) -> Mine {
        match n {
            0 => Ok(n),
            1 => Err(n),
            2 => Some(n),
            _ => None,
        }
    }

    #[renamed::statement("ui/shadow async", text = "t")]
    pub async fn asynchronous(n: u8) -> Result<u8> {
        crate::support::pause().await;
        result(n)
    }

    #[renamed::statement("ui/shadow fut")]
    pub fn fut(n: u8) -> impl ::std::future::Future<Output = Result<u8>> {
        async move { result(n) }
    }

    #[renamed::statement("ui/shadow boxed", text = "t")]
    pub fn boxed(
        n: u8,
    ) -> ::std::pin::Pin<::std::boxed::Box<dyn ::std::future::Future<Output = Result<u8>>>> {
        if n == 5 {
            return ::std::boxed::Box::pin(async { ::std::result::Result::Err("five") });
        }
        ::std::boxed::Box::pin(async move { result(n) })
    }

    #[renamed::statement("ui/shadow never")]
    pub fn never() -> ! {
        ::std::panic::resume_unwind(::std::boxed::Box::new(1))
    }

    #[renamed::statement("ui/shadow async never")]
    pub async fn async_never() -> ! {
        never()
    }

    #[derive(renamed::Statement)]
    #[statement(component = "ui")]
    pub enum Command {
        Ok,
        Err { drop: u8 },
        Some(String),
        None,
        Result,
        Class,
        Self_,
    }

    #[derive(renamed::Stage)]
    #[stage(component = "ui")]
    pub enum Step {
        Ok,
        Drop,
        Option,
    }

    #[derive(renamed::Instrument)]
    pub struct Locks<T> {
        #[mutex("ui/shadow field")]
        pub lock: ::pfs::sync::Mutex<T>,
        #[rwlock("ui/shadow option field")]
        pub r#type: ::std::option::Option<::std::boxed::Box<::pfs::sync::RwLock<T>>>,
    }

    #[renamed::instrument_mutex("ui/shadow static")]
    pub static OK: ::std::sync::LazyLock<::std::vec::Vec<::pfs::sync::Mutex<u8>>> =
        ::std::sync::LazyLock::new(|| ::std::vec![::pfs::sync::Mutex::new(1)]);
    pub fn made() -> ::pfs::sync::Mutex<u8> {
        ::pfs::mutex!("ui/shadow made", 1)
    }
}

/// Traits of the user's that give every type methods called as those of what is generated.
mod methods {

    pub trait Everywhere: Sized {
        fn record(self, _: u8) {}
        fn text(self, _: u8) {}
        fn wants_text(self) -> u8 {
            1
        }
        fn lent(self) -> u8 {
            1
        }
        fn watched(self) {}
        fn is_measured(self) -> u8 {
            1
        }
        fn begin(self) {}
        fn instance(self) {}
        fn bytes(self) {}
        fn named(self) {}
        fn several(self) {}
        fn visit(self) {}
        fn into_pin(self) {}
        fn asked(self) {}
    }
    impl<T> Everywhere for T {}
    #[pfs::statement("ui/methods", text = "t")]
    pub fn call(n: u8) -> Result<u8, String> {
        if n == 0 { Err("zero".into()) } else { Ok(n) }
    }

    #[pfs::statement("ui/methods guard", text = "t")]
    pub fn guard(n: u8) -> u8 {
        n
    }

    #[pfs::statement("ui/methods err", err = |r| (*r == 0).then_some("zero"))]
    pub fn err(n: u8) -> u8 {
        n
    }

    #[pfs::statement("ui/methods async", text = "t")]
    pub async fn asynchronous(n: u8) -> Result<u8, String> {
        call(n)
    }

    #[pfs::statement("ui/methods boxed", text = "t")]
    pub fn boxed(n: u8) -> std::pin::Pin<Box<dyn Future<Output = Result<u8, String>>>> {
        if n == 3 {
            return Box::pin(async { Ok(3) });
        }
        Box::pin(async move { call(n) })
    }

    #[pfs::stage("ui/methods stage")]
    pub fn stage(n: u8) -> Vec<u8> {
        vec![n]
    }

    #[derive(pfs::Statement)]
    #[statement(component = "ui")]
    pub enum Asked {
        What,
    }

    #[derive(pfs::Instrument)]
    pub struct Locks {
        #[mutex("ui/methods field")]
        pub lock: Vec<pfs::sync::Mutex<u8>>,
        #[instrument]
        pub more: Option<Inner>,
    }

    #[derive(pfs::Instrument)]
    pub struct Inner {
        #[condvar("ui/methods cond")]
        pub cond: pfs::sync::Condvar,
    }

    #[pfs::instrument_mutex("ui/methods static")]
    pub static LOCK: [pfs::sync::Mutex<u8>; 2] = [const { pfs::sync::Mutex::new(0) }; 2];
    #[pfs::instrument]
    pub static ALL: Locks = Locks { lock: Vec::new(), more: None };
}

fn main() {
    use pfs::prelude::*;
    support::start();
    assert_eq!((shadowed::result(0), shadowed::result(1)), (Err("zero"), Ok(1)));
    assert_eq!(shadowed::option(1).0, 1);
    for n in 0..4 {
        shadowed::mine(n);
    }
    assert_eq!(support::block_on(shadowed::asynchronous(0)), Err("zero"));
    assert_eq!(support::block_on(shadowed::fut(1)), Ok(1));
    assert_eq!(support::block_on(shadowed::boxed(5)), Err("five"));
    assert_eq!(support::block_on(shadowed::boxed(1)), Ok(1));
    assert!(std::panic::catch_unwind(|| shadowed::never()).is_err());
    assert!(
        std::panic::catch_unwind(|| {
            support::block_on(shadowed::async_never());
        })
        .is_err()
    );
    drop(shadowed::Command::Err { drop: 1 }.begin());
    drop(pfs::Stage::begin(&shadowed::Step::Option));
    let locks =
        shadowed::Locks { lock: pfs::sync::Mutex::new(1), r#type: Some(Box::new(pfs::sync::RwLock::new(2))) }
            .instrumented();
    assert_eq!(*locks.lock.lock().unwrap() + *locks.r#type.as_ref().unwrap().read().unwrap(), 3);
    assert_eq!(*shadowed::OK[0].lock().unwrap(), 1);
    assert_eq!(*shadowed::made().lock().unwrap(), 1);
    assert!(methods::call(0).is_err() && methods::call(1).is_ok());
    methods::guard(1);
    methods::err(0);
    assert!(support::block_on(methods::asynchronous(0)).is_err());
    assert!(support::block_on(methods::boxed(3)).is_ok() && support::block_on(methods::boxed(0)).is_err());
    methods::stage(1);
    let locks = methods::Locks {
        lock: vec![pfs::sync::Mutex::new(1)],
        more: Some(methods::Inner { cond: pfs::sync::Condvar::new() }),
    }
    .instrumented();
    drop(locks.lock[0].lock());
    drop(methods::LOCK[1].lock());
    for (name, count, errors) in [
        ("shadow result", 5, 2),
        ("shadow mine", 4, 0),
        ("shadow async", 1, 1),
        ("shadow fut", 1, 0),
        ("shadow boxed", 2, 1),
        ("shadow never", 2, 0),
        ("shadow async never", 1, 0),
        ("err", 1, 0),
        ("methods", 4, 3),
        ("methods guard", 1, 0),
        ("methods err", 1, 1),
        ("methods async", 1, 1),
        ("methods boxed", 2, 1),
    ] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    assert_eq!(support::last_text("statement/ui/methods").as_deref(), Some("t"));
    assert_eq!(support::last_text("statement/ui/methods boxed").as_deref(), Some("t"));
    for name in [
        "mutex/ui/shadow field",
        "rwlock/ui/shadow option field",
        "mutex/ui/shadow static",
        "mutex/ui/shadow made",
        "mutex/ui/methods field",
        "mutex/ui/methods static",
    ] {
        assert_eq!(support::waits(&format!("wait/synch/{name}")), 1, "{name}");
    }
}
