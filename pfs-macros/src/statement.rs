//! `#[statement]`: a statement event a call, or a future, which sees whether it ended in an error.
//!
//! To see what is returned, also by `return` and `?` inside macros, the body runs in a closure called on the spot.
//! A signature that cannot return a `Result` gets a guard before the body and nothing else.

use crate::args::{Args, report};
use crate::arguments::rebind;
use crate::function::Function;
use crate::future::{self, Event, Measured, say};
use crate::name::Kind;
use crate::returned::{Ending, ending, of_closure, refuse_future, returned};
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::{Error, Path, Result, Type};

/// Expands the attribute on `item`.
pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    match measured(args, item) {
        Ok(function) => function,
        Err(error) => report(&error, item),
    }
}

fn measured(args: TokenStream, item: &TokenStream) -> Result<TokenStream> {
    let function = Function::parse("statement", item)?;
    let mut args = Args::parse(Kind::Statement, "statement", args)?;
    let name = function.name(Kind::Statement, "statement", &mut args)?;
    let class = name.class(&args.krate);

    let measured = Measured::of(&function, "statement", &args)?;
    let value: Option<&Type> = match &measured {
        Measured::Returned(future) => future.output.as_ref(),
        Measured::Call | Measured::Itself => returned(&function.sig.output),
    };
    let ending = ending(value, &function.sig.generics);
    if let (Ending::Never, Some((key, _))) = (ending, &args.err) {
        return Err(Error::new(
            key.span(),
            "this function never returns, so there is nothing for `err` to look at",
        ));
    }
    let looks = ending == Ending::Fallible || args.err.is_some();
    if !matches!(measured, Measured::Call) {
        let event = of_future(&args, class, looks, function.place());
        return future::expand(&function, &measured, &event);
    }
    let check = value.filter(|_| args.sync.is_none()).and_then(|ty| refuse_future(&args.krate, ty));
    let call = Call { function: &function, args: &args, class, check };
    if looks { call.in_closure() } else { Ok(call.behind_guard()) }
}

/// The event of a function that is a future or returns one.
fn of_future(args: &Args, class: TokenStream, looks: bool, place: Span) -> Event<'_> {
    let look = looks.then(|| {
        let statement = quote_spanned!(place=> pfs_statement);
        let observed = observed(&args.krate, args, &quote_spanned!(place=> pfs_returned), &statement, place);
        quote_spanned!(place=> |pfs_returned, pfs_statement| { #observed })
    });
    let kind = future::Kind::Statement { text: args.text.as_ref(), look };
    Event { krate: &args.krate, class, kind, place }
}

/// A function whose call is the statement.
struct Call<'a> {
    function: &'a Function,
    args: &'a Args,
    class: TokenStream,
    /// That it does not return a future.
    check: Option<TokenStream>,
}

impl Call<'_> {
    fn guard(&self) -> TokenStream {
        let (krate, class) = (&self.args.krate, &self.class);
        quote_spanned!(self.function.place()=> #krate::__private::statement(#class))
    }

    /// The function with a guard before its body.
    fn behind_guard(&self) -> TokenStream {
        let (place, guard, check) = (self.function.place(), self.guard(), &self.check);
        let [shared, unique] =
            [quote_spanned!(place=> &pfs_statement), quote_spanned!(place=> &mut pfs_statement)];
        let statements = if let Some(text) = self.text([&shared, &unique]) {
            quote_spanned!(place=> #check let mut pfs_statement = #guard; #text)
        } else {
            quote_spanned!(place=> #check let _pfs_statement = #guard;)
        };
        self.function.prepend(&statements)
    }

    /// The function with its body in a closure, between the guard and the look at what it returned.
    fn in_closure(&self) -> Result<TokenStream> {
        if let Some(attribute) = self.function.track_caller() {
            let message = "`#[track_caller]` would be lost: `#[statement]` runs the body of a function that may return \
                           an error in a closure, to see how it ends, and a closure has no caller's place. Put \
                           `#[statement]` on a function that this one calls, or begin the statement in the body";
            return Err(Error::new_spanned(attribute, message));
        }
        let (place, guard, check) = (self.function.place(), self.guard(), &self.check);
        let krate = &self.args.krate;
        let mut sig = self.function.sig.clone();
        let bindings = rebind(&mut sig);
        let returned = of_closure(&sig.output);
        let body = self.function.block();
        let (lend, text) = match self.text([&quote_spanned!(place=> pfs_lent); 2]) {
            Some(text) => (quote_spanned!(place=> let pfs_lent = &mut pfs_statement;), text),
            None => (TokenStream::new(), TokenStream::new()),
        };
        let value = quote_spanned!(place=> &pfs_returned);
        let observed = observed(krate, self.args, &value, &quote_spanned!(place=> &mut pfs_statement), place);
        // `run` takes an `FnOnce`, by which the compiler lets what is captured be moved out and lent out.
        let statements = quote_spanned! {place=>
            #check
            let mut pfs_statement = #guard;
            #lend
            let pfs_returned = #krate::__private::run(move || #returned { #bindings #text #body });
            #observed
            pfs_returned
        };
        Ok(self.function.with_body(&sig, &statements))
    }

    /// `text = …`; `statement` is a reference to the guard to ask by, and one to say it by.
    fn text(&self, statement: [&TokenStream; 2]) -> Option<TokenStream> {
        let holder = quote_spanned!(self.function.place()=> OpenStatement);
        self.args.text.as_ref().map(|text| say(&self.args.krate, text, &holder, statement))
    }
}

/// The look at what was returned: `value` is a reference to it, `statement` one to the statement.
fn observed(
    krate: &Path,
    args: &Args,
    value: &TokenStream,
    statement: &TokenStream,
    place: Span,
) -> TokenStream {
    match &args.err {
        None => quote_spanned!(place=> #krate::__private::Outcome::new(#value).pfs_record(#statement);),
        Some((_, err)) => quote_spanned! {place=>
            {
                let pfs_error = #krate::__private::error_by(#value, #err);
                #krate::__private::Outcome::new(&pfs_error).pfs_record(#statement);
            }
        },
    }
}
