//! `#[instrument_mutex]`, `#[instrument_rwlock]`, `#[instrument_condvar]`: a class beside a `static`.
//!
//! The item itself is left as it is. What the static holds is found at run time by the engine's visiting trait, so
//! that aliases and containers work; here only what is plainly wrong by its spelling is refused.

use crate::args::{Args, report};
use crate::name::{Kind, Name};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Ident, Item, ItemStatic, Path, Result, StaticMutability, Type};

/// Expands the attribute of `kind` on `item`.
pub(crate) fn expand(kind: Kind, args: TokenStream, item: &TokenStream) -> TokenStream {
    match beside(kind, args, item) {
        Ok(registration) => quote!(#item #registration),
        Err(error) => report(&error, item),
    }
}

/// What stands beside the static.
fn beside(kind: Kind, args: TokenStream, item: &TokenStream) -> Result<TokenStream> {
    let spelling = Spelling::of(kind);
    let held = static_of(&spelling, item)?;
    spelling.check_type(&held.ty)?;
    let args = Args::parse(kind, spelling.attribute, args)?;
    let name = match args.name {
        Some(name) => name,
        None => Name::in_crate(kind, &held.ident.unraw().to_string(), held.ident.span())?,
    };

    let Args { krate, .. } = args;
    let class = Ident::new("__PFS_CLASS", Span::mixed_site());
    let declaration = name.declare(&krate, &class);
    let ident = &held.ident;
    // An attribute below ours is not expanded yet; what is not compiled cannot be registered.
    let conditions = held.attrs.iter().filter(|attribute| is_condition(attribute));
    Ok(quote_spanned! {Span::mixed_site()=>
        #(#conditions)*
        const _: () = {
            #declaration
            #krate::__private::instrument_static! { #class, #ident }
        };
    })
}

fn is_condition(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
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
        Ok(Item::Const(held)) if last_segment(&held.ty).is_some_and(|last| last == "LocalKey") => format!(
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
        Ok(_) => format!(
            "`#[{attribute}]` goes on a `static`: name any other lock where it is made, with `{expression}`"
        ),
    };
    // At the attribute, which is what does not belong there.
    Err(Error::new(Span::call_site(), message))
}

/// How a kind of lock is written.
struct Spelling {
    kind: Kind,
    attribute: &'static str,
    expression: &'static str,
    example: &'static str,
}

impl Spelling {
    fn of(kind: Kind) -> Self {
        let (attribute, expression, example) = match kind {
            Kind::RwLock => (
                "instrument_rwlock",
                "pfs::rwlock!(\"component/name\", value)",
                "static CONFIG: RwLock<Config> = RwLock::new(Config::new());",
            ),
            Kind::Cond => (
                "instrument_condvar",
                "pfs::condvar!(\"component/name\")",
                "static FLUSHED: Condvar = Condvar::new();",
            ),
            _ => (
                "instrument_mutex",
                "pfs::mutex!(\"component/name\", value)",
                "static INDEX: Mutex<Index> = Mutex::new(Index::new());",
            ),
        };
        Self { kind, attribute, expression, example }
    }

    /// An error for a type that is by its spelling another kind of lock, or one that pfs does not see into.
    fn check_type(&self, ty: &Type) -> Result<()> {
        let Some(last) = last_segment(ty) else { return Ok(()) };
        let other = match last.to_string().as_str() {
            "Mutex" => Kind::Mutex,
            "RwLock" => Kind::RwLock,
            "Condvar" => Kind::Cond,
            _ => return Ok(()),
        };
        if other != self.kind {
            let right = Self::of(other).attribute;
            let message = format!("`#[{}]` cannot name a `{last}`: write `#[{right}]`", self.attribute);
            return Err(Error::new_spanned(ty, message));
        }
        if let Some(from) = unwrapped_crate(ty) {
            let message = format!(
                "`{from}::{last}` is not instrumented: write `pfs::sync::{last}`, which has the same interface"
            );
            return Err(Error::new_spanned(ty, message));
        }
        Ok(())
    }
}

/// The last identifier of a type's path.
fn last_segment(ty: &Type) -> Option<&Ident> {
    path_of(ty)?.segments.last().map(|segment| &segment.ident)
}

/// `std::sync` where a type is spelled as std's own.
fn unwrapped_crate(ty: &Type) -> Option<&'static str> {
    let path = path_of(ty)?;
    let mut segments = path.segments.iter().map(|segment| &segment.ident);
    (segments.next()? == "std" && segments.next()? == "sync" && path.segments.len() == 3)
        .then_some("std::sync")
}

fn path_of(ty: &Type) -> Option<&Path> {
    match ty {
        Type::Path(ty) => Some(&ty.path),
        Type::Group(ty) => path_of(&ty.elem),
        Type::Paren(ty) => path_of(&ty.elem),
        _ => None,
    }
}
