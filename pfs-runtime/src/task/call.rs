//! Whether what a function returns is a future, so that to measure its call would be to measure next to nothing.
//!
//! The type is known only where the macro's code is compiled, and may stand behind an alias. So the macro wraps it in a
//! [`CallOf`] and calls `pfs_is_measured`, a name that no trait of the user's gives to every type; method lookup takes the
//! first type that has it: one for futures, which does not compile, and then one for anything else. In a generic function
//! it is decided by the bounds.

use core::marker::PhantomData;
use core::ops::Deref;

/// The call of a function that returns `R`.
#[doc(hidden)]
#[derive(Debug)]
pub struct CallOf<R>(AnyCall<R>);

/// The call of a function whatever it returns.
#[doc(hidden)]
#[derive(Debug)]
pub struct AnyCall<R>(PhantomData<fn() -> R>);

/// What is implemented for no future: that its making says how long it takes.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{F}` is a future, and only the call that makes it would be measured",
    label = "this future would not be followed",
    note = "to follow it, write `async fn`, or return `impl Future<Output = …>` or a boxed future that is spelled out, as \
            `Pin<Box<dyn Future<Output = …> + Send>>`",
    note = "if the call itself is meant, say so after the name: `(\"component/name\", sync)`"
)]
pub trait Measures<F> {}

/// The call that makes a future.
#[doc(hidden)]
#[derive(Debug)]
pub struct TheCall;

impl<R> CallOf<R> {
    /// Nothing is called.
    #[inline(always)]
    pub const fn new() -> Self {
        Self(AnyCall(PhantomData))
    }
}

impl<R> Default for CallOf<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: Future> CallOf<F> {
    /// It is not.
    pub fn pfs_is_measured(&self)
    where
        TheCall: Measures<F>,
    {
    }
}

impl<R> AnyCall<R> {
    /// It is.
    #[inline(always)]
    pub fn pfs_is_measured(&self) {}
}

impl<R> Deref for CallOf<R> {
    type Target = AnyCall<R>;

    #[inline(always)]
    fn deref(&self) -> &AnyCall<R> {
        &self.0
    }
}
