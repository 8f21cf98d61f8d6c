//! The user's names and ours do not meet, whatever the user calls things; not even std's prelude is needed.

#![deny(warnings)]

#[path = "support/mod.rs"]
mod support;

mod bare {
    #![no_implicit_prelude]
    #![allow(dead_code)]

    mod core {}
    mod std {}
    mod pfs {}
    mod linkme {}
    struct Option;
    struct Some;
    struct Err;
    trait FnOnce {}
    static CLASS: u8 = 1;
    const LISTED: u8 = 2;
    fn run() -> u8 {
        3
    }

    type Reply = ::std::result::Result<u8, &'static str>;

    #[::pfs::instrument_mutex("ui/LOCK")]
    pub static LOCK: ::pfs::sync::Mutex<u8> = ::pfs::sync::Mutex::new(4);

    #[::pfs::statement("ui/names", text = statement)]
    pub fn names(
        statement: &str,
        returned: u8,
        (lent, pfs_argument_0): (u8, u8),
        pfs_arguments: u8,
        error: u8,
        place: u8,
    ) -> Reply {
        let sum = returned + lent + pfs_argument_0 + pfs_arguments + error + place + CLASS + LISTED + run();
        if statement.is_empty() {
            ::std::result::Result::Err("no statement")
        } else {
            ::std::result::Result::Ok(sum)
        }
    }

    #[::pfs::statement("ui/err", err = |error| (*error == 0).then_some("zero"))]
    pub fn err(error: u8) -> u8 {
        let returned = error;
        returned
    }

    #[::pfs::stage("ui/guards")]
    pub fn guards(_pfs_stage: u8, _pfs_statement: u8) -> u8 {
        _pfs_stage + _pfs_statement
    }

    pub fn made() -> ::pfs::sync::RwLock<u8> {
        ::pfs::rwlock!("ui/made", CLASS)
    }

    #[derive(::pfs::Statement)]
    #[statement(component = "ui")]
    pub enum Command {
        Option,
        Class { class: u8 },
    }
}

fn main() {
    use pfs::Statement;

    support::start();
    assert_eq!(*bare::LOCK.lock().unwrap(), 4);
    assert_eq!(bare::names("x", 1, (2, 3), 4, 5, 6), Ok(27));
    assert!(bare::names("", 1, (2, 3), 4, 5, 6).is_err());
    assert_eq!((bare::err(0), bare::err(1)), (0, 1));
    assert_eq!(bare::guards(1, 2), 3);
    assert_eq!(*bare::made().read().unwrap(), 1);
    drop(bare::Command::Option.begin());
    drop(bare::Command::Class { class: 1 }.begin());
    for (name, count, errors) in [("names", 2, 1), ("err", 2, 1), ("option", 1, 0), ("class", 1, 0)] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
}
