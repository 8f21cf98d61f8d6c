//! `#[stage]`: a stage event a call, or a future.
//!
//! Before the body of a function, only a guard: whatever the signature, what the body is stays what it was.

use crate::args::{Args, report};
use crate::function::Function;
use crate::future::{self, Event, Measured};
use crate::name::Kind;
use crate::returned::{refuse_future, returned};
use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::Result;

/// Expands the attribute on `item`.
pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    match measured(args, item) {
        Ok(function) => function,
        Err(error) => report(&error, item),
    }
}

fn measured(args: TokenStream, item: &TokenStream) -> Result<TokenStream> {
    let function = Function::parse("stage", item)?;
    let mut args = Args::parse(Kind::Stage, "stage", args)?;
    let name = function.name(Kind::Stage, "stage", &mut args)?;

    let measured = Measured::of(&function, "stage", &args)?;
    let Args { krate, sync, .. } = &args;
    let (class, place) = (name.class(krate), function.place());
    if !matches!(measured, Measured::Call) {
        let event = Event { krate, class, kind: future::Kind::Stage, place };
        return future::expand(&function, &measured, &event);
    }
    let call = returned(&function.sig.output).filter(|_| sync.is_none());
    let check = call.and_then(|ty| refuse_future(krate, ty));
    let guard = quote_spanned!(place=> #check let _pfs_stage = #krate::__private::stage(#class););
    Ok(function.prepend(&guard))
}
