//! `#[derive(Statement)]` on enums and structs of every shape.

#![deny(warnings)]

use pfs::prelude::*;
use std::fmt::Debug;

#[path = "support/mod.rs"]
mod support;

#[derive(Statement, Debug)]
#[statement(component = "ui")]
enum Command<'a> {
    Ping,
    Get(&'a str),
    Set {
        _key: &'a str,
        _value: Vec<u8>,
    },
    #[statement(name = "mset")]
    SetMany(Vec<(&'a str, &'a [u8])>),
    #[statement("get")]
    GetRange(&'a str, u32),
    LPush(u8),
    HTTPGet,
    r#Type,
    V2Get(),
}

#[derive(Debug, Statement)]
enum Named {
    ByCrate,
    #[statement("last part")]
    LastPart,
    #[statement("ui/whole tail")]
    WholeTail,
}

#[derive(Statement)]
#[statement(component = "ui", name = "request")]
struct Request<T: Debug, const N: usize>
where
    T: Clone,
{
    _body: [T; N],
}

#[derive(Statement)]
#[statement("ui/tuple")]
struct Tuple(#[allow(dead_code)] u8);

#[derive(Statement)]
struct CrateUnit;

#[derive(Statement)]
#[allow(dead_code)]
enum Nothing {}

#[derive(Statement)]
#[statement(component = "ui/deeper", crate = pfs)]
#[statement(name = "still")]
struct Deeper;

mod elsewhere {
    /// In a module that imports nothing.
    #[derive(pfs::Statement)]
    #[statement(component = "ui")]
    pub enum Public {
        /// Documented.
        Elsewhere,
    }
}

fn run<S: pfs::Statement + ?Sized>(statement: &S, count: usize) {
    for _ in 0..count {
        let mut running = statement.begin();
        running.text("text");
    }
}

fn main() {
    support::start();
    run(&Command::Ping, 1);
    run(&Command::Get("k"), 2);
    run(&Command::Set { _key: "k", _value: vec![] }, 3);
    run(&Command::SetMany(vec![]), 4);
    run(&Command::GetRange("k", 1), 5);
    run(&Command::LPush(1), 6);
    run(&Command::HTTPGet, 7);
    run(&Command::Type, 8);
    run(&Command::V2Get(), 9);
    run(&Named::ByCrate, 10);
    run(&Named::LastPart, 11);
    run(&Named::WholeTail, 12);
    run(&Request { _body: [1, 2] }, 13);
    run(&Tuple(1), 14);
    run(&CrateUnit, 15);
    run(&Deeper, 16);
    run(&elsewhere::Public::Elsewhere, 17);
    let dynamic: Box<dyn pfs::Statement> = Box::new(Command::Ping);
    run(&*dynamic, 18);

    let own = module_path!();
    for (name, count) in [
        ("ui/ping".to_owned(), 19),
        ("ui/get".to_owned(), 7),
        ("ui/set".to_owned(), 3),
        ("ui/mset".to_owned(), 4),
        ("ui/l_push".to_owned(), 6),
        ("ui/http_get".to_owned(), 7),
        ("ui/type".to_owned(), 8),
        ("ui/v2_get".to_owned(), 9),
        (format!("{own}/by_crate"), 10),
        (format!("{own}/last part"), 11),
        ("ui/whole tail".to_owned(), 12),
        ("ui/request".to_owned(), 13),
        ("ui/tuple".to_owned(), 14),
        (format!("{own}/crate_unit"), 15),
        ("ui/deeper/still".to_owned(), 16),
        ("ui/elsewhere".to_owned(), 17),
    ] {
        assert_eq!(support::count(&format!("statement/{name}")), count, "{name}");
    }
    assert_eq!(support::last_text("statement/ui/mset").as_deref(), Some("text"));
}
