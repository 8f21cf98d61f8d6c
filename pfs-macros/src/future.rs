//! Functions that are futures, and functions that return one: the body, or what it makes, put into a future of ours that
//! is the event.
//!
//! An async function stays one: its body runs in an async block inside it, so that whether its future is `Send` is
//! decided by the compiler as before. Of a function that returns a future, the call stays what it was; what is put into
//! ours is what it returns.

use crate::args::Args;
use crate::arguments::rebind;
use crate::function::Function;
use crate::returned::{self, Ending, Future, Held, ending, inferred};
use crate::tokens::{self, Async, Expression, Tail, may_return};
use proc_macro2::{Group, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Error, Expr, Path, Result, Type};

/// What of a function is to be measured.
pub(crate) enum Measured {
    /// The call.
    Call,
    /// The future that the function is.
    Itself,
    /// The future that it returns.
    Returned(Box<Future>),
}

impl Measured {
    /// What the function and the attribute's arguments say.
    pub(crate) fn of(function: &Function, attribute: &str, args: &Args) -> Result<Self> {
        if let Some(word) = &args.sync {
            if function.sig.asyncness.is_some() {
                let message = "an `async fn` is measured while it is polled, because its call does nothing but make the \
                               future: leave `sync` out, or write a `fn` that returns the future";
                return Err(Error::new(word.span(), message));
            }
            return Ok(Self::Call);
        }
        if function.sig.asyncness.is_some() {
            return Ok(Self::Itself);
        }
        let returned = returned::returned(&function.sig.output);
        let future = returned.map(|ty| returned::future(attribute, ty)).transpose()?.flatten();
        Ok(future.map_or(Self::Call, |future| Self::Returned(Box::new(future))))
    }
}

/// The future that is the event, as the generated code makes it.
pub(crate) struct Event<'a> {
    pub(crate) krate: &'a Path,
    /// An expression of the class.
    pub(crate) class: TokenStream,
    pub(crate) kind: Kind<'a>,
    /// Where the calls are said to stand.
    pub(crate) place: Span,
}

/// What kind of event.
pub(crate) enum Kind<'a> {
    Stage,
    Statement {
        text: Option<&'a Expr>,
        /// A closure that looks at what was returned, where that may be an error.
        look: Option<TokenStream>,
    },
}

/// The function whose future is what is measured: the one that it is, or the one that it returns.
pub(crate) fn expand(function: &Function, measured: &Measured, event: &Event<'_>) -> Result<TokenStream> {
    match measured {
        Measured::Call => Ok(TokenStream::new()),
        Measured::Itself => Ok(event.around_function(function)),
        Measured::Returned(future) => event.around_returned(function, future),
    }
}

impl Event<'_> {
    fn text(&self) -> Option<&Expr> {
        if let Kind::Statement { text, .. } = &self.kind { *text } else { None }
    }

    /// The event's future around `future`, whose output is `output`.
    fn around(&self, future: &TokenStream, output: Option<&Type>) -> TokenStream {
        let Self { krate, class, .. } = self;
        match &self.kind {
            Kind::Stage => quote_spanned!(self.place=> #krate::__private::task::stage(#class, #future)),
            Kind::Statement { look: None, .. } => {
                quote_spanned!(self.place=> #krate::__private::task::statement(#class, #future))
            }
            Kind::Statement { look: Some(look), .. } => {
                let output = written(output);
                quote_spanned! {self.place=>
                    #krate::__private::task::watched::<#output, _, _>(#class, #future, #look)
                }
            }
        }
    }

    /// The same with the text that the variable `pfs_text` may hold.
    fn around_with_kept_text(&self, future: &TokenStream, output: Option<&Type>) -> TokenStream {
        let krate = self.krate;
        let (output, look) = (written(output), self.look());
        quote_spanned! {self.place=>
            #krate::__private::task::texted::<#output, _, _>(pfs_class, pfs_text, #future, #look)
        }
    }

    fn look(&self) -> TokenStream {
        if let Kind::Statement { look: Some(look), .. } = &self.kind {
            look.clone()
        } else {
            quote_spanned!(self.place=> |_, _| ())
        }
    }

    /// The event's future around an async block that begins by saying the text: an expression, to be awaited.
    ///
    /// The text is in terms of what only the block has. So the event is begun before it, and lent to it.
    fn around_text(
        &self,
        text: &Expr,
        output: Option<&Type>,
        block: impl FnOnce(TokenStream) -> TokenStream,
    ) -> TokenStream {
        let Self { krate, class, .. } = self;
        let said = say(
            krate,
            text,
            &quote_spanned!(self.place=> task::Lent),
            [&quote_spanned!(self.place=> pfs_lent); 2],
        );
        let (block, output, look) = (block(said), written(output), self.look());
        quote_spanned! {self.place=>
            {
                let pfs_statement = #krate::__private::task::begun(#class);
                let pfs_lent = #krate::__private::task::Begun::lent(&pfs_statement);
                #krate::__private::task::Begun::watched::<#output, _, _>(pfs_statement, #block, #look)
            }
        }
    }

    /// An async function.
    fn around_function(&self, function: &Function) -> TokenStream {
        let mut sig = function.sig.clone();
        let bindings = rebind(&mut sig);
        let output = returned::returned(&function.sig.output);
        let pinned = output.and_then(pin);
        let mut body = function.block();
        if output.is_some_and(returned::names_a_future) {
            // A block that ends in a future is taken for one that forgot to await it, as a function is not.
            body = quote_spanned!(self.place=> return #body;);
        }
        let block =
            |text: TokenStream| quote_spanned!(self.place=> async move { #pinned #bindings #text #body });
        let future = match self.text() {
            None => self.around(&block(TokenStream::new()), output),
            Some(text) => self.around_text(text, output, block),
        };
        let statements = if ending(output, &function.sig.generics) == Ending::Never {
            quote_spanned!(self.place=> #future.await; ::core::unreachable!())
        } else {
            quote_spanned!(self.place=> #future.await)
        };
        function.with_body(&sig, &statements)
    }

    /// A function that returns a future.
    fn around_returned(&self, function: &Function, future: &Future) -> Result<TokenStream> {
        let body = function.body.stream();
        // What is left early is not seen from where the body ends.
        if let Some(Tail { before, expression }) = tokens::tail(body.clone())
            && !may_return(before.clone())
            && let Some(end) = self.in_place(expression, future)
        {
            return Ok(function.with_own_body(quote!(#before #end)));
        }
        if !may_return(body) {
            return Ok(self.around_block(function, future));
        }
        if let Some(attribute) = function.track_caller() {
            let message = "`#[track_caller]` would be lost: a body with `return` or a macro in it runs in a closure, so \
                           that what it returns early is measured too, and a closure has no caller's place. Leave \
                           that out, or put the attribute on a function that this one calls";
            return Err(Error::new_spanned(attribute, message));
        }
        Ok(self.around_closure(function, future))
    }

    /// The expression that the body ends in, with the event's future inside.
    fn in_place(&self, expression: Expression, future: &Future) -> Option<TokenStream> {
        let output = future.output.as_ref();
        match (expression, future.held) {
            (Expression::Pin(path, inside), Held::Pinned) => {
                let made = match (tokens::async_block(inside.stream()), self.text()) {
                    (Some(block), Some(text)) => self.around_async(&block, text, output),
                    (None, Some(_)) => return None,
                    (_, None) => self.around(&inside.stream(), output),
                };
                let mut parentheses = Group::new(inside.delimiter(), made);
                parentheses.set_span(inside.span());
                Some(quote!(#path #parentheses))
            }
            (Expression::Async(block), Held::Bare) => Some(if let Some(text) = self.text() {
                self.around_async(&block, text, output)
            } else {
                let Async { words, block } = block;
                self.around(&quote!(#words #block), output)
            }),
            _ => None,
        }
    }

    /// An async block of the user's with the event's future and the text inside.
    fn around_async(&self, block: &Async, text: &Expr, output: Option<&Type>) -> TokenStream {
        let Async { words, block } = block;
        let (before, after) = tokens::place_of_text(block.stream());
        let text: Expr =
            syn::parse2(tokens::self_as_in(&before, text.to_token_stream())).unwrap_or_else(|_| text.clone());
        let future = self.around_text(&text, output, |text| {
            let mut inside = Group::new(block.delimiter(), quote!(#before #text #after));
            inside.set_span(block.span());
            quote!(#words #inside)
        });
        quote_spanned!(self.place=> #words { #future.await })
    }

    /// The body as it stands, and the event's future around what it makes.
    fn around_block(&self, function: &Function, future: &Future) -> TokenStream {
        let (body, output) = (function.block(), future.output.as_ref());
        let ty = (future.held != Held::Bare)
            .then(|| returned::returned(&function.sig.output).map(inferred))
            .flatten()
            .map(|ty| quote!(: #ty));
        let made = quote_spanned!(self.place=> pfs_future);
        let (text, made) = match self.text() {
            None => (None, self.around(&self.unboxed(&made, future), output)),
            Some(text) => {
                let class = self.declared_class();
                let kept = self.kept(text);
                let made = self.around_with_kept_text(&self.unboxed(&made, future), output);
                (Some(quote_spanned!(self.place=> #class let pfs_text = #kept;)), made)
            }
        };
        let held = self.held(&made, future);
        function
            .with_body(&function.sig, &quote_spanned!(self.place=> #text let pfs_future #ty = #body; #held))
    }

    /// The same with the body in a closure, because it may return early.
    fn around_closure(&self, function: &Function, future: &Future) -> TokenStream {
        let krate = self.krate;
        let mut sig = function.sig.clone();
        let bindings = rebind(&mut sig);
        let (body, output) = (function.block(), future.output.as_ref());
        let ty = returned::of_closure(&function.sig.output);
        let made = self.unboxed(&quote_spanned!(self.place=> pfs_future), future);
        let (declared, said, made) = match self.text() {
            None => (None, None, self.around(&made, output)),
            Some(text) => {
                let class = self.declared_class();
                let kept = self.kept(text);
                let declared = quote_spanned! {self.place=>
                    #class
                    let mut pfs_text = ::core::option::Option::None;
                    let pfs_lent = &mut pfs_text;
                };
                let said = quote_spanned!(self.place=> *pfs_lent = #kept;);
                (Some(declared), Some(said), self.around_with_kept_text(&made, output))
            }
        };
        let held = self.held(&made, future);
        let statements = quote_spanned! {self.place=>
            #declared
            let pfs_future = #krate::__private::run(move || #ty { #bindings #said #body });
            #held
        };
        function.with_body(&sig, &statements)
    }

    fn declared_class(&self) -> TokenStream {
        let class = &self.class;
        quote_spanned!(self.place=> let pfs_class = #class;)
    }

    /// An expression: a copy of the text, if texts are kept.
    fn kept(&self, text: &Expr) -> TokenStream {
        let krate = self.krate;
        let lent = lent(text);
        let copy = quote_spanned!(at(text)=> #krate::__private::task::kept_text(#lent));
        quote_spanned! {self.place=>
            if #krate::__private::task::keeps_text(pfs_class) {
                ::core::option::Option::Some(#copy)
            } else {
                ::core::option::Option::None
            }
        }
    }

    /// What a function returned, as a future.
    fn unboxed(&self, made: &TokenStream, future: &Future) -> TokenStream {
        let krate = self.krate;
        match future.held {
            Held::Boxed => quote_spanned!(self.place=> #krate::__private::Box::into_pin(#made)),
            Held::Bare | Held::Pinned => made.clone(),
        }
    }

    /// The event's future, as the function returns it.
    fn held(&self, made: &TokenStream, future: &Future) -> TokenStream {
        let krate = self.krate;
        match future.held {
            Held::Bare => made.clone(),
            Held::Pinned => quote_spanned!(self.place=> #krate::__private::Box::pin(#made)),
            Held::Boxed => quote_spanned!(self.place=> #krate::__private::Box::new(#made)),
        }
    }
}

/// The output as a type argument.
fn written(output: Option<&Type>) -> TokenStream {
    output.map_or_else(|| quote!(_), |ty| inferred(ty).to_token_stream())
}

/// Statements at the begin of an async block that tell the compiler what it returns, as its `?` and coercions need.
fn pin(output: &Type) -> Option<TokenStream> {
    let output = inferred(output);
    if matches!(output, Type::Never(_) | Type::Infer(_)) {
        return None;
    }
    // Where the compiler says that it was told so.
    let place = Span::mixed_site().located_at(syn::spanned::Spanned::span(&output));
    Some(quote_spanned! {place=>
        if let ::core::option::Option::Some(pfs_returned) = ::core::option::Option::None::<#output> {
            return pfs_returned;
        }
    })
}

/// Says a statement's text, evaluated only where it is wanted, by functions of the hidden type `holder`: to ask and to
/// say, each given what of `statement` is its own. Functions, for the user's traits may give anything a method of any name.
pub(crate) fn say(
    krate: &Path,
    text: &Expr,
    holder: &TokenStream,
    statement: [&TokenStream; 2],
) -> TokenStream {
    let lent = lent(text);
    let text = quote_spanned!(at(text)=> #krate::__private::text(#lent));
    let [asked, told] = statement;
    quote_spanned! {Span::mixed_site()=>
        if #krate::__private::#holder::wants_text(#asked) {
            #krate::__private::#holder::text(#told, #text);
        }
    }
}

/// A text is only borrowed.
fn lent(text: &Expr) -> TokenStream {
    quote_spanned!(at(text)=> &(#text))
}

/// A text that is none is reported where it is written.
fn at(text: &Expr) -> Span {
    Span::mixed_site().located_at(syn::spanned::Spanned::span(text))
}
