//! A statement without its values: tokens in a bounded buffer, with lists of values and of rows reduced as they come.
//! Where one token ends and what a word means is the language's business.

use super::Language;
use core::fmt;

/// A token that is no name. Two bytes of the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token(u16);

impl Token {
    /// A literal or a parameter: `?`.
    pub const VALUE: Self = Self(0);
    /// Several values with commas between them: `?, ...`.
    pub const VALUES: Self = Self(1);
    /// `(`
    pub const OPEN: Self = Self(2);
    /// `,`
    pub const COMMA: Self = Self(3);
    /// `)`
    pub const CLOSE: Self = Self(4);
    /// One value in parentheses: `(?)`.
    const ROW: Self = Self(5);
    /// Several of those: `(?) /* , ... */`.
    const ROWS: Self = Self(6);
    /// Several values in parentheses: `(...)`.
    const LONG_ROW: Self = Self(7);
    /// Several of those: `(...) /* , ... */`.
    const LONG_ROWS: Self = Self(8);
    /// A name follows, to be shown in quotes.
    const IDENTIFIER: Self = Self(9);
    /// A name follows, to be shown as it is.
    const NAME: Self = Self(10);
    /// The first word of a language.
    const FIRST_WORD: u16 = 11;

    /// How many words a language can have.
    pub const WORDS: usize = (u16::MAX - Self::FIRST_WORD) as usize + 1;

    /// A word of the language, by a number of its own.
    ///
    /// # Panics
    ///
    /// Where there are not so many words; a language makes its words constants, so that this is an error of compilation.
    pub const fn word(number: usize) -> Self {
        assert!(number < Self::WORDS, "a language has at most 65,525 words");
        #[expect(clippy::cast_possible_truncation, reason = "asserted")]
        Self(number as u16 + Self::FIRST_WORD)
    }

    /// The number of the language's word that this is.
    pub const fn number(self) -> Option<usize> {
        match self.0.checked_sub(Self::FIRST_WORD) {
            Some(number) => Some(number as usize),
            None => None,
        }
    }
}

const TOKEN: usize = size_of::<Token>();
/// What says how long a name is.
const LENGTH: usize = size_of::<u16>();

/// The tokens of a statement, as a language writes them. What no longer fits the buffer is left out, and everything after
/// it too; nothing is allocated.
///
/// ```
/// use pfs_runtime::digest::{Sql, Token, Tokens};
///
/// let mut buffer = [0; 64];
/// let mut tokens = Tokens::new(&mut buffer);
/// tokens.identifier(b"f");
/// tokens.push(Token::OPEN);
/// tokens.value();
/// tokens.push(Token::COMMA);
/// tokens.value();
/// tokens.close();
/// assert_eq!(tokens.text(&Sql).to_string(), "`f` (...) ");
/// ```
#[derive(Debug)]
pub struct Tokens<'b> {
    bytes: &'b mut [u8],
    length: usize,
    /// Where the last name ends: before it nothing is looked at, and after it every token has two bytes.
    names_end: usize,
    full: bool,
}

laid_out!(impl['b] Tokens<'b> as Tokens { bytes, length, names_end, full });

impl<'b> Tokens<'b> {
    /// None yet, and room for as many as fit so many bytes.
    pub const fn new(buffer: &'b mut [u8]) -> Self {
        Self { bytes: buffer, length: 0, names_end: 0, full: false }
    }

    /// Whether something did not fit; the rest of the statement need not be read.
    #[inline]
    pub const fn is_full(&self) -> bool {
        self.full
    }

    /// What was written, which is what tells two statements apart.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// The statement as it is shown, in the language that wrote it.
    pub fn text<'t>(&'t self, language: &'t dyn Language) -> Text<'t> {
        Text { bytes: self.bytes(), language }
    }

    /// The last token, if it is no name.
    #[inline]
    pub fn last(&self) -> Option<Token> {
        self.at(1)
    }

    /// The last token and the one before it, if neither is a name.
    #[inline]
    pub fn last_two(&self) -> Option<[Token; 2]> {
        let at = self.length.checked_sub(2 * TOKEN).filter(|at| *at >= self.names_end)?;
        let [a, b, c, d] = *self.bytes[at..].first_chunk()?;
        Some([Token(u16::from_le_bytes([a, b])), Token(u16::from_le_bytes([c, d]))])
    }

    #[inline]
    fn at(&self, from_end: usize) -> Option<Token> {
        let at = self.length.checked_sub(from_end * TOKEN).filter(|at| *at >= self.names_end)?;
        Some(token(&self.bytes[at..]))
    }

    /// Adds a token as it is.
    #[inline]
    pub fn push(&mut self, token: Token) {
        match self.bytes.get_mut(self.length..self.length + TOKEN) {
            Some(room) if !self.full => {
                room.copy_from_slice(&token.0.to_le_bytes());
                self.length += TOKEN;
            }
            _ => self.full = true,
        }
    }

    /// Takes the last token back. Nothing happens if that is a name.
    #[inline]
    pub fn retract(&mut self) {
        if self.last().is_some() && !self.full {
            self.length -= TOKEN;
        }
    }

    #[inline]
    fn reduce(&mut self, tokens: usize, to: Token) {
        if !self.full {
            self.length -= tokens * TOKEN;
        }
        self.push(to);
    }

    /// Adds a value; with values and a comma before it they become one list.
    #[inline]
    pub fn value(&mut self) {
        match self.last_two() {
            Some([Token::VALUE | Token::VALUES, Token::COMMA]) => self.reduce(2, Token::VALUES),
            _ => self.push(Token::VALUE),
        }
    }

    /// Adds a `)`; around values alone that makes a row, and rows with commas between them become one.
    #[inline]
    pub fn close(&mut self) {
        let (row, rows) = match self.last_two() {
            Some([Token::OPEN, Token::VALUE]) => (Token::ROW, Token::ROWS),
            Some([Token::OPEN, Token::VALUES]) => (Token::LONG_ROW, Token::LONG_ROWS),
            _ => return self.push(Token::CLOSE),
        };
        let more = self.at(3) == Some(Token::COMMA) && [Some(row), Some(rows)].contains(&self.at(4));
        if more { self.reduce(4, rows) } else { self.reduce(2, row) }
    }

    /// Adds a name that is shown in back-ticks.
    #[inline]
    pub fn identifier(&mut self, name: &[u8]) {
        self.name_of(Token::IDENTIFIER, name);
    }

    /// Adds a name as it stands between back-ticks, where two of them are one of the name.
    pub(super) fn quoted_identifier(&mut self, name: &[u8]) {
        // Each has another behind it, or the name would have ended.
        let doubled = name.split(|byte| *byte == b'`').count() / 2;
        if doubled == 0 {
            return self.identifier(name);
        }
        let Some(room) = self.room_for_name(Token::IDENTIFIER, name.len() - doubled) else { return };
        let mut second = false;
        let single = name.iter().filter(|byte| {
            second = **byte == b'`' && !second;
            **byte != b'`' || second
        });
        for (place, byte) in room.iter_mut().zip(single) {
            *place = *byte;
        }
    }

    /// Adds a name that is shown as it is.
    #[inline]
    pub fn name(&mut self, name: &[u8]) {
        self.name_of(Token::NAME, name);
    }

    fn name_of(&mut self, token: Token, name: &[u8]) {
        if let Some(room) = self.room_for_name(token, name.len()) {
            room.copy_from_slice(name);
        }
    }

    /// Room for a name of so many bytes.
    #[inline]
    fn room_for_name(&mut self, token: Token, length: usize) -> Option<&mut [u8]> {
        let end = self.length + TOKEN + LENGTH + length;
        let room = self.bytes.get_mut(self.length..end);
        let (Some(room), Ok(length), false) = (room, u16::try_from(length), self.full) else {
            self.full = true;
            return None;
        };
        let (first, name) = room.split_at_mut(TOKEN + LENGTH);
        first[..TOKEN].copy_from_slice(&token.0.to_le_bytes());
        first[TOKEN..].copy_from_slice(&length.to_le_bytes());
        (self.length, self.names_end) = (end, end);
        Some(name)
    }
}

#[inline]
fn token(bytes: &[u8]) -> Token {
    Token(u16::from_le_bytes([bytes[0], bytes[1]]))
}

/// A statement as it is shown without its values; each token with a space after it, as MySQL 5.6 shows it. Bytes of a
/// name that are no UTF-8 are shown as `�`.
#[derive(Clone, Copy, Debug)]
pub struct Text<'t> {
    bytes: &'t [u8],
    language: &'t dyn Language,
}

impl<'t> Text<'t> {
    /// The statement whose [tokens](Tokens::bytes) in this language are these.
    pub const fn new(bytes: &'t [u8], language: &'t dyn Language) -> Self {
        Self { bytes, language }
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.bytes;
        while rest.len() >= TOKEN {
            let next = token(rest);
            rest = &rest[TOKEN..];
            match next {
                Token::VALUE => f.write_str("? ")?,
                Token::VALUES => f.write_str("?, ... ")?,
                Token::OPEN => f.write_str("( ")?,
                Token::COMMA => f.write_str(", ")?,
                Token::CLOSE => f.write_str(") ")?,
                Token::ROW => f.write_str("(?) ")?,
                Token::ROWS => f.write_str("(?) /* , ... */ ")?,
                Token::LONG_ROW => f.write_str("(...) ")?,
                Token::LONG_ROWS => f.write_str("(...) /* , ... */ ")?,
                Token::IDENTIFIER | Token::NAME => {
                    let Some((length, after)) = rest.split_first_chunk::<LENGTH>() else { break };
                    let (name, after) =
                        after.split_at_checked(u16::from_le_bytes(*length).into()).unwrap_or((after, &[]));
                    let quote = if next == Token::IDENTIFIER { "`" } else { "" };
                    f.write_str(quote)?;
                    // Not put together: a digest is also shown where nothing may allocate, to be hashed.
                    for chunk in name.utf8_chunks() {
                        f.write_str(chunk.valid())?;
                        f.write_str(if chunk.invalid().is_empty() { "" } else { "\u{fffd}" })?;
                    }
                    f.write_str(quote)?;
                    f.write_str(" ")?;
                    rest = after;
                }
                Token(_) => self.language.word(next.number().unwrap_or_default(), f)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A language whose words are numbers.
    #[derive(Debug)]
    struct Numbers;

    impl Language for Numbers {
        fn tokens(&self, text: &[u8], tokens: &mut Tokens<'_>) -> bool {
            for part in text {
                match part {
                    b'?' => tokens.value(),
                    b'(' => tokens.push(Token::OPEN),
                    b',' => tokens.push(Token::COMMA),
                    b')' => tokens.close(),
                    b'a'..=b'z' => tokens.identifier(&[*part]),
                    b'A'..=b'Z' => tokens.name(&[*part]),
                    other => tokens.push(Token::word(usize::from(*other))),
                }
            }
            true
        }

        fn word(&self, number: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{number} ")
        }
    }

    fn text(written: &str, room: usize) -> (String, bool) {
        let mut buffer = vec![0; room];
        let mut tokens = Tokens::new(&mut buffer);
        assert!(Numbers.tokens(written.as_bytes(), &mut tokens));
        (tokens.text(&Numbers).to_string(), tokens.is_full())
    }

    #[test]
    fn values_and_rows_are_reduced() {
        for (written, shown) in [
            ("?", "? "),
            ("?,?", "?, ... "),
            ("?,?,?,?", "?, ... "),
            ("?,a,?,?", "? , `a` , ?, ... "),
            ("(?)", "(?) "),
            ("(?),(?)", "(?) /* , ... */ "),
            ("(?),(?),(?)", "(?) /* , ... */ "),
            ("(?,?)", "(...) "),
            ("(?,?),(?,?,?)", "(...) /* , ... */ "),
            ("(?),(?,?),(?,?)", "(?) , (...) /* , ... */ "),
            ("((?),(?))", "( (?) /* , ... */ ) "),
            ("(a,?)", "( `a` , ? ) "),
            ("()", "( ) "),
            ("a?,?", "`a` ?, ... "),
            ("?a,?", "? `a` , ? "),
            ("(a(?),(?)", "( `a` (?) /* , ... */ "),
            ("A!", "A 33 "),
            ("", ""),
        ] {
            assert_eq!(text(written, 100), (shown.into(), false), "{written}");
        }
    }

    #[test]
    fn what_does_not_fit_and_what_comes_after_it_is_left_out() {
        assert_eq!(text("!!", 4), ("33 33 ".into(), false));
        assert_eq!(text("!!!", 4), ("33 33 ".into(), true));
        assert_eq!(text("!a", 7), ("33 `a` ".into(), false));
        assert_eq!(text("!a", 6), ("33 ".into(), true));
        // The name does not fit; what is shorter does not take its place.
        assert_eq!(text("!a!", 6), ("33 ".into(), true));
        // A list grows without taking room.
        assert_eq!(text("?,?,?,?", 4), ("?, ... ".into(), false));
        assert_eq!(text("?,?,?,?", 3), ("? ".into(), true));
        assert_eq!(text("!", 0), (String::new(), true));
        assert_eq!(text("!", 1), (String::new(), true));
    }

    #[test]
    fn a_token_is_taken_back_but_no_name() {
        let mut buffer = [0; 16];
        let mut tokens = Tokens::new(&mut buffer);
        tokens.identifier(b"a");
        tokens.push(Token::word(7));
        assert_eq!((tokens.last(), tokens.last_two()), (Some(Token::word(7)), None));
        tokens.retract();
        tokens.retract();
        assert_eq!(tokens.text(&Numbers).to_string(), "`a` ");
        assert_eq!(tokens.last(), None);
    }

    #[test]
    fn a_name_that_is_no_text_is_shown_all_the_same() {
        let mut buffer = [0; 16];
        let mut tokens = Tokens::new(&mut buffer);
        tokens.identifier(b"a\xff");
        assert_eq!(tokens.text(&Numbers).to_string(), "`a\u{fffd}` ");
        // A buffer that was cut is shown as far as it goes.
        assert_eq!(Text::new(&tokens.bytes()[..5], &Numbers).to_string(), "`a` ");
        assert_eq!(Text::new(&tokens.bytes()[..3], &Numbers).to_string(), "");
    }
}
