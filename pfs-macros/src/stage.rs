//! `#[stage]`: a stage event a call.
//!
//! Only a guard before the body: whatever the signature, what the body is stays what it was.

use crate::args::{Args, report};
use crate::function::Function;
use crate::name::Kind;
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

    let Args { krate, .. } = args;
    let class = name.class(&krate);
    let guard = quote_spanned!(function.place()=> let _pfs_stage = #krate::__private::stage(#class););
    Ok(function.prepend(&guard))
}
