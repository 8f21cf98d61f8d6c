//! A module whose items are private: nothing outside could name them.

use pfs::prelude::*;

#[stage("library/never_named/private")]
fn private() {}

fn a_thread() -> pfs::thread::ThreadClass {
    pfs::thread_class!("library/never_named/thread")
}

macro_rules! by_a_macro {
    ($name:ident, $instrument:literal) => {
        #[statement($instrument)]
        fn $name() {}
    };
}

by_a_macro!(made, "library/never_named/made by a macro");
