//! `#[statement]`: a statement event a call, which sees whether the call ended in an error.
//!
//! To see what is returned, also by `return` and `?` inside macros, the body runs in a closure called on the spot.
//! A signature that cannot return a `Result` gets a guard before the body and nothing else.

use crate::args::{Args, report};
use crate::function::{Ending, Function, bare, ending, is_condition, typed};
use crate::name::Kind;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{VisitMut, visit_pat_ident_mut, visit_type_mut};
use syn::{
    Error, Ident, Pat, PatIdent, Path, ReceiverKind, Result, ReturnType, Signature, Type, parse_quote,
};

/// Expands the attribute on `item`.
pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    match measured(args, item) {
        Ok(function) => function,
        Err(error) => report(&error, item),
    }
}

fn measured(args: TokenStream, item: &TokenStream) -> Result<TokenStream> {
    let function = Function::parse("statement", item)?;
    let mut args = Args::parse(Kind::Statement, "statement", args)?;
    let name = function.name(Kind::Statement, "statement", &mut args)?;

    let ending = ending(&function.sig);
    if let (Ending::Never, Some((key, _))) = (ending, &args.err) {
        return Err(Error::new(
            key.span(),
            "this function never returns, so there is nothing for `err` to look at",
        ));
    }
    let place = function.place();
    let krate = &args.krate;
    let class = name.class(krate);
    let guard = quote_spanned!(place=> #krate::__private::statement(#class));
    if ending == Ending::Fallible || args.err.is_some() {
        return in_closure(&function, &args, &guard);
    }
    let statements = if let Some(text) = text(&args, &quote_spanned!(place=> pfs_statement)) {
        quote_spanned!(place=> let mut pfs_statement = #guard; #text)
    } else {
        quote_spanned!(place=> let _pfs_statement = #guard;)
    };
    Ok(function.prepend(&statements))
}

/// The function with its body in a closure, between the guard and the look at what it returned.
fn in_closure(function: &Function, args: &Args, guard: &TokenStream) -> Result<TokenStream> {
    if let Some(attribute) = function.track_caller() {
        let message = "`#[track_caller]` would be lost: `#[statement]` runs the body of a function that may return \
                       an error in a closure, to see how it ends, and a closure has no caller's place. Put \
                       `#[statement]` on a function that this one calls, or begin the statement in the body";
        return Err(Error::new_spanned(attribute, message));
    }
    let place = function.place();
    let krate = &args.krate;
    let mut sig = function.sig.clone();
    let bindings = rebind(&mut sig);
    let whole_receiver = whole_receiver(&sig);
    let returned = returned(&sig.output);
    let body = function.block();
    let (lend, text) = match text(args, &quote_spanned!(place=> pfs_lent)) {
        Some(text) => (quote_spanned!(place=> let pfs_lent = &mut pfs_statement;), text),
        None => (TokenStream::new(), TokenStream::new()),
    };
    let observed = observed(krate, args, place);
    // Names of ours have a prefix, because in the signature the macro's hygiene is also that of the arguments.
    // `run` takes an `FnOnce`, by which the compiler lets what is captured be moved out and lent out.
    let statements = quote_spanned! {place=>
        let mut pfs_statement = #guard;
        #lend
        let pfs_returned = #krate::__private::run(move || #returned {
            #whole_receiver
            #bindings
            #text
            #body
        });
        #observed
        pfs_returned
    };
    Ok(function.with_body(&sig, &statements))
}

/// `text = …`, evaluated only where it is wanted; `statement` is what holds the guard.
fn text(args: &Args, statement: &TokenStream) -> Option<TokenStream> {
    let text = args.text.as_ref()?;
    // A type that is no text is reported where it is written.
    let place = Span::mixed_site().located_at(text.span());
    let lent = quote_spanned!(place=> &(#text));
    Some(quote_spanned! {Span::mixed_site()=>
        if #statement.wants_text() {
            #statement.text(#lent);
        }
    })
}

/// The look at what was returned.
fn observed(krate: &Path, args: &Args, place: Span) -> TokenStream {
    match &args.err {
        None => {
            quote_spanned!(place=> #krate::__private::Outcome::new(&pfs_returned).record(&mut pfs_statement);)
        }
        Some((_, err)) => quote_spanned! {place=>
            {
                let pfs_error = #krate::__private::error_by(&pfs_returned, #err);
                #krate::__private::Outcome::new(&pfs_error).record(&mut pfs_statement);
            }
        },
    }
}

/// Makes every argument a plain name in `sig`, and binds it again as it was written: in order, whole, so that inside
/// the closure everything is dropped when and in the order in which the function would have dropped it.
///
/// The names of the signature are not those of the body although they read the same: theirs is the macro's hygiene.
fn rebind(sig: &mut Signature) -> TokenStream {
    let mut bindings = TokenStream::new();
    for (position, argument) in typed(sig).enumerate() {
        let attrs = std::mem::take(&mut argument.attrs);
        argument.attrs = attrs.iter().filter(|attr| is_condition(attr)).cloned().collect();
        let conditions = &argument.attrs;
        let written = (*argument.pat).clone();
        let plain = match &written {
            Pat::Ident(PatIdent { by_ref: None, subpat: None, ident, .. }) => plain_name(ident),
            pattern => {
                format_ident!("pfs_argument_{position}", span = Span::mixed_site().located_at(pattern.span()))
            }
        };
        let whole = match &written {
            Pat::Ident(PatIdent { by_ref: None, subpat: None, .. }) => None,
            // What the pattern leaves is dropped with the argument, and not with the function's caller.
            pattern => {
                let mutability = borrows_mutably(pattern).then(|| quote_spanned!(Span::mixed_site()=> mut));
                Some(quote_spanned!(Span::mixed_site()=> #(#conditions)* let #mutability #plain = #plain;))
            }
        };
        bindings.extend(match &written {
            // By way of a tuple, because a plain binding to `_name` looks like one that does nothing.
            Pat::Ident(PatIdent { ident, .. }) if ident.to_string().starts_with('_') => {
                quote_spanned!(Span::mixed_site()=> #whole #(#attrs)* let (#written,) = (#plain,);)
            }
            _ => quote_spanned!(Span::mixed_site()=> #whole #(#attrs)* let #written = #plain;),
        });
        *argument.pat = parse_quote!(#plain);
    }
    bindings
}

/// Whether a pattern has a `ref mut`, for which what it takes apart has to be mutable.
fn borrows_mutably(pattern: &Pat) -> bool {
    struct RefMut(bool);

    impl VisitMut for RefMut {
        fn visit_pat_ident_mut(&mut self, pattern: &mut PatIdent) {
            self.0 |= pattern.by_ref.is_some() && pattern.mutability.is_some();
            visit_pat_ident_mut(self, pattern);
        }
    }

    let mut found = RefMut(false);
    found.visit_pat_mut(&mut pattern.clone());
    found.0
}

/// The argument's name as the signature has it: with the macro's hygiene, and so with the keywords of its edition,
/// of which the user's may lack one.
fn plain_name(ident: &Ident) -> Ident {
    let span = Span::mixed_site().located_at(ident.span());
    if ident == "gen" {
        return Ident::new_raw("gen", span);
    }
    let mut ident = ident.clone();
    ident.set_span(span);
    ident
}

/// A receiver by value is captured whole, or its fields would be dropped in two places.
fn whole_receiver(sig: &Signature) -> Option<TokenStream> {
    let receiver = sig.receiver()?;
    if matches!(receiver.kind, ReceiverKind::Reference(..)) {
        return None;
    }
    let this = &receiver.self_token;
    Some(quote_spanned!(Span::mixed_site()=> let _ = &#this;))
}

/// The closure's return type: the function's, which the body's `?` and coercions need, less what cannot be said there.
fn returned(output: &ReturnType) -> TokenStream {
    struct Inferred;

    impl VisitMut for Inferred {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            if matches!(ty, Type::ImplTrait(_)) {
                *ty = parse_quote!(_);
            } else {
                visit_type_mut(self, ty);
            }
        }
    }

    let ReturnType::Type(arrow, ty) = output else { return TokenStream::new() };
    let mut ty = bare(ty).clone();
    Inferred.visit_type_mut(&mut ty);
    let arrow = arrow.to_token_stream();
    quote!(#arrow #ty)
}
