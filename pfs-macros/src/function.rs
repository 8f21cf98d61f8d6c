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
use syn::{Attribute, Error, Lifetime, Result, Signature, Token, Visibility};

/// A function, its body as tokens.
pub(crate) struct Function {
    /// Its attributes, those from inside the body included.
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    /// The block, braces included, in the user's own spans: so its edition and its lints are the user's.
    pub(crate) body: Group,
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
    /// superfluous; it stands at the brace because the span of a labelled block begins, edition and all, with it. So it
    /// has the user's hygiene, and must be called as nothing of the user's is.
    pub(crate) fn block(&self) -> TokenStream {
        let body = &self.body;
        let written = quote!(#body).to_string() + &self.sig.to_token_stream().to_string();
        let mut label = "'_pfs_body".to_owned();
        while written.contains(&label) {
            label.push('_');
        }
        let label = Lifetime::new(&label, body.span_open());
        quote!(#label: #body)
    }

    /// The function as it was, with another body in the place of its own.
    pub(crate) fn with_own_body(&self, statements: TokenStream) -> TokenStream {
        let Self { attrs, vis, sig, .. } = self;
        let mut body = Group::new(Delimiter::Brace, statements);
        body.set_span(self.body.span());
        quote!(#(#attrs)* #vis #sig #body)
    }

    /// The function with another signature and other statements.
    pub(crate) fn with_body(&self, sig: &Signature, statements: &TokenStream) -> TokenStream {
        let Self { attrs, vis, .. } = self;
        // Ours is the inner block: the temporaries of the last expression end inside it in every edition. The braces
        // around it are the user's, because where an item ends decides whose code it is taken for, and what of it is
        // linted: that it is never used, or has no documentation.
        let mut body = Group::new(Delimiter::Brace, quote_spanned!(Span::mixed_site()=> { #statements }));
        body.set_span(self.body.span());
        quote!(#(#attrs)* #vis #sig #body)
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
