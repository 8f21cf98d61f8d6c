//! `#[derive(Statement)]`: a statement class a variant, or one for a struct.

use crate::args::{comma, default_crate, krate, once};
use crate::name::{Kind, Name};
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use std::collections::HashMap;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Data, DataEnum, DeriveInput, Error, Ident, Lit, LitStr, Path, Result, Token, Variant};

/// Expands the derive on `item`.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    syn::parse2(item).and_then(|item| implemented(&item)).unwrap_or_else(Error::into_compile_error)
}

fn implemented(item: &DeriveInput) -> Result<TokenStream> {
    let container = Options::of(&item.attrs, Place::of(&item.data))?;
    let krate = container.krate.clone().unwrap_or_else(default_crate);
    let class = match &item.data {
        Data::Enum(data) => by_variant(&container, &krate, data)?,
        Data::Struct(_) => container.name_of(&container, &item.ident)?.class(&krate),
        Data::Union(data) => {
            let message =
                "`#[derive(Statement)]` takes an enum, whose variants are the statements, or a struct";
            return Err(Error::new(data.union_token.span, message));
        }
    };

    let DeriveInput { ident, generics, .. } = item;
    let (parameters, arguments, bounds) = generics.split_for_impl();
    Ok(quote_spanned! {Span::mixed_site()=>
        #[automatically_derived]
        impl #parameters #krate::Statement for #ident #arguments #bounds {
            fn class(&self) -> &'static #krate::__private::Class {
                #class
            }
        }
    })
}

/// The class of the variant at hand.
fn by_variant(container: &Options, krate: &Path, data: &DataEnum) -> Result<TokenStream> {
    let mut classes: HashMap<String, (bool, Class<'_>)> = HashMap::new();
    let mut order = Vec::new();
    for variant in &data.variants {
        let options = Options::of(&variant.attrs, Place::Variant)?;
        let said = options.name.is_some();
        let name = options.name_of(container, &variant.ident)?;
        let key = match &name {
            Name::Whole(_, name) | Name::InCrate(_, name) => name.value(),
        };
        match classes.get_mut(&key) {
            // Nobody chose this: two spellings of a variant became one.
            Some((other_said, other)) if !said && !*other_said => {
                let message = format!(
                    "`{}` and `{}` would both be the statement \"{key}\": name one with `#[statement(name = \"…\")]`",
                    other.variants[0].ident, variant.ident
                );
                return Err(Error::new(variant.ident.span(), message));
            }
            Some((_, class)) => class.variants.push(variant),
            None => {
                order.push(key.clone());
                classes.insert(key, (said, Class { name, variants: vec![variant] }));
            }
        }
    }
    let arms = order.iter().filter_map(|key| classes.get(key)).map(|(_, class)| {
        let value = class.name.class(krate);
        let variants = class.variants.iter().map(|variant| &variant.ident);
        quote_spanned!(Span::mixed_site()=> #(Self::#variants { .. })|* => #value)
    });
    // By value, so that an enum without variants is matched too.
    Ok(quote_spanned!(Span::mixed_site()=> match *self { #(#arms)* }))
}

/// A class and the variants that are it.
struct Class<'a> {
    name: Name,
    variants: Vec<&'a Variant>,
}

/// What a `#[statement(…)]` of the derive stands on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Enum,
    Struct,
    Variant,
}

impl Place {
    fn of(data: &Data) -> Self {
        if matches!(data, Data::Enum(_)) { Self::Enum } else { Self::Struct }
    }

    fn takes(self) -> &'static str {
        match self {
            Self::Enum => "an enum takes `#[statement(component = \"kv\")]` and `crate = path`",
            Self::Struct => {
                "a struct takes `#[statement(component = \"kv\", name = \"get\")]` and `crate = path`"
            }
            Self::Variant => "a variant takes `#[statement(name = \"get\")]`",
        }
    }
}

/// What the `#[statement(…)]` of one place say.
#[derive(Default)]
struct Options {
    krate: Option<Path>,
    component: Option<LitStr>,
    name: Option<LitStr>,
}

impl Options {
    fn of(attrs: &[Attribute], place: Place) -> Result<Self> {
        let mut options = Self::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("statement")) {
            if attr.meta.require_list().is_err() {
                return Err(Error::new_spanned(
                    &attr.meta,
                    format!("nothing is said here: {}", place.takes()),
                ));
            }
            attr.parse_args_with(|input: ParseStream<'_>| options.read(place, input))?;
        }
        Ok(options)
    }

    fn read(&mut self, place: Place, input: ParseStream<'_>) -> Result<()> {
        while !input.is_empty() {
            if input.peek(Lit) {
                let name = string(input)?;
                self.set_name(place, name)?;
            } else {
                let key =
                    input.call(Ident::parse_any).map_err(|error| Error::new(error.span(), place.takes()))?;
                input.parse::<Token![=]>().map_err(|error| {
                    Error::new(error.span(), format!("`{key}` takes a value: {}", place.takes()))
                })?;
                match key.to_string().as_str() {
                    "name" => {
                        once(self.name.is_some(), &key)?;
                        if place == Place::Enum {
                            return Err(Error::new(key.span(), each_variant()));
                        }
                        let name = string(input)?;
                        self.set_name(place, name)?;
                    }
                    "component" if place != Place::Variant => {
                        once(self.component.is_some(), &key)?;
                        self.component = Some(string(input)?);
                    }
                    "crate" if place != Place::Variant => {
                        once(self.krate.is_some(), &key)?;
                        self.krate = Some(krate(input)?);
                    }
                    "component" | "crate" => {
                        return Err(Error::new(
                            key.span(),
                            format!("`{key}` goes on the enum; {}", place.takes()),
                        ));
                    }
                    _ => {
                        let message = format!("unknown argument `{key}`: {}", place.takes());
                        return Err(Error::new(key.span(), message));
                    }
                }
            }
            comma(input)?;
        }
        Ok(())
    }

    fn set_name(&mut self, place: Place, name: LitStr) -> Result<()> {
        if place == Place::Enum {
            return Err(Error::new(name.span(), each_variant()));
        }
        if self.name.is_some() {
            return Err(Error::new(name.span(), "the name is given twice: keep one"));
        }
        self.name = Some(name);
        Ok(())
    }

    /// The name of the class of `ident`, whose own options these are.
    fn name_of(&self, container: &Options, ident: &Ident) -> Result<Name> {
        let component = container.component.as_ref();
        let Some(name) = &self.name else {
            let last = snake_case(&ident.unraw().to_string());
            let Some(component) = component else {
                return Name::in_crate(Kind::Statement, &last, ident.span());
            };
            if !last.is_ascii() {
                // Refused with the same words as without a component.
                return Name::in_crate(Kind::Statement, &last, ident.span());
            }
            // Checked first alone, so that a mistake stands at the component.
            Name::given(Kind::Statement, component)?;
            return Name::given(
                Kind::Statement,
                &LitStr::new(&format!("{}/{last}", component.value()), component.span()),
            );
        };
        Name::given(Kind::Statement, name)?;
        let text = name.value();
        let Some(component) = component else {
            // With a component of its own it is the whole tail, as in the other macros.
            return if text.contains('/') {
                Name::given(Kind::Statement, name)
            } else {
                Name::in_crate(Kind::Statement, &text, name.span())
            };
        };
        Name::given(Kind::Statement, component)?;
        let component = component.value();
        if let Some(rest) = text.strip_prefix(&component).and_then(|rest| rest.strip_prefix('/')) {
            let message = format!("the component \"{component}\" is already given: write only \"{rest}\"");
            return Err(Error::new(name.span(), message));
        }
        Name::given(Kind::Statement, &LitStr::new(&format!("{component}/{text}"), name.span()))
    }
}

fn each_variant() -> &'static str {
    "each variant is a statement of its own: write `component = \"…\"` here, and `#[statement(name = \"…\")]` on a \
     variant"
}

fn string(input: ParseStream<'_>) -> Result<LitStr> {
    let place = input.span();
    input.parse().map_err(|_| Error::new(place, "expected a string literal, as in \"kv\""))
}

/// `SetMany` → `set_many`, `HTTPGet` → `http_get`, `GET` → `get`.
fn snake_case(ident: &str) -> String {
    let chars: Vec<char> = ident.chars().collect();
    let mut snake = String::with_capacity(ident.len() + 4);
    for (at, &c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| chars[at]);
        let after = chars.get(at + 1);
        let starts_a_word = c.is_uppercase()
            && before.is_some_and(|before| {
                before != '_' && (!before.is_uppercase() || after.is_some_and(|after| after.is_lowercase()))
            });
        if starts_a_word {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::snake_case;

    #[test]
    fn words_of_a_variant() {
        for (variant, name) in [
            ("Get", "get"),
            ("SetMany", "set_many"),
            ("GET", "get"),
            ("HTTPGet", "http_get"),
            ("LPush", "l_push"),
            ("V2Get", "v2_get"),
            ("Utf8", "utf8"),
            ("X", "x"),
            ("snake_Already", "snake_already"),
        ] {
            assert_eq!(snake_case(variant), name);
        }
    }
}
