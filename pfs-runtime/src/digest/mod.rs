//! Digests: what a statement is without its values, so that a thousand statements that differ in a number are one. A
//! [`Language`] turns the text into [`Tokens`] in one pass and without allocation; what is counted by digest is not known
//! here.
//!
//! ```
//! use pfs_runtime::digest::{self, Sql};
//!
//! let text = digest::text(&Sql, "select * from shop.orders where id in (1, 2, 3) -- by hand");
//! assert_eq!(text.unwrap(), "SELECT * FROM `shop` . `orders` WHERE `id` IN (...) ");
//! ```

mod commands;
mod sql;
mod tokens;

pub use commands::Commands;
pub use sql::Sql;
pub use tokens::{Text, Token, Tokens};

use core::fmt;

/// What statements are written in: how their text falls into tokens, and how its words are shown. A server has one for
/// its protocol; [`Sql`] and [`Commands`] are ready.
///
/// ```
/// use pfs_runtime::digest::{self, Language, Tokens};
/// use std::fmt;
///
/// /// Routes: `GET /users/17` and `GET /users/18` are one.
/// #[derive(Debug)]
/// struct Routes;
///
/// impl Language for Routes {
///     fn tokens(&self, text: &[u8], tokens: &mut Tokens<'_>) -> bool {
///         for part in text.split(|byte| *byte == b'/' || *byte == b' ').filter(|part| !part.is_empty()) {
///             if part.iter().all(u8::is_ascii_digit) { tokens.value() } else { tokens.name(part) }
///         }
///         !tokens.bytes().is_empty()
///     }
///
///     fn word(&self, _: usize, _: &mut fmt::Formatter<'_>) -> fmt::Result {
///         Ok(())
///     }
/// }
///
/// assert_eq!(digest::text(&Routes, "GET /users/17/orders").unwrap(), "GET users ? orders ");
/// assert_eq!(digest::text(&Routes, ""), None);
/// ```
pub trait Language: fmt::Debug + Sync {
    /// Writes the tokens of a statement, and whether it has a digest: a text that breaks off in the middle of a word, or
    /// has none, has not. Called on the path of a statement: it must not allocate or wait, and may stop where the [tokens are
    /// full](Tokens::is_full). If it panics, the statement goes on without a digest.
    fn tokens(&self, text: &[u8], tokens: &mut Tokens<'_>) -> bool;

    /// Shows the word of this [number](Token::number), with a space after it if it is to have one.
    ///
    /// # Errors
    ///
    /// What the formatter says.
    fn word(&self, number: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

/// A statement without its values, however long; nothing if it has no digest. Allocates: this is for looking and for
/// tests, not for the path of a statement.
pub fn text(language: &dyn Language, statement: impl AsRef<[u8]>) -> Option<String> {
    let statement = statement.as_ref();
    // The densest text is one of single characters, each a token, or a name with what says so. Commands in bytes may be
    // denser; a language that writes on and on is stopped.
    let most = statement.len().saturating_mul(256).saturating_add(1 << 16);
    let (mut room, mut written) = (statement.len().saturating_mul(5).max(1 << 10), None);
    loop {
        let mut buffer = vec![0; room];
        let mut tokens = Tokens::new(&mut buffer);
        let has_one = language.tokens(statement, &mut tokens);
        // A name that is too long for any room fits no more of it.
        let length = Some(tokens.bytes().len());
        if !tokens.is_full() || room >= most || written == length {
            return has_one.then(|| tokens.text(language).to_string());
        }
        written = length;
        room = room.saturating_mul(4).min(most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    static COMMANDS: Commands = Commands::new(&["CONFIG"]);

    /// Texts that come near to statements: their pieces in any order, and any bytes.
    fn statements() -> impl Strategy<Value = Vec<u8>> {
        let pieces = prop::sample::select(vec![
            "select",
            "NULL",
            "not",
            "is",
            "count",
            "(",
            ")",
            ",",
            "1",
            "-1",
            "0x",
            "0b1",
            "1e",
            "1e+5",
            "1.",
            ".5",
            "'a'",
            "'",
            "\"",
            "`a``b`",
            "`",
            "@",
            "@@",
            "x'41'",
            "n'",
            "_utf8",
            "/*",
            "*/",
            "/*!",
            "/*!50000",
            "--",
            "-- ",
            "#",
            "\n",
            ";",
            ":",
            ":a",
            "?",
            "\\",
            "\\N",
            "<=>",
            "a.b",
            ".",
            "é",
            "*3\r\n$3\r\n",
            "$",
            "+",
            "-",
            " ",
            "config",
        ]);
        let piece =
            prop_oneof![8 => pieces.prop_map(|piece| piece.as_bytes().to_vec()), 1 => any::<Vec<u8>>()];
        prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    fn tokens(language: &dyn Language, statement: &[u8], room: usize) -> (bool, bool, Vec<u8>, String) {
        let mut buffer = vec![0xaa; room];
        let mut tokens = Tokens::new(&mut buffer);
        let has_one = language.tokens(statement, &mut tokens);
        (has_one, tokens.is_full(), tokens.bytes().to_vec(), tokens.text(language).to_string())
    }

    /// Commands in bytes: each has a name that is longer; one is written on and on.
    #[derive(Debug)]
    struct Binary;

    impl Language for Binary {
        fn tokens(&self, text: &[u8], tokens: &mut Tokens<'_>) -> bool {
            for byte in text {
                match byte {
                    0 => tokens.value(),
                    1 => tokens.name(&[b'a'; 1000]),
                    2 => tokens.name(&vec![b'a'; 70_000]),
                    _ => {
                        while !tokens.is_full() {
                            tokens.name(b"b");
                        }
                    }
                }
            }
            true
        }

        fn word(&self, _: usize, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            Ok(())
        }
    }

    #[test]
    fn a_language_may_write_more_than_it_reads() {
        let long = "a".repeat(1000);
        assert_eq!(text(&Binary, [0, 1, 0]), Some(format!("? {long} ? ")));
        assert_eq!(text(&Binary, [1; 50]), Some(format!("{long} ").repeat(50)));
        assert_eq!(text(&Binary, [0, 2, 0]).as_deref(), Some("? "));
        // As much as 256 bytes for each and 64 KiB take, of five a name.
        assert_eq!(text(&Binary, [3]), Some("b ".repeat((256 + (1 << 16)) / 5)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn any_text_is_taken(statement in statements(), room in 0_usize..200) {
            for language in [&Sql as &dyn Language, &COMMANDS] {
                let whole = tokens(language, &statement, statement.len() * 5);
                prop_assert!(!whole.1, "{whole:?}");
                let bounded = tokens(language, &statement, room);
                prop_assert!(bounded.2.len() <= room);
                if !bounded.1 {
                    // What was not cut is what it is in any room.
                    prop_assert_eq!(bounded, whole);
                }
            }
        }

        #[test]
        fn values_change_nothing(number in any::<u64>(), text in "[^'\\\\]*") {
            let one = super::text(&Sql, format!("select a from t where b = {number} and c = '{text}'"));
            prop_assert_eq!(one.as_deref(), Some("SELECT `a` FROM `t` WHERE `b` = ? AND `c` = ? "));
        }
    }
}
