//! What a return type says: whether a call may end in an error, whether what is returned is a future, and how it is
//! written where it cannot be written as it stands.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{VisitMut, visit_type_mut};
use syn::{
    AssocType, Error, GenericArgument, GenericParam, Generics, Path, PathArguments, PathSegment, Result,
    ReturnType, Token, Type, TypeParamBound, parse_quote,
};

/// What a type says about the end of a call that returns it, or of a future that has it as its output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// `!`: it does not return.
    Never,
    /// No `Result`, whatever the aliases in scope.
    Infallible,
    /// Perhaps a `Result`: the compiler knows.
    Fallible,
}

/// Whether a type names something that can be awaited, as far as its words tell.
pub(crate) fn names_a_future(ty: &Type) -> bool {
    let written = ty.to_token_stream().to_string();
    ["Future", "JoinHandle"].iter().any(|word| written.contains(word))
}

/// What a function of those `generics` that returns `ty` says about its end; `None` is `()`.
pub(crate) fn ending(ty: Option<&Type>, generics: &Generics) -> Ending {
    let Some(ty) = ty else { return Ending::Infallible };
    let is_parameter = |segment: &PathSegment| {
        generics
            .params
            .iter()
            .any(|param| matches!(param, GenericParam::Type(param) if param.ident == segment.ident))
    };
    match bare(ty) {
        Type::Never(_) => Ending::Never,
        Type::Path(ty) if ty.qself.is_none() => match ty.path.segments.last() {
            Some(last) if is_no_result(last) => Ending::Infallible,
            Some(last) if ty.path.segments.len() == 1 && is_parameter(last) => Ending::Infallible,
            _ => Ending::Fallible,
        },
        Type::Path(_) | Type::Macro(_) | Type::Verbatim(_) | Type::Infer(_) => Ending::Fallible,
        // Tuples, references, pointers, slices, arrays, function pointers, `dyn` and `impl`.
        _ => Ending::Infallible,
    }
}

/// Names that nobody gives to an alias of `Result`.
fn is_no_result(segment: &PathSegment) -> bool {
    is_no_future(segment) || ["Box", "Arc", "Rc"].iter().any(|name| segment.ident == name)
}

/// Names that nobody gives to an alias of `Result` or of a future.
fn is_no_future(segment: &PathSegment) -> bool {
    const NAMES: [&str; 21] = [
        "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
        "isize", "f32", "f64", "String", "Vec", "Option", "Poll",
    ];
    NAMES.iter().any(|name| segment.ident == name)
}

/// The type that is returned; `None` is `()`.
pub(crate) fn returned(output: &ReturnType) -> Option<&Type> {
    if let ReturnType::Type(_, ty) = output { Some(ty) } else { None }
}

/// The type without parentheses and without the groups that macros put around it.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(ty) => bare(&ty.elem),
        Type::Paren(ty) => bare(&ty.elem),
        _ => ty,
    }
}

/// The type as it can be written in an expression, with `_` for what only the compiler knows.
pub(crate) fn inferred(ty: &Type) -> Type {
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

    let mut ty = bare(ty).clone();
    Inferred.visit_type_mut(&mut ty);
    ty
}

/// A statement that does not compile if `ty`, the return type of a function whose call is measured, is a future's.
pub(crate) fn refuse_future(krate: &Path, ty: &Type) -> Option<TokenStream> {
    let Type::Path(path) = bare(ty) else { return None };
    let known = path.path.segments.last().is_some_and(|last| is_no_future(last) || last.ident == "Result");
    if known && path.qself.is_none() || mentions_impl(ty.to_token_stream()) {
        return None;
    }
    let place = proc_macro2::Span::mixed_site().located_at(ty.span());
    Some(quote_spanned!(place=> #krate::__private::CallOf::<#ty>::new().pfs_is_measured();))
}

fn mentions_impl(tokens: TokenStream) -> bool {
    crate::tokens::any(tokens, &mut |token| token == "impl" || token == "_")
}

/// A future that a function returns, and that is plainly one by its spelling.
pub(crate) struct Future {
    /// How it is held.
    pub(crate) held: Held,
    /// What it gives; `None` if that is not written there.
    pub(crate) output: Option<Type>,
}

/// How a returned future is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Held {
    /// `impl Future`.
    Bare,
    /// `Pin<Box<dyn Future>>`, also by another name.
    Pinned,
    /// `Box<dyn Future>`.
    Boxed,
}

/// The future that `ty` spells, if it does; an error if it spells one that a future around it cannot be.
pub(crate) fn future(attribute: &str, ty: &Type) -> Result<Option<Future>> {
    let found = match bare(ty) {
        Type::ImplTrait(ty) => match future_among(&ty.bounds) {
            Some(bound) => {
                refuse_bounds(attribute, &ty.bounds)?;
                Some(Future { held: Held::Bare, output: output(bound) })
            }
            None => None,
        },
        Type::Path(ty) => ty.path.segments.last().and_then(in_segment),
        _ => None,
    };
    Ok(found)
}

fn in_segment(segment: &PathSegment) -> Option<Future> {
    if segment.ident == "BoxFuture" || segment.ident == "LocalBoxFuture" {
        return Some(Future { held: Held::Pinned, output: arguments(segment).last().cloned() });
    }
    let inside = |name: &str| arguments(segment).next().filter(|_| segment.ident == name).map(bare);
    if let Some(Type::Path(ty)) = inside("Pin") {
        let boxed = ty.path.segments.last().filter(|last| last.ident == "Box").and_then(in_segment)?;
        return Some(Future { held: Held::Pinned, ..boxed });
    }
    let bounds = match inside("Box")? {
        Type::TraitObject(ty) => &ty.bounds,
        Type::ImplTrait(ty) => &ty.bounds,
        _ => return None,
    };
    future_among(bounds).map(|bound| Future { held: Held::Boxed, output: output(bound) })
}

/// The bound that is `Future`, if it is among `bounds`.
fn future_among(bounds: &Punctuated<TypeParamBound, Token![+]>) -> Option<&PathSegment> {
    bounds.iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else { return None };
        bound.path.segments.last().filter(|last| last.ident == "Future")
    })
}

/// The output in `Future<Output = …>`, if it is said.
fn output(bound: &PathSegment) -> Option<Type> {
    let PathArguments::AngleBracketed(said) = &bound.arguments else { return None };
    said.args.iter().find_map(|argument| match argument {
        GenericArgument::AssocType(AssocType { ident, ty, .. }) if ident == "Output" => Some(ty.clone()),
        _ => None,
    })
}

/// An error for a bound that holds of the function's own future, perhaps, and not of ours around it.
fn refuse_bounds(attribute: &str, bounds: &Punctuated<TypeParamBound, Token![+]>) -> Result<()> {
    const KEPT: [&str; 7] = ["Future", "Send", "Sync", "Unpin", "UnwindSafe", "RefUnwindSafe", "Sized"];
    for bound in bounds {
        let TypeParamBound::Trait(bound) = bound else { continue };
        let Some(last) = bound.path.segments.last() else { continue };
        if !KEPT.iter().any(|name| last.ident == name) {
            let message = format!(
                "`#[{attribute}]` puts the future into one of its own, which is no `{0}`: leave `{0}` out, or, if the \
                 call itself is meant and not the future, write `sync` after the name",
                last.ident
            );
            return Err(Error::new_spanned(bound, message));
        }
    }
    Ok(())
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

/// A closure's return type, arrow included: the function's, which the body's `?` and coercions need.
pub(crate) fn of_closure(output: &ReturnType) -> TokenStream {
    let ReturnType::Type(arrow, ty) = output else { return TokenStream::new() };
    let ty = inferred(ty);
    quote!(#arrow #ty)
}
