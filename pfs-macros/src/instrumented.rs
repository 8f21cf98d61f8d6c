//! What an attribute on a static or a field asks for, and what can be told from how a type is spelled.

use crate::name::Kind;
use proc_macro2::Span;
use syn::{Error, Ident, Path, Result, Type};

/// What is to be named: one kind of lock, or what derives `Instrument`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    Mutex,
    RwLock,
    Condvar,
    Named,
}

impl Asked {
    /// The kind of the class that is declared, if one is.
    pub(crate) fn kind(self) -> Option<Kind> {
        match self {
            Self::Mutex => Some(Kind::Mutex),
            Self::RwLock => Some(Kind::RwLock),
            Self::Condvar => Some(Kind::Cond),
            Self::Named => None,
        }
    }

    /// The variant of `__private::Asked`.
    pub(crate) fn tokens(self) -> Ident {
        let variant = match self {
            Self::Mutex => "Mutex",
            Self::RwLock => "RwLock",
            Self::Condvar => "Condvar",
            Self::Named => "Named",
        };
        Ident::new(variant, Span::mixed_site())
    }
}

/// A type as it is spelled.
pub(crate) struct Spelled<'a> {
    ty: &'a Type,
    path: Option<&'a Path>,
}

impl<'a> Spelled<'a> {
    pub(crate) fn of(ty: &'a Type) -> Self {
        Self { ty, path: path_of(ty) }
    }

    /// The last identifier of its path.
    fn last(&self) -> Option<&'a Ident> {
        self.path?.segments.last().map(|segment| &segment.ident)
    }

    pub(crate) fn is(&self, name: &str) -> bool {
        self.last().is_some_and(|last| last == name)
    }

    /// An error if the type is by its spelling another kind of lock, or one that pfs does not see into; `attribute`
    /// gives what is written for a kind.
    pub(crate) fn check(&self, asked: Asked, attribute: fn(Asked) -> &'static str) -> Result<()> {
        let Some(last) = self.last() else { return Ok(()) };
        let is = match last.to_string().as_str() {
            "Mutex" => Asked::Mutex,
            "RwLock" => Asked::RwLock,
            "Condvar" => Asked::Condvar,
            _ => return Ok(()),
        };
        if let Some(from) = self.unwrapped_crate() {
            let message = format!(
                "`{from}::{last}` is not instrumented: write `pfs::sync::{last}`, which has the same interface"
            );
            return Err(Error::new_spanned(self.ty, message));
        }
        if is != asked {
            let message =
                format!("`#[{}]` cannot name a `{last}`: write `#[{}]`", attribute(asked), attribute(is));
            return Err(Error::new_spanned(self.ty, message));
        }
        Ok(())
    }

    /// `std::sync` where a type is spelled as std's own.
    fn unwrapped_crate(&self) -> Option<&'static str> {
        let path = self.path?;
        let mut segments = path.segments.iter().map(|segment| &segment.ident);
        (segments.next()? == "std" && segments.next()? == "sync" && path.segments.len() == 3)
            .then_some("std::sync")
    }
}

fn path_of(ty: &Type) -> Option<&Path> {
    match ty {
        Type::Path(ty) => Some(&ty.path),
        Type::Group(ty) => path_of(&ty.elem),
        Type::Paren(ty) => path_of(&ty.elem),
        _ => None,
    }
}
