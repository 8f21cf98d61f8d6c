//! The arguments of a function whose body is moved into a closure or a future: named plainly where they are declared,
//! and bound again inside as they were written, so that everything is dropped when and in the order in which the
//! function would have dropped it.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit_mut::{VisitMut, visit_pat_ident_mut};
use syn::{Attribute, FnArg, Ident, Pat, PatIdent, ReceiverKind, Signature, parse_quote};

/// What the names that are ours begin with. The signature has the macro's hygiene, so an argument that is called so
/// gives way.
const OURS: &str = "pfs_";

/// Makes every argument a plain name in `sig`; gives what stands first where the body is moved to.
///
/// The names of the signature are not those of the body although they read the same: theirs is the macro's hygiene.
pub(crate) fn rebind(sig: &mut Signature) -> TokenStream {
    let mut bindings: TokenStream = whole_receiver(sig).into_iter().collect();
    for (position, argument) in typed(sig).enumerate() {
        let attrs = std::mem::take(&mut argument.attrs);
        argument.attrs = attrs.iter().filter(|attr| is_condition(attr)).cloned().collect();
        let conditions = &argument.attrs;
        let written = (*argument.pat).clone();
        let plain = plain_name(&written, position);
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

/// A receiver by value is captured whole, or its fields would be dropped in two places.
fn whole_receiver(sig: &Signature) -> Option<TokenStream> {
    let receiver = sig.receiver()?;
    if matches!(receiver.kind, ReceiverKind::Reference(..)) {
        return None;
    }
    let this = &receiver.self_token;
    Some(quote_spanned!(Span::mixed_site()=> let _ = &#this;))
}

/// The argument's name as the signature has it: its own, with the macro's hygiene, and so with the keywords of its
/// edition, of which the user's may lack one.
fn plain_name(pattern: &Pat, position: usize) -> Ident {
    let span = Span::mixed_site().located_at(pattern.span());
    match pattern {
        Pat::Ident(PatIdent { by_ref: None, subpat: None, ident, .. }) => {
            if ident == "gen" {
                return Ident::new_raw("gen", span);
            }
            if !ident.unraw().to_string().starts_with(OURS) {
                let mut ident = ident.clone();
                ident.set_span(span);
                return ident;
            }
            format_ident!("pfs_argument_{position}", span = span)
        }
        _ => format_ident!("pfs_argument_{position}", span = span),
    }
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

/// Whether an argument's attribute is about the argument's being there, and not about its name.
fn is_condition(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr")
}

/// The arguments that have a pattern.
fn typed(sig: &mut Signature) -> impl Iterator<Item = &mut syn::PatType> {
    sig.inputs.iter_mut().filter_map(|input| if let FnArg::Typed(input) = input { Some(input) } else { None })
}
