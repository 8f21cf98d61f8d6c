//! Functions out of macros: every fragment that an item can be made of.

#![deny(warnings)]

use pfs::prelude::*;

#[path = "support/mod.rs"]
mod support;

macro_rules! function {
    ($(#[$attribute:meta])* $visibility:vis $name:ident($($argument:ident: $type:ty),*) -> $returned:ty $body:block, $class:literal) => {
        $(#[$attribute])*
        #[statement($class)]
        $visibility fn $name($($argument: $type),*) -> $returned $body
    };
}

function!(
    /// A function out of a macro.
    pub divide(a: u32, b: u32) -> Result<u32, String> {
        if b == 0 {
            return Err("by zero".to_owned());
        }
        Ok(a / b)
    },
    "ui/divide"
);
function!(#[track_caller] line() -> u32 { std::panic::Location::caller().line() }, "ui/line");
function!(never() -> ! { std::panic::resume_unwind(Box::new(1)) }, "ui/never");

macro_rules! commands {
    ($($name:ident = $text:expr;)*) => {$(
        #[statement(text = $text)]
        fn $name(mut n: u8) -> Result<u8, u8> {
            n += 1;
            if n > 2 { Err(n) } else { Ok(n) }
        }
    )*};
}

commands! {
    get = "GET";
    set = format!("SET {}", 1);
}

macro_rules! item {
    ($item:item) => {
        #[stage]
        $item
    };
}

item!(
    fn whole_item(n: u8) -> u8 {
        n
    }
);

macro_rules! pattern {
    ($pattern:pat, $type:ty, $value:expr) => {
        #[statement("ui/pattern")]
        fn pattern($pattern: $type) -> Result<u8, String> {
            Ok($value)
        }
    };
}

pattern!((a, b), (u8, u8), a + b);

macro_rules! method {
    ($self:ident, $receiver:ty, $body:expr) => {
        #[statement("ui/method")]
        fn method($self: $receiver) -> Result<u8, String> {
            $body
        }
    };
}

struct Store(u8);

impl Store {
    method!(self, &mut Self, Ok(self.0));
}

fn main() {
    support::start();
    assert_eq!(divide(6, 3), Ok(2));
    assert!(divide(6, 0).is_err());
    assert_eq!(line(), line!());
    assert!(std::panic::catch_unwind(|| never()).is_err());
    assert_eq!((get(1), set(2)), (Ok(2), Err(3)));
    assert_eq!(whole_item(1), 1);
    assert_eq!(pattern((1, 2)), Ok(3));
    assert_eq!(Store(4).method(), Ok(4));
    assert_eq!(support::count("statement/ui/divide"), 2);
    assert_eq!(support::errors("statement/ui/divide"), 1);
    let own = module_path!();
    assert_eq!(support::last_text(&format!("statement/{own}/set")).as_deref(), Some("SET 1"));
    assert_eq!(support::errors(&format!("statement/{own}/set")), 1);
    assert_eq!(support::count(&format!("stage/{own}/whole_item")), 1);
}
