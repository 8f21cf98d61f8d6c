//! What can be told of a body by its tokens alone: whether a word is in it, how it may be left, how it ends.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Whether `is` holds of any identifier, however deep.
pub(crate) fn any(tokens: TokenStream, is: &mut impl FnMut(&proc_macro2::Ident) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => is(&ident),
        TokenTree::Group(group) => any(group.stream(), is),
        _ => false,
    })
}

/// Whether the code may be left before its end: there is a `return` in it, or a macro, which may hide one.
pub(crate) fn may_return(tokens: TokenStream) -> bool {
    let tokens: Vec<_> = tokens.into_iter().collect();
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(ident) if ident == "return" => true,
        TokenTree::Ident(_) => {
            is_punct(tokens.get(at + 1), '!') && matches!(tokens.get(at + 2), Some(TokenTree::Group(_)))
        }
        TokenTree::Group(group) => may_return(group.stream()),
        _ => false,
    })
}

/// The expression that a body ends in, with what stands before it.
pub(crate) struct Tail {
    pub(crate) before: TokenStream,
    pub(crate) expression: Expression,
}

/// An expression that makes a future.
pub(crate) enum Expression {
    /// `Box::pin(…)`: the path, and what is in the parentheses.
    Pin(TokenStream, Group),
    /// `async {…}` or `async move {…}`.
    Async(Async),
}

/// `async {…}` or `async move {…}`: the words, and the block.
pub(crate) struct Async {
    pub(crate) words: TokenStream,
    pub(crate) block: Group,
}

/// The end of a body, if it is one of those.
pub(crate) fn tail(body: TokenStream) -> Option<Tail> {
    let mut tokens: Vec<_> = body.into_iter().collect();
    let TokenTree::Group(group) = tokens.pop()? else { return None };
    let (start, expression) = match group.delimiter() {
        Delimiter::Parenthesis => {
            let start = path_to_pin(&tokens)?;
            (start, Expression::Pin(tokens[start..].iter().cloned().collect(), group))
        }
        Delimiter::Brace => {
            let start = words_of_async(&tokens)?;
            let words = tokens[start..].iter().cloned().collect();
            (start, Expression::Async(Async { words, block: group }))
        }
        _ => return None,
    };
    let at_a_statement = match tokens[..start].last() {
        None => true,
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Brace,
        token => is_punct(token, ';'),
    };
    tokens.truncate(start);
    at_a_statement.then(|| Tail { before: tokens.into_iter().collect(), expression })
}

/// The async block that is all of an expression, but for a comma.
pub(crate) fn async_block(expression: TokenStream) -> Option<Async> {
    let mut tokens: Vec<_> = expression.into_iter().collect();
    tokens.pop_if(|token| is_punct(Some(token), ','));
    let TokenTree::Group(block) = tokens.pop()? else { return None };
    let whole = block.delimiter() == Delimiter::Brace && words_of_async(&tokens) == Some(0);
    whole.then(|| Async { words: tokens.into_iter().collect(), block })
}

/// The statements of an async block before which a text belongs, and those after it: the block's begin, or where
/// `async_trait` has bound the arguments anew.
pub(crate) fn place_of_text(block: TokenStream) -> (TokenStream, TokenStream) {
    let tokens: Vec<_> = block.into_iter().collect();
    let at = tokens.iter().rposition(|token| is_word(Some(token), "let")).filter(|at| {
        let unit = is_word(tokens.get(at + 1), "_") && is_punct(tokens.get(at + 2), ':');
        is_word(tokens.get(at + 1), "__ret") || unit
    });
    let (before, after) = tokens.split_at(at.unwrap_or(0));
    (before.iter().cloned().collect(), after.iter().cloned().collect())
}

/// `tokens` with `self` called as `async_trait` calls it, if `before` says that it does.
pub(crate) fn self_as_in(before: &TokenStream, tokens: TokenStream) -> TokenStream {
    if !any(before.clone(), &mut |ident| ident == "__self") {
        return tokens;
    }
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Ident(ident) if ident == "self" => {
                TokenTree::Ident(proc_macro2::Ident::new("__self", ident.span()))
            }
            TokenTree::Group(group) => {
                let mut renamed = Group::new(group.delimiter(), self_as_in(before, group.stream()));
                renamed.set_span(group.span());
                TokenTree::Group(renamed)
            }
            token => token,
        })
        .collect()
}

/// Where the path that ends in `Box::pin` begins, if the tokens end in one.
fn path_to_pin(tokens: &[TokenTree]) -> Option<usize> {
    let is_colons =
        |end: usize| end >= 2 && is_punct(tokens.get(end - 1), ':') && is_punct(tokens.get(end - 2), ':');
    let mut start = tokens.len().checked_sub(1)?;
    if !is_word(tokens.get(start), "pin")
        || !is_colons(start)
        || !is_word(tokens.get(start.checked_sub(3)?), "Box")
    {
        return None;
    }
    while is_colons(start) {
        start -= 2;
        if start > 0 && matches!(tokens[start - 1], TokenTree::Ident(_)) {
            start -= 1;
        }
    }
    Some(start)
}

/// Where `async` or `async move` begins, if the tokens end in one.
fn words_of_async(tokens: &[TokenTree]) -> Option<usize> {
    let last = tokens.len().checked_sub(1)?;
    let start = if is_word(tokens.get(last), "move") { last.checked_sub(1)? } else { last };
    is_word(tokens.get(start), "async").then_some(start)
}

fn is_punct(token: Option<&TokenTree>, punct: char) -> bool {
    matches!(token, Some(TokenTree::Punct(token)) if token.as_char() == punct)
}

fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(token)) if token == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> TokenStream {
        text.parse().expect("tokens")
    }

    fn before(text: &str) -> Option<String> {
        tail(tokens(text)).map(|tail| tail.before.to_string())
    }

    #[test]
    fn a_body_s_end_is_found() {
        assert_eq!(before("Box::pin(x)").as_deref(), Some(""));
        assert_eq!(before("::std::boxed::Box::pin(x)").as_deref(), Some(""));
        assert_eq!(before("let y = 1 ; std::boxed::Box::pin(x)").as_deref(), Some("let y = 1 ;"));
        assert_eq!(before("if a { b } Box::pin(x)").as_deref(), Some("if a { b }"));
        assert_eq!(before("let y = 1 ; async { y }").as_deref(), Some("let y = 1 ;"));
        assert_eq!(before("async move { y }").as_deref(), Some(""));
        for other in [
            "",
            "x",
            "make(x)",
            "pin(x)",
            "Arc::pin(x)",
            "a + Box::pin(x)",
            "match x {}",
            "move { y }",
            "Box::pin(x);",
        ] {
            assert_eq!(before(other), None, "{other}");
        }
    }

    #[test]
    fn a_whole_async_block_is_told_from_a_part() {
        assert!(async_block(tokens("async move { 1 }")).is_some());
        assert!(async_block(tokens("async { 1 },")).is_some());
        assert!(async_block(tokens("x.map(async { 1 })")).is_none());
        assert!(async_block(tokens("y = async { 1 }")).is_none());
    }

    #[test]
    fn macros_may_return() {
        assert!(may_return(tokens("if a { return b; }")));
        assert!(may_return(tokens("let x = || bail!(1);")));
        assert!(!may_return(tokens("if !a { b != c } else { !(d) }")));
    }

    #[test]
    fn a_text_stands_where_the_arguments_are_bound() {
        let split = |text: &str| {
            let (before, after) = place_of_text(tokens(text));
            (before.to_string(), after.to_string())
        };
        let expanded = split("let __self = self ; let __ret : u8 = { 1 } ; __ret");
        assert_eq!(expanded, ("let __self = self ;".to_owned(), "let __ret : u8 = { 1 } ; __ret".to_owned()));
        assert_eq!(split("let x = x ; let _ : () = { 1 } ;").0, "let x = x ;");
        assert_eq!(split("let x = 1 ; x").0, "");
        let renamed = self_as_in(&tokens("let __self = self ;"), tokens("f(self.x, selfish)"));
        assert_eq!(renamed.to_string(), "f (__self . x , selfish)");
        assert_eq!(self_as_in(&tokens(""), tokens("self")).to_string(), "self");
    }
}
