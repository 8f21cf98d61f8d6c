//! The SQL of MySQL 5.6 as its digests see it: a scanner of tokens. There is no grammar, so a statement with an error has
//! a digest too, if its text can be scanned to the end.

mod scan;
mod words;

use super::{Language, Tokens};
use core::fmt;

/// SQL as MySQL 5.6 writes and digests it: literals and parameters become `?`, lists and rows of them are reduced, names
/// keep their case and stand in back-ticks, words have the spelling that the server shows (`INT` is `INTEGER`, `DAY` is
/// `SQL_TSI_DAY`). Comments are left out, but for `/*! … */`.
///
/// What differs: a text that is no right SQL has a digest, where the server has none; `:name` is a parameter, too; what
/// the server decides by its grammar is decided by the token before. A string, a quoted name or a comment that does not
/// end makes a text without digest.
///
/// Cost: some nanoseconds a byte, see `benches/digest.rs`.
///
/// ```
/// use pfs_runtime::digest::{self, Sql};
///
/// let shown = |statement| digest::text(&Sql, statement).unwrap();
/// assert_eq!(shown("insert into t (a, b) values (-1, 'x'), (-2, 'y')"), "INSERT INTO `t` ( `a` , `b` ) VALUES (...) /* , ... */ ");
/// assert_eq!(shown("SELECT a-1 FROM t WHERE b IS NULL"), "SELECT `a` - ? FROM `t` WHERE `b` IS NULL ");
/// assert_eq!(digest::text(&Sql, "select 'unterminated"), None);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Sql;

impl Language for Sql {
    fn tokens(&self, text: &[u8], tokens: &mut Tokens<'_>) -> bool {
        scan::Scanner::new(text, tokens).run() && !tokens.bytes().is_empty()
    }

    fn word(&self, number: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = words::shown(number);
        f.write_str(shown)?;
        // The server joins it with what follows.
        if shown == "@" { Ok(()) } else { f.write_str(" ") }
    }
}
