//! What the tests of the std-shaped types share: asking the compiler whether a type has a trait.

#![allow(dead_code, unused_macros, unused_imports, reason = "each test file uses its own part")]

/// Whether a concrete type implements a trait, as a value: an inherent constant wins where its bound holds.
macro_rules! implements {
    ($type:ty: $($bound:tt)+) => {{
        struct Probe<T: ?Sized>(core::marker::PhantomData<T>);
        #[allow(dead_code, reason = "not chosen where the bound holds")]
        trait Otherwise {
            const YES: bool = false;
        }
        impl<T: ?Sized> Otherwise for Probe<T> {}
        #[allow(dead_code, reason = "not chosen where the bound does not hold")]
        impl<T: ?Sized + $($bound)+> Probe<T> {
            const YES: bool = true;
        }
        <Probe<$type>>::YES
    }};
}

/// Asserts that two types agree on each automatic trait.
macro_rules! assert_same_auto_traits {
    ($($ours:ty => $theirs:ty),+ $(,)?) => {$(
        assert_same_auto_traits!(@ $ours, $theirs, Send);
        assert_same_auto_traits!(@ $ours, $theirs, Sync);
        assert_same_auto_traits!(@ $ours, $theirs, Unpin);
        assert_same_auto_traits!(@ $ours, $theirs, std::panic::UnwindSafe);
        assert_same_auto_traits!(@ $ours, $theirs, std::panic::RefUnwindSafe);
        assert_same_auto_traits!(@ $ours, $theirs, Clone);
        assert_same_auto_traits!(@ $ours, $theirs, Default);
        assert_same_auto_traits!(@ $ours, $theirs, std::fmt::Debug);
        assert_same_auto_traits!(@ $ours, $theirs, std::fmt::Display);
    )+};
    (@ $ours:ty, $theirs:ty, $($bound:tt)+) => {
        assert_eq!(
            implements!($ours: $($bound)+),
            implements!($theirs: $($bound)+),
            "{}: {}",
            stringify!($ours),
            stringify!($($bound)+),
        );
    };
}

pub(crate) use {assert_same_auto_traits, implements};

use std::cell::{Cell, UnsafeCell};
use std::marker::PhantomPinned;
use std::rc::Rc;
use std::sync::MutexGuard;

/// Neither `Send` nor `Sync`.
pub(crate) type Neither = Rc<Cell<u8>>;
/// `Send`, not `Sync`, and not safe to see after a panic.
pub(crate) type OnlySend = Cell<u8>;
/// `Sync`, not `Send`.
pub(crate) type OnlySync = MutexGuard<'static, u8>;
/// Not `Unpin`.
pub(crate) type Pinned = PhantomPinned;
/// Not safe to see through a reference after a panic.
pub(crate) type Torn = &'static UnsafeCell<u8>;
/// Not safe to own after a panic.
pub(crate) type Changed = &'static mut u8;
