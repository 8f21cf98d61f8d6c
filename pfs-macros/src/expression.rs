//! `mutex!`, `barrier!`, `channel!`, `thread_class!` …: a named object where it is made.
//!
//! `pfs` wraps each in a `macro_rules` that puts `[$crate]` first, so that a renamed crate needs nothing said.

use crate::name::{Kind, Name};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Error, Expr, Ident, Lit, LitStr, Path, Result, Token, bracketed};

/// What an expression makes.
#[derive(Clone, Copy)]
pub(crate) enum Made {
    Mutex,
    FairMutex,
    ReentrantMutex,
    RwLock,
    Condvar,
    Once,
    OnceLock,
    LazyLock,
    Barrier,
    Channel,
    SyncChannel,
    Bounded,
    Unbounded,
    Stage,
    Statement,
    Thread,
}

/// Expands the macro that makes it.
pub(crate) fn expand(made: Made, input: TokenStream) -> TokenStream {
    let parser = |input: ParseStream<'_>| expression(made, input);
    parser.parse2(input).unwrap_or_else(Error::into_compile_error)
}

fn expression(made: Made, input: ParseStream<'_>) -> Result<TokenStream> {
    let krate;
    bracketed!(krate in input);
    let krate: Path = krate.call(Path::parse_mod_style)?;
    let spelling = Spelling::of(made);

    let class = Name::given(spelling.kind, &spelling.name(input)?)?.class(&krate);
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

/// How a macro is written.
struct Spelling {
    kind: Kind,
    /// The function that makes it, from the crate's root.
    maker: TokenStream,
    call: &'static str,
    /// What follows the name, if anything does.
    value: Option<&'static str>,
}

impl Spelling {
    fn of(made: Made) -> Self {
        const HELD: &str = "the value that the lock holds";
        let (kind, maker, call, value) = match made {
            Made::Mutex => {
                (Kind::Mutex, quote!(__private::mutex), "mutex!(\"component/name\", value)", Some(HELD))
            }
            Made::FairMutex => (
                Kind::Mutex,
                quote!(__private::fair_mutex),
                "fair_mutex!(\"component/name\", value)",
                Some(HELD),
            ),
            Made::ReentrantMutex => (
                Kind::Mutex,
                quote!(__private::reentrant_mutex),
                "reentrant_mutex!(\"component/name\", value)",
                Some(HELD),
            ),
            Made::RwLock => {
                (Kind::RwLock, quote!(__private::rwlock), "rwlock!(\"component/name\", value)", Some(HELD))
            }
            Made::Condvar => (Kind::Cond, quote!(__private::condvar), "condvar!(\"component/name\")", None),
            Made::Once => (Kind::Cond, quote!(__private::once), "once!(\"component/name\")", None),
            Made::OnceLock => {
                (Kind::Cond, quote!(__private::once_lock), "once_lock!(\"component/name\")", None)
            }
            Made::LazyLock => (
                Kind::Cond,
                quote!(__private::lazy_lock),
                "lazy_lock!(\"component/name\", || value)",
                Some("the closure that makes the value"),
            ),
            Made::Barrier => (
                Kind::Cond,
                quote!(__private::barrier),
                "barrier!(\"component/name\", threads)",
                Some("the number of threads that wait for each other"),
            ),
            Made::Channel => (Kind::Cond, quote!(__private::channel), "channel!(\"component/name\")", None),
            Made::SyncChannel => (
                Kind::Cond,
                quote!(__private::sync_channel),
                "sync_channel!(\"component/name\", bound)",
                Some("the number of messages that the channel holds"),
            ),
            Made::Bounded => (
                Kind::Cond,
                quote!(__private::bounded_of),
                "bounded!(\"component/name\", capacity)",
                Some("the number of messages that the channel holds"),
            ),
            Made::Unbounded => {
                (Kind::Cond, quote!(__private::unbounded_of), "unbounded!(\"component/name\")", None)
            }
            Made::Stage => {
                (Kind::Stage, quote!(stage::StageClass::new), "stage_class!(\"component/name\")", None)
            }
            Made::Thread => {
                (Kind::Thread, quote!(__private::thread_class), "thread_class!(\"component/name\")", None)
            }
            Made::Statement => (
                Kind::Statement,
                quote!(statement::StatementClass::new),
                "statement_class!(\"component/name\")",
                None,
            ),
        };
        Self { kind, maker, call, value }
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
        let message = if is_literal || !input.is_empty() || self.value.is_none() {
            format!("the name is a string literal and comes first: {}", self.usage())
        } else {
            format!("the name is missing, and what an expression makes needs one: {}", self.usage())
        };
        Err(Error::new_spanned(written, message))
    }

    /// What follows the name, after the comma.
    fn value(&self, input: ParseStream<'_>) -> Result<Option<Expr>> {
        let Some(expected) = self.value else {
            if input.is_empty() {
                return Ok(None);
            }
            let value: Expr = input.parse()?;
            return Err(Error::new_spanned(value, format!("nothing follows the name: {}", self.usage())));
        };
        if input.is_empty() {
            let message = format!("{expected} is missing: {}", self.usage());
            return Err(Error::new(Span::call_site(), message));
        }
        let value: Expr = input.parse()?;
        if input.peek(Token![,]) {
            input.parse::<Token![,]>()?;
        }
        if !input.is_empty() {
            return Err(input.error(format!("nothing follows {}: {}", short(expected), self.usage())));
        }
        Ok(Some(value))
    }
}

/// What follows the name, without its description.
fn short(expected: &str) -> &str {
    expected.split_once(" that ").map_or(expected, |(short, _)| short)
}
