//! The function that `#[stage]` or `#[statement]` stands on: taken apart, refused where there is nothing to
//! measure, and put together again with another body.
//!
//! The body is never parsed: it is moved as it stands, so that whatever the compiler accepts in it, or says about
//! it, stays the same.

use crate::args::Args;
use crate::name::{Kind, Name};
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Error, FnArg, GenericArgument, GenericParam, PathArguments, PathSegment, Result, ReturnType,
    Signature, Token, Type, TypeParamBound, Visibility,
};

/// A function, its body as tokens.
pub(crate) struct Function {
    /// Its attributes, those from inside the body included.
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    /// The block, braces included, in the user's own spans: so its edition and its lints are the user's.
    body: Group,
}

impl Function {
    /// Takes apart what the attribute `#[attribute]` stands on.
    pub(crate) fn parse(attribute: &str, item: &TokenStream) -> Result<Self> {
        let parser = |input: ParseStream<'_>| Self::parse_in(attribute, input);
        let function = parser.parse2(item.clone())?;
        function.refuse(attribute)?;
        Ok(function)
    }

    fn parse_in(attribute: &str, input: ParseStream<'_>) -> Result<Self> {
        let mut attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        if !looks_like_a_function(input) {
            return Err(not_a_function(attribute, input));
        }
        let sig: Signature = input.parse()?;
        if input.peek(Token![;]) {
            let message = format!(
                "`{}` has no body to measure: put `#[{attribute}]` on the implementations, or give it a body",
                sig.ident
            );
            return Err(Error::new_spanned(sig, message));
        }
        let body =
            block(input.parse()?).ok_or_else(|| Error::new_spanned(&sig, "expected a body in braces"))?;
        let inside = |input: ParseStream<'_>| Ok((input.call(Attribute::parse_inner)?, input.parse()?));
        let (inner, statements): (Vec<Attribute>, TokenStream) = inside.parse2(body.stream())?;
        attrs.extend(inner.into_iter().map(|attr| Attribute { style: syn::AttrStyle::Outer, ..attr }));
        let mut same = Group::new(Delimiter::Brace, statements);
        same.set_span(body.span());
        Ok(Self { attrs, vis, sig, body: same })
    }

    /// An error for a function whose call is not the thing to measure.
    fn refuse(&self, attribute: &str) -> Result<()> {
        if let Some(token) = &self.sig.constness {
            let message = format!(
                "`#[{attribute}]` cannot measure a `const fn`, which may run in the compiler: drop the `const`, or \
                 put the attribute on a function that calls it"
            );
            return Err(Error::new_spanned(token, message));
        }
        let future = match &self.sig.asyncness {
            Some(token) => Some(token.to_token_stream()),
            None => future_in(&self.sig.output),
        };
        if let Some(place) = future {
            let message = format!(
                "`#[{attribute}]` does not follow futures yet, and would measure only the making of this one: put \
                 it on a `fn` that the future calls, or hold a guard inside it"
            );
            return Err(Error::new_spanned(place, message));
        }
        Ok(())
    }

    /// The class's name: given, or the function's own where that says enough.
    pub(crate) fn name(&self, kind: Kind, attribute: &str, args: &mut Args) -> Result<Name> {
        if let Some(name) = args.name.take() {
            return Ok(name);
        }
        let ident = self.sig.ident.unraw();
        if self.is_method() {
            let message = format!(
                "a method needs a name, because its type is not seen from here: write `#[{attribute}(\"{}::{ident}\")]` \
                 with your type's name",
                kind.example()
                    .split('/')
                    .next()
                    .map_or_else(String::new, |component| format!("{component}/Type"))
            );
            return Err(Error::new(ident.span(), message));
        }
        Name::in_crate(kind, &ident.to_string(), ident.span())
    }

    /// Whether this can only stand in an `impl` or a `trait`.
    fn is_method(&self) -> bool {
        self.sig.receiver().is_some()
            || mentions_self_type(self.sig.to_token_stream())
            || mentions_self_type(self.body.stream())
    }

    /// The attribute that makes the compiler pass on the caller's place.
    pub(crate) fn track_caller(&self) -> Option<&Attribute> {
        self.attrs.iter().find(|attr| attr.path().is_ident("track_caller"))
    }

    /// Where the generated calls are said to stand, which is what `SOURCE` shows: the function, not the attribute.
    pub(crate) fn place(&self) -> Span {
        Span::mixed_site().located_at(self.sig.fn_token.span)
    }

    /// The function with `statements` before its body, which keeps everything about the body as it was.
    pub(crate) fn prepend(&self, statements: &TokenStream) -> TokenStream {
        let body = self.block();
        self.with_body(&self.sig, &quote!(#statements #body))
    }

    /// The body as the last expression of a block of ours: in its own braces, so that its items come first in them
    /// and its edition says how long its temporaries live. The label keeps the compiler from finding the braces
    /// superfluous; it stands at the brace because the span of a labelled block begins, edition and all, with it.
    pub(crate) fn block(&self) -> TokenStream {
        let body = &self.body;
        quote_spanned!(body.span_open()=> '_pfs_body: #body)
    }

    /// The function with another signature and other statements.
    pub(crate) fn with_body(&self, sig: &Signature, statements: &TokenStream) -> TokenStream {
        let Self { attrs, vis, .. } = self;
        // Ours is the outer block: the temporaries of the last expression end inside it in every edition.
        quote_spanned!(Span::mixed_site()=> #(#attrs)* #vis #sig { #statements })
    }
}

fn looks_like_a_function(input: ParseStream<'_>) -> bool {
    input.peek(Token![fn])
        || input.peek(Token![async]) && !input.peek2(Token![move])
        || input.peek(Token![unsafe]) && !input.peek2(Token![impl]) && !input.peek2(Token![trait])
        || input.peek(Token![extern]) && !input.peek2(Token![crate]) && !input.peek3(syn::token::Brace)
        || input.peek(Token![const])
            && (input.peek2(Token![fn])
                || input.peek2(Token![async])
                || input.peek2(Token![unsafe])
                || input.peek2(Token![extern]))
}

/// The error for anything but a function.
fn not_a_function(attribute: &str, input: ParseStream<'_>) -> Error {
    let data = input.peek(Token![enum]) || input.peek(Token![struct]);
    let message = if data && attribute == "statement" {
        "`#[statement]` goes on a function; for a type write `#[derive(Statement)]` above it".to_owned()
    } else if input.peek(Token![impl]) || input.peek(Token![trait]) || input.peek(Token![mod]) {
        format!("`#[{attribute}]` goes on a function: put it on each function inside that is to be measured")
    } else {
        format!("`#[{attribute}]` goes on a function")
    };
    // The keyword says what it is; the rest of the item would only be underlined with it.
    Error::new(input.span(), message)
}

/// The braces of a body, also as a macro passes them on (`$body:block`).
fn block(token: TokenTree) -> Option<Group> {
    let TokenTree::Group(group) = token else { return None };
    match group.delimiter() {
        Delimiter::Brace => Some(group),
        Delimiter::None => {
            let mut inside = group.stream().into_iter();
            let block = block(inside.next()?)?;
            inside.next().is_none().then_some(block)
        }
        _ => None,
    }
}

fn mentions_self_type(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "Self",
        TokenTree::Group(group) => mentions_self_type(group.stream()),
        _ => false,
    })
}

/// What the return type says about the end of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// `!`: it does not return.
    Never,
    /// No `Result`, whatever the aliases in scope.
    Infallible,
    /// Perhaps a `Result`: the compiler knows.
    Fallible,
}

/// What the signature says about the end of a call.
pub(crate) fn ending(sig: &Signature) -> Ending {
    let ReturnType::Type(_, ty) = &sig.output else { return Ending::Infallible };
    let parameters: Vec<_> = sig
        .generics
        .params
        .iter()
        .filter_map(|param| if let GenericParam::Type(param) = param { Some(&param.ident) } else { None })
        .collect();
    match bare(ty) {
        Type::Never(_) => Ending::Never,
        Type::Path(ty) if ty.qself.is_none() => match ty.path.segments.last() {
            Some(last) if is_no_result(last) => Ending::Infallible,
            Some(last) if ty.path.segments.len() == 1 && parameters.contains(&&last.ident) => {
                Ending::Infallible
            }
            _ => Ending::Fallible,
        },
        Type::Path(_) | Type::Macro(_) | Type::Verbatim(_) | Type::Infer(_) => Ending::Fallible,
        // Tuples, references, pointers, slices, arrays, function pointers, `dyn` and `impl`.
        _ => Ending::Infallible,
    }
}

/// Names that nobody gives to an alias of `Result`.
fn is_no_result(segment: &PathSegment) -> bool {
    const NAMES: [&str; 24] = [
        "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
        "isize", "f32", "f64", "String", "Vec", "Box", "Arc", "Rc", "Option", "Poll",
    ];
    NAMES.iter().any(|name| segment.ident == name)
}

/// The type without parentheses and without the groups that macros put around it.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(ty) => bare(&ty.elem),
        Type::Paren(ty) => bare(&ty.elem),
        _ => ty,
    }
}

/// The return type's tokens if it spells a future.
fn future_in(output: &ReturnType) -> Option<TokenStream> {
    let ReturnType::Type(_, ty) = output else { return None };
    is_future(ty).then(|| ty.to_token_stream())
}

fn is_future(ty: &Type) -> bool {
    match bare(ty) {
        Type::ImplTrait(ty) => bounds_future(&ty.bounds),
        Type::TraitObject(ty) => bounds_future(&ty.bounds),
        Type::Path(ty) => ty.path.segments.last().is_some_and(|last| {
            last.ident == "BoxFuture"
                || last.ident == "LocalBoxFuture"
                || (last.ident == "Pin" || last.ident == "Box") && arguments(last).any(is_future)
        }),
        _ => false,
    }
}

fn bounds_future(bounds: &Punctuated<TypeParamBound, Token![+]>) -> bool {
    bounds.iter().any(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|last| last.ident == "Future"),
        _ => false,
    })
}

fn arguments(segment: &PathSegment) -> impl Iterator<Item = &Type> {
    let arguments = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    };
    arguments
        .into_iter()
        .flatten()
        .filter_map(|argument| if let GenericArgument::Type(ty) = argument { Some(ty) } else { None })
}

/// Whether an argument's attribute is about the argument's being there, and not about its name.
pub(crate) fn is_condition(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr")
}

/// The arguments that have a pattern.
pub(crate) fn typed(sig: &mut Signature) -> impl Iterator<Item = &mut syn::PatType> {
    sig.inputs.iter_mut().filter_map(|input| if let FnArg::Typed(input) = input { Some(input) } else { None })
}
