//! The arguments of the attributes: a name first or as `name = "…"`, `crate = path`, and what else each one takes.
//!
//! Knows their grammar and nothing of the items they stand on.

use crate::name::{Kind, Name};
use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Error, Expr, Ident, Lit, LitStr, Path, Result, Token, parse_quote};

/// What was written in an attribute's parentheses.
pub(crate) struct Args {
    /// Where the generated code finds pfs.
    pub(crate) krate: Path,
    /// The name, if one is given.
    pub(crate) name: Option<Name>,
    /// `#[statement]`: the expression of the statement's text.
    pub(crate) text: Option<Expr>,
    /// `#[statement]`: what is an error, from what is returned.
    pub(crate) err: Option<(Ident, Expr)>,
    /// `#[statement]` and `#[stage]`: the word that says that the call is meant, and not the future that it makes.
    pub(crate) sync: Option<Ident>,
}

/// The crate's name where nothing else is said.
pub(crate) fn default_crate() -> Path {
    parse_quote!(::pfs)
}

impl Args {
    /// Reads the arguments of the attribute `#[attribute]`, which declares a class of `kind`.
    pub(crate) fn parse(kind: Kind, attribute: &str, tokens: TokenStream) -> Result<Self> {
        let parser = |input: ParseStream<'_>| Self::parse_in(kind, attribute, input);
        parser.parse2(tokens)
    }

    fn parse_in(kind: Kind, attribute: &str, input: ParseStream<'_>) -> Result<Self> {
        let mut args = Self { krate: default_crate(), name: None, text: None, err: None, sync: None };
        let mut krate_seen = false;
        let mut first = true;
        while !input.is_empty() {
            if input.peek(Lit) {
                let name = string(kind, input)?;
                if !first || args.name.is_some() {
                    return Err(Error::new(name.span(), "the name comes first, and only once"));
                }
                args.name = Some(Name::given(kind, &name)?);
            } else if let Some(word) = sync(kind, input) {
                once(args.sync.is_some(), &word)?;
                args.sync = Some(word);
            } else {
                let key = key(kind, attribute, args.name.is_none(), input)?;
                match key.to_string().as_str() {
                    "name" => {
                        once(args.name.is_some(), &key)?;
                        args.name = Some(Name::given(kind, &string(kind, input)?)?);
                    }
                    "crate" => {
                        once(krate_seen, &key)?;
                        krate_seen = true;
                        args.krate = krate(input)?;
                    }
                    "text" if kind == Kind::Statement => {
                        once(args.text.is_some(), &key)?;
                        valued(&key, "an expression of the arguments, as in `text = line`", input)?;
                        args.text = Some(input.parse()?);
                    }
                    "err" if kind == Kind::Statement => {
                        once(args.err.is_some(), &key)?;
                        valued(
                            &key,
                            "a closure, as in `err = |r| r.is_none().then_some(\"no row\")`",
                            input,
                        )?;
                        args.err = Some((key, input.parse()?));
                    }
                    "sync" if measures(kind) => {
                        return Err(Error::new(key.span(), "`sync` takes no value: write the word alone"));
                    }
                    "text" | "err" => {
                        let message =
                            format!("`{key}` belongs to `#[statement]`: {}", takes(kind, attribute));
                        return Err(Error::new(key.span(), message));
                    }
                    _ => {
                        let message = format!("unknown argument `{key}`: {}", takes(kind, attribute));
                        return Err(Error::new(key.span(), message));
                    }
                }
            }
            first = false;
            comma(input)?;
        }
        Ok(args)
    }
}

impl Args {
    /// Reads the arguments of `#[attribute]`, which declares no class and so takes `crate = path` alone.
    pub(crate) fn only_crate(attribute: &str, tokens: TokenStream) -> Result<Path> {
        let takes = format!(
            "`#[{attribute}]` takes `crate = path` alone: the names stand at the fields of the type, as in \
             `#[mutex(\"kv/Queue::jobs\")]`"
        );
        let parser = |input: ParseStream<'_>| {
            let mut path = None;
            while !input.is_empty() {
                let place = input.span();
                let key = input.call(Ident::parse_any).map_err(|_| Error::new(place, &takes))?;
                if key != "crate" || !input.peek(Token![=]) {
                    return Err(Error::new(place, &takes));
                }
                input.parse::<Token![=]>()?;
                once(path.is_some(), &key)?;
                path = Some(krate(input)?);
                comma(input)?;
            }
            Ok(path.unwrap_or_else(default_crate))
        };
        parser.parse2(tokens)
    }
}

/// The word `sync`, which has no value.
fn sync(kind: Kind, input: ParseStream<'_>) -> Option<Ident> {
    let ahead = input.fork();
    let word = ahead.call(Ident::parse_any).ok().filter(|word| word == "sync")?;
    let alone = ahead.is_empty() || ahead.peek(Token![,]);
    (alone && measures(kind)).then(|| input.call(Ident::parse_any).unwrap_or(word))
}

/// Whether the attribute measures a function.
fn measures(kind: Kind) -> bool {
    matches!(kind, Kind::Statement | Kind::Stage)
}

/// A key and its `=`.
fn key(kind: Kind, attribute: &str, nameless: bool, input: ParseStream<'_>) -> Result<Ident> {
    if input.peek(Ident::peek_any) && input.peek2(Token![=]) && !input.peek2(Token![==]) {
        let key = input.call(Ident::parse_any)?;
        input.parse::<Token![=]>()?;
        return Ok(key);
    }
    let place = input.span();
    let takes = takes(kind, attribute);
    // A key without its value is not a name, nor is a second name a mistake of quotes.
    let message = match input.fork().call(Ident::parse_any) {
        Ok(key) if ["name", "crate", "text", "err"].iter().any(|known| key == known) => {
            format!("`{key}` is given by `{key} = …`: {takes}")
        }
        Ok(key) if !nameless => format!("unknown argument `{key}`: {takes}"),
        _ => return Err(bare_name(kind, input).unwrap_or_else(|| Error::new(place, takes))),
    };
    Err(Error::new(place, message))
}

/// The error for a name without its quotes, as in `#[stage(kv/parsing)]`.
fn bare_name(kind: Kind, input: ParseStream<'_>) -> Option<Error> {
    let start = input.span();
    let mut text = String::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        match input.parse::<TokenTree>().ok()? {
            TokenTree::Group(_) => return None,
            token => text.push_str(&token.to_string()),
        }
    }
    Name::given(kind, &LitStr::new(&text, start)).ok()?;
    Some(Error::new(start, format!("a name is written as a string: \"{text}\"")))
}

/// A string literal that holds a name.
fn string(kind: Kind, input: ParseStream<'_>) -> Result<LitStr> {
    if input.fork().parse::<LitStr>().is_ok() {
        return input.parse();
    }
    let message = format!(
        "a name is a string literal, because classes are known when the program is linked: write it out, \
         as in \"{}\"",
        kind.example()
    );
    // The whole of what stands there, so that the error underlines it.
    Err(input.parse::<Expr>().map_or_else(
        |nothing| Error::new(nothing.span(), &message),
        |written| Error::new_spanned(written, &message),
    ))
}

/// The path after `crate =`.
pub(crate) fn krate(input: ParseStream<'_>) -> Result<Path> {
    if input.peek(Lit) {
        let written: Lit = input.parse()?;
        let path = match &written {
            Lit::Str(text) if text.parse::<Path>().is_ok() => text.value(),
            _ => "perf".to_owned(),
        };
        let message = format!("`crate` takes a path and not a literal: write `crate = {path}`");
        return Err(Error::new(written.span(), message));
    }
    input.call(Path::parse_mod_style)
}

/// The comma after an argument, or the end.
pub(crate) fn comma(input: ParseStream<'_>) -> Result<()> {
    if input.is_empty() {
        return Ok(());
    }
    if !input.peek(Token![,]) {
        return Err(input.error("expected `,` and the next argument"));
    }
    input.parse::<Token![,]>().map(drop)
}

/// An error if nothing follows the `=` of `key`.
fn valued(key: &Ident, what: &str, input: ParseStream<'_>) -> Result<()> {
    if input.is_empty() || input.peek(Token![,]) {
        return Err(Error::new(key.span(), format!("`{key}` takes {what}")));
    }
    Ok(())
}

/// An error if `key` was already given.
pub(crate) fn once(seen: bool, key: &Ident) -> Result<()> {
    if seen {
        return Err(Error::new(key.span(), format!("`{key}` is given twice: keep one")));
    }
    Ok(())
}

/// What the attribute accepts, for messages.
fn takes(kind: Kind, attribute: &str) -> String {
    let example = kind.example();
    let more = match kind {
        Kind::Statement => ", `text = expr`, `err = |r| …`, `sync`",
        Kind::Stage => ", `sync`",
        _ => "",
    };
    format!(
        "`#[{attribute}]` takes a name (\"{example}\" or `name = \"{example}\"`){more} and `crate = path`"
    )
}

/// `compile_error!` at the error's place, before what must still be there for the rest of the program to resolve.
pub(crate) fn report(error: &Error, item: &TokenStream) -> TokenStream {
    let mut tokens = error.to_compile_error();
    tokens.extend(item.clone());
    tokens
}
