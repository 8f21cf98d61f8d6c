//! `code.rs` over std.

#![allow(missing_docs, reason = "the functions are read as machine code")]

use parking_lot;
use std::{sync, thread};

macro_rules! named {
    ($($lock:tt)*) => { $($lock)* };
}
macro_rules! work {
    ($attribute:ident $($function:tt)*) => { $($function)* };
}
macro_rules! begun {
    ($kind:ident) => {};
}
#[path = "code.rs"]
pub mod code;
