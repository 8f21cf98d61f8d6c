//! `#[derive(Statement)]`, `#[derive(Stage)]`: a class a variant, or one for a struct.

use super::options::{NameRule, Options, Place};
use crate::args::default_crate;
use crate::name::{Kind, Name};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use std::collections::HashMap;
use syn::ext::IdentExt;
use syn::{Data, DataEnum, DeriveInput, Error, Ident, Path, Result, Variant};

/// Expands the derive of the trait of `kind` on `item`.
pub(crate) fn expand(kind: Kind, item: TokenStream) -> TokenStream {
    let derive = Derive::of(kind);
    let item = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    derive.implemented(&item).unwrap_or_else(|error| {
        // With the trait, so that nothing is said of those who use it.
        let unknown = quote_spanned!(Span::mixed_site()=> loop {});
        let mut tokens = error.into_compile_error();
        tokens.extend(derive.around(&item, &derive.krate(&item), &unknown));
        tokens
    })
}

/// One of the two derives.
struct Derive {
    kind: Kind,
    /// The trait.
    name: &'static str,
    attribute: &'static str,
    example: &'static str,
}

impl Derive {
    fn of(kind: Kind) -> Self {
        let (name, attribute, example) = match kind {
            Kind::Stage => ("Stage", "stage", "parsing"),
            _ => ("Statement", "statement", "get"),
        };
        Self { kind, name, attribute, example }
    }

    fn implemented(&self, item: &DeriveInput) -> Result<TokenStream> {
        let Self { name, attribute, .. } = self;
        let container = Options::of(&item.attrs, &self.place(&item.data))?;
        self.refuse_on_fields(&item.data)?;
        let krate = container.krate.clone().unwrap_or_else(default_crate);
        let class = match &item.data {
            Data::Enum(data) => self.by_variant(&container, &krate, data)?,
            Data::Struct(_) => self.value(&self.name_of(&container, &container, &item.ident)?, &krate),
            Data::Union(data) => {
                let message = format!(
                    "`#[derive({name})]` takes an enum, whose variants are the {attribute}s, or a struct"
                );
                return Err(Error::new(data.union_token.span, message));
            }
        };
        Ok(self.around(item, &krate, &class))
    }

    /// An error for an attribute on a field, where it would say nothing.
    fn refuse_on_fields(&self, data: &Data) -> Result<()> {
        let (fields, place): (Vec<_>, _) = match data {
            Data::Enum(data) => {
                (data.variants.iter().flat_map(|variant| &variant.fields).collect(), "variant")
            }
            Data::Struct(data) => (data.fields.iter().collect(), "struct"),
            Data::Union(_) => return Ok(()),
        };
        let attribute = self.attribute;
        match fields.iter().flat_map(|field| &field.attrs).find(|attr| attr.path().is_ident(attribute)) {
            Some(attr) => {
                let message = format!(
                    "`#[{attribute}]` goes on the {place}, which is the {attribute}, and not on a field"
                );
                Err(Error::new_spanned(attr.path(), message))
            }
            None => Ok(()),
        }
    }

    /// Where the generated code finds pfs, whatever else is wrong.
    fn krate(&self, item: &DeriveInput) -> Path {
        let options = Options::of(&item.attrs, &self.place(&item.data));
        options.ok().and_then(|options| options.krate).unwrap_or_else(default_crate)
    }

    /// The implementation whose value's class is `class`.
    fn around(&self, item: &DeriveInput, krate: &Path, class: &TokenStream) -> TokenStream {
        let Self { kind, name, .. } = self;
        let DeriveInput { ident, generics, .. } = item;
        let (parameters, arguments, bounds) = generics.split_for_impl();
        let ty = if *kind == Kind::Stage {
            quote!(#krate::stage::StageClass)
        } else {
            quote!(&'static #krate::__private::Class)
        };
        let name = Ident::new(name, Span::mixed_site());
        quote_spanned! {Span::mixed_site()=>
            #[automatically_derived]
            impl #parameters #krate::#name for #ident #arguments #bounds {
                fn class(&self) -> #ty {
                    #class
                }
            }
        }
    }

    /// What the trait's method gives for the class of that name.
    fn value(&self, name: &Name, krate: &Path) -> TokenStream {
        let class = name.class(krate);
        match self.kind {
            Kind::Stage => quote_spanned!(Span::mixed_site()=> #krate::stage::StageClass::new(#class)),
            _ => class,
        }
    }

    /// The class of the variant at hand.
    fn by_variant(&self, container: &Options, krate: &Path, data: &DataEnum) -> Result<TokenStream> {
        let mut classes: HashMap<String, (bool, Class<'_>)> = HashMap::new();
        let mut order = Vec::new();
        for variant in &data.variants {
            let options = Options::of(&variant.attrs, &self.variant())?;
            let said = options.name.is_some();
            let name = self.name_of(&options, container, &variant.ident)?;
            let key = match &name {
                Name::Whole(_, name) | Name::InCrate(_, name) => name.value(),
            };
            match classes.get_mut(&key) {
                // Nobody chose this: two spellings of a variant became one.
                Some((other_said, other)) if !said && !*other_said => {
                    let attribute = self.attribute;
                    let message = format!(
                        "`{}` and `{}` would both be the {attribute} \"{key}\": name one with \
                         `#[{attribute}(name = \"…\")]`",
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
            let value = self.value(&class.name, krate);
            let variants = class.variants.iter().map(|variant| &variant.ident);
            quote_spanned!(Span::mixed_site()=> #(Self::#variants { .. })|* => #value,)
        });
        // By value, so that an enum without variants is matched too.
        Ok(quote_spanned!(Span::mixed_site()=> match *self { #(#arms)* }))
    }

    fn name_of(&self, options: &Options, container: &Options, ident: &Ident) -> Result<Name> {
        let last = snake_case(&ident.unraw().to_string());
        options.name_of(self.kind, container.component.as_ref(), &last, ident.span())
    }

    /// What stands on the type.
    fn place(&self, data: &Data) -> Place {
        let Self { attribute, example, .. } = self;
        if matches!(data, Data::Enum(_)) {
            Place {
                attribute,
                takes: format!("an enum takes `#[{attribute}(component = \"kv\")]` and `crate = path`"),
                name: NameRule::Refused(format!(
                    "each variant is a {attribute} of its own: write `component = \"…\"` here, and \
                     `#[{attribute}(name = \"…\")]` on a variant"
                )),
                outer: None,
            }
        } else {
            Place {
                attribute,
                takes: format!(
                    "a struct takes `#[{attribute}(component = \"kv\", name = \"{example}\")]` and `crate = path`"
                ),
                name: NameRule::Taken,
                outer: None,
            }
        }
    }

    /// What stands on a variant.
    fn variant(&self) -> Place {
        let Self { attribute, example, .. } = self;
        Place {
            attribute,
            takes: format!("a variant takes `#[{attribute}(name = \"{example}\")]`"),
            name: NameRule::Taken,
            outer: Some("goes on the enum"),
        }
    }
}

/// A class and the variants that are it.
struct Class<'a> {
    name: Name,
    variants: Vec<&'a Variant>,
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
