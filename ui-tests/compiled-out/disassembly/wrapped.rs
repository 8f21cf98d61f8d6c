//! `code.rs` over pfs, compiled out.

#![allow(missing_docs, reason = "the functions are read as machine code")]

use pfs::{parking_lot, sync, thread};

const _: () = assert!(!pfs::COMPILED_IN, "build this without the feature engine");

macro_rules! named {
    ($($lock:tt)*) => { #[pfs::instrument_mutex("disassembly/lock")] $($lock)* };
}
macro_rules! work {
    ($attribute:ident $($function:tt)*) => { #[pfs::$attribute("disassembly/work")] $($function)* };
}
macro_rules! begun {
    (stage) => {
        let _stage = pfs::stage_class!("disassembly/begun").begin();
    };
    (statement) => {
        let _statement = pfs::statement_class!("disassembly/begun").begin();
    };
}
#[path = "code.rs"]
pub mod code;
