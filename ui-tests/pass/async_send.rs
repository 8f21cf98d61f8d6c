//! A measured future is `Send`, `Sync`, `Unpin` and `'static` if, and only if, it is without the attribute.

#![deny(warnings)]

use pfs::prelude::*;
use std::cell::Cell;
use std::future::Future;
use std::marker::PhantomData;
use std::ops::Deref;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::MutexGuard;
use support::pause;

#[path = "support/mod.rs"]
mod support;

/// What is known of a type: a method of the first is found before that of the second it dereferences to.
struct Is<T>(Not<T>);
struct Not<T>(PhantomData<T>);

impl<T> Deref for Is<T> {
    type Target = Not<T>;
    fn deref(&self) -> &Not<T> {
        &self.0
    }
}

macro_rules! asks {
    ($($ask:ident: $bound:path;)*) => {$(
        #[allow(non_camel_case_types)]
        trait $ask {
            fn $ask(&self) -> bool;
        }
        impl<T: $bound> Is<T> {
            fn $ask(&self) -> bool {
                true
            }
        }
        impl<T> $ask for Not<T> {
            fn $ask(&self) -> bool {
                false
            }
        }
    )*};
}
asks! { is_send: Send; is_sync: Sync; is_unpin: Unpin; }

fn of<T>(_: T) -> Is<T> {
    Is(Not(PhantomData))
}

macro_rules! functions {
    ($module:ident, #[$attribute:meta]) => {
        mod $module {
            use super::*;

            #[$attribute]
            pub async fn plain(text: String) -> Result<usize, String> {
                pause().await;
                Ok(text.len())
            }

            #[$attribute]
            pub async fn holds_an_rc() -> Result<u8, String> {
                let one = Rc::new(1);
                pause().await;
                Ok(*one)
            }

            #[$attribute]
            pub async fn takes_an_rc(one: Rc<u8>) -> Result<u8, String> {
                pause().await;
                Ok(*one)
            }

            #[$attribute]
            pub async fn uses_an_rc() -> Result<u8, String> {
                let one = {
                    let one = Rc::new(1);
                    *one
                };
                pause().await;
                Ok(one)
            }

            #[$attribute]
            pub async fn returns_an_rc() -> Result<Rc<u8>, String> {
                pause().await;
                Ok(Rc::new(1))
            }

            #[$attribute]
            pub async fn holds_a_guard(lock: &std::sync::Mutex<u8>) -> Result<u8, String> {
                let guard: MutexGuard<'_, u8> = lock.lock().unwrap();
                pause().await;
                Ok(*guard)
            }

            #[$attribute]
            pub async fn holds_a_cell(cell: Cell<u8>) -> Result<u8, String> {
                let lent = cell;
                pause().await;
                Ok(lent.get())
            }

            #[$attribute]
            pub async fn generic<T: AsRef<str>>(text: T) -> Result<usize, String> {
                pause().await;
                Ok(text.as_ref().len())
            }

            #[$attribute]
            pub fn returned(rc: bool) -> impl Future<Output = Result<u8, String>> {
                async move {
                    let one = Rc::new(u8::from(rc));
                    pause().await;
                    Ok(*one)
                }
            }

            #[$attribute]
            pub fn ready(n: u8) -> impl Future<Output = Result<u8, String>> {
                std::future::ready(Ok(n))
            }
        }
    };
}

functions!(bare, #[allow(unused)]);
functions!(staged, #[stage("ui/send")]);
functions!(stated, #[statement("ui/send")]);
functions!(worded, #[statement("ui/send", text = "text", err = |r| r.as_ref().err().map(String::len))]);

macro_rules! same {
    ($send:literal, $sync:literal, $unpin:literal: $call:expr) => {{
        macro_rules! of {
            ($module:ident) => {{
                use $module::*;
                let is = of($call);
                (is.is_send(), is.is_sync(), is.is_unpin())
            }};
        }
        let expected = ($send, $sync, $unpin);
        assert_eq!(of!(bare), expected, "bare");
        assert_eq!(of!(staged), expected, "staged");
        assert_eq!(of!(stated), expected, "stated");
        assert_eq!(of!(worded), expected, "worded");
    }};
}

fn spawn<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> T {
    std::thread::spawn(|| support::block_on(future)).join().unwrap()
}

fn main() {
    support::start();
    let lock = std::sync::Mutex::new(1);
    same!(true, true, false: plain(String::new()));
    same!(false, false, false: holds_an_rc());
    same!(false, false, false: takes_an_rc(Rc::new(1)));
    same!(true, true, false: uses_an_rc());
    same!(true, true, false: returns_an_rc());
    same!(false, true, false: holds_a_guard(&lock));
    same!(true, false, false: holds_a_cell(Cell::new(1)));
    same!(true, true, false: generic("text"));
    same!(false, false, false: generic(Rc::<str>::from("text")));
    same!(false, false, false: returned(true));
    same!(true, true, true: ready(1));

    let is = of(async {}.in_stage(stage_class!("ui/send")));
    assert!(is.is_send() && is.is_sync() && !is.is_unpin());
    let is = of(std::future::ready(Rc::new(1)).in_statement(&statement_class!("ui/send")));
    assert!(!is.is_send() && !is.is_sync() && is.is_unpin());
    let is = of(std::future::ready(1).in_session(pfs::session::Session::new()));
    assert!(is.is_send() && is.is_sync() && is.is_unpin());
    let is = of(std::future::ready(1).in_task(thread_class!("ui/send")));
    assert!(is.is_send() && is.is_sync() && is.is_unpin());
    // What is said of an event is said where it runs.
    assert!(!of(pfs::statement::current()).is_send());
    assert!(!of(pfs::stage::current()).is_send());
    assert!(!of(pfs::session::current()).is_send());

    assert_eq!(spawn(worded::plain("text".to_owned())), Ok(4));
    let boxed: Pin<Box<dyn Future<Output = _> + Send>> = Box::pin(stated::uses_an_rc());
    assert_eq!(spawn(boxed), Ok(1));
    assert_eq!(support::count("statement/ui/send"), 2);
}
