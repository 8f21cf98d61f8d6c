//! `#[derive(Instrument)]`: a class a marked field, and the way to what each field holds.

use super::options::{NameRule, Options, Place};
use crate::args::default_crate;
use crate::instrumented::{Asked, Spelled};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{
    Attribute, Data, DeriveInput, Error, Field, Fields, Index, LitStr, Member, Path, Result, Type,
    parse_quote,
};

/// Expands the derive on `item`.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let item = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    implemented(&item).unwrap_or_else(|error| {
        // With the traits, so that nothing is said of those who use them.
        let krate = Options::of(&item.attrs, &on_the_type()).ok().and_then(|options| options.krate);
        let nothing = quote_spanned!(Span::mixed_site()=> _ => ());
        let mut all = error.into_compile_error();
        all.extend(tokens(&item, &krate.unwrap_or_else(default_crate), &nothing, &[]));
        all
    })
}

/// The attributes that a field takes.
const ATTRIBUTES: [(&str, Asked); 4] = [
    ("mutex", Asked::Mutex),
    ("rwlock", Asked::RwLock),
    ("condvar", Asked::Condvar),
    ("instrument", Asked::Named),
];

fn attribute_of(asked: Asked) -> &'static str {
    ATTRIBUTES.iter().find(|(_, is)| *is == asked).map_or("instrument", |(name, _)| name)
}

/// An error for a mark that stands where no lock does: on the type, or on a variant.
fn refuse_elsewhere(item: &DeriveInput) -> Result<()> {
    let of_variants = match &item.data {
        Data::Enum(data) => data.variants.iter().flat_map(|variant| &variant.attrs).collect(),
        _ => Vec::new(),
    };
    let of_the_type = item.attrs.iter().filter(|attr| !attr.path().is_ident("instrument"));
    for attr in of_the_type.chain(of_variants) {
        if let Some((name, _)) = ATTRIBUTES.iter().find(|(name, _)| attr.path().is_ident(name)) {
            let message = format!(
                "`#[{name}]` goes on a field, before what it names: `#[{name}] field: …`, or `(#[{name}] …)` where fields \
                 have no names"
            );
            return Err(Error::new_spanned(attr.path(), message));
        }
    }
    Ok(())
}

fn implemented(item: &DeriveInput) -> Result<TokenStream> {
    let container = Options::of(&item.attrs, &on_the_type())?;
    refuse_elsewhere(item)?;
    let krate = container.krate.clone().unwrap_or_else(default_crate);
    let named = Deriving { ident: &item.ident, component: container.component.as_ref(), krate: &krate };
    let (visit, marked) = match &item.data {
        Data::Struct(data) => {
            let (arm, marked) = named.arm(&item.ident.unraw().to_string(), &quote!(Self), &data.fields)?;
            (arm, marked)
        }
        Data::Enum(data) => {
            let (mut arms, mut marked, mut others) = (TokenStream::new(), Vec::new(), Vec::new());
            for variant in &data.variants {
                let ident = &variant.ident;
                let place = format!("{}::{}", item.ident.unraw(), ident.unraw());
                let (arm, more) = named.arm(&place, &quote!(Self::#ident), &variant.fields)?;
                if more.is_empty() {
                    others.push(ident);
                } else {
                    arms.extend(arm);
                    marked.extend(more);
                }
            }
            if !others.is_empty() {
                arms.extend(quote_spanned!(Span::mixed_site()=> #(Self::#others { .. })|* => (),));
            }
            (arms, marked)
        }
        Data::Union(data) => {
            let message = "`#[derive(Instrument)]` takes a struct or an enum: which field of a union is there is not \
                           known";
            return Err(Error::new(data.union_token.span, message));
        }
    };
    if marked.is_empty() {
        let message = format!(
            "no field of `{}` is marked: write `#[mutex]`, `#[rwlock]` or `#[condvar]` on what is to be named, \
             `#[instrument]` on what derives `Instrument` itself",
            item.ident
        );
        return Err(Error::new(item.ident.span(), message));
    }
    Ok(tokens(item, &krate, &visit, &marked))
}

/// The two implementations.
fn tokens(item: &DeriveInput, krate: &Path, arms: &TokenStream, marked: &[Marked<'_>]) -> TokenStream {
    let DeriveInput { ident, generics, .. } = item;
    let parameters: Vec<String> =
        generics.type_params().map(|parameter| parameter.ident.to_string()).collect();
    let itself = [ident.to_string(), "Self".to_owned()];
    let mut bounded = generics.clone();
    let mut holds = quote_spanned!(Span::mixed_site()=> #krate::__private::Held::NAMED);
    let mut checks = TokenStream::new();
    for Marked { ty, asked } in marked {
        // What the type holds cannot follow from what it holds.
        if mentions(ty, &itself) {
            continue;
        }
        if mentions(ty, &parameters) {
            let bound = parse_quote!(#ty: #krate::__private::Instrumented);
            bounded.make_where_clause().predicates.push(bound);
        }
        let held = quote_spanned! {at(ty)=> <#ty as #krate::__private::Instrumented>::HOLDS };
        holds.extend(quote_spanned!(Span::mixed_site()=> .and(#held)));
        for asked in asked {
            let asked = asked.tokens();
            // A call with no token but the type's own spans: where a constant fails, the compiler shows what expanded to
            // it.
            checks.extend(quote_spanned! {ty.span()=> {
                let check = #krate::__private::check_field;
                check(#krate::__private::Asked::#asked, #held);
            }});
        }
    }
    // What is not generic is checked even if it is never used.
    let (beside, within) = if generics.params.is_empty() {
        (quote_spanned!(Span::mixed_site()=> const _: () = { #checks };), TokenStream::new())
    } else {
        (TokenStream::new(), checks)
    };
    let (parameters, arguments, bounds) = bounded.split_for_impl();
    quote_spanned! {Span::mixed_site()=>
        #[automatically_derived]
        impl #parameters #krate::__private::Instrumented for #ident #arguments #bounds {
            const HOLDS: #krate::__private::Held = {
                #within
                #holds
            };

            fn visit(&self, visitor: &mut #krate::__private::Visitor<'_>) {
                match self {
                    #arms
                }
            }
        }

        #[automatically_derived]
        impl #parameters #krate::Instrument for #ident #arguments #bounds {}

        #beside
    }
}

/// Whether one of those identifiers stands in a type.
fn mentions(ty: &Type, idents: &[String]) -> bool {
    fn any(tokens: TokenStream, idents: &[String]) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => idents.iter().any(|one| ident == one),
            TokenTree::Group(group) => any(group.stream(), idents),
            _ => false,
        })
    }
    any(ty.to_token_stream(), idents)
}

/// Where an error about a type stands.
fn at(ty: &Type) -> Span {
    Span::mixed_site().located_at(ty.span())
}

/// The type that derives.
struct Deriving<'a> {
    ident: &'a Ident,
    component: Option<&'a LitStr>,
    krate: &'a Path,
}

/// A field that is to be named.
struct Marked<'a> {
    ty: &'a Type,
    asked: Vec<Asked>,
}

impl Deriving<'_> {
    /// The match arm of a struct or variant that stands at `place` in names, and its marked fields.
    fn arm<'f>(
        &self,
        place: &str,
        pattern: &TokenStream,
        fields: &'f Fields,
    ) -> Result<(TokenStream, Vec<Marked<'f>>)> {
        let krate = self.krate;
        let (mut bindings, mut visits, mut marked) = (TokenStream::new(), TokenStream::new(), Vec::new());
        for (at_field, field) in fields.iter().enumerate() {
            let member = match &field.ident {
                Some(ident) => Member::Named(ident.clone()),
                None => Member::Unnamed(Index::from(at_field)),
            };
            let asked = asked_of(field)?;
            if asked.is_empty() {
                continue;
            }
            let last = match &member {
                Member::Named(ident) => format!("{place}::{}", ident.unraw()),
                Member::Unnamed(index) => format!("{place}::{}", index.index),
            };
            let binding = Ident::new(&format!("field_{at_field}"), Span::mixed_site());
            bindings.extend(quote!(#member: #binding,));
            let ty = &field.ty;
            let visit = quote_spanned!(at(ty)=> <#ty as #krate::__private::Instrumented>::visit);
            let mut classes = TokenStream::new();
            for (asked, attribute) in &asked {
                let Some(kind) = asked.kind() else { continue };
                let options = Options::of_one(attribute, &on_a_field(*asked))?;
                let span = field.ident.as_ref().map_or_else(|| self.ident.span(), Ident::span);
                let class = options.name_of(kind, self.component, &last, span)?.class(krate);
                classes.extend(quote!(#class,));
            }
            visits.extend(if classes.is_empty() {
                quote_spanned!(Span::mixed_site()=> #visit(#binding, visitor);)
            } else {
                quote_spanned! {Span::mixed_site()=>
                    visitor.named(&[#classes], |visitor| #visit(#binding, visitor));
                }
            });
            marked.push(Marked { ty, asked: asked.into_iter().map(|(asked, _)| asked).collect() });
        }
        let arm = quote_spanned!(Span::mixed_site()=> #pattern { #bindings .. } => { #visits });
        Ok((arm, marked))
    }
}

/// What the attributes of a field ask for.
fn asked_of(field: &Field) -> Result<Vec<(Asked, &Attribute)>> {
    let mut asked: Vec<(Asked, &Attribute)> = Vec::new();
    for attribute in &field.attrs {
        let Some((name, is)) = ATTRIBUTES.iter().find(|(name, _)| attribute.path().is_ident(name)) else {
            continue;
        };
        if asked.iter().any(|(other, _)| other == is) {
            let message = format!("`#[{name}]` stands on this field twice: keep one");
            return Err(Error::new_spanned(attribute, message));
        }
        if *is == Asked::Named && attribute.meta.require_path_only().is_err() {
            let message = "`#[instrument]` takes nothing on a field, whose type has the names: to give the locks in it \
                           one name, write `#[mutex(\"component/name\")]`, `#[rwlock(…)]` or `#[condvar(…)]`";
            return Err(Error::new_spanned(attribute, message));
        }
        Spelled::of(&field.ty).check(*is, attribute_of)?;
        asked.push((*is, attribute));
    }
    if asked.len() > 1
        && let Some((_, attribute)) = asked.iter().find(|(asked, _)| *asked == Asked::Named)
    {
        let message = "`#[instrument]` lets what the field holds name its locks itself: keep it, or the attributes that \
                       name them here";
        return Err(Error::new_spanned(attribute, message));
    }
    Ok(asked)
}

/// `#[instrument(…)]` on the type.
fn on_the_type() -> Place {
    Place {
        attribute: "instrument",
        takes: "a type takes `#[instrument(component = \"kv\")]` and `crate = path`".to_owned(),
        name: NameRule::Refused(
            "each field has a name of its own: write `component = \"…\"` here, and the name on the field, as in \
             `#[mutex(\"kv/Shard::map\")]`"
                .to_owned(),
        ),
        outer: None,
    }
}

/// `#[mutex]` and the like on a field.
fn on_a_field(asked: Asked) -> Place {
    let attribute = attribute_of(asked);
    Place {
        attribute,
        takes: format!("a field takes `#[{attribute}]` or `#[{attribute}(\"component/name\")]`"),
        name: NameRule::Optional,
        outer: Some("goes on the type, in `#[instrument(…)]`"),
    }
}
