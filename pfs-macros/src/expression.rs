//! `mutex!`, `rwlock!`, `condvar!`, `thread_class!`, `stage_class!`: a named object where it is made.
//!
//! `pfs` wraps each in a `macro_rules` that puts `[$crate]` first, so that a renamed crate needs nothing said.

use crate::name::{Kind, Name};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Error, Expr, Ident, Lit, LitStr, Path, Result, Token, bracketed};

/// Expands the macro that makes an object of `kind`.
pub(crate) fn expand(kind: Kind, input: TokenStream) -> TokenStream {
    let parser = |input: ParseStream<'_>| made(kind, input);
    parser.parse2(input).unwrap_or_else(Error::into_compile_error)
}

fn made(kind: Kind, input: ParseStream<'_>) -> Result<TokenStream> {
    let krate;
    bracketed!(krate in input);
    let krate: Path = krate.call(Path::parse_mod_style)?;
    let spelling = Spelling::of(kind);

    let class = Name::given(kind, &spelling.name(input)?)?.class(&krate);
    if !input.is_empty() {
        input.parse::<Token![,]>().map_err(|error| {
            Error::new(error.span(), format!("expected `,` after the name: {}", spelling.usage()))
        })?;
    }
    let maker = &spelling.maker;
    let value = spelling.value(input)?.into_iter();
    // The value stands outside the block that declares the class, so that it sees only what the user sees and its
    // temporaries live as long as in a plain call.
    Ok(quote_spanned!(Span::mixed_site()=> #krate::#maker(#class #(, #value)*)))
}

/// How the macro of a kind is written.
struct Spelling {
    /// The function that makes it, from the crate's root.
    maker: TokenStream,
    call: &'static str,
    holds_a_value: bool,
}

impl Spelling {
    fn of(kind: Kind) -> Self {
        let (maker, call, holds_a_value) = match kind {
            Kind::RwLock => (quote!(__private::rwlock), "rwlock!(\"component/name\", value)", true),
            Kind::Cond => (quote!(__private::condvar), "condvar!(\"component/name\")", false),
            Kind::Stage => (quote!(stage::StageClass::new), "stage_class!(\"component/name\")", false),
            Kind::Thread => (quote!(__private::thread_class), "thread_class!(\"component/name\")", false),
            _ => (quote!(__private::mutex), "mutex!(\"component/name\", value)", true),
        };
        Self { maker, call, holds_a_value }
    }

    fn usage(&self) -> String {
        format!("write `{}`", self.call)
    }

    /// The name, which an expression has nothing to take from.
    fn name(&self, input: ParseStream<'_>) -> Result<LitStr> {
        if input.is_empty() {
            return Err(Error::new(Span::call_site(), format!("the name is missing: {}", self.usage())));
        }
        // As in the attributes.
        let ahead = input.fork();
        if ahead.call(Ident::parse_any).is_ok_and(|key| key == "name") && ahead.peek(Token![=]) {
            input.call(Ident::parse_any)?;
            input.parse::<Token![=]>()?;
        }
        if input.fork().parse::<LitStr>().is_ok() {
            return input.parse();
        }
        let is_literal = input.peek(Lit);
        let written: Expr = input.parse()?;
        let message = if is_literal || !input.is_empty() || !self.holds_a_value {
            format!("the name is a string literal and comes first: {}", self.usage())
        } else {
            format!("the name is missing, and a lock made by an expression needs one: {}", self.usage())
        };
        Err(Error::new_spanned(written, message))
    }

    /// The value of a lock, after the comma.
    fn value(&self, input: ParseStream<'_>) -> Result<Option<Expr>> {
        if input.is_empty() {
            if self.holds_a_value {
                let message = format!("the value that the lock holds is missing: {}", self.usage());
                return Err(Error::new(Span::call_site(), message));
            }
            return Ok(None);
        }
        let value: Expr = input.parse()?;
        if !self.holds_a_value {
            return Err(Error::new_spanned(value, format!("nothing follows the name: {}", self.usage())));
        }
        if input.peek(Token![,]) {
            input.parse::<Token![,]>()?;
        }
        if !input.is_empty() {
            return Err(input.error(format!("nothing follows the value: {}", self.usage())));
        }
        Ok(Some(value))
    }
}
