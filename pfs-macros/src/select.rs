//! `pfs::crossbeam::channel::select!`: crossbeam's own, with the selection as a wait.
//!
//! `pfs` puts `[$crate::crossbeam::channel]` first and then the macro of crossbeam's that is meant. What is written is
//! passed on to that as it is, but for a step that ends the wait before any code of the user's runs: in front of each
//! case's body, or of the message of a send. What does not look like a `select!` is passed on untouched, so that
//! crossbeam says what is wrong with it.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Expr, ExprBlock, Ident, Pat, Path, Result, Token, bracketed, parenthesized, token};

/// Expands the macro.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let parser = |input: ParseStream<'_>| {
        let (krate, select);
        bracketed!(krate in input);
        let krate: Path = krate.call(Path::parse_mod_style)?;
        bracketed!(select in input);
        let select: Ident = select.parse()?;
        Ok((krate, select, input.parse::<TokenStream>()?))
    };
    let (krate, select, written) = match parser.parse2(input) {
        Ok(parts) => parts,
        Err(error) => return error.into_compile_error(),
    };
    let selection = Parser::parse2(Selection::parse, written.clone()).ok();
    selection
        .and_then(|selection| selection.counted(&krate, &select))
        .unwrap_or_else(|| quote_spanned!(Span::mixed_site()=> #krate::__private::#select! { #written }))
}

/// What a `select!` is written as.
struct Selection(Vec<Case>);

/// `recv(receiver) -> pattern => body`, `send(sender, message) -> pattern => body`, `default => body`,
/// `default(timeout) => body`.
struct Case {
    operation: Ident,
    arguments: Vec<Expr>,
    result: Option<Pat>,
    body: Expr,
}

impl Selection {
    /// The same with a wait, if it may block.
    fn counted(&self, krate: &Path, select: &Ident) -> Option<TokenStream> {
        let begin = match self.0.iter().find(|case| case.operation == "default") {
            Some(default) if default.arguments.is_empty() => return None,
            Some(_) => quote!(begin_in_time),
            None => quote!(begin),
        };
        let cases = self.0.iter().map(Case::counted);
        // In a block of its own, as crossbeam's, so that it is an expression wherever that is one.
        Some(quote_spanned! {Span::mixed_site()=> {
            let selecting = #krate::__private::Selecting::#begin();
            #krate::__private::#select! { #(#cases)* }
        }})
    }
}

impl Parse for Selection {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut cases = Vec::new();
        while !input.is_empty() {
            cases.push(input.parse()?);
        }
        Ok(Self(cases))
    }
}

impl Case {
    /// The same, with the end of the wait before what the user's code does.
    fn counted(&self) -> TokenStream {
        let Self { operation, arguments, result, body } = self;
        let end = quote_spanned!(Span::mixed_site()=> selecting.end(););
        let result = result.iter();
        match &arguments[..] {
            // The message is looked at when the operation has been selected.
            [sender, message] => {
                let message = statements(message);
                let body = statements(body);
                quote!(#operation(#sender, { #end #message }) #(-> #result)* => { #body },)
            }
            arguments => {
                let body = statements(body);
                let arguments = match arguments {
                    [] => quote!(),
                    arguments => quote!((#(#arguments),*)),
                };
                quote!(#operation #arguments #(-> #result)* => { #end #body },)
            }
        }
    }
}

/// An expression as it stands behind others in a block: a block of its own is none within.
fn statements(expr: &Expr) -> TokenStream {
    match expr {
        Expr::Block(ExprBlock { attrs, label: None, block }) if attrs.is_empty() => {
            let statements = &block.stmts;
            quote!(#(#statements)*)
        }
        expr => quote!(#expr),
    }
}

impl Parse for Case {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let operation: Ident = input.call(Ident::parse_any)?;
        let count = match operation.to_string().as_str() {
            "recv" => 1..=1,
            "send" => 2..=2,
            "default" => 0..=1,
            _ => return Err(input.error("no operation of a channel")),
        };
        let mut arguments = Vec::new();
        if input.peek(token::Paren) {
            let content;
            parenthesized!(content in input);
            arguments.extend(content.parse_terminated(Expr::parse, Token![,])?);
        }
        if !count.contains(&arguments.len()) {
            return Err(input.error("not the arguments of the operation"));
        }
        let mut result = None;
        if input.parse::<Option<Token![->]>>()?.is_some() {
            result = Some(input.call(Pat::parse_multi_with_leading_vert)?);
        }
        input.parse::<Token![=>]>()?;
        // As in a `match`: a block needs no comma.
        let body = input.call(Expr::parse_with_earlier_boundary_rule)?;
        input.parse::<Option<Token![,]>>()?;
        Ok(Self { operation, arguments, result, body })
    }
}
