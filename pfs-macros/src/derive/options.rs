//! The arguments of a derive's attributes: a name first or as `name = "…"`, `component = "…"`, `crate = path`.
//!
//! Which of them a place takes is the derive's to say; how they are written and what a name is made of stands here.

use crate::args::{comma, krate, once};
use crate::name::{Kind, Name};
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Ident, Lit, LitStr, Meta, Path, Result, Token};

/// Where an attribute stands, and what it takes there.
pub(super) struct Place {
    /// The attribute's name.
    pub(super) attribute: &'static str,
    /// What it takes, for messages.
    pub(super) takes: String,
    pub(super) name: NameRule,
    /// Where `component` and `crate` go if not here.
    pub(super) outer: Option<&'static str>,
}

/// Whether a name may be given.
pub(super) enum NameRule {
    /// It may.
    Taken,
    /// It may, and the attribute may also stand without any argument.
    Optional,
    /// It may not, for that reason.
    Refused(String),
}

/// What the attributes of one place say.
#[derive(Default)]
pub(super) struct Options {
    pub(super) krate: Option<Path>,
    pub(super) component: Option<LitStr>,
    pub(super) name: Option<LitStr>,
}

impl Options {
    /// What all attributes of that name say.
    pub(super) fn of(attrs: &[Attribute], place: &Place) -> Result<Self> {
        let mut options = Self::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident(place.attribute)) {
            options.add(attr, place)?;
        }
        Ok(options)
    }

    /// What one attribute says.
    pub(super) fn of_one(attr: &Attribute, place: &Place) -> Result<Self> {
        let mut options = Self::default();
        options.add(attr, place)?;
        Ok(options)
    }

    fn add(&mut self, attr: &Attribute, place: &Place) -> Result<()> {
        if matches!((&attr.meta, &place.name), (Meta::Path(_), NameRule::Optional)) {
            return Ok(());
        }
        if let Meta::NameValue(meta) = &attr.meta {
            let message = format!("what is said stands in parentheses: {}", place.takes);
            return Err(Error::new(meta.eq_token.span(), message));
        }
        if attr.meta.require_list().is_err() {
            return Err(Error::new_spanned(&attr.meta, format!("nothing is said here: {}", place.takes)));
        }
        attr.parse_args_with(|input: ParseStream<'_>| self.read(place, input))
    }

    fn read(&mut self, place: &Place, input: ParseStream<'_>) -> Result<()> {
        let takes = &place.takes;
        while !input.is_empty() {
            if input.peek(Lit) {
                let name = string(input)?;
                self.set_name(place, name.span(), name)?;
            } else {
                let key = input.call(Ident::parse_any).map_err(|error| Error::new(error.span(), takes))?;
                input.parse::<Token![=]>().map_err(|error| {
                    if ["name", "component", "crate"].iter().any(|known| key == known) {
                        Error::new(error.span(), format!("`{key}` takes a value: {takes}"))
                    } else {
                        Error::new(key.span(), format!("a name is written as a string: {takes}"))
                    }
                })?;
                match (key.to_string().as_str(), place.outer) {
                    ("name", _) => {
                        once(self.name.is_some(), &key)?;
                        if let NameRule::Refused(message) = &place.name {
                            return Err(Error::new(key.span(), message));
                        }
                        self.name = Some(string(input)?);
                    }
                    ("component", None) => {
                        once(self.component.is_some(), &key)?;
                        self.component = Some(string(input)?);
                    }
                    ("crate", None) => {
                        once(self.krate.is_some(), &key)?;
                        self.krate = Some(krate(input)?);
                    }
                    ("component" | "crate", Some(outer)) => {
                        return Err(Error::new(key.span(), format!("`{key}` {outer}; {takes}")));
                    }
                    _ => {
                        return Err(Error::new(key.span(), format!("unknown argument `{key}`: {takes}")));
                    }
                }
            }
            comma(input)?;
        }
        Ok(())
    }

    fn set_name(&mut self, place: &Place, span: Span, name: LitStr) -> Result<()> {
        if let NameRule::Refused(message) = &place.name {
            return Err(Error::new(span, message));
        }
        if self.name.is_some() {
            return Err(Error::new(span, "the name is given twice: keep one"));
        }
        self.name = Some(name);
        Ok(())
    }

    /// The name of a class that these options are of: what they say, or `last`, which stands at `span`, in the
    /// component of the whole, or else in the crate.
    pub(super) fn name_of(
        &self,
        kind: Kind,
        component: Option<&LitStr>,
        last: &str,
        span: Span,
    ) -> Result<Name> {
        let Some(name) = &self.name else {
            let Some(component) = component else {
                return Name::in_crate(kind, last, span);
            };
            if !last.is_ascii() {
                // Refused with the same words as without a component.
                return Name::in_crate(kind, last, span);
            }
            // Checked first alone, so that a mistake stands at the component.
            Name::given(kind, component)?;
            let tail = format!("{}/{last}", component.value());
            return Name::given(kind, &LitStr::new(&tail, component.span()));
        };
        Name::given(kind, name)?;
        let text = name.value();
        let Some(component) = component else {
            // With a component of its own it is the whole tail, as in the other macros.
            return if text.contains('/') {
                Name::given(kind, name)
            } else {
                Name::in_crate(kind, &text, name.span())
            };
        };
        Name::given(kind, component)?;
        let component = component.value();
        if let Some(rest) = text.strip_prefix(&component).and_then(|rest| rest.strip_prefix('/')) {
            let message = format!("the component \"{component}\" is already given: write only \"{rest}\"");
            return Err(Error::new(name.span(), message));
        }
        Name::given(kind, &LitStr::new(&format!("{component}/{text}"), name.span()))
    }
}

fn string(input: ParseStream<'_>) -> Result<LitStr> {
    let place = input.span();
    input.parse().map_err(|_| Error::new(place, "expected a string literal, as in \"kv\""))
}
