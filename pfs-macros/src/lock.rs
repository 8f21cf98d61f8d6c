//! `#[instrument_mutex]`, `#[instrument_rwlock]`, `#[instrument_condvar]`, `#[instrument]`: names for what a `static`
//! holds.
//!
//! The item is left as it is, but for the closure of a `LazyLock`. What the static holds is found at run time by the
//! visiting trait and by address, so that aliases and containers work; here only what is plainly wrong by its spelling
//! is refused.

use crate::args::{Args, report};
use crate::instrumented::{Asked, Spelled};
use crate::name::Name;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, ExprCall, Ident, Item, ItemStatic, Path, Result, StaticMutability};

/// Expands the attribute that asks for that kind, on `item`.
pub(crate) fn expand(asked: Asked, args: TokenStream, item: &TokenStream) -> TokenStream {
    match named(&Spelling::of(asked), args, item) {
        Ok(tokens) => tokens,
        Err(error) => report(&error, item),
    }
}

/// The static, and what stands beside it.
fn named(spelling: &Spelling, args: TokenStream, item: &TokenStream) -> Result<TokenStream> {
    let mut held = static_of(spelling, item)?;
    if let Some(again) = held.attrs.iter().find(|attribute| spelling.is(attribute.path())) {
        let message = format!("`#[{}]` stands on this static twice: keep one", spelling.attribute);
        return Err(Error::new_spanned(again, message));
    }
    Spelled::of(&held.ty).check(spelling.asked, |asked| Spelling::of(asked).attribute)?;

    let class = Ident::new("__PFS_CLASS", Span::mixed_site());
    let (krate, declaration, named_by) = match spelling.asked.kind() {
        Some(kind) => {
            let args = Args::parse(kind, spelling.attribute, args)?;
            let name = match args.name {
                Some(name) => name,
                None => Name::in_crate(kind, &held.ident.unraw().to_string(), held.ident.span())?,
            };
            let declaration = name.declare(&args.krate, &class);
            (args.krate, declaration, quote!(::core::option::Option::Some(&#class)))
        }
        None => (
            Args::only_crate(spelling.attribute, args)?,
            TokenStream::new(),
            quote!(::core::option::Option::None),
        ),
    };

    let ident = &held.ident;
    let ty = &held.ty;
    let asked = spelling.asked.tokens();
    // An error about the type stands at the type.
    let place = Span::mixed_site().located_at(ty.span());
    // A call with no token but the type's own spans: where a constant fails, the compiler shows what expanded to it.
    let check = quote_spanned! {ty.span()=> {
        let check = #krate::__private::check_static;
        check(#krate::__private::Asked::#asked, <#ty as #krate::__private::Instrumented>::HOLDS)
    }};
    let visit = quote_spanned! {place=> <#ty as #krate::__private::Instrumented>::visit };
    let attributes = held.attrs.iter().filter_map(kept);
    let registration = quote_spanned! {Span::mixed_site()=>
        #(#attributes)*
        const _: () = {
            #declaration
            const _: () = #check;
            #krate::__private::list_static! {
                #krate::__private::NamedStatic::new(
                    #named_by,
                    || #krate::__private::place_of(&raw const #ident),
                    |visitor| #visit(&#ident, visitor),
                )
            }
        };
    };
    let item = if name_what_is_made(&krate, &mut held) { held.into_token_stream() } else { item.clone() };
    Ok(quote!(#item #registration))
}

/// What of a static's attribute stands on what is beside it too. One below ours is not expanded yet: what is not
/// compiled cannot be registered, and a lint that is allowed on the static is allowed where its type is said again.
fn kept(attribute: &Attribute) -> Option<TokenStream> {
    let path = attribute.path();
    if path.is_ident("cfg") || path.is_ident("allow") {
        return Some(attribute.to_token_stream());
    }
    if path.is_ident("deprecated") {
        return Some(quote!(#[allow(deprecated)]));
    }
    let lints = &attribute.meta.require_list().ok()?.tokens;
    path.is_ident("expect").then(|| quote!(#[allow(#lints)]))
}

/// Lets a `LazyLock` name what it makes before anyone can reach it. False if the static is no such, and unchanged.
fn name_what_is_made(krate: &Path, held: &mut ItemStatic) -> bool {
    let ident = held.ident.clone();
    let Some(call) = call_of_lazy_lock(&mut held.expr) else { return false };
    let Some(make) = call.args.first_mut() else { return false };
    let place = Span::mixed_site().located_at(make.span());
    let wrapped = quote_spanned! {place=>
        || #krate::__private::made((&raw const #ident).addr(), #make)
    };
    *make = Expr::Verbatim(wrapped);
    true
}

/// The call in `LazyLock::new(…)`, however the path and the macros around it are written.
fn call_of_lazy_lock(expr: &mut Expr) -> Option<&mut ExprCall> {
    match expr {
        Expr::Group(group) => call_of_lazy_lock(&mut group.expr),
        Expr::Paren(paren) => call_of_lazy_lock(&mut paren.expr),
        Expr::Call(call) if call.args.len() == 1 && is_new_of_lazy_lock(&call.func) => Some(call),
        _ => None,
    }
}

fn is_new_of_lazy_lock(function: &Expr) -> bool {
    let Expr::Path(function) = function else { return false };
    let mut segments = function.path.segments.iter().rev().map(|segment| &segment.ident);
    segments.next().is_some_and(|last| last == "new") && segments.next().is_some_and(|ty| ty == "LazyLock")
}

/// The static that the attribute stands on, or what to write instead.
fn static_of(spelling: &Spelling, item: &TokenStream) -> Result<ItemStatic> {
    let Spelling { attribute, expression, .. } = spelling;
    let message = match syn::parse2(item.clone()) {
        Ok(Item::Static(held)) => {
            let StaticMutability::Mut(token) = held.mutability else { return Ok(held) };
            let message =
                format!("`#[{attribute}]` does not take a `static mut`: a lock is shared, so drop the `mut`");
            return Err(Error::new(token.span(), message));
        }
        Ok(Item::Const(held)) if Spelled::of(&held.ty).is("LocalKey") => format!(
            "`#[{attribute}]` cannot stand inside `thread_local!`, where there is a lock a thread: \
             name it where it is made, with `{expression}`"
        ),
        Ok(Item::Const(held)) => {
            let message = format!(
                "`#[{attribute}]` needs a `static`, because a `const` is a new lock at every use: write `static`, \
                 or name it where it is made, with `{expression}`"
            );
            return Err(Error::new(held.const_token.span, message));
        }
        Ok(Item::Verbatim(_)) | Err(_) => {
            format!("`#[{attribute}]` goes on a `static` with a value, as in `{}`", spelling.example)
        }
        Ok(Item::Struct(_) | Item::Enum(_)) if spelling.asked == Asked::Named => {
            "`#[instrument]` goes on a `static`: what names the fields of a type is `#[derive(Instrument)]`"
                .to_owned()
        }
        Ok(_) => format!(
            "`#[{attribute}]` goes on a `static`: name any other lock where it is made, with `{expression}`"
        ),
    };
    // At the attribute, which is what does not belong there.
    Err(Error::new(Span::call_site(), message))
}

/// How an attribute is written.
struct Spelling {
    asked: Asked,
    attribute: &'static str,
    expression: &'static str,
    example: &'static str,
}

impl Spelling {
    fn of(asked: Asked) -> Self {
        let (attribute, expression, example) = match asked {
            Asked::Mutex => (
                "instrument_mutex",
                "pfs::mutex!(\"component/name\", value)",
                "static INDEX: Mutex<Index> = Mutex::new(Index::new());",
            ),
            Asked::RwLock => (
                "instrument_rwlock",
                "pfs::rwlock!(\"component/name\", value)",
                "static CONFIG: RwLock<Config> = RwLock::new(Config::new());",
            ),
            Asked::Condvar => (
                "instrument_condvar",
                "pfs::condvar!(\"component/name\")",
                "static FLUSHED: Condvar = Condvar::new();",
            ),
            Asked::Named => ("instrument", "value.instrumented()", "static SERVER: Server = Server::new();"),
        };
        Self { asked, attribute, expression, example }
    }

    /// Whether that is the path of this attribute.
    fn is(&self, path: &Path) -> bool {
        path.segments.last().is_some_and(|last| last.ident == self.attribute)
    }
}
