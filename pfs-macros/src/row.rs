//! `#[derive(Row)]`: the metadata of a table's columns, read from the struct of its rows.
//!
//! A field is a column: its identifier in upper case is the column's name, its doc comment the column's
//! documentation, its type the column's type. `#[row(…)]` on a field says what the type cannot:
//!
//! | in `#[row(…)]` | meaning |
//! |---|---|
//! | `unit = picoseconds` (`bytes`, `seconds`, `hertz`, `cycles`, `address`) | how people read the number |
//! | `varchar = N`, `char = N` | the declared width of a text (without it: `longtext`) |
//! | `timestamp = N` | the text is a date and time, with so many digits of a second's fraction |
//! | `set = ["a", "b"]` | the text is a comma-separated set of these |
//! | `key` | equality on the column is pushed down |
//! | `updatable` | `UPDATE` may set the column |
//! | `name = "TYPE"` | a column name that cannot be a field's name |
//! | `flatten` | the field is a group of columns that derives `Row` itself |
//! | `deref` | with `flatten`: the row dereferences to the group, so that `row.count_star` works |
//!
//! The derive is for the engine's own tables: what it writes names `crate::tables`.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, ExprLit, Field, Fields, Ident, Lit, LitInt, LitStr, Meta,
};

/// What the derive writes for one row struct, or the error at the token that is wrong.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    syn::parse2(item).and_then(|input| derive(&input)).unwrap_or_else(|error| error.to_compile_error())
}

fn derive(input: &DeriveInput) -> Result<TokenStream, Error> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new(input.span(), "a row is a struct with a named field for each column"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new(input.span(), "a row is a struct with a named field for each column"));
    };
    if !input.generics.params.is_empty() {
        return Err(Error::new(input.generics.span(), "a row's columns are constants: it takes no generics"));
    }
    let columns = fields.named.iter().map(Part::parse).collect::<Result<Vec<_>, _>>()?;
    let row = &input.ident;

    let mut offsets = Vec::new();
    let mut lists = Vec::new();
    let mut arms = Vec::new();
    let mut end = quote!(0);
    for (position, part) in columns.iter().enumerate() {
        let at = format_ident!("AT_{position}");
        offsets.push(quote!(const #at: usize = #end;));
        match part {
            Part::Column { field, column } => {
                lists.push(quote!(&[#column]));
                arms.push(quote!(#at => crate::tables::Field::value(&self.#field),));
                end = quote!(#at + 1);
            }
            Part::Group { field, ty, .. } => {
                let next = format_ident!("END_{position}");
                let group = quote!(<#ty as crate::tables::Row>);
                offsets.push(quote!(const #next: usize = #at + #group::COLUMNS.len();));
                lists.push(quote!(#group::COLUMNS));
                arms.push(quote!(#at..#next => crate::tables::Row::get(&self.#field, column - #at),));
                end = quote!(#next);
            }
        }
    }

    let deref = deref(row, &columns)?;
    Ok(quote! {
        const _: () = {
            #(#offsets)*
            const COUNT: usize = #end;
            const COLUMNS: [crate::tables::Column; COUNT] = crate::tables::Column::concat(&[#(#lists),*]);

            impl crate::tables::Row for #row {
                const COLUMNS: &'static [crate::tables::Column] = &COLUMNS;

                fn get(&self, column: usize) -> crate::tables::Value<'_> {
                    match column {
                        #(#arms)*
                        _ => crate::tables::no_such_column(column, COUNT),
                    }
                }
            }

            impl ::core::fmt::Display for #row {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    crate::tables::display_row(self, f)
                }
            }

            #[cfg(feature = "serde")]
            impl ::serde::Serialize for #row {
                fn serialize<S: ::serde::Serializer>(
                    &self,
                    serializer: S,
                ) -> ::core::result::Result<S::Ok, S::Error> {
                    crate::tables::serialize_row(self, serializer)
                }
            }

            #deref
        };
    })
}

/// A field of the row struct: a column, or a group of columns.
enum Part {
    Column { field: Ident, column: Box<TokenStream> },
    Group { field: Ident, ty: Box<syn::Type>, deref: Option<Span> },
}

impl Part {
    fn parse(field: &Field) -> Result<Self, Error> {
        let Some(ident) = field.ident.clone() else {
            return Err(Error::new(field.span(), "a column needs a name"));
        };
        let options = Options::parse(&field.attrs)?;
        if options.flatten {
            return Ok(Part::Group { field: ident, ty: Box::new(field.ty.clone()), deref: options.deref });
        }
        if let Some(span) = options.deref {
            return Err(Error::new(span, "`deref` goes with `flatten`"));
        }
        let doc = doc(&field.attrs);
        if doc.is_empty() {
            return Err(Error::new(
                ident.span(),
                "a column needs a doc comment: it is the column's documentation",
            ));
        }
        let name = match options.name {
            Some(name) => name.value(),
            None => ident.unraw().to_string().to_uppercase(),
        };
        let lower = name.to_lowercase();
        let field_ty = &field.ty;
        let field_impl = quote_spanned!(field_ty.span()=> <#field_ty as crate::tables::Field>);
        let ty = options.ty.unwrap_or_else(|| quote!(#field_impl::TYPE));
        let unit = options.unit.unwrap_or_else(|| format_ident!("None"));
        let Options { key, updatable, .. } = options;
        Ok(Part::Column {
            field: ident,
            column: Box::new(quote! {
                crate::tables::Column {
                    name: #name,
                    lower: #lower,
                    ty: #ty,
                    nullable: #field_impl::NULLABLE,
                    unit: crate::tables::Unit::#unit,
                    updatable: #updatable,
                    key: #key,
                    doc: #doc,
                }
            }),
        })
    }
}

/// What stands in the `#[row(…)]` of one field.
#[derive(Default)]
struct Options {
    name: Option<LitStr>,
    ty: Option<TokenStream>,
    unit: Option<Ident>,
    key: bool,
    updatable: bool,
    flatten: bool,
    deref: Option<Span>,
}

impl Options {
    fn parse(attributes: &[Attribute]) -> Result<Self, Error> {
        let mut options = Options::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("row")) {
            attribute.parse_nested_meta(|meta| {
                let Some(word) = meta.path.get_ident() else {
                    return Err(meta.error("expected one word"));
                };
                match word.to_string().as_str() {
                    "key" => options.key = true,
                    "updatable" => options.updatable = true,
                    "flatten" => options.flatten = true,
                    "deref" => options.deref = Some(word.span()),
                    "name" => options.name = Some(meta.value()?.parse()?),
                    "varchar" => {
                        let width: LitInt = meta.value()?.parse()?;
                        options.ty = Some(quote!(crate::tables::Type::Varchar(#width)));
                    }
                    "char" => {
                        let width: LitInt = meta.value()?.parse()?;
                        options.ty = Some(quote!(crate::tables::Type::Char(#width)));
                    }
                    "timestamp" => {
                        let digits: LitInt = meta.value()?.parse()?;
                        options.ty = Some(quote!(crate::tables::Type::Timestamp(#digits)));
                    }
                    "set" => {
                        let members: syn::ExprArray = meta.value()?.parse()?;
                        options.ty = Some(quote!(crate::tables::Type::Set(&#members)));
                    }
                    "unit" => options.unit = Some(unit(&meta.value()?.parse()?)?),
                    _ => {
                        return Err(meta.error(
                            "expected one of `name`, `unit`, `varchar`, `char`, `timestamp`, `set`, `key`, \
                             `updatable`, `flatten`, `deref`",
                        ));
                    }
                }
                Ok(())
            })?;
        }
        Ok(options)
    }
}

/// The variant of `Unit` that a word of `unit = …` stands for.
fn unit(word: &Ident) -> Result<Ident, Error> {
    let variant = match word.to_string().as_str() {
        "picoseconds" => "Picoseconds",
        "bytes" => "Bytes",
        "seconds" => "Seconds",
        "hertz" => "Hertz",
        "cycles" => "Cycles",
        "address" => "Address",
        _ => {
            return Err(Error::new(
                word.span(),
                "expected one of `picoseconds`, `bytes`, `seconds`, `hertz`, `cycles`, `address`",
            ));
        }
    };
    Ok(Ident::new(variant, word.span()))
}

/// The doc comment as one paragraph.
fn doc(attributes: &[Attribute]) -> String {
    let mut doc = String::new();
    for attribute in attributes {
        let Meta::NameValue(pair) = &attribute.meta else { continue };
        let Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) = &pair.value else { continue };
        if !pair.path.is_ident("doc") {
            continue;
        }
        let line = line.value();
        let line = line.trim();
        if !doc.is_empty() && !line.is_empty() {
            doc.push(' ');
        }
        doc.push_str(line);
    }
    doc
}

/// `Deref` to the one group that asks for it.
fn deref(row: &Ident, parts: &[Part]) -> Result<TokenStream, Error> {
    let mut found = None;
    for part in parts {
        let Part::Group { field, ty, deref: Some(span) } = part else { continue };
        if found.is_some() {
            return Err(Error::new(*span, "a row dereferences to one group at most"));
        }
        found = Some(quote! {
            impl ::core::ops::Deref for #row {
                type Target = #ty;

                fn deref(&self) -> &#ty {
                    &self.#field
                }
            }
        });
    }
    Ok(found.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(item: &str) -> String {
        let input = syn::parse_str(item).expect("the item parses");
        derive(&input).expect_err("the item is no row").to_string()
    }

    #[test]
    fn mistakes_say_what_to_write() {
        assert_eq!(error("enum Row { A }"), "a row is a struct with a named field for each column");
        assert_eq!(error("struct Row(u64);"), "a row is a struct with a named field for each column");
        assert_eq!(error("struct Row<T> { a: T }"), "a row's columns are constants: it takes no generics");
        assert_eq!(
            error("struct Row { a: u64 }"),
            "a column needs a doc comment: it is the column's documentation"
        );
        assert_eq!(
            error("struct Row { #[doc = \"A.\"] #[row(unit = ticks)] a: u64 }"),
            "expected one of `picoseconds`, `bytes`, `seconds`, `hertz`, `cycles`, `address`"
        );
        assert_eq!(
            error("struct Row { #[doc = \"A.\"] #[row(index)] a: u64 }"),
            "expected one of `name`, `unit`, `varchar`, `char`, `timestamp`, `set`, `key`, `updatable`, `flatten`, \
             `deref`"
        );
        assert_eq!(
            error("struct Row { #[doc = \"A.\"] #[row(deref)] a: u64 }"),
            "`deref` goes with `flatten`"
        );
        assert_eq!(
            error("struct Row { #[row(flatten, deref)] a: A, #[row(flatten, deref)] b: B }"),
            "a row dereferences to one group at most"
        );
    }
}
