//! `#[track_caller]` reaches the body of every stage, and of a statement that cannot fail.

#![deny(warnings)]

use pfs::prelude::*;
use std::panic::Location;

#[path = "support/mod.rs"]
mod support;

#[stage("ui/stage")]
#[track_caller]
fn in_stage() -> Result<u32, String> {
    Ok(Location::caller().line())
}

#[track_caller]
#[statement("ui/statement", text = "where")]
fn in_statement() -> u32 {
    Location::caller().line()
}

struct Here;

impl Here {
    #[track_caller]
    #[statement("ui/Here::in_option")]
    fn in_option(&self) -> Option<&'static Location<'static>> {
        Some(Location::caller())
    }

    #[statement("ui/Here::never")]
    #[track_caller]
    fn never(self) -> ! {
        std::panic::resume_unwind(Box::new(Location::caller().line()))
    }
}

fn main() {
    support::start();
    assert_eq!(in_stage(), Ok(line!()));
    assert_eq!(in_statement(), line!());
    assert_eq!(Here.in_option().unwrap().line(), line!());
    let (line, payload) = (line!(), std::panic::catch_unwind(|| Here.never()).unwrap_err());
    assert_eq!(*payload.downcast::<u32>().unwrap(), line);
    assert_eq!(support::count("stage/ui/stage"), 1);
    assert_eq!(support::count("statement/ui/Here::never"), 1);
}
